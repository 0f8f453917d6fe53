"""A chat of many turns: load the history of a session, run the loop, store the user's message and the answer.

The session store is a table of SQLite. A turn is stored once, also if a run is resumed that was interrupted
while it stored: the primary key is the id of the turn.
"""

import json
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from callagain import ToolLoop, tool
from callagain.chains import MULTI_TURN_CHAT
from callagain.testing import Rule, StandIn, calls, says


@dataclass(frozen=True)
class SessionStore:
    """The turns of all sessions, in the order in which they were stored."""

    path: Path

    def create(self) -> None:
        with closing(sqlite3.connect(self.path)) as database, database:
            database.execute(
                "CREATE TABLE IF NOT EXISTS turns"
                " (number INTEGER PRIMARY KEY, session_id TEXT, turn_id TEXT UNIQUE, messages TEXT)"
            )

    def load_history(self, session_id: str) -> list[dict[str, Any]]:
        with closing(sqlite3.connect(self.path)) as database:
            rows = database.execute(
                "SELECT messages FROM turns WHERE session_id = ? ORDER BY number", (session_id,)
            )
            return [message for (messages,) in rows for message in json.loads(messages)]

    def store_messages(self, session_id: str, turn_id: str, messages: list[dict[str, Any]]) -> None:
        with closing(sqlite3.connect(self.path)) as database, database:
            database.execute(
                "INSERT INTO turns (session_id, turn_id, messages) VALUES (?, ?, ?)"
                " ON CONFLICT (turn_id) DO NOTHING",
                (session_id, turn_id, json.dumps(messages)),
            )


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


STAND_IN = [
    Rule(
        asked=r"order (?P<order_id>\d+)",
        then=[
            calls(("get_order_status", {"order_id": "{order_id}"})),
            says("Order {order_id} has {result.status}."),
        ],
    ),
    Rule(asked="thank", then=[says("You are welcome.")]),
]


def main(base_url: str, path: Path) -> None:
    store = SessionStore(path)
    store.create()
    loop = ToolLoop(
        model="gpt-4o",
        tools=[get_order_status],
        system_prompt="You help with orders.",
        chain=MULTI_TURN_CHAT,
        functions={"load_history": store.load_history, "store_messages": store.store_messages},
        base_url=base_url,
        request_options={"temperature": 0.2},
    )
    loop.run("Where is order 481516?", run_id="ada/1")
    result = loop.run("Thank you.", run_id="ada/2")
    told = [f"{message['role']}: {message['content']}" for message in result.messages]
    print("The second turn was told", told, sep="\n")
    for message in store.load_history("ada"):
        print(f"{result.run_id}: {message['role']}: {message['content']}")


if __name__ == "__main__":
    with StandIn(STAND_IN) as server, tempfile.TemporaryDirectory() as folder:
        main(server.base_url, Path(folder) / "sessions.db")
