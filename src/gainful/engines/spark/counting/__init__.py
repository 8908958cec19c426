"""Count: ranks without moving the run, by how many of its rows stand ahead of a judged item."""
