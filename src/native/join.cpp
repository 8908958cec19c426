#include "join.hpp"

#include <algorithm>
#include <bit>

namespace gainful {

void Joiner::Filter::reset(std::size_t expected) {
  const int bits = std::max(
      7, static_cast<int>(std::bit_width(expected * 32)));  // one in 30 to 60 errs when full
  shift_ = 64 - (bits - 6);
  words_.assign(std::size_t{1} << (bits - 6), 0);
}

void Joiner::join(std::span<const Row> rows, const Judged& judged) {
  hits_.clear();
  repeats_.clear();
  find_suspects(rows, judged);
  // Suspects are judged, or repeat an item, or only look so.
  slots_.reset(judged.judgments.size());
  for (std::uint32_t n = 0; n < judged.judgments.size(); ++n) slots_.insert(judged.hashes[n], n);
  first_row_.assign(judged.judgments.size(), Slots::kNone);
  std::size_t left = 0;
  for (const std::uint32_t number : suspects_) {
    const Row& row = rows[number];
    const std::uint32_t n = slots_.find(row.hash, [&](std::uint32_t i) {
      return judged.hashes[i] == row.hash && same(judged.judgments[i].item, row.item);
    });
    if (n == Slots::kNone) {
      suspects_[left++] = number;
    } else if (first_row_[n] == Slots::kNone) {
      first_row_[n] = number;
      hits_.push_back({number, n});
    } else {
      repeats_.push_back({first_row_[n], number});
    }
  }
  suspects_.resize(left);
  if (left > 0) find_repeats(rows);
}

// Rows whose hash the filter has seen before: of the judgments, or of the rows above. Nearly all
// rows are neither judged nor repeated, and are done with here.
void Joiner::find_suspects(std::span<const Row> rows, const Judged& judged) {
  filter_.reset(rows.size() + judged.hashes.size());
  for (const std::uint64_t hash : judged.hashes) filter_.add(hash);
  suspects_.resize(rows.size());
  std::size_t count = 0;
  for (std::uint32_t number = 0; number < rows.size(); ++number) {
    suspects_[count] = number;  // without a branch: which one it is cannot be foreseen
    count += filter_.add(rows[number].hash);
  }
  suspects_.resize(count);
}

// Compares the suspects, which are not judged, with the rows above them that have the same hash,
// or nearly.
void Joiner::find_repeats(std::span<const Row> rows) {
  filter_.reset(suspects_.size());
  for (const std::uint32_t number : suspects_) filter_.add(rows[number].hash);
  namesakes_.clear();
  for (std::uint32_t number = 0; number < rows.size(); ++number)
    if (filter_.has(rows[number].hash)) namesakes_.push_back(number);
  slots_.reset(namesakes_.size());
  auto suspect = suspects_.begin();
  for (const std::uint32_t number : namesakes_) {
    const Row& row = rows[number];
    while (suspect != suspects_.end() && *suspect < number) ++suspect;
    const std::uint32_t first = slots_.find(row.hash, [&](std::uint32_t i) {
      return rows[i].hash == row.hash && same(rows[i].item, row.item);
    });
    if (first == Slots::kNone) {
      slots_.insert(row.hash, number);
    } else if (suspect != suspects_.end() && *suspect == number) {  // not a judged one
      repeats_.push_back({first, number});
    }
  }
  std::sort(repeats_.begin(), repeats_.end(),
            [](const Repeat& a, const Repeat& b) { return a.row < b.row; });
}

}  // namespace gainful
