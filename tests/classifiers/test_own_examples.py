from collections import Counter

from classifiers.training.corpus import EVERYDAY, GENERAL, NOTE, TALK
from classifiers.training.own_examples import own_examples


def test_every_class_has_examples_and_no_blank_is_left() -> None:
    examples = own_examples()
    assert set(Counter(example.kind for example in examples)) == {NOTE, TALK, GENERAL, EVERYDAY}
    assert not [example.text for example in examples if "{" in example.text or "}" in example.text]


def test_they_are_the_same_every_time_and_drafts_of_a_template_stay_together() -> None:
    first, second = own_examples(), own_examples()
    assert [(one.text, one.is_held_out) for one in first] == [(one.text, one.is_held_out) for one in second]
    assert {one.is_held_out for one in first} == {True, False}
