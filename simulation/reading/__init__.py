"""Reading a run for people: nothing here simulates and nothing is written into the run.

lifelog     a day told line by line                 why         an act or an utterance traced to its reasons
records     memory streams and tracked facts        recollect   a resident's mind as of a step
addresses   parts of addresses to whole ones        whereabouts who was where
comparing   two runs, side by side                  parting     the first row in which they differ
causes      why they part, as far as is on file     outcomes    who knew what, met whom, was where, did what
exporting   tables and networks to files            transcript  what was said, as Markdown
parquet     tables with types (pyarrow)
"""
