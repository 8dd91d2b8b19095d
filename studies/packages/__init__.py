"""Evidence packages: sealing what happened, and verifying it without what made it happen.

sealing     a folder of files and the receipt over them
episode     an episode of the catchment as a package       town_run      a town's run as one
judging     the verifier of an episode                     judging_run   the verifier of a run
verifying   every byte, then the judge for the kind of evidence it is
"""
