"""What a newcomer sees: meetings on different topics could not be swapped, and the speakers can be told apart."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, pairwise

import pytest

from parliament.values import Purpose
from tests.support.briefs import MEMBERS, Walk, hold, item_of
from voices.simulated.domains import DOMAINS, GENERAL, LENSES
from voices.simulated.personas import KNOWN
from voices.simulated.topic import Kind, analyse

SPOKEN = (Purpose.DISCUSSION, Purpose.MENTION, Purpose.DEBATE)
TOPICS = {
    "Should I take the job in Lisbon?": ("Lisbon",),
    "Is it time to sell the house?": ("house",),
    "Should we rewrite the billing service in Rust?": ("billing", "Rust"),
    "How do I sleep better?": ("sleep",),
    "Should I marry Anna or wait?": ("Anna",),
    "Ship v2 now or fix the bugs first": ("v2", "bugs"),
    "learn Japanese": ("Japanese",),
    "Should I invest $50,000 in index funds?": ("$50,000",),
}


@pytest.fixture(scope="module")
def boards() -> dict[str, list[Walk]]:
    return {topic: [hold(topic, seed=seed) for seed in range(6)] for topic in TOPICS}


def test_every_meeting_speaks_of_its_own_topic_and_of_no_other(boards: dict[str, list[Walk]]) -> None:
    names = {word for words in TOPICS.values() for word in words} - {"house", "sleep"}  # those two anybody may say
    for topic, walks in boards.items():
        for walk in walks:
            text = "\n".join(line.text for line in walk.speeches(*SPOKEN)).lower()
            assert any(own.lower() in text for own in TOPICS[topic]), topic
            for word in names - set(TOPICS[topic]):
                assert not re.search(rf"(?<!\w){re.escape(word.lower())}(?!\w)", text), (topic, word)


def test_nearly_every_speech_names_what_it_is_about(boards: dict[str, list[Walk]]) -> None:
    """A single speech of the discussion, taken out of its meeting, can be given back to it."""
    named = total = 0
    for topic, walks in boards.items():
        for walk in walks:
            for line in walk.speeches(Purpose.DISCUSSION):
                total += 1
                named += any(word.lower() in line.text.lower() for word in TOPICS[topic])
    assert named / total > 0.95


def test_topics_differ_in_motion_votes_and_dissent(boards: dict[str, list[Walk]]) -> None:
    motions = [walks[0].motions[0] for walks in boards.values()]
    assert len(set(motions)) == len(motions)
    votes = {tuple(sorted(walk.votes[0].items())) for walks in boards.values() for walk in walks}
    assert len(votes) > len(boards)
    dissents = {topic: {text for walk in walks for _, text in walk.dissents} for topic, walks in boards.items()}
    assert all(dissents.values())
    for one, other in combinations(dissents.values(), 2):
        assert not one & other


def test_boards_adopt_mostly_and_lose_amend_and_dissent_sometimes(boards: dict[str, list[Walk]]) -> None:
    walks = [walk for several in boards.values() for walk in several]
    ends = Counter(walk.statuses[0] for walk in walks)
    assert 0.7 < ends["adopted"] / len(walks) < 1.0
    assert ends["lost"] >= 1
    assert ends["unseconded"] + ends["tied"] <= 2
    ways = Counter(how.split(":")[0] for walk in walks for how in walk.amendments)
    assert ways["by consent, carried"] and ways["by vote, carried"]
    assert 0.4 < sum(bool(walk.dissents) for walk in walks) / len(walks) < 0.95


def test_members_answer_each_other_by_name(boards: dict[str, list[Walk]]) -> None:
    for walks in boards.values():
        for walk in walks:
            names = {m.name.split()[0] for m in walk.seated}
            debate = walk.speeches(Purpose.DEBATE)
            answered = sum(any(re.search(rf"\b{n}\b", line.text) for n in names - {line.name.split()[0]}) for line in debate)
            assert answered >= len(debate) // 2


def test_a_vote_agrees_with_what_was_said_or_says_why_not(boards: dict[str, list[Walk]]) -> None:
    """Whoever objects with a dissent gives a reason, and the dissent is more than the reason again."""
    for walks in boards.values():
        for walk in walks:
            for brief, said in walk.answers:
                if brief.purpose is Purpose.VOTE and brief.amendment is None:
                    assert said.fields["reason"]
                    assert bool(said.fields["dissent"]) is (said.fields["vote"] == "AGAINST")
                    assert said.fields["dissent"] != said.fields["reason"]


def words_of(walks: list[Walk]) -> dict[str, Counter[str]]:
    """Member -> how often it uses pairs of words, which is where a manner of speaking shows."""
    found: dict[str, Counter[str]] = {}
    for walk in walks:
        for line in walk.speeches():
            if line.purpose in {p.value for p in (*SPOKEN, Purpose.SECOND, Purpose.VOTE)}:
                tokens = re.findall(r"[a-z']+", line.text.lower())
                found.setdefault(line.speaker, Counter()).update(pairwise(tokens))
    return found


def test_speakers_can_be_told_apart_blind() -> None:
    """A speech on a topic that was not learned from is given to its speaker by its words alone, far better than by chance."""
    everybody = tuple(MEMBERS)
    known = words_of([hold(t, seed=s, seats=everybody) for t in list(TOPICS)[:5] for s in range(3)])
    right = total = 0
    for topic in list(TOPICS)[5:]:
        for line in hold(topic, seed=9, seats=everybody).speeches(*SPOKEN):
            tokens = re.findall(r"[a-z']+", line.text.lower())
            pairs = set(pairwise(tokens))
            scores = {m: sum(pair in known[m] for pair in pairs) / len(known[m]) ** 0.5 for m in known}
            right += max(scores, key=lambda m: scores[m]) == line.speaker
            total += 1
    assert total > 30
    assert right / total > 0.85, (right, total)


def test_no_two_speakers_share_their_phrases() -> None:
    """On one topic, two members have few runs of five words in common, the topic's own aside."""
    walk = hold("Should I take the job in Lisbon?", seed=4, seats=tuple(MEMBERS))
    own = set(re.findall(r"[a-z]+", "taking the job in lisbon take staying where they are the shareholder"))
    runs: dict[str, set[tuple[str, ...]]] = {}
    for line in walk.speeches(Purpose.DISCUSSION):
        tokens = [t for t in re.findall(r"[a-z']+", line.text.lower()) if t not in own]
        runs.setdefault(line.speaker, set()).update(tuple(tokens[n : n + 5]) for n in range(len(tokens) - 4))
    for one, other in combinations(runs, 2):
        assert len(runs[one] & runs[other]) <= 2, (one, other, runs[one] & runs[other])


