"""Seating, presiding and dissent against source 000, "Agenda-Driven Attendee Selection"."""

from __future__ import annotations

import json
from importlib.resources import files
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parliament.agenda import AgendaItem, agenda_from_topics, make_agenda
from parliament.seating import (
    OVERLAP_PAIRS,
    Composition,
    Seat,
    SeatingError,
    choose_dissenter,
    choose_presider,
    parse_composition,
    presiding_order,
    resolve_member,
    seats_for,
    select_meeting_attendees,
    theme_scores,
)

THEMES = {  # source 000, AGENT_THEMES
    "aurelius": ["virtue", "duty", "discipline", "stoic", "patience"],
    "dalio": ["efficiency", "data", "principles", "systems", "metrics"],
    "davinci": ["innovation", "curiosity", "exploration", "creativity"],
    "jobs": ["experience", "design", "simplicity", "user", "taste"],
    "musk": ["ambition", "engineering", "scale", "first-principles", "speed"],
    "rogers": ["empathy", "kindness", "emotional", "relationships", "patience"],
    "roosevelt": ["action", "courage", "vigor", "conservation", "boldness"],
}
ALIASES = {"jobs": ("steve",), "musk": ("elon",), "rogers": ("fred",), "roosevelt": ("teddy",), "aurelius": ("marcus",)}
ROSTER = tuple(
    Seat(member, member.title(), aliases=ALIASES.get(member, ()), themes=tuple(words)) for member, words in THEMES.items()
)
FIXED = ["aurelius", "roosevelt", "dalio"]


def attendees(text: str, composition: Composition | None = None) -> list[str]:
    return select_meeting_attendees(agenda_from_topics([text]).items, composition or Composition(), THEMES)


@pytest.mark.parametrize(
    ("text", "rotating"),
    [
        ("Should I take the job in Lisbon?", ["davinci", "musk"]),  # nobody scores: ties by id, jobs penalised by davinci
        ("empathy and kindness", ["rogers", "davinci"]),
        ("design, simplicity, taste, curiosity", ["jobs", "musk"]),  # jobs 3; davinci 1-2 = -1, musk and rogers 0: by id
        ("design and taste; innovation, curiosity, exploration, creativity", ["davinci", "jobs"]),  # jobs 2-2 = 0, ties by id
        ("SPEED and SCALE with PATIENCE", ["musk", "rogers"]),
        ("innovation against design", ["davinci", "musk"]),  # 1 : 1, ties by id; jobs 1-2 = -1 falls behind
    ],
)
def test_the_rotating_seats_of_source_000(text: str, rotating: list[str]) -> None:
    assert attendees(text) == [*FIXED, *rotating]


def test_descriptions_count_and_every_item_does() -> None:
    agenda = make_agenda([{"topic": "Money"}, {"topic": "Home", "description": "Our relationships and emotional life"}])
    assert select_meeting_attendees(agenda.items, Composition(), THEMES)[3] == "rogers"


def test_themes_match_whole_words_once_each() -> None:
    assert theme_scores("users designed a tasteful thing", THEMES)["jobs"] == 0
    assert theme_scores("user, user and user-made", THEMES)["jobs"] == 1
    assert theme_scores("from first-principles", THEMES)["musk"] == 1
    assert theme_scores("data-driven", THEMES)["dalio"] == 1


def test_the_overlap_counts_against_the_first_pick_only() -> None:
    """With three rotating seats, musk (overlapping dalio, who is fixed) is not penalised for anybody but the first pick."""
    composition = parse_composition(
        {"fixed_members": ["dalio"], "rotating_pool": ["davinci", "jobs", "musk"], "max_attendees": 4}
    )
    assert select_meeting_attendees(agenda_from_topics(["curiosity"]).items, composition, THEMES) == [
        "aurelius",
        "dalio",
        "davinci",
        "musk",
    ]
    pool = parse_composition({"fixed_members": [], "rotating_pool": ["dalio", "musk", "roosevelt"], "max_attendees": 3})
    text = "data, metrics, systems; speed, scale; action"
    # dalio 3 first; musk 2-2 = 0, roosevelt 1-0 = 1
    assert select_meeting_attendees(agenda_from_topics([text]).items, pool, THEMES) == ["aurelius", "dalio", "roosevelt"]


