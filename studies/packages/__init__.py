"""Evidence packages: sealing what happened, and verifying it without what made it happen.

sealing     a folder of files and the receipt over them
episode     an episode of the catchment as a package
"""
