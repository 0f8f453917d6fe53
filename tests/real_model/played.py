"""What a model would answer, so that the tests for a real one are themselves tried."""

from callagain.testing import Rule, calls, says

PLAYED = [
    Rule(
        asked="all three",
        then=[
            calls(*(("get_locker_code", {"parcel_id": parcel}) for parcel in ("A17", "B42", "C99"))),
            says("A17: 4417, B42: 4442, C99: 4499."),
        ],
    ),
    Rule(asked="count", then=[says("One, two, three, four, five.")]),
    Rule(
        asked="Ada Lovelace, born in 1815",
        then=[says('{"name": "Ada Lovelace", "year_of_birth": 1815}')],
    ),
    Rule(asked="Which parcel", then=[says("You asked about A17.")]),
    Rule(
        asked="parcel (?P<parcel>A17)",
        then=[calls(("get_locker_code", {"parcel_id": "{parcel}"})), says("The code is 4417.")],
    ),
]
