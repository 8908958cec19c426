#include "rank.hpp"

#include <algorithm>

namespace gainful {

namespace {

// Unjudged items count as label 0 when ties are resolved for the best or the worst.
double label_of(const Row& row) { return row.judgment ? row.judgment->label : 0.0; }

bool same_place(const Row& a, const Row& b, Order order) {
  if (order == Order::score) return a.score == b.score;
  if (order == Order::rank) return a.rank == b.rank;
  return false;
}

template <Ties ties>
bool wins_tie(const Row& a, const Row& b) {
  if constexpr (ties == Ties::item_asc) return a.item < b.item;
  if constexpr (ties == Ties::input) return a.line < b.line;
  if constexpr (ties == Ties::rank_column)
    return a.rank != b.rank ? a.rank < b.rank : a.line < b.line;
  if constexpr (ties == Ties::best)
    if (label_of(a) != label_of(b)) return label_of(a) > label_of(b);
  if constexpr (ties == Ties::worst)
    if (label_of(a) != label_of(b)) return label_of(a) < label_of(b);
  return a.item > b.item;
}

template <Order order, Ties ties>
void sort_rows(std::vector<Row>& rows) {
  const auto before = [](const Row& a, const Row& b) {
    if constexpr (order == Order::file) return a.line < b.line;
    if constexpr (order == Order::score)
      if (a.score != b.score) return a.score > b.score;
    if constexpr (order == Order::rank)
      if (a.rank != b.rank) return a.rank < b.rank;
    return wins_tie<ties>(a, b);
  };
  // Most runs come sorted; looking costs little.
  if (!std::is_sorted(rows.begin(), rows.end(), before))
    std::sort(rows.begin(), rows.end(), before);
}

template <Order order>
void sort_by(std::vector<Row>& rows, Ties ties) {
  switch (ties) {
    case Ties::item_desc:
      return sort_rows<order, Ties::item_desc>(rows);
    case Ties::item_asc:
      return sort_rows<order, Ties::item_asc>(rows);
    case Ties::input:
      return sort_rows<order, Ties::input>(rows);
    case Ties::rank_column:
      return sort_rows<order, Ties::rank_column>(rows);
    case Ties::average:
      // Best first here too: an averaged sum then adds the same numbers in the same order, whatever
      // the ids are and however the input was ordered.
    case Ties::best:
      return sort_rows<order, Ties::best>(rows);
    case Ties::worst:
      return sort_rows<order, Ties::worst>(rows);
  }
}

}  // namespace

void rank(std::vector<Row>& rows, const Options& options) {
  switch (options.order) {
    case Order::score:
      return sort_by<Order::score>(rows, options.ties);
    case Order::rank:
      return sort_by<Order::rank>(rows, options.ties);
    case Order::file:
      return sort_by<Order::file>(rows, options.ties);
  }
}

void places(std::span<const Row> rows, Order order, std::vector<Place>& out) {
  out.resize(rows.size());
  for (std::size_t first = 0; first < rows.size();) {
    std::size_t end = first + 1;
    while (end < rows.size() && same_place(rows[first], rows[end], order)) ++end;
    for (std::size_t i = first; i < end; ++i)
      out[i] = {static_cast<std::int64_t>(i + 1), static_cast<std::int64_t>(first + 1),
                static_cast<std::int64_t>(end - first)};
    first = end;
  }
}

double comparable(double score, bool float32) {
  return (float32 ? static_cast<double>(static_cast<float>(score)) : score) + 0.0;
}

}  // namespace gainful
