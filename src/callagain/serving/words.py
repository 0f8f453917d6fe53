"""What callagain says to programs in Python, in the words of whoever asks over HTTP."""

_WORDS = (
    ("result.pending_calls", "pending_calls"),
    ("result.messages", "`messages`"),
    ("in results={id: value} or, to let the loop run it, decisions={id: approve}", "by its id in `results`"),
    ("in results=", "in `results`"),
    ("as in edit({…})", 'as in {"decision": "edit", "arguments": {…}}'),
)


def in_words_of_http(told: str) -> str:
    """The message with the members of the JSON in place of Python's names."""
    for python, http in _WORDS:
        told = told.replace(python, http)
    return told
