// Ids as bytes: where they are kept, and a table that numbers them.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "parse.hpp"

namespace gainful {

inline std::uint64_t hash_of(Id id) { return std::hash<Id>{}(id); }

// Keeps copies of ids; the views it returns stay valid as long as the arena lives.
class Arena {
 public:
  Arena() = default;
  Arena(Arena&&) = default;
  Arena& operator=(Arena&&) = default;

  Id keep(Id id) {
    if (id.size() > room_) grow(id.size());
    if (!id.empty()) std::memcpy(next_, id.data(), id.size());
    const Id kept(next_, id.size());
    next_ += id.size();
    room_ -= id.size();
    return kept;
  }

 private:
  void grow(std::size_t needed) {
    constexpr std::size_t kBlock = 1 << 18;
    room_ = needed > kBlock ? needed : kBlock;
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(room_));
    next_ = blocks_.back().get();
  }

  std::vector<std::unique_ptr<char[]>> blocks_;
  char* next_ = nullptr;
  std::size_t room_ = 0;
};

// Numbers for keys that the caller stores: open addressing with linear probing.
class Slots {
 public:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  explicit Slots(std::size_t expected = 0) {
    std::size_t capacity = 8;
    while (capacity < expected * 2) capacity *= 2;
    slots_.resize(capacity);
  }

  // The number of the key that same(number) recognises, or kNone.
  template <class Same>
  std::uint32_t find(std::uint64_t hash, Same&& same) const {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      const Slot& slot = slots_[i];
      if (slot.number == kNone) return kNone;
      if (slot.tag == tag_of(hash) && same(slot.number)) return slot.number;
    }
  }

  // Adds a number under a hash; the caller knows that the key is new.
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

  std::vector<Slot> slots_;
};

// Numbers ids from 0 in the order of their first appearance.
class IdTable {
 public:
  static constexpr std::uint32_t kNone = Slots::kNone;

  std::uint32_t find(Id id) const {
    return slots_.find(hash_of(id), [&](std::uint32_t n) { return ids_[n] == id; });
  }

  std::uint32_t find_or_add(Id id) {
    const auto known = find(id);
    if (known != kNone) return known;
    ids_.push_back(arena_.keep(id));
    if (ids_.size() * 2 > room_) {
      room_ = ids_.size() * 4;
      slots_ = Slots(room_);
      for (std::uint32_t n = 0; n + 1 < ids_.size(); ++n) slots_.insert(hash_of(ids_[n]), n);
    }
    slots_.insert(hash_of(id), static_cast<std::uint32_t>(ids_.size() - 1));
    return static_cast<std::uint32_t>(ids_.size() - 1);
  }

  std::size_t size() const { return ids_.size(); }
  Id operator[](std::size_t n) const { return ids_[n]; }

 private:
  Arena arena_;
  std::vector<Id> ids_;
  Slots slots_{8};
  std::size_t room_ = 8;
};

}  // namespace gainful