def test_ties_go_by_member_id_and_not_by_the_order_of_the_pool() -> None:
    composition = parse_composition({"rotating_pool": ["rogers", "musk", "jobs", "davinci"]})
    assert attendees("nothing in particular", composition) == [*FIXED, "davinci", "musk"]


def test_overlap_pairs_are_those_of_source_000() -> None:
    assert {tuple(sorted(pair)): penalty for pair, penalty in OVERLAP_PAIRS.items()} == {
        ("musk", "roosevelt"): 3,
        ("aurelius", "rogers"): 2,
        ("dalio", "musk"): 2,
        ("davinci", "jobs"): 2,
    }


@pytest.mark.parametrize(("most", "seats"), [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7), (9, 7)])
def test_max_attendees_is_honoured(most: int, seats: int) -> None:
    assert len(attendees("design", parse_composition({"max_attendees": most}))) == seats


def test_the_older_single_fixed_member_key() -> None:
    composition = parse_composition({"fixed_member": "dalio", "max_attendees": 4})
    assert composition.fixed_members == ("dalio",)
    assert attendees("kindness", composition) == ["aurelius", "dalio", "rogers", "davinci"]


def test_the_defaults_are_the_shipped_file() -> None:
    shipped = json.loads(files("personas").joinpath("board_config.json").read_text())
    assert shipped == {
        "chairman": "aurelius",
        "fixed_members": ["roosevelt", "dalio"],
        "rotating_pool": ["davinci", "jobs", "musk", "rogers"],
        "quorum": 3,
        "max_attendees": 5,
    }
    assert parse_composition(shipped) == parse_composition(None) == parse_composition({}) == Composition()
    assert Composition().chain == ("aurelius", "dalio", "davinci")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ({"chairmen": "dalio"}, "unknown key 'chairmen' (did you mean 'chairman'?)"),
        ({"fixed_member": "dalio", "fixed_members": ["dalio"]}, "both fixed_member and fixed_members"),
        ({"fixed_members": ["aurelius"]}, "'aurelius' is named twice"),
        ({"max_attendees": 2, "quorum": 2}, "raise max_attendees"),
        ({"quorum": 6}, "quorum of 6 can never be reached with 5 seats"),
        ({"quorum": 0}, "quorum"),
        ({"quorum": "three"}, "quorum"),
        ([], "an object"),
    ],
)
def test_a_composition_that_cannot_be_used(data: object, says: str) -> None:
    with pytest.raises(SeatingError) as error:
        parse_composition(data)
    assert says in str(error.value)
    assert "board_config.json" in str(error.value)
    assert "\n" not in str(error.value)


def test_seats_auto_all_and_named() -> None:
    items = agenda_from_topics(["kindness"]).items
    assert seats_for("auto", items, Composition(), ROSTER) == ("aurelius", "roosevelt", "dalio", "rogers", "davinci")
    assert seats_for("all", items, Composition(), ROSTER) == tuple(THEMES)
    assert seats_for("@steve, Elon,marcus", items, Composition(), ROSTER) == ("aurelius", "jobs", "musk")
    assert seats_for(["musk", "jobs", "rogers"], items, Composition(), ROSTER) == ("musk", "jobs", "rogers")


@pytest.mark.parametrize(
    ("spec", "says"),
    [
        ("dalio,musk,jobbs", "no member is called 'jobbs' (did you mean 'jobs'?)"),
        ("dalio,steve,jobs", "'jobs' is named twice"),
        ("dalio,musk", "2 voting seats are fewer than the quorum of 3"),
        ("", "0 voting seats are fewer"),
        ("x" * 5000, "…"),
    ],
)
def test_seats_that_cannot_be_had(spec: str, says: str) -> None:
    with pytest.raises(SeatingError) as error:
        seats_for(spec, agenda_from_topics(["a"]).items, Composition(), ROSTER)
    assert says in str(error.value)
    assert len(str(error.value)) < 300


def test_a_seat_without_a_vote_does_not_count_towards_the_quorum() -> None:
    roster = (Seat("a", "A"), Seat("b", "B"), Seat("c", "C", voting=False))
    with pytest.raises(SeatingError, match="2 voting seats"):
        seats_for("all", (), Composition(chairman="a"), roster)


def test_auto_with_a_composition_that_names_nobody() -> None:
    with pytest.raises(SeatingError, match="'nobody'"):
        seats_for("auto", agenda_from_topics(["a"]).items, parse_composition({"chairman": "nobody"}), ROSTER)


