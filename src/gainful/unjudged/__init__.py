"""What the labels of unjudged items could still change. "Not relevant" is only one of them."""
