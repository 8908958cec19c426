// Keys that sort as rankings do, and the sort.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace gainful {

// A number as it is ranked by: the lower key stands higher. Equal scores have equal keys.
inline std::uint64_t key_of_score(double score, bool float32) {
  constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1;
  if (float32) score = static_cast<double>(static_cast<float>(score));
  const auto bits = std::bit_cast<std::uint64_t>(score + 0.0);  // adding zero turns -0.0 into 0.0
  return bits >> 63 ? bits : bits ^ kMagnitude;
}

inline double score_of_key(std::uint64_t key) {
  constexpr std::uint64_t kMagnitude = ~std::uint64_t{0} >> 1;
  return std::bit_cast<double>(key >> 63 ? key : key ^ kMagnitude);
}

// The lower rank stands higher.
inline std::uint64_t key_of_rank(std::int64_t rank) {
  return static_cast<std::uint64_t>(rank) ^ (std::uint64_t{1} << 63);
}

// Sorts numbers of rows by their keys, using its memory again.
class Sorter {
 public:
  // The numbers of the keys, the lowest key first; equal keys keep their order. Valid until the
  // next call.
  std::span<const std::uint32_t> sorted(std::span<const std::uint64_t> keys);

 private:
  void radix_sort();
  void settle(std::span<const std::uint64_t> keys);

  std::vector<std::uint64_t> packed_;  // the highest bits that differ, then the number
  std::vector<std::uint64_t> other_;
  std::vector<std::uint32_t> order_;
};

}  // namespace gainful