def test_more_seats_than_the_limit() -> None:
    roster = tuple(Seat(f"m{n}", f"M{n}") for n in range(26))
    with pytest.raises(SeatingError, match="limit of 25"):
        seats_for("all", (), Composition(), roster)


def test_ids_win_over_aliases() -> None:
    assert resolve_member("x", (Seat("a", "A", aliases=("x",)), Seat("x", "X"))) == "x"
    assert resolve_member("nobody", ROSTER) is None


SEATED = ("aurelius", "roosevelt", "dalio", "davinci", "musk")
CHAIN = Composition().chain


@pytest.mark.parametrize(
    ("present", "healthy", "presides"),
    [
        (SEATED, SEATED, "aurelius"),
        (SEATED, SEATED[1:], "dalio"),  # the chain before seating order
        (SEATED, ("davinci", "musk"), "davinci"),
        (SEATED, ("roosevelt", "musk"), "roosevelt"),  # nobody of the chain: the next present voter
        (("roosevelt", "musk"), SEATED, "roosevelt"),  # an absent member of the chain never presides
        (SEATED, (), None),
        ((), SEATED, None),
    ],
)
def test_who_presides(present: tuple[str, ...], healthy: tuple[str, ...], presides: str | None) -> None:
    assert choose_presider(CHAIN, SEATED, present, healthy) == presides


def test_an_unseated_member_of_the_chain_never_presides() -> None:
    seated = ("roosevelt", "jobs", "musk")
    assert choose_presider(CHAIN, seated, (*seated, "dalio"), ("dalio", "musk")) == "musk"
    assert presiding_order(CHAIN, seated, seated, voters=("musk",)) == ("musk",)


def test_the_dissenter_is_furthest_from_the_motion_and_never_the_mover() -> None:
    motion = "RESOLVED, That the shareholder shall design the user experience with data, speed, courage and curiosity today."
    chosen = choose_dissenter(motion, ROSTER, exclude={"aurelius"})
    assert chosen == "rogers"  # the only one but the mover without a theme in it
    assert choose_dissenter(motion, ROSTER, exclude={"aurelius", "rogers"}) not in (None, "aurelius", "rogers", "jobs")


def test_interests_decide_between_equals() -> None:
    members = (Seat("a", "A", interests=("sleep",)), Seat("b", "B", interests=("money",)))
    assert choose_dissenter("RESOLVED, That we sleep.", members) == "b"
    assert choose_dissenter("RESOLVED, That we save money.", members) == "a"


def test_nobody_is_left_to_dissent() -> None:
    assert choose_dissenter("x", (Seat("a", "A"), Seat("b", "B", voting=False)), exclude={"a"}) is None


def test_equal_distance_does_not_always_fall_on_the_same_member() -> None:
    chosen = {choose_dissenter(f"RESOLVED, That the garden be dug on day {day}.", ROSTER) for day in range(40)}
    assert len(chosen) >= 4


@given(st.text(max_size=200), st.sets(st.sampled_from(sorted(THEMES)), max_size=3))
def test_the_dissenter_is_deterministic_whatever_the_order_of_the_members(text: str, exclude: set[str]) -> None:
    chosen = choose_dissenter(text, ROSTER, exclude)
    assert chosen == choose_dissenter(text, ROSTER[::-1], exclude)
    assert chosen not in exclude


@given(st.lists(st.sampled_from([word for words in THEMES.values() for word in words]), max_size=12))
def test_seating_by_the_definition(words: list[str]) -> None:
    """The two rotating seats against a plain enumeration of all ordered pairs."""
    item = AgendaItem(id="agenda-1", topic="We consider " + " and ".join(words))
    pool = Composition().rotating_pool
    score = {member: len(set(THEMES[member]) & set(words)) for member in pool}
    first = sorted(pool, key=lambda member: (-score[member], member))[0]
    rest = {m: score[m] - OVERLAP_PAIRS.get(frozenset({m, first}), 0) for m in pool if m != first}
    second = sorted(rest, key=lambda member: (-rest[member], member))[0]
    seats = select_meeting_attendees([item], Composition(), THEMES)
    assert seats == [*FIXED, first, second]
    assert all(a != b for a, b in combinations(seats, 2))
