"""An HTTP answer as a receipt."""

from dataclasses import dataclass

from callagain.engine.json_text import Json, JsonObject

QUOTED_CHARS = 200


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """The receipt of a SendRequest.

    error: the kind, if no whole answer came; `body` then says why. retry_after: seconds that the endpoint
    asked to wait. attempts: how often the request was sent for this answer. endpoint: scheme, host and port,
    the rest of a URL may hold secrets; empty where nobody answered.
    """

    status: int
    content_type: str
    body: str
    error: str | None = None
    retry_after: float | None = None
    attempts: int = 1
    endpoint: str = ""

    @classmethod
    def missing(cls, kind: str, why: str) -> "HttpAnswer":
        """No whole answer came."""
        return cls(0, "", why, kind)

    def as_json(self) -> JsonObject:
        return {
            "status": self.status,
            "content_type": self.content_type,
            "body": self.body,
            "error": self.error,
            "retry_after": self.retry_after,
            "attempts": self.attempts,
            "endpoint": self.endpoint,
        }

    @classmethod
    def from_json(cls, value: Json) -> "HttpAnswer":
        """Raises ValueError for what is no receipt of a request."""
        if isinstance(value, dict):
            status, content_type, body = value.get("status"), value.get("content_type"), value.get("body")
            if isinstance(status, int) and isinstance(content_type, str) and isinstance(body, str):
                error, wait, attempts = value.get("error"), value.get("retry_after"), value.get("attempts")
                endpoint = value.get("endpoint")
                return cls(
                    status,
                    content_type,
                    body,
                    error if isinstance(error, str) else None,
                    float(wait) if isinstance(wait, int | float) else None,
                    attempts if isinstance(attempts, int) else 1,
                    endpoint if isinstance(endpoint, str) else "",
                )
        raise ValueError(f"not the receipt of a request: {str(value)[:100]}")

    @property
    def is_success(self) -> bool:
        return self.error is None and 200 <= self.status < 300

    @property
    def quoted(self) -> str:
        """The beginning of the body, for messages."""
        more = "" if len(self.body) <= QUOTED_CHARS else f" … ({len(self.body)} characters)"
        return f"{self.body[:QUOTED_CHARS]}{more}"
