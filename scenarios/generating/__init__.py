"""A town that nobody has drawn: a map, people and a scenario for any number of residents, as files.

    generate    (residents, seed, days) -> Generated: what the files will say
    write       makes the files in a folder
    MOST        residents at most

Same number and seed: the same files. What there is to build and to say is data (`buildings.yaml`, `people.yaml`).
"""

from scenarios.generating.files import MOST, Generated, generate, write

__all__ = ["MOST", "Generated", "generate", "write"]
