"""A minimal process model: entailment if every word of the hypothesis is in the premise, otherwise neutral."""
import json
import sys

for line in sys.stdin:
    pair = json.loads(line)
    premise, hypothesis = (set(pair[side].lower().rstrip(".").split()) for side in ("premise", "hypothesis"))
    label = "entailment" if hypothesis <= premise else "neutral"
    print(json.dumps({"id": pair["id"], "label": label}), flush=True)
