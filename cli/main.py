"""`boardroom`: the commands, and how they end: 0 done, 1 the work failed, 2 wrong usage.

What a command needs is imported when it runs, so that `boardroom --help` answers at once. Every foreseeable error is one
sentence on standard error that names the thing and the mend.
"""

from __future__ import annotations

import errno
import io
import sys
from collections.abc import Sequence

from cyclopts import App, CycloptsError, UnusedCliTokensError

DONE, FAILED, WRONG_USAGE, INTERRUPTED = 0, 1, 2, 130

EPILOGUE = """\
With nothing configured everything runs in this directory, offline: voices are simulated unless ANTHROPIC_API_KEY is set.
Exit codes: 0 done, 1 the work failed, 2 wrong usage, 130 interrupted (Ctrl-C)."""

app = App(
    name="boardroom",
    help="AI voices hold formal meetings by Robert's Rules and keep a record that can be trusted.",
    help_epilogue=EPILOGUE,
    help_format="plaintext",
    version_flags=["--version"],
)
COMMANDS = {
    "meet": (
        "cli.meet:meet",
        "Hold a meeting and watch it.\n\nType a line while it runs to speak to the board. Ctrl-C pauses it; `--resume ID` goes "
        "on, also after a crash.",
    ),
    "prepare": ("cli.preparing:prepare", "Have the chairman draft an agenda from your goals and notes, and talk it over."),
    "agenda": ("cli.preparing:agenda", "Show the agenda of a meeting that is being prepared; change, revise or approve it."),
    "meetings": ("cli.reading:meetings", "List the meetings, or show one with its transcript."),
    "minutes": ("cli.reading:minutes", "Print the minutes of a meeting."),
    "export": ("cli.exporting:export", "Write meetings into a folder, as files that `import` and other programs can read."),
    "import": ("cli.exporting:import_", "Take the meetings of such a folder into the record."),
    "review": (
        "cli.review:review",
        "Have directors review a proposal: verdict, conditions and dissent, as files and for a program.\n\nExit code 0: "
        "approved; 3: rejected; 4: escalated, `boardroom decide` decides.",
    ),
    "reviews": ("cli.review:reviews", "List the proposal reviews, or show one."),
    "decide": ("cli.review:decide", "Decide a proposal that the directors escalated."),
    "resolutions": ("cli.resolutions:app", "Resolutions: list and show them, answer them, delete them."),
    "actions": ("cli.actions:app", "The ledger of action items: list, add, complete, reopen, extract, scope, sync."),
    "summary": ("cli.summaries:summary", "Print the executive summary of a meeting, or the secretary's review of it."),
    "dashboard": ("cli.dashboard:dashboard", "Write one page about resolutions, action items, votes and meetings."),
    "members": ("cli.reading:members", "List who can be seated."),
    "whispers": ("cli.reading:whispers", "Print what the members thought and did not say."),
    "schedule": ("cli.schedule:app", "Have meetings held by themselves: every week, or when goals drift."),
    "service": ("cli.service:app", "Keep `boardroom up` running by a systemd user unit."),
    "notices": ("cli.notices:app", "Show what you were told by mail and elsewhere; `notices test` tries each channel."),
    "up": ("cli.serving:up", "Run the Temporal server with its Web UI, a worker and the API, until Ctrl-C."),
    "worker": ("cli.serving:worker", "Run a worker until Ctrl-C."),
    "api": ("cli.serving:api", "Run the API alone until Ctrl-C."),
    "tokens": ("cli.tokens:app", "Say who may use the API: create, list and revoke tokens, or print a one-time link."),
    "delete": ("cli.erasing:delete", "Delete a meeting everywhere."),
    "erase": ("cli.erasing:erase", "Erase everything of a person: meetings and tokens."),
    "doctor": ("cli.serving:doctor", "Say what is configured, what answers, and how to mend what is missing."),
}
"""Name -> where the command is, and its line in `boardroom --help` (there without importing it)."""

for name, (where, line) in COMMANDS.items():
    app.command(where, name=name, help=line)


def _version() -> str:
    from importlib.metadata import version

    return version("boardroom")


app.version = _version


def run(tokens: Sequence[str]) -> int:
    """Run one command and return its exit code. Foreseeable errors are told, never raised."""
    try:
        code = app(list(tokens), exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _wrong_usage(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # whoever read our output has enough
        sys.stderr.close()
        return DONE
    except Exception as error:
        told = _told(error)
        if told is None:
            raise
        message, exit_code = told
        from cli.screen import say

        say(message)
        return exit_code
    return code if isinstance(code, int) else DONE


def _wrong_usage(error: CycloptsError) -> int:
    from cli.screen import say
    from parliament.text import brief

    command = " ".join(["boardroom", *(error.command_chain or ())])
    said = " ".join(str(error).split())
    if isinstance(error, UnusedCliTokensError):
        many = " ".join(error.unused_tokens or ())
        said = f"`{command}` does not know what to do with {brief(many)!r}: leave it out."
    say(f"{said} See `{command} --help`.")
    return WRONG_USAGE


def _told(error: Exception) -> tuple[str, int] | None:
    """The sentence and the exit code of an error that could be foreseen; None for one that could not."""
    from clerk.errors import DeskError
    from parliament.agenda import AgendaError
    from parliament.seating import SeatingError
    from settings import SettingsError
    from stack_server import StackError
    from telemetry import TelemetryError

    if isinstance(error, DeskError):
        return error.message, WRONG_USAGE if error.usage else FAILED
    if isinstance(error, (AgendaError, SeatingError, SettingsError)):
        return _sentence(error), WRONG_USAGE
    # Raised only where it was imported; importing the store just to look would be slow.
    store_error = getattr(sys.modules.get("records.engine"), "StoreError", StackError)
    if isinstance(error, (StackError, TelemetryError, store_error)):
        return _sentence(error), FAILED
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"{error.filename or 'The output'} cannot be written ({error.strerror}): free some room there.", FAILED
    return None


def _sentence(error: Exception) -> str:
    text = str(error)
    return text if text.endswith((".", "!", "?", "`")) else f"{text}."


def main() -> None:
    """The `boardroom` command."""
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal that lacks a dash or a quotation mark shows a ? there
        sys.stdout.reconfigure(errors="replace")
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
