"""The tables of a run file (schema version 2), and what of them belongs to the digest.

    SCHEMA_VERSION, APPLICATION_ID   integers SQLite keeps in the file's header
    DDL, create_table                the statements that make an empty run file, or one table
    STEPPED                          tables whose rows belong to a step, with the column that says which
    DIGESTED                         what the digest reads: per table a SELECT of (step, resident, n, columns ...)

Every column is explained in `docs/run-file.md`; a test compares the two. Identities are (resident, step, n) columns;
where a row names another's, it is the text form `resident/step/n`. Lists and small values are JSON text.
"""

from __future__ import annotations

SCHEMA_VERSION = 2
APPLICATION_ID = 0x546F776E  # "Town"

_BECAUSE = (
    "plan TEXT, records TEXT NOT NULL, retrievals TEXT NOT NULL, percepts TEXT NOT NULL, calls TEXT NOT NULL, note TEXT NOT NULL"
)
_ID = "resident TEXT NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL"

TABLES: dict[str, str] = {
    "meta": "key TEXT PRIMARY KEY, value TEXT NOT NULL",
    "residents": """
        name TEXT PRIMARY KEY, position INTEGER NOT NULL UNIQUE, mind TEXT NOT NULL, age INTEGER NOT NULL, pronoun TEXT NOT NULL,
        occupation TEXT NOT NULL, home TEXT NOT NULL, workplace TEXT, persona TEXT NOT NULL,
        since INTEGER NOT NULL DEFAULT -1""",
    "comings": """
        name TEXT NOT NULL, step INTEGER NOT NULL, change TEXT NOT NULL, visitor INTEGER NOT NULL, look TEXT NOT NULL,
        x INTEGER, y INTEGER, PRIMARY KEY (name, step, change)""",
    "places": """
        address TEXT PRIMARY KEY, parent TEXT, level TEXT NOT NULL, kind TEXT NOT NULL, position INTEGER NOT NULL,
        tiles TEXT NOT NULL, spots TEXT NOT NULL, capacity INTEGER, affords TEXT NOT NULL, idle TEXT, owners TEXT NOT NULL,
        opens INTEGER, closes INTEGER, outdoors INTEGER NOT NULL""",
    "object_states": """
        address TEXT NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL, state TEXT NOT NULL, by TEXT,
        PRIMARY KEY (address, step, n)""",
    "events": """
        id TEXT PRIMARY KEY, step INTEGER NOT NULL, until INTEGER NOT NULL, place TEXT NOT NULL, text TEXT NOT NULL""",
    "moves": f"{_ID}, x INTEGER NOT NULL, y INTEGER NOT NULL, path TEXT NOT NULL, PRIMARY KEY (resident, step, n)",
    "acts": f"""
        {_ID}, text TEXT NOT NULL, icon TEXT NOT NULL, target TEXT NOT NULL, until INTEGER NOT NULL, state TEXT, leaves TEXT,
        asleep INTEGER NOT NULL, private INTEGER NOT NULL, {_BECAUSE}, PRIMARY KEY (resident, step, n)""",
    "act_ends": f"{_ID}, act TEXT NOT NULL, why TEXT NOT NULL, PRIMARY KEY (resident, step, n)",
    "plans": f"""
        {_ID}, written INTEGER NOT NULL, level TEXT NOT NULL, start INTEGER NOT NULL, until INTEGER NOT NULL,
        text TEXT NOT NULL, place TEXT, status TEXT NOT NULL, reason TEXT NOT NULL, rests_on TEXT NOT NULL,
        PRIMARY KEY (resident, step, n, written)""",
    "memories": f"""
        {_ID}, kind TEXT NOT NULL, tag TEXT NOT NULL, text TEXT NOT NULL, created INTEGER NOT NULL,
        importance INTEGER NOT NULL, people TEXT NOT NULL, about TEXT, address TEXT, evidence TEXT NOT NULL, fact TEXT,
        heard_from TEXT, source TEXT, how TEXT NOT NULL, tone REAL NOT NULL, start INTEGER, until INTEGER,
        embedding BLOB, PRIMARY KEY (resident, step, n)""",
    "retrievals": f"""
        {_ID}, purpose TEXT NOT NULL, query TEXT NOT NULL, chosen TEXT NOT NULL, left_out TEXT NOT NULL,
        considered INTEGER NOT NULL, PRIMARY KEY (resident, step, n)""",
    "exposures": f"""
        {_ID}, call TEXT NOT NULL, selector TEXT NOT NULL, considered INTEGER NOT NULL, shown TEXT NOT NULL,
        omitted TEXT NOT NULL, bytes INTEGER NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (resident, step, n)""",
    "conversations": """
        id TEXT NOT NULL, step INTEGER NOT NULL, n INTEGER NOT NULL, change TEXT NOT NULL, started INTEGER NOT NULL,
        place TEXT NOT NULL, participants TEXT NOT NULL, everybody TEXT NOT NULL, utterances INTEGER NOT NULL,
        ended INTEGER, PRIMARY KEY (id, step, n)""",
    "utterances": f"""
        {_ID}, conversation TEXT NOT NULL, addressed TEXT NOT NULL, text TEXT NOT NULL, act TEXT NOT NULL,
        passes_on TEXT NOT NULL, rests_on TEXT NOT NULL, gathering TEXT, ends INTEGER NOT NULL, citation TEXT NOT NULL,
        call TEXT, {_BECAUSE}, PRIMARY KEY (resident, step, n)""",
    "calls": """
        resident TEXT NOT NULL, step INTEGER NOT NULL, operation TEXT NOT NULL, n INTEGER NOT NULL, model TEXT NOT NULL,
        request_hash TEXT NOT NULL, request BLOB NOT NULL, reply TEXT NOT NULL, raw TEXT NOT NULL,
        attempts INTEGER NOT NULL, tokens_in INTEGER NOT NULL, tokens_out INTEGER NOT NULL, seconds REAL NOT NULL,
        fallback TEXT, repaired INTEGER NOT NULL, sent INTEGER NOT NULL DEFAULT 0, troubles TEXT NOT NULL DEFAULT '{}',
        cost REAL, PRIMARY KEY (resident, step, operation, n)""",
    "interventions": """
        id INTEGER PRIMARY KEY, kind TEXT NOT NULL, who TEXT, place TEXT, text TEXT NOT NULL, minutes INTEGER,
        asked TEXT NOT NULL, step INTEGER, outcome TEXT, author TEXT NOT NULL DEFAULT '', due INTEGER, addressed TEXT,
        tile TEXT, persona TEXT""",
    "facts": """
        id TEXT PRIMARY KEY, name TEXT, step INTEGER NOT NULL, text TEXT NOT NULL, about TEXT, private INTEGER NOT NULL,
        gathering TEXT, retracts TEXT, tracked INTEGER NOT NULL""",
    "mind_states": """
        resident TEXT NOT NULL, key TEXT NOT NULL, step INTEGER NOT NULL, value TEXT NOT NULL,
        PRIMARY KEY (resident, key, step)""",
    "failures": f"{_ID}, error TEXT NOT NULL, message TEXT NOT NULL, PRIMARY KEY (resident, step, n)",
    "checkpoints": "step INTEGER PRIMARY KEY, hourly INTEGER NOT NULL, world BLOB NOT NULL, accessed BLOB",
    "interviews": """
        id INTEGER PRIMARY KEY, resident TEXT NOT NULL, step INTEGER NOT NULL, without TEXT NOT NULL, question TEXT NOT NULL,
        answer TEXT NOT NULL, knows INTEGER NOT NULL, rests_on TEXT NOT NULL, model TEXT NOT NULL, asked TEXT NOT NULL,
        item TEXT, evidence TEXT, fallback TEXT, follows INTEGER NOT NULL DEFAULT 0""",
    "wording": "since INTEGER NOT NULL, file TEXT NOT NULL, text BLOB, PRIMARY KEY (since, file)",
    "control": "key TEXT PRIMARY KEY, value TEXT NOT NULL, expires REAL",
}
"""Table name -> column definitions, in the order of the documentation."""

