#include "arrays.hpp"

#include <algorithm>
#include <functional>

namespace gainful {

namespace {

// The highest values, descending; as many as wanted, or all there are.
void take_highest(std::span<const double> values, std::size_t wanted, std::vector<double>& out) {
  const std::size_t first = out.size();
  const std::size_t count = std::min(wanted, values.size());
  out.insert(out.end(), values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count));
  std::sort(out.begin() + static_cast<std::ptrdiff_t>(first), out.end(), std::greater<>());
  if (count == values.size()) return;
  double* begin = out.data() + first;
  double* last = begin + count - 1;
  for (const double value : values.subspan(count)) {
    if (!(value > *last)) continue;
    double* at = last;
    for (; at != begin && at[-1] < value; --at) *at = at[-1];
    *at = value;
  }
}

// Ranks one ranking after another, using its memory again.
class ArrayRanker {
 public:
  ArrayRanker(const Options& options, std::size_t reach) : options_(options), reach_(reach) {}

  void add(std::span<const double> labels, const double* scores, Aligned& out) {
    order(labels.size(), scores);
    const std::size_t n = labels.size();
    const std::size_t deepest =
        options_.depth != 0 && options_.depth < n ? static_cast<std::size_t>(options_.depth) : n;
    const std::size_t shown = reach_ != 0 && reach_ < deepest ? reach_ : deepest;
    for (std::size_t begin = 0, end = 0; begin < entries_.size() && begin < shown; begin = end) {
      tied_.clear();
      const std::uint64_t key = entries_[begin].key;
      for (end = begin; end < entries_.size() && entries_[end].key == key; ++end)
        tied_.push_back(labels[entries_[end].row] + 0.0);
      arrange_ties();
      // An averaged tie that reaches above the cut counts with the part that does.
      const std::size_t reported = options_.ties == Ties::average ? end : std::min(end, shown);
      for (std::size_t i = begin; i < reported; ++i)
        out.hits.add({static_cast<std::int64_t>(i + 1), static_cast<std::int64_t>(begin + 1),
                      static_cast<std::int64_t>(end - begin)},
                     tied_[i - begin]);
    }
    out.in_run.push_back(1);
    out.n_retrieved.push_back(static_cast<std::int64_t>(deepest));
    out.hit_offsets.push_back(static_cast<std::int64_t>(out.hits.size()));
  }

 private:
  // Puts the items that may be reported, best first, into entries_.
  void order(std::size_t n, const double* scores) {
    entries_.clear();
    if (scores == nullptr || options_.order != Order::score) {
      for (std::uint32_t i = 0; i < n; ++i) entries_.push_back({i, i});
      return;
    }
    double lowest = -std::numeric_limits<double>::infinity();
    // Rounding to single precision could lift an item to one that was above it.
    if (reach_ != 0 && 4 * reach_ < n && !options_.float32) {
      highest_.clear();
      take_highest({scores, n}, reach_, highest_);
      lowest = highest_.back();
    }
    for (std::uint32_t i = 0; i < n; ++i)
      if (scores[i] >= lowest) entries_.push_back({key_of_score(scores[i], options_.float32), i});
    sorter_.sort(entries_);
  }

  void arrange_ties() {
    if (tied_.size() < 2) return;
    if (options_.ties == Ties::average || options_.ties == Ties::best)
      std::sort(tied_.begin(), tied_.end(), std::greater<>());
    if (options_.ties == Ties::worst) std::sort(tied_.begin(), tied_.end());
  }

  const Options options_;
  const std::size_t reach_;
  Sorter sorter_;
  std::vector<Entry> entries_;
  std::vector<double> highest_;
  std::vector<double> tied_;  // the labels of a block of equal scores
};

}  // namespace

Arrays align_arrays(std::span<const double> labels, const double* scores,
                    std::span<const std::int64_t> offsets, const Options& options,
                    std::size_t reach) {
  Arrays out;
  out.aligned.hit_offsets.push_back(0);
  out.pool_offsets.push_back(0);
  if (reach == 0) {
    out.aligned.hits.reserve(labels.size());
    out.pool_label.reserve(labels.size());
  }
  ArrayRanker ranker(options, reach);
  for (std::size_t query = 0; query + 1 < offsets.size(); ++query) {
    const auto begin = static_cast<std::size_t>(offsets[query]);
    const auto own = labels.subspan(begin, static_cast<std::size_t>(offsets[query + 1]) - begin);
    ranker.add(own, scores ? scores + begin : nullptr, out.aligned);
    take_highest(own, reach == 0 ? own.size() : reach, out.pool_label);
    out.pool_offsets.push_back(static_cast<std::int64_t>(out.pool_label.size()));
  }
  for (double& label : out.pool_label) label += 0.0;
  return out;
}

}  // namespace gainful
