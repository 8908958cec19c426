// The rows of one query joined with its judgments: which are judged, which are repeated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index.hpp"

namespace gainful {

// A retrieved item.
struct Row {
  std::uint64_t key;  // see order.hpp
  std::uint64_t hash;
  Id item;
};

// A retrieved item that is judged; both are numbers, in the order given.
struct Hit {
  std::uint32_t row;
  std::uint32_t judgment;
};

// A row whose item another one had before it.
struct Repeat {
  std::uint32_t first;
  std::uint32_t row;
};

// Joins one query after another, using its memory again.
class Joiner {
 public:
  void join(std::span<const Row> rows, const Judged& judged);

  // What the last join found, in the order of the rows.
  const std::vector<Hit>& hits() const { return hits_; }
  const std::vector<Repeat>& repeats() const { return repeats_; }

 private:
  void find_suspects(std::span<const Row> rows, const Judged& judged);
  void find_repeats(std::span<const Row> rows);

  // A set of hashes that may err, saying that one is in it.
  class Filter {
   public:
    void reset(std::size_t expected);
    // Whether the hash was in it before.
    bool add(std::uint64_t hash) {
      std::uint64_t& word = words_[hash >> shift_];
      const std::uint64_t bit = std::uint64_t{1} << (hash & 63);
      const bool known = (word & bit) != 0;
      word |= bit;
      return known;
    }
    bool has(std::uint64_t hash) const { return words_[hash >> shift_] >> (hash & 63) & 1; }

   private:
    std::vector<std::uint64_t> words_;
    int shift_ = 0;
  };

  Filter filter_;
  Slots slots_;
  std::vector<std::uint32_t> suspects_;
  std::vector<std::uint32_t> namesakes_;
  std::vector<std::uint32_t> first_row_;  // of each judgment
  std::vector<Hit> hits_;
  std::vector<Repeat> repeats_;
};

}  // namespace gainful
