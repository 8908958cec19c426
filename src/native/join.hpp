// The rows of one query joined with its judgments: which are judged, which are repeated.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
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
  void reset(std::size_t expected);
  // Puts an entry into its bucket and returns the one that was there before, or 0.
  std::uint32_t add(std::uint64_t hash, std::uint32_t entry) {
    return std::exchange(latest_[hash >> shift_], entry);
  }

  // Judgments and rows in buckets by their hash. Entries are numbered from 1, judgments first;
  // each knows the entry before it in its bucket.
  std::vector<std::uint32_t> latest_;  // of every bucket
  int shift_ = 0;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint32_t> suspects_;  // rows that are not the first in their bucket
  std::vector<Hit> hits_;
  std::vector<Repeat> repeats_;
};

}  // namespace gainful
