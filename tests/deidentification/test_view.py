"""Replacements in runs: what is outside of them stays, and fixed runs never change."""

from hypothesis import given
from hypothesis import strategies as st

from deidentification.values import Value, Values
from deidentification.view import Edit, Run, View

RUNS = st.lists(st.tuples(st.text("abc \n", max_size=6), st.booleans()), min_size=1, max_size=8)


@st.composite
def edited(draw: st.DrawFn) -> tuple[list[Run], list[Edit]]:
    runs = [Run(text, is_fixed) for text, is_fixed in draw(RUNS)]
    length = sum(len(run.text) for run in runs)
    cuts = sorted(draw(st.sets(st.integers(0, length), max_size=6)))
    return runs, [Edit(low, high, "XY") for low, high in zip(cuts[::2], cuts[1::2], strict=False)]


@given(edited())
def test_only_what_is_edited_changes(case: tuple[list[Run], list[Edit]]) -> None:
    runs, edits = case
    view = View(runs)
    changed = view.edited(edits)
    assert [run.text for run in changed.runs if run.is_fixed] == [run.text for run in runs if run.is_fixed]
    covered = {at for edit in edits for at in range(edit.start, edit.end)}
    place, kept = 0, []
    for run in runs:
        for character in run.text:
            if run.is_fixed or place not in covered:
                kept.append(character)
            place += 1
    assert changed.text.replace("XY", "") == "".join(kept)
    assert changed.kept == len(kept)


@given(edited(), st.text("abc", min_size=1, max_size=3))
def test_replacements_are_known_again_after_a_second_round(case: tuple[list[Run], list[Edit]], more: str) -> None:
    runs, edits = case
    first = View(runs).edited(edits)
    again = [Edit(low, high, more) for low, high in first.own_parts(0, len(first.text))[:1] if high > low]
    second = first.edited(again)
    assert second.text.count("XY") == first.text.count("XY")
    for at in range(len(second.text) - 1):
        if second.text[at : at + 2] == "XY":
            assert second.is_ours(at, at + 2)


def found(value: str, text: str, characteristic: str = "last_name") -> list[str]:
    values = Values({"will": 7 << 9, "thompson": 0})
    values.add(Value(characteristic, value))
    return [text[place.start : place.end] for place in values.places(text)]


def test_values_are_found_however_they_are_written() -> None:
    assert found("Thompson", "THOMPSON, thompson's and Thomp-son") == ["THOMPSON", "thompson", "Thomp-son"]
    assert found("Zoë", "ZOE and Zoe") == ["ZOE", "Zoe"]
    assert found("613-555-0142", "(613) 555 0142, 6135550142, 1613555014") == ["613) 555 0142", "6135550142"]
    assert found("1947-03-05", "born 19470305 or 1947/03/05 or 194703051200", "date") == [
        "19470305", "1947/03/05", "19470305",
    ]  # fmt: skip
    assert found("Will", "Will you? I will, said WILL") == ["Will", "WILL"]
    assert found("J", "J J J") == []