def test_the_board_book_and_the_papers_are_brought_up() -> None:
    book = "# Money\n- Savings cover 9 months of salary\n- Rent is 1,450 euros a month\n# Pets\n- The cat is well"
    item = item_of("Should I take a sabbatical of 6 months?", description="My employer would hold the post for a year.")
    walk = hold(item, seed=2, book=book)
    text = walk.text()
    assert "Savings cover 9 months of salary" in text
    assert "My employer would hold the post for a year" in text
    assert "The cat is well" not in text


@pytest.mark.parametrize(
    ("topic", "kind", "act", "other"),
    [
        ("Should I take the job in Lisbon?", Kind.SHOULD, "take the job in Lisbon", None),
        ("Is it time to sell the house?", Kind.SHOULD, "sell the house", None),
        ("Should I marry Anna or wait?", Kind.CHOICE, "marry Anna", "wait"),
        ("Ship v2 now or fix the bugs first", Kind.CHOICE, "ship v2 now", "fix the bugs first"),
        ("Should I move to Lisbon or Porto?", Kind.CHOICE, "move to Lisbon", "move to Porto"),
        ("Should we hire a designer or an engineer?", Kind.CHOICE, "hire a designer", "hire an engineer"),
        ("Rust or Go for the new service?", Kind.CHOICE, "choose Rust for the new service", "choose Go for the new service"),
        ("I'm thinking about quitting my job", Kind.SHOULD, "quit their job", None),
        ("How do I sleep better?", Kind.HOW, "sleep better", None),
        ("Which laptop should I buy?", Kind.HOW, "settle which laptop to buy", None),
        ("Quarterly review of my training plan", Kind.REVIEW, "carry on with the training plan", None),
        ("learn Japanese", Kind.SHOULD, "learn Japanese", None),
        ("Can I afford a sabbatical?", Kind.SHOULD, "commit to a sabbatical", None),
        ("Stop drinking", Kind.SHOULD, "stop drinking", None),
        ("Why am I always tired?", Kind.HOW, "find an answer to the question “Why am I always tired?”", None),
    ],
)
def test_a_topic_is_read_for_its_act(topic: str, kind: Kind, act: str, other: str | None) -> None:
    read = analyse(item_of(topic))
    assert (read.kind, read.act) == (kind, act)
    if other is not None:
        assert read.other == other


@pytest.mark.parametrize(
    ("topic", "actor"),
    [
        ("Should I move?", "the shareholder"),
        ("Should we rewrite the API?", "the team"),
        ("Should we sell the flat?", "the household"),
        ("Should our company raise prices?", "the company"),
        ("Should Anna and I get a dog?", "the shareholder and Anna"),
    ],
)
def test_who_is_to_act(topic: str, actor: str) -> None:
    assert analyse(item_of(topic)).actor == actor


def test_domains_are_complete_and_their_clauses_fit_after_that() -> None:
    for domain in (*DOMAINS, GENERAL):
        for table in (domain.gains, domain.risks, domain.questions, domain.steps):
            assert len(table) == len(LENSES), domain.name
            assert len(set(table)) == len(table)
        for clause in (
            *domain.gains,
            *domain.risks,
            *domain.steps,
            *domain.trials,
            *domain.provisos,
            *domain.hold,
            *domain.measures,
        ):
            assert clause[0].islower(), clause
            assert clause[-1] not in ".?!", clause
        for question in domain.questions:
            assert question[0].isupper(), question
            assert question.endswith("?"), question
    clauses = [c for d in (*DOMAINS, GENERAL) for c in (*d.gains, *d.risks)]
    assert len(set(clauses)) == len(clauses)


def test_every_persona_of_the_board_has_its_own_lens_and_sentences() -> None:
    assert set(KNOWN) == set(MEMBERS)
    assert {p.lens for p in KNOWN.values()} == set(LENSES)
    for persona in KNOWN.values():
        assert len(persona.told_for) == len(persona.told_against) == len(persona.asked)
