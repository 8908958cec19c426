#include "order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gainful {

namespace {

constexpr std::size_t kFew = 48;  // keys that a comparison sort is faster for
constexpr int kDigits = 3;        // of a byte each, that the radix sort looks at
constexpr int kLowest = 64 - 8 * kDigits;

}  // namespace

std::span<const std::uint32_t> Sorter::sorted(std::span<const std::uint64_t> keys) {
  const std::size_t n = keys.size();
  order_.resize(n);
  if (std::is_sorted(keys.begin(), keys.end())) {
    for (std::uint32_t i = 0; i < n; ++i) order_[i] = i;
    return order_;
  }
  std::uint64_t differ = 0;
  for (const std::uint64_t key : keys) differ |= key ^ keys[0];
  // The 32 highest bits that differ say nearly everything about the order.
  const int width = static_cast<int>(std::bit_width(differ));
  packed_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t high = width > 32 ? keys[i] >> (width - 32) : keys[i] << (32 - width);
    packed_[i] = high << 32 | i;
  }
  if (n < kFew) {
    std::sort(packed_.begin(), packed_.end());
  } else {
    radix_sort();
  }
  for (std::size_t i = 0; i < n; ++i) order_[i] = static_cast<std::uint32_t>(packed_[i]);
  settle(keys);
  return order_;
}

void Sorter::radix_sort() {
  std::array<std::array<std::uint32_t, 256>, kDigits> count{};
  for (const std::uint64_t one : packed_)
    for (int digit = 0; digit < kDigits; ++digit)
      ++count[digit][one >> (kLowest + 8 * digit) & 0xff];
  other_.resize(packed_.size());
  for (int digit = 0; digit < kDigits; ++digit) {
    const int by = kLowest + 8 * digit;
    auto& place = count[digit];
    if (place[packed_[0] >> by & 0xff] == packed_.size()) continue;  // all are alike
    std::uint32_t sum = 0;
    for (std::uint32_t& n : place) sum += std::exchange(n, sum);
    for (const std::uint64_t one : packed_) other_[place[one >> by & 0xff]++] = one;
    packed_.swap(other_);
  }
}

// Keys that are alike in the bits that were looked at stand together, and are sorted there.
void Sorter::settle(std::span<const std::uint64_t> keys) {
  const auto before = [keys](std::uint32_t a, std::uint32_t b) {
    return keys[a] != keys[b] ? keys[a] < keys[b] : a < b;
  };
  for (std::size_t begin = 0; begin + 1 < packed_.size();) {
    std::size_t end = begin + 1;
    while (end < packed_.size() && (packed_[end] ^ packed_[begin]) >> kLowest == 0) ++end;
    const auto first = order_.begin() + static_cast<std::ptrdiff_t>(begin);
    const auto last = order_.begin() + static_cast<std::ptrdiff_t>(end);
    if (end - begin > 1 && !std::is_sorted(first, last, before)) std::sort(first, last, before);
    begin = end;
  }
}

}  // namespace gainful
