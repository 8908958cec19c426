#include "join.hpp"

#include <algorithm>
#include <bit>

namespace gainful {

void Joiner::reset(std::size_t expected) {
  const int bits = std::max(6, static_cast<int>(std::bit_width(2 * expected)));
  shift_ = 64 - bits;
  latest_.assign(std::size_t{1} << bits, 0);
}

void Joiner::join(std::span<const Row> rows, const Judged& judged) {
  hits_.clear();
  repeats_.clear();
  const auto n_judged = static_cast<std::uint32_t>(judged.judgments.size());
  reset(rows.size() + n_judged);
  before_.resize(rows.size() + n_judged + 1);
  for (std::uint32_t n = 0; n < n_judged; ++n) before_[n + 1] = add(judged.hashes[n], n + 1);
  suspects_.resize(rows.size());
  std::size_t count = 0;
  for (std::uint32_t number = 0; number < rows.size(); ++number) {
    const std::uint32_t entry = n_judged + number + 1;
    const std::uint32_t before = add(rows[number].hash, entry);
    before_[entry] = before;
    suspects_[count] = number;  // without a branch: which one it is cannot be foreseen
    count += before != 0;
  }
  // Most rows have a bucket to themselves: they are neither judged nor repeated.
  suspects_.resize(count);
  for (const std::uint32_t number : suspects_) {
    const Row& row = rows[number];
    for (std::uint32_t entry = before_[n_judged + number + 1]; entry != 0; entry = before_[entry]) {
      if (entry <= n_judged) {
        const std::uint32_t n = entry - 1;
        if (judged.hashes[n] != row.hash || !same(judged.judgments[n].item(), row.item)) continue;
        hits_.push_back({number, n});
        break;
      }
      const std::uint32_t earlier = entry - n_judged - 1;
      if (rows[earlier].hash != row.hash || !same(rows[earlier].item, row.item)) continue;
      // The latest mention of the item, which may repeat it as well.
      const auto known = std::lower_bound(
          repeats_.begin(), repeats_.end(), earlier,
          [](const Repeat& one, std::uint32_t wanted) { return one.row < wanted; });
      const bool repeats = known != repeats_.end() && known->row == earlier;
      repeats_.push_back({repeats ? known->first : earlier, number});
      break;
    }
  }
}

}  // namespace gainful
