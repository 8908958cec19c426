"""Ids that all hash alike where the secret of the hash is known: as it was before it was drawn."""

_WORD = 2**64 - 1
FIRST, SECOND = 0x2D358DCCAA6C78A5, 0x8BB84B93962EACC9  # once in the source, for all to read


def made_for_a_known_secret(n: int) -> list[bytes]:
    """Ids of 16 bytes that begin as the secret does: whatever follows is multiplied by 0."""
    return [SECOND.to_bytes(8, "little") + b"%08d" % number for number in range(n)]


def hash_by_a_known_secret(id_: bytes) -> int:
    """What an id of 16 bytes hashed to."""
    first, second = (int.from_bytes(half, "little") for half in (id_[:8], id_[8:]))
    product = (first ^ SECOND) * (second ^ FIRST ^ len(id_))
    return (product & _WORD) ^ (product >> 64)
