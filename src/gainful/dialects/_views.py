"""What tools see: a list of labels, or item ids and judgments."""

from gainful.rules import Rules

# Most tools take an array of scores and an array of labels: an item that was not retrieved, or a
# query without results, cannot be told to them.
LISTED = Rules(ties="input", missing="skip")
OF_LISTED = {"ideal": "list", "ideal_order": "gain", "above_one": "keep"}

# Others take item ids, best first, and the items that are relevant.
RANKED = Rules(ties="input")
OF_RELEVANT = {"gain": "positive", "above_one": "keep"}
OF_GRADED = {"ideal_order": "gain", "negatives": "keep", "above_one": "keep"}
