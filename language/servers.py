"""Where models are served, and with which key: the environment, or one file of the user's own.

    find_server(name="")     the settings of a server; "" is the usual one
    models_file()            the file read: $TOWNFOLK_MODELS, else models.yaml in the user's folder of settings

The usual server is OPENAI_BASE_URL with OPENAI_API_KEY where either is set, else the file's `default`. Others are named
`openai:MODEL@SERVER`. A key goes only to the address it stands beside; it is never part of an error, a log or a run file.

    servers:
      default: {base_url: "http://127.0.0.1:11434/v1", concurrency: 4}
      cloud: {base_url: "https://api.openai.com/v1", api_key_env: OPENAI_API_KEY, price: {input: 0.15, output: 0.6}}
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlsplit, urlunsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, SecretStr, ValidationError

from kernel import DataFileError, UsageError, nearest
from kernel.datafile import Located, load_yaml

DEFAULT_BASE_URL = "https://api.openai.com/v1"
VARIABLE = "TOWNFOLK_MODELS"
DEFAULT = "default"


def _secret(value: Any) -> Any:
    """Whatever stands there is a secret, even a number: pydantic then has nothing to quote."""
    return SecretStr(str(value).strip()) if value is not None and not isinstance(value, SecretStr) else value


class Rates(BaseModel):
    """US dollars for a million tokens in the question, and in the answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    input: Annotated[float, Field(ge=0)]
    output: Annotated[float, Field(ge=0)]


class Server(BaseModel):
    """One OpenAI-compatible server.

    base_url      address, with /v1                         timeout      seconds for one try
    api_key       the key, or ...                           connect      seconds for the connection alone
    api_key_env   ... the environment variable holding it   retries      further tries after a transient failure
    concurrency   most calls at once                        patience     seconds for all tries of one question
    context       tokens of question and answer together    temperature  as the server understands it
    thinking      tokens allowed for thoughts before a reply (reasoning models count them as part of it)
    price         what a million tokens cost, where that isn't known from the model's name
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    base_url: str = DEFAULT_BASE_URL
    api_key: Annotated[SecretStr | None, BeforeValidator(_secret)] = None
    api_key_env: str | None = None
    timeout: Annotated[float, Field(gt=0)] = 60.0
    connect: Annotated[float, Field(gt=0)] = 4.0
    retries: Annotated[int, Field(ge=0, le=20)] = 4
    patience: Annotated[float, Field(gt=0)] = 180.0
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 32
    context: Annotated[int | None, Field(ge=1024)] = None
    temperature: Annotated[float | None, Field(ge=0, le=2)] = None
    thinking: Annotated[int, Field(ge=0)] = 0
    price: Rates | None = None

    @property
    def key(self) -> str:
        """The key, "" for none. Raises UsageError when it can't be one."""
        key = os.environ.get(self.api_key_env, "") if self.api_key_env else ""
        if self.api_key is not None:
            key = self.api_key.get_secret_value()
        key = key.strip()
        if key and not (key.isascii() and key.isprintable() and " " not in key):
            raise UsageError(
                "the key for this server holds characters that no key has", place=self.endpoint, hint="copy it again"
            )
        return key

    @property
    def endpoint(self) -> str:
        """The address as messages show it: without user, password and query, which may be secrets."""
        return shown(self.base_url)


class _ModelsFile(BaseModel):
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    servers: dict[str, Server] = Field(default_factory=dict)


def shown(base_url: str) -> str:
    """An address without user, password and query."""
    parts = urlsplit(base_url)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", "")).rstrip("/")


def models_file() -> Path:
    """The user's file of servers, which need not exist."""
    told = os.environ.get(VARIABLE)
    if told:
        return Path(told)
    if os.name == "nt":
        return Path(os.environ.get("APPDATA", "~")).expanduser() / "townfolk" / "models.yaml"
    return Path(os.environ.get("XDG_CONFIG_HOME") or "~/.config").expanduser() / "townfolk" / "models.yaml"


def find_server(name: str = "") -> Server:
    """The server of a name, "" for the usual one. Raises DataFileError for a bad file, UsageError for an unknown name."""
    if not name:
        url, key = os.environ.get("OPENAI_BASE_URL"), os.environ.get("OPENAI_API_KEY")
        if url or key:
            return _checked(Server(base_url=url or DEFAULT_BASE_URL, api_key=SecretStr(key or "")), "OPENAI_BASE_URL")
    file = models_file()
    servers = _read(file) if file.exists() or os.environ.get(VARIABLE) else {}
    found = servers.get(name or DEFAULT)
    if found is not None:
        return _checked(found, str(file))
    if not name:
        return Server()
    close = nearest(name, servers)
    raise UsageError(
        f"there is no server '{name}'", place=str(file), hint=f"did you mean {close}?" if close else "add it under servers"
    )


def server_names() -> tuple[str, ...]:
    """Names of the servers in the user's file; none when it can't be read."""
    try:
        return tuple(_read(models_file()))
    except DataFileError:
        return ()


def _checked(server: Server, place: str) -> Server:
    try:
        parts = urlsplit(server.base_url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        good = False
    if not good:
        raise UsageError("the address of the server is none", place=place, hint="write it as http://HOST:PORT/v1")
    return server


def _read(file: Path) -> dict[str, Server]:
    located = load_yaml(file)
    try:
        return _ModelsFile.model_validate(located.data or {}).servers
    except ValidationError as error:
        raise _explained(located, error) from None


def _explained(located: Located, error: ValidationError) -> DataFileError:
    """The first thing wrong; unlike in other data files, never with what stands there."""
    detail = error.errors(include_input=False, include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in detail["loc"])
    if detail["type"] == "extra_forbidden":
        close = nearest(str(detail["loc"][-1]), [*Server.model_fields, *Rates.model_fields, *_ModelsFile.model_fields])
        return located.problem(f"unknown key '{where}'", *detail["loc"], hint=f"did you mean '{close}'?" if close else None)
    message = str(detail["msg"]).removeprefix("Input ")
    return located.problem(f"{where or 'the file'}: {message}", *detail["loc"])
