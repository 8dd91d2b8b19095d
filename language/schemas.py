"""Reply types as JSON schemas for servers that make a model keep to one.

Servers differ in the keywords they know, and the strictest want every property required and no others allowed; limits
and patterns are left out, since the gateway checks them anyway.

    strict_schema(reply_type)      what every server gets        bounded_schema(operation)      what a grammar gets
"""

from __future__ import annotations

import copy
from functools import cache
from typing import Any

from language.operations import Operation, RateImportance, Settle
from language.replies import ReplyModel

_KEPT = ("type", "enum", "const", "anyOf", "items", "$ref")


@cache
def strict_schema(reply_type: type[ReplyModel]) -> dict[str, Any]:
    """The schema of a reply: objects closed, every property required, references inlined."""
    schema = reply_type.model_json_schema()
    return _strict(schema, schema.get("$defs", {}))


def bounded_schema(operation: Operation[Any]) -> dict[str, Any]:
    """The schema of one question's reply: as many ratings as texts, an address among the options. For grammars that know how."""
    schema = copy.deepcopy(strict_schema(operation.reply_type))
    if isinstance(operation, RateImportance):
        schema["properties"]["importance"].update(minItems=len(operation.texts), maxItems=len(operation.texts))
    elif isinstance(operation, Settle) and operation.options:
        schema["properties"]["address"] = {"enum": list(dict.fromkeys(option.address for option in operation.options))}
    return schema


def _strict(node: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return _strict(definitions[node["$ref"].rpartition("/")[2]], definitions)
    out: dict[str, Any] = {key: node[key] for key in _KEPT if key in node}
    if "items" in out:
        out["items"] = _strict(out["items"], definitions)
    if "anyOf" in out:
        out["anyOf"] = [_strict(option, definitions) for option in out["anyOf"]]
    if "properties" in node:
        out["properties"] = {name: _strict(value, definitions) for name, value in node["properties"].items()}
        out["required"] = list(node["properties"])
        out["additionalProperties"] = False
    return out