_BLOBBY = {
    "memories", "retrievals", "calls", "checkpoints", "interviews", "interventions", "residents", "places", "meta", "wording",
}  # fmt: skip


def create_table(name: str) -> str:
    """The statement that makes a table."""
    return f"CREATE TABLE {name} ({TABLES[name]}) STRICT" + ("" if name in _BLOBBY else ", WITHOUT ROWID")


DDL: tuple[str, ...] = (
    *(create_table(name) for name in TABLES),
    "CREATE INDEX retrievals_by_step ON retrievals (step)",
    "CREATE INDEX utterances_by_conversation ON utterances (conversation)",
    "CREATE INDEX memories_by_fact ON memories (fact) WHERE fact IS NOT NULL",
)

STEPPED: dict[str, str] = {
    "residents": "since",
    "comings": "step",
    "object_states": "step",
    "events": "step",
    "moves": "step",
    "acts": "step",
    "act_ends": "step",
    "plans": "written",
    "memories": "step",
    "retrievals": "step",
    "exposures": "step",
    "conversations": "step",
    "utterances": "step",
    "facts": "step",
    "mind_states": "step",
    "failures": "step",
    "checkpoints": "step - 1",  # a checkpoint at k holds the world as the steps before k left it
}
"""Tables whose rows are dropped on resume when they lie at or past the committed step (calls are kept on purpose)."""

DIGESTED: dict[str, str] = {
    "act_ends": "SELECT step, resident, n, act, why FROM act_ends",
    "acts": "SELECT step, resident, n, text, icon, target, until, state, leaves, asleep, private,"
    " plan, records, retrievals, percepts, calls, note FROM acts",
    "comings": "SELECT step, name, 0, change, visitor, look, x, y FROM comings",
    "conversations": "SELECT step, '', n, id, change, started, place, participants, everybody, utterances, ended"
    " FROM conversations",
    "events": "SELECT step, '', 0, id, until, place, text FROM events",
    "exposures": "SELECT step, resident, n, call, selector, considered, shown, omitted, bytes, tokens FROM exposures",
    "interventions": "SELECT step, COALESCE(who, ''), id, kind, place, text, minutes, outcome FROM interventions"
    " WHERE step IS NOT NULL",
    "interventions_of_visitors": "SELECT step, COALESCE(who, ''), id, addressed, tile, persona FROM interventions"
    " WHERE step IS NOT NULL AND kind NOT IN ('event', 'object', 'voice')",
    "memories": "SELECT step, resident, n, kind, tag, text, created, importance, people, about, address, evidence, fact,"
    " heard_from, source, how, tone, start, until FROM memories",
    "mind_states": "SELECT step, resident, 0, key, value FROM mind_states",
    "moves": "SELECT step, resident, n, x, y, path FROM moves",
    "object_states": "SELECT step, '', n, address, state, by FROM object_states",
    "plans": "SELECT written AS step, resident, n, step AS made, level, start, until, text, place, status, reason, rests_on"
    " FROM plans",
    "retrievals": "SELECT step, resident, n, purpose, query, chosen, left_out, considered FROM retrievals",
    "utterances": "SELECT step, resident, n, conversation, addressed, text, act, passes_on, rests_on, gathering, ends,"
    " citation, call, plan, records, retrievals, percepts, calls, note FROM utterances",
}
"""Table -> SELECT of (step, resident, n, the rest); ordered by all four before hashing (see `digest`)."""
