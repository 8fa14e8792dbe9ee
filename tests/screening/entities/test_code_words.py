import pytest

from screening.entities.code_words import is_among_small_letters, is_code_word


def judged(marked: str) -> bool:
    """The name is between two stars."""
    before, name, behind = marked.split("*")
    return is_code_word(before + name + behind, len(before), len(before) + len(name))


@pytest.mark.parametrize(
    "marked",
    [
        "return this.pushStack(S.*grep*(this))",
        "    if *nextchar* == 'x':",
        "const *len* = arguments.length;",
        '  "max_retry": {"*max*_retry": 1}',
        "threading.*RLock*, AcquirerProxy",
        "see *CallTracker* for more",
        "isolated *E. faecalis* and others",
        'refs: "*CERV*-2"',
        "font-family: *Arial Black*, Gadget, sans-serif;",
        '<meta *charset*="utf-8" />',
        "new *Promise*()",
        "yield (match.start(), Name.*Builtin*)",
        "tokens = { '*root*': [",
    ],
)
def test_words_of_code(marked: str) -> None:
    assert judged(marked)


@pytest.mark.parametrize(
    "marked",
    [
        "we met *John Smith* there",
        "i saw *john smith* (his son) today",
        "seen by *LaToya McDonald*, RN",
        '{"fname": "*irma*", "age": 3}',
        "<td>*carol bibbins*</td>",
        "from: *penny czerno* <user929@example.org>",
        "*J. R.* Sloan",
        '{"seen by": "Dr.*Roe*"}',
        '{"with": "Prof.*Roe*"}',
        "*ROE*, ANA 77 F",
        "let me know what *pauline* says",
    ],
)
def test_names(marked: str) -> None:
    assert not judged(marked)


def test_small_letters_beside_capitals() -> None:
    assert is_among_small_letters("walk LINEIN", 5, 11)
    assert not is_among_small_letters("TRAN NGUYET F 41\nnext line", 0, 4)
