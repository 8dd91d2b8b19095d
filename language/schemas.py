"""Reply types as JSON schemas for servers that make a model keep to one.

    strict_schema(reply_type)      what every server gets
    bounded_schema(operation)      what a server gets that makes a grammar of it

Servers differ in the keywords they know, and the strictest want every property required and no others allowed; limits and
patterns are left to the gateway, which checks them anyway. Under a grammar they pay: a small model can't break them then.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import cache
from typing import Any

from language.operations import Operation, PlanDay, PlanHours, RateImportance, Settle
from language.replies import TIME_OF_DAY, ReplyModel

_ITEMS = {
    "parts": (3, 8),
    "blocks": (1, 16),
    "tasks": (1, 6),
    "questions": (1, 3),
    "insights": (1, 5),
    "rests_on": (0, 4),
    "passes_on": (0, 3),
}
"""How long lists may be, where a grammar says so: a small model never stops by itself."""
_WORDS = {"activity": "^[a-z][A-Za-z ,'-]{3,80}$", "icon": "^[a-z]{3,12}$"}
"""What short texts are made of: a small model likes to copy the dots and names of the example instead."""
_KEPT = ("type", "enum", "const", "anyOf", "items", "$ref")


Bound = Callable[[str, dict[str, Any]], dict[str, Any]]
"""Name and schema of a field -> keywords to add."""


def _free(name: str, node: dict[str, Any]) -> dict[str, Any]:
    return {}


@cache
def strict_schema(reply_type: type[ReplyModel]) -> dict[str, Any]:
    """The schema of a reply: objects closed, every property required, references inlined."""
    schema = reply_type.model_json_schema()
    return _strict(schema, schema.get("$defs", {}))


def bounded_schema(operation: Operation[Any]) -> dict[str, Any]:
    """The schema of one question's reply, as narrow as grammars can have it: times of day, numbers within their limits, as many
    ratings as texts, an address among the options. A small model that can only say such things says fewer useless ones."""
    schema = copy.deepcopy(_bounded(operation.reply_type))
    if isinstance(operation, RateImportance):
        schema["properties"]["importance"].update(minItems=len(operation.texts), maxItems=len(operation.texts))
    elif isinstance(operation, Settle) and operation.options:
        schema["properties"]["address"] = {"enum": list(dict.fromkeys(option.address for option in operation.options))}
    elif isinstance(operation, PlanDay) and operation.replanning:  # little may be left of the day
        schema["properties"]["parts"]["minItems"] = 1
    elif isinstance(operation, PlanHours) and operation.parts:
        schema["properties"]["blocks"]["items"]["properties"]["part"] = {"enum": list(range(len(operation.parts)))}
    return schema


@cache
def _bounded(reply_type: type[ReplyModel]) -> dict[str, Any]:
    schema = reply_type.model_json_schema()
    return _strict(schema, schema.get("$defs", {}), bound=_bounds)


def _bounds(name: str, node: dict[str, Any]) -> dict[str, Any]:
    """What a grammar may say of a field beyond its type."""
    if name in _ITEMS:
        few, many = _ITEMS[name]
        return {"minItems": few, "maxItems": many}
    if name in _WORDS and node.get("type") == "string":
        return {"pattern": _WORDS[name]}
    if node.get("type") == "string" and node.get("pattern") == TIME_OF_DAY:
        return {"pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$"}
    if node.get("type") == "integer" and "minimum" in node and "maximum" in node:
        low, high = node["minimum"], node["maximum"]
        by = 1 if high - low < 12 else 5 if high <= 60 else 15  # a grammar of hundreds of numbers is slow
        return {"enum": [n for n in range(low, high + 1) if n % by == 0]}
    return {}


def _strict(node: dict[str, Any], definitions: dict[str, Any], *, name: str = "", bound: Bound = _free) -> dict[str, Any]:
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rpartition("/")[2]], definitions, name=name, bound=bound)
    out: dict[str, Any] = {key: node[key] for key in _KEPT if key in node}
    out.update(bound(name, node))
    if "items" in out:
        out["items"] = _strict(out["items"], definitions, bound=bound)
    if "anyOf" in out:
        out["anyOf"] = [_strict(option, definitions, name=name, bound=bound) for option in out["anyOf"]]
    if "properties" in node:
        out["properties"] = {key: _strict(value, definitions, name=key, bound=bound) for key, value in node["properties"].items()}
        out["required"] = list(node["properties"])
        out["additionalProperties"] = False
    return out
