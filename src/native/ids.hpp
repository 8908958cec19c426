// Ids as bytes: what they hash to, where they are kept, and a table that numbers them.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

#if defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
#include <intrin.h>
#endif

namespace gainful {

using Id = std::string_view;

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// The two halves of a 128-bit product, folded into one: what mixes every bit with every other.
inline std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
#elif defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64))
  return (a * b) ^ __umulh(a, b);
#else
  const std::uint64_t low = (a & 0xffffffff) * (b & 0xffffffff), high = (a >> 32) * (b >> 32);
  const std::uint64_t one = (a >> 32) * (b & 0xffffffff) + (low >> 32);
  const std::uint64_t two = (a & 0xffffffff) * (b >> 32) + (one & 0xffffffff);
  return (a * b) ^ (high + (one >> 32) + (two >> 32));
#endif
}

// What ids are hashed with: drawn at random when the program starts, so that nobody can prepare ids
// that all hash alike. No result depends on it.
struct Secret {
  std::uint64_t first;
  std::uint64_t second;

  static Secret drawn() {
    std::random_device entropy;
    const auto number = [&] { return std::uint64_t{entropy()} << 32 | entropy(); };
    return {number(), number()};
  }
};
inline const Secret kSecret = Secret::drawn();

inline std::uint64_t hash_of(Id id) {
  const auto [first, second] = kSecret;
  const char* text = id.data();
  std::size_t size = id.size();
  // The size is multiplied by what nobody knows: else bytes could be chosen that make up for it.
  std::uint64_t seed = first ^ size * (second | 1), a = 0, b = 0;
  for (; size > 16; size -= 16, text += 16)
    seed = mixed(load<std::uint64_t>(text) ^ second, load<std::uint64_t>(text + 8) ^ seed);
  if (size >= 8) {  // both loads together cover the rest, overlapping where it is short
    a = load<std::uint64_t>(text);
    b = load<std::uint64_t>(text + size - 8);
  } else if (size >= 4) {
    a = load<std::uint32_t>(text);
    b = load<std::uint32_t>(text + size - 4);
  } else if (size > 0) {
    a = static_cast<unsigned char>(text[0]);
    b = static_cast<std::uint64_t>(static_cast<unsigned char>(text[size / 2])) << 8 |
        static_cast<unsigned char>(text[size - 1]);
  }
  return mixed(a ^ second, b ^ seed);
}

// Whether two ids are the same bytes; short ones are compared without a call.
inline bool same(Id a, Id b) {
  const std::size_t size = a.size();
  if (size != b.size()) return false;
  const char *x = a.data(), *y = b.data();
  if (size > 16) return std::memcmp(x, y, size) == 0;
  if (size >= 8)
    return ((load<std::uint64_t>(x) ^ load<std::uint64_t>(y)) |
            (load<std::uint64_t>(x + size - 8) ^ load<std::uint64_t>(y + size - 8))) == 0;
  if (size >= 4)
    return ((load<std::uint32_t>(x) ^ load<std::uint32_t>(y)) |
            (load<std::uint32_t>(x + size - 4) ^ load<std::uint32_t>(y + size - 4))) == 0;
  for (std::size_t i = 0; i < size; ++i)
    if (x[i] != y[i]) return false;
  return true;
}

// Memory that is handed out piece by piece and given back as a whole.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  char* take(std::size_t size) {
    if (size > room_) grow(size);
    char* taken = next_;
    next_ += size;
    room_ -= size;
    return taken;
  }

  // Takes all of it back, keeping the last block to hand it out again.
  void clear() {
    if (blocks_.size() > 1) blocks_.erase(blocks_.begin(), blocks_.end() - 1);
    if (blocks_.empty()) return;
    room_ += static_cast<std::size_t>(next_ - blocks_.back().get());
    next_ = blocks_.back().get();
  }

  // A copy of the id that lives as long as the arena.
  Id keep(Id id) {
    if (id.empty()) return {"", 0};
    char* kept = take(id.size());
    std::memcpy(kept, id.data(), id.size());
    return {kept, id.size()};
  }

 private:
  void grow(std::size_t needed) {
    room_ = needed > block_ ? needed : block_;
    if (block_ < kLargest) block_ *= 2;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    next_ = blocks_.back().get();
  }

  static constexpr std::size_t kLargest = 1 << 18;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_ = 0;
  std::size_t block_ = 1 << 12;
};

// There are more of something than 32 bits can number; why, for Python to put into words.
struct TooMany {
  const char* reason;
};

// Numbers for keys that the caller stores: open addressing with linear probing.
class Slots {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // Forgets everything, and makes room for this many keys.
  void reset(std::size_t expected) {
    std::size_t capacity = 8;
    while (capacity < expected * 2) capacity *= 2;
    slots_.assign(capacity, {});
  }

  // The number of the key that matches(number) recognizes, or kNone.
  template <class Matches>
  std::uint32_t find(std::uint64_t hash, Matches&& matches) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.number == kNone) return kNone;
      if (slot.tag == tag_of(hash) && matches(slot.number)) return slot.number;
    }
  }

  // Adds a number under a hash; the caller knows that the key is new and that there is room.
  void insert(std::uint64_t hash, std::uint32_t number) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t i = hash & mask;
    while (slots_[i].number != kNone) i = (i + 1) & mask;
    slots_[i] = {tag_of(hash), number};
  }

 private:
  struct Slot {
    std::uint32_t tag = 0;
    std::uint32_t number = kNone;
  };
  static std::uint32_t tag_of(std::uint64_t hash) { return static_cast<std::uint32_t>(hash >> 32); }

  std::vector<Slot> slots_ = std::vector<Slot>(8);
};

// Numbers ids from 0 in the order of their first appearance.
class IdTable {
 public:
  static constexpr std::uint32_t kNone = Slots::kNone;

  std::uint32_t find(Id id) const { return find(id, hash_of(id)); }

  std::uint32_t find_or_add(Id id) {
    const std::uint64_t hash = hash_of(id);
    const std::uint32_t known = find(id, hash);
    if (known != kNone) return known;
    if (ids_.size() == room_) {
      room_ *= 2;
      slots_.reset(room_);
      for (std::uint32_t n = 0; n < ids_.size(); ++n) slots_.insert(hash_of(ids_[n]), n);
    }
    if (ids_.size() == kNone) throw TooMany{"many-ids"};
    const auto number = static_cast<std::uint32_t>(ids_.size());
    ids_.push_back(arena_.keep(id));
    slots_.insert(hash, number);
    return number;
  }

  std::size_t size() const { return ids_.size(); }
  Id operator[](std::size_t n) const { return ids_[n]; }

 private:
  std::uint32_t find(Id id, std::uint64_t hash) const {
    return slots_.find(hash, [&](std::uint32_t n) { return same(ids_[n], id); });
  }

  Arena arena_;
  std::vector<Id> ids_;
  Slots slots_;
  std::size_t room_ = 4;
};

}  // namespace gainful
