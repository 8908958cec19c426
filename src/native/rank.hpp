// One ranking: its rows without repeats, in order, and where the judged ones stand.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <utility>
#include <vector>

#include "join.hpp"
#include "order.hpp"

namespace gainful {

enum class Order { score, rank, file };
enum class Ties {
  item_desc,
  item_asc,
  input,
  input_reversed,
  rank_column,
  average,
  best,
  worst,
  middle
};

struct Options {
  Order order = Order::score;
  Ties ties = Ties::item_desc;
  Duplicates duplicates = Duplicates::error;
  bool condense = false;    // drop unjudged items before ranking
  bool float32 = false;     // compare scores in single precision
  std::uint64_t depth = 0;  // keep this many items a query; 0 keeps all
  bool drop_own = false;    // drop an item whose id is that of its query before ranking

  bool with_scores() const { return order == Order::score; }
  bool with_ranks() const { return order == Order::rank || ties == Ties::rank_column; }
  // Whether ranks are worth having: to rank by them, or to compare them with the scores.
  bool keeps_ranks() const { return with_ranks() || with_scores(); }
  // Whether an item that a query has twice keeps both places.
  bool keeps_repeats() const {
    return duplicates == Duplicates::once || duplicates == Duplicates::count;
  }
};

// The rows of one query, in the order of the input.
struct Rows {
  std::vector<Row> row;
  std::vector<std::int64_t> rank;  // the rank column, or nothing
  bool sorted = false;             // whether it is known that the rows stand in order

  void clear() {
    row.clear();
    rank.clear();
    sorted = false;
  }
  bool in_order() const {
    return std::is_sorted(row.begin(), row.end(),
                          [](const Row& a, const Row& b) { return a.key < b.key; });
  }
  // Keeps those rows whose number is listed, ascending.
  void keep(std::span<const std::uint32_t> numbers);
};

// Where an item stands: its rank, and the block of equal scores around it.
struct Place {
  std::int64_t rank;
  std::int64_t tie_first;
  std::int64_t tie_size;

  // The middle rank of its block, rounded down.
  std::int64_t middle() const { return tie_first + (tie_size - 1) / 2; }
};

// Lets a vector grow without clearing what is written at once.
template <class T>
struct Unfilled : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Unfilled<U>;
  };
  Unfilled() = default;
  template <class U>
  Unfilled(const Unfilled<U>&) noexcept {}
  template <class U>
  void construct(U* place) {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Args>
  void construct(U* place, Args&&... args) {
    ::new (static_cast<void*>(place)) U(std::forward<Args>(args)...);
  }
};

// Where judged items stand, one element each.
struct Hits {
  template <class T>
  using Column = std::vector<T, Unfilled<T>>;

  Column<std::int64_t> rank;
  Column<double> label;
  Column<std::int64_t> tie_first;
  Column<std::int64_t> tie_size;

  std::size_t size() const { return rank.size(); }
  void add(const Place& place, double label);
  void reserve(std::size_t size);
  void resize(std::size_t size);
  // Some of another's, from one to before another.
  void append(const Hits& other, std::size_t begin, std::size_t end);
};

// Ranks one query after another, using its memory again.
class Ranker {
 public:
  explicit Ranker(const Options& options) : options_(options) {}

  // Joins the rows of a query; returns the first repeat, if there is one.
  std::optional<Repeat> join(Rows& rows, const Judged& judged);
  // Then ranks them, dropping repeats (and unjudged items, or that of the query's id, if so asked)
  // from them.
  void rank(Rows& rows, Id query);

  // After rank(): how many rows count, where the judged ones stand, and where all do.
  std::size_t n_retrieved() const;
  void add_hits(Hits& hits);
  // How many of the hits that were added last, from one on, have above or below them an item whose
  // score is another in double precision and the same in single precision.
  std::size_t n_close(const Hits& hits, std::size_t from) const;
  // Calls on_item(row, judgment or Index::kNone, place) for every row, in rank order.
  template <class OnItem>
  void for_each(OnItem&& on_item) {
    for_first(rows_->row.size(), on_item);
  }
  // The same for the first rows only; there must be as many.
  template <class OnItem>
  void for_first(std::size_t count, OnItem&& on_item) {
    wanted_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) wanted_[i] = i;
    // The last tie may go on below.
    walk([&](std::uint32_t row, std::uint32_t judgment, const Place& place) {
      if (static_cast<std::size_t>(place.rank) <= count) on_item(row, judgment, place);
    });
  }

  // How many repeats there were, and how many items that had the id of their query.
  std::uint64_t n_repeats() const { return n_repeats_; }
  std::uint64_t n_own() const { return n_own_; }

 private:
  void drop_repeats(Rows& rows);
  void drop_own(Rows& rows, Id query);
  void condense(Rows& rows);
  // Which judgment each row has, repeats included.
  void find_judgments();
  void sort();
  bool wins_tie(std::uint32_t a, std::uint32_t b) const;
  double label_of(std::uint32_t row) const;
  std::uint32_t row_at(std::size_t position) const {
    return sorted_ ? static_cast<std::uint32_t>(position) : order_[position];
  }
  std::uint64_t key_at(std::size_t position) const { return rows_->row[row_at(position)].key; }
  template <class OnItem>
  void walk(OnItem&& on_item);

  const Options options_;
  Joiner joiner_;
  Sorter sorter_;
  const Rows* rows_ = nullptr;
  Judged judged_;
  bool sorted_ = true;                    // whether the rows stand in order as they are
  std::span<const std::uint32_t> order_;  // their order, if not
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> judgment_;  // of each row, or kNone
  std::vector<std::uint32_t> wanted_;    // positions to report, ascending
  std::vector<std::uint32_t> tied_;      // the rows of a block
  std::vector<bool> found_;              // judgments whose first mention was met
  std::uint64_t n_repeats_ = 0;
  std::uint64_t n_own_ = 0;
};

template <class OnItem>
void Ranker::walk(OnItem&& on_item) {
  const std::size_t n = rows_->row.size();
  const bool once = options_.duplicates == Duplicates::once;
  if (once) found_.assign(judged_.judgments.size(), false);
  std::size_t end = 0;  // of the block before
  for (auto next = wanted_.begin(); next != wanted_.end();) {
    std::size_t begin = *next;
    const std::uint64_t key = key_at(begin);
    while (begin > end && key_at(begin - 1) == key) --begin;
    end = *next + 1;
    while (end < n && key_at(end) == key) ++end;
    tied_.clear();
    for (std::size_t i = begin; i < end; ++i) tied_.push_back(row_at(i));
    if (tied_.size() > 1)
      std::sort(tied_.begin(), tied_.end(),
                [this](std::uint32_t a, std::uint32_t b) { return wins_tie(a, b); });
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t row = tied_[i - begin];
      std::uint32_t judgment = judgment_[row];
      if (once && judgment != Index::kNone) {
        if (found_[judgment])
          judgment = Index::kNone;
        else
          found_[judgment] = true;
      }
      on_item(row, judgment,
              Place{static_cast<std::int64_t>(i + 1), static_cast<std::int64_t>(begin + 1),
                    static_cast<std::int64_t>(end - begin)});
    }
    while (next != wanted_.end() && *next < end) ++next;
  }
}

}  // namespace gainful
