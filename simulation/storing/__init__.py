"""The run file and what keeps it whole.

schema      the tables and their version            runfile   one open file: read, insert, write
journal     what the engine's steps become          rows      values to rows and back
restore     taking a stopped life up again          digest    one hash of all that counts
library     the files in `runs/`, names in them     packing   one closed file to send
"""
