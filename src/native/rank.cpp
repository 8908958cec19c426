#include "rank.hpp"

#include <algorithm>

namespace gainful {

void Rows::keep(std::span<const std::uint32_t> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    row[i] = row[numbers[i]];
    if (!rank.empty()) rank[i] = rank[numbers[i]];
  }
  row.resize(numbers.size());
  if (!rank.empty()) rank.resize(numbers.size());
}

void Hits::add(const Place& place, double its_label) {
  rank.push_back(place.rank);
  label.push_back(its_label);
  tie_first.push_back(place.tie_first);
  tie_size.push_back(place.tie_size);
}

void Hits::reserve(std::size_t size) {
  rank.reserve(size);
  label.reserve(size);
  tie_first.reserve(size);
  tie_size.reserve(size);
}

void Hits::resize(std::size_t size) {
  rank.resize(size);
  label.resize(size);
  tie_first.resize(size);
  tie_size.resize(size);
}

void Hits::append(const Hits& other, std::size_t begin, std::size_t end) {
  const auto part = [&](auto& to, const auto& from) {
    to.insert(to.end(), from.begin() + static_cast<std::ptrdiff_t>(begin),
              from.begin() + static_cast<std::ptrdiff_t>(end));
  };
  part(rank, other.rank);
  part(label, other.label);
  part(tie_first, other.tie_first);
  part(tie_size, other.tie_size);
}

std::optional<Repeat> Ranker::join(Rows& rows, const Judged& judged) {
  rows_ = &rows;
  judged_ = judged;
  joiner_.join(rows.row, judged);
  if (joiner_.repeats().empty()) return std::nullopt;
  return joiner_.repeats().front();
}

void Ranker::rank(Rows& rows, Id query) {
  n_repeats_ += joiner_.repeats().size();
  if (!joiner_.repeats().empty() && !options_.keeps_repeats()) {
    drop_repeats(rows);
    joiner_.join(rows.row, judged_);
  }
  if (options_.drop_own) drop_own(rows, query);
  if (options_.condense) condense(rows);
  find_judgments();
  sort();
}

void Ranker::find_judgments() {
  judgment_.assign(rows_->row.size(), Index::kNone);
  for (const Hit& hit : joiner_.hits()) judgment_[hit.row] = hit.judgment;
  for (const auto& [first, later] : joiner_.repeats()) judgment_[later] = judgment_[first];
}

void Ranker::drop_repeats(Rows& rows) {
  // For every first mention, the mention that is kept.
  std::vector<std::uint32_t> kept(rows.row.size());
  for (std::uint32_t i = 0; i < kept.size(); ++i) kept[i] = i;
  std::vector<bool> dropped(rows.row.size());
  for (const auto& [first, later] : joiner_.repeats()) {
    const bool better = rows.row[later].key < rows.row[kept[first]].key;
    const bool replaces = options_.duplicates == Duplicates::last ||
                          (options_.duplicates == Duplicates::max && better);
    dropped[replaces ? kept[first] : later] = true;
    if (replaces) kept[first] = later;
  }
  kept.clear();
  for (std::uint32_t i = 0; i < dropped.size(); ++i)
    if (!dropped[i]) kept.push_back(i);
  rows.keep(kept);
}

void Ranker::drop_own(Rows& rows, Id query) {
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < rows.row.size(); ++i)
    if (!same(rows.row[i].item, query)) kept.push_back(i);
  if (kept.size() == rows.row.size()) return;
  n_own_ += rows.row.size() - kept.size();
  rows.keep(kept);
  joiner_.join(rows.row, judged_);
}

void Ranker::condense(Rows& rows) {
  find_judgments();
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 0; i < rows.row.size(); ++i)
    if (judgment_[i] != Index::kNone) kept.push_back(i);
  rows.keep(kept);
  joiner_.join(rows.row, judged_);
}

void Ranker::sort() {
  const auto& row = rows_->row;
  // Most runs come sorted; looking costs little.
  sorted_ = rows_->sorted || rows_->in_order();
  if (sorted_) return;
  keys_.resize(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) keys_[i] = row[i].key;
  order_ = sorter_.sorted(keys_);
}

std::size_t Ranker::n_retrieved() const {
  const std::size_t all = rows_->row.size();
  return options_.depth != 0 && options_.depth < all ? static_cast<std::size_t>(options_.depth)
                                                     : all;
}

void Ranker::add_hits(Hits& hits) {
  wanted_.clear();
  if (sorted_ && joiner_.repeats().empty()) {
    for (const Hit& hit : joiner_.hits()) wanted_.push_back(hit.row);
  } else {
    for (std::uint32_t i = 0; i < rows_->row.size(); ++i)
      if (judgment_[row_at(i)] != Index::kNone) wanted_.push_back(i);
  }
  const auto deepest = static_cast<std::int64_t>(n_retrieved());
  const bool shared = options_.ties == Ties::middle;
  walk([&](std::uint32_t, std::uint32_t judgment, Place place) {
    if (judgment == Index::kNone) return;
    if (shared) place.rank = place.middle();
    // An averaged tie that reaches above the cut counts with the part that does.
    const auto shallowest = options_.ties == Ties::average ? place.tie_first : place.rank;
    if (shallowest <= deepest) hits.add(place, judged_.judgments[judgment].label);
  });
}

std::size_t Ranker::n_close(const Hits& hits, std::size_t from) const {
  const std::size_t n = rows_->row.size();
  const auto single = [&](std::size_t at) { return static_cast<float>(score_of_key(key_at(at))); };
  std::size_t count = 0;
  for (std::size_t hit = from; hit < hits.size(); ++hit) {
    const auto begin = static_cast<std::size_t>(hits.tie_first[hit] - 1);
    const std::size_t end = begin + static_cast<std::size_t>(hits.tie_size[hit]);
    count += (begin > 0 && single(begin - 1) == single(begin)) ||
             (end < n && single(end - 1) == single(end));
  }
  return count;
}

// Unjudged items count as label 0 when ties are resolved for the best or the worst.
double Ranker::label_of(std::uint32_t row) const {
  return judgment_[row] == Index::kNone ? 0.0 : judged_.judgments[judgment_[row]].label;
}

bool Ranker::wins_tie(std::uint32_t a, std::uint32_t b) const {
  switch (options_.ties) {
    case Ties::item_asc:
      return rows_->row[a].item != rows_->row[b].item ? rows_->row[a].item < rows_->row[b].item
                                                      : a < b;
    case Ties::input:
    case Ties::middle:
      return a < b;
    case Ties::input_reversed:
      return a > b;
    case Ties::rank_column:
      return rows_->rank[a] != rows_->rank[b] ? rows_->rank[a] < rows_->rank[b] : a < b;
    case Ties::average:
      // Best first here too: an averaged sum then adds the same numbers in the same order, whatever
      // the ids are and however the input was ordered.
    case Ties::best:
      if (label_of(a) != label_of(b)) return label_of(a) > label_of(b);
      break;
    case Ties::worst:
      if (label_of(a) != label_of(b)) return label_of(a) < label_of(b);
      break;
    case Ties::item_desc:
      break;
  }
  // (The same item is there twice where all mentions keep their places.)
  return rows_->row[a].item != rows_->row[b].item ? rows_->row[a].item > rows_->row[b].item : a < b;
}

}  // namespace gainful
