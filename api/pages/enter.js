// Consumes the one-time ticket of the address by a POST, so that no link that somebody else opens changes anything.
"use strict";
const state = document.getElementById("state");
const enter = document.getElementById("enter");
const inside = document.getElementById("inside");
const ticket = location.hash.slice(1);
history.replaceState(null, "", location.pathname); // nobody finds it in the history

async function detail(answer) {
  try { return (await answer.json()).detail; } catch { return "The service gave no answer that could be read."; }
}

async function show() {
  const answer = await fetch("/api/v1/board/meetings");
  if (!answer.ok) {
    state.textContent = "You are not in. Open the link that `boardroom up` prints, or print a new one: boardroom tokens link";
    return;
  }
  const list = document.getElementById("meetings");
  list.replaceChildren();
  const { meetings } = await answer.json();
  for (const meeting of meetings) {
    const line = document.createElement("li");
    const name = document.createElement("a");
    name.className = "name";
    name.href = "/api/v1/board/meetings/" + meeting.meeting_id;
    name.textContent = meeting.name;
    const status = document.createElement("span");
    status.className = "status";
    status.textContent = meeting.status.replaceAll("_", " ");
    const minutes = document.createElement("a");
    minutes.href = "/api/v1/board/meetings/" + meeting.meeting_id + "/minutes";
    minutes.textContent = "minutes";
    line.append(name, status, minutes);
    if (meeting.simulated) {
      const simulated = document.createElement("span");
      simulated.className = "simulated";
      simulated.textContent = "simulated voices";
      line.append(simulated);
    }
    list.append(line);
  }
  state.textContent = meetings.length ? "You are in." : "You are in. There are no meetings yet.";
  inside.hidden = false;
}

enter.addEventListener("click", async () => {
  enter.disabled = true;
  const answer = await fetch("/api/v1/session", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ ticket }),
  });
  if (!answer.ok) {
    state.textContent = await detail(answer);
    enter.hidden = true;
    return;
  }
  enter.hidden = true;
  await show();
});

document.getElementById("leave").addEventListener("click", async () => {
  const session = await fetch("/api/v1/session");
  if (session.ok) {
    await fetch("/api/v1/session", { method: "DELETE", headers: { "X-CSRF-Token": (await session.json()).csrf } });
  }
  inside.hidden = true;
  state.textContent = "You have left.";
});

// A link that is opened where this page stands already changes only what follows the #.
addEventListener("hashchange", () => location.reload());

if (ticket) {
  state.textContent = "This link opens your board in this browser, once.";
  enter.hidden = false;
  enter.focus();
} else {
  show();
}
