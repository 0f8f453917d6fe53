"""What is wrong with a request, as a problem document (RFC 9457)."""

from http import HTTPStatus

from starlette.requests import Request
from starlette.responses import Response

from callagain.engine.json_text import Json, JsonObject, encode

PROBLEM_JSON = "application/problem+json"


class RequestProblem(Exception):
    """Raised where a request cannot be answered; it becomes the response.

    detail: what is wrong, and what to do, for people. members: more of the document, such as the run id.
    """

    def __init__(
        self, status: int, detail: str, *, headers: dict[str, str] | None = None, **members: Json
    ) -> None:
        super().__init__(detail)
        self.status = status
        self.detail = detail
        self.headers = headers or {}
        self.members = members

    def response(self) -> Response:
        document: JsonObject = {
            "type": "about:blank",
            "title": HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": self.detail,
            **self.members,
        }
        return Response(encode(document), self.status, self.headers, PROBLEM_JSON)


async def answer_problem(_: Request, problem: Exception) -> Response:
    """As Starlette wants a handler of exceptions."""
    assert isinstance(problem, RequestProblem)
    return problem.response()


def json_response(document: Json, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(encode(document), status, headers, "application/json")
