"""A minimal baseline: appends `and false is not true` to every hypothesis with the standard json module, text only."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as source, open(sys.argv[2], "w", encoding="utf-8") as target:
    for line in source:
        row = json.loads(line)
        hypothesis = row["sentence2"].rstrip()
        if hypothesis and hypothesis[-1] in ".!?":
            row["sentence2"] = hypothesis[:-1] + " and false is not true" + hypothesis[-1]
        else:
            row["sentence2"] = hypothesis + " and false is not true"
        target.write(json.dumps(row) + "\n")
