"""What makes a value a message of JSON-RPC 2.0."""

from __future__ import annotations

from typing import Any, cast

Message = dict[str, Any]


def fault_of(message: object) -> str | None:
    """What makes a value no message of JSON-RPC 2.0."""
    if not isinstance(message, dict):
        return "a message is one object"
    said = cast(Message, message)
    if said.get("jsonrpc") != "2.0":
        return "jsonrpc is not 2.0"
    if "method" not in said:
        answers = "id" in said and ("result" in said or "error" in said)
        return None if answers else "neither a method nor an answer"
    if not isinstance(said["method"], str):
        return "the method is no text"
    return None if "id" not in said or is_id(said["id"]) else "the id is neither a number nor a text"


def is_id(identity: object) -> bool:
    return isinstance(identity, str | int) and not isinstance(identity, bool)
