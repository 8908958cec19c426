#include "order.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gainful {

namespace {

constexpr std::size_t kFew = 48;  // entries that a comparison sort is faster for
constexpr int kDigits = 4;        // of a byte each, that the radix sort looks at

bool before(const Entry& a, const Entry& b) {
  return a.key != b.key ? a.key < b.key : a.row < b.row;
}

}  // namespace

void Sorter::sort(std::vector<Entry>& entries) {
  const auto in_order = [](const Entry& a, const Entry& b) { return a.key < b.key; };
  if (std::is_sorted(entries.begin(), entries.end(), in_order)) return;
  if (entries.size() < kFew) return std::sort(entries.begin(), entries.end(), before);
  std::uint64_t differ = 0;
  for (const Entry& entry : entries) differ |= entry.key ^ entries[0].key;
  // The highest bits that differ say nearly everything about the order.
  const int top = static_cast<int>(std::bit_width(differ));
  const int shift = std::max(0, top - 8 * kDigits);
  std::array<std::array<std::uint32_t, 256>, kDigits> count{};
  for (const Entry& entry : entries)
    for (int digit = 0; digit < kDigits; ++digit)
      ++count[digit][entry.key >> (shift + 8 * digit) & 0xff];
  other_.resize(entries.size());
  for (int digit = 0; digit < kDigits; ++digit) {
    const int by = shift + 8 * digit;
    auto& place = count[digit];
    if (by >= 64 || place[entries[0].key >> by & 0xff] == entries.size()) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& n : place) sum += std::exchange(n, sum);
    for (const Entry& entry : entries) other_[place[entry.key >> by & 0xff]++] = entry;
    entries.swap(other_);
  }
  // What differs only in lower bits stands together, and is sorted there.
  if (shift == 0) return;
  for (auto begin = entries.begin(); begin != entries.end();) {
    auto end = begin + 1;
    while (end != entries.end() && (end->key ^ begin->key) >> shift == 0) ++end;
    if (end - begin > 1 && !std::is_sorted(begin, end, in_order)) std::sort(begin, end, before);
    begin = end;
  }
}

}  // namespace gainful
