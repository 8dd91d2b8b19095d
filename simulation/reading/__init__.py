"""Reading a run for people: nothing here simulates and nothing is written into the run.

lifelog     a day told line by line                 why         an act or an utterance traced to its reasons
records     memory streams and tracked facts        recollect   a resident's mind as of a step
addresses   parts of addresses to whole ones        whereabouts who was where
comparing   two runs, side by side                  exporting   tables, transcripts and networks to files
"""
