#include "arrays.hpp"

#include <algorithm>
#include <functional>

namespace gainful {

namespace {

// The highest values, descending, of more than are wanted.
void take_highest(std::span<const double> values, std::size_t wanted, std::vector<double>& out) {
  out.assign(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(wanted));
  std::sort(out.begin(), out.end(), std::greater<>());
  double* const begin = out.data();
  double* const last = begin + wanted - 1;
  for (const double value : values.subspan(wanted)) {
    if (!(value > *last)) continue;
    double* at = last;
    for (; at != begin && at[-1] < value; --at) *at = at[-1];
    *at = value;
  }
}

// Ranks one ranking after another, using its memory again.
class ArrayRanker {
 public:
  ArrayRanker(const Options& options, std::size_t reach, Arrays& out)
      : options_(options), reach_(reach), out_(out) {
    out_.aligned.hit_offsets.push_back(0);
    out_.pool_offsets.push_back(0);
  }

  void add(std::span<const double> labels, const double* scores) {
    check(labels, scores);
    order(labels.size(), scores);
    const std::size_t n = labels.size();
    const std::size_t deepest =
        options_.depth != 0 && options_.depth < n ? static_cast<std::size_t>(options_.depth) : n;
    add_hits(labels, reach_ != 0 && reach_ < deepest ? reach_ : deepest);
    out_.aligned.in_run.push_back(1);
    out_.aligned.n_retrieved.push_back(static_cast<std::int64_t>(deepest));
    out_.aligned.hit_offsets.push_back(static_cast<std::int64_t>(out_.aligned.hits.size()));
    add_pool(labels);
    out_.pool_offsets.push_back(static_cast<std::int64_t>(out_.pool_label.size()));
  }

 private:
  // Refuses labels that are not finite and scores that are no numbers; Python finds and names them.
  static void check(std::span<const double> labels, const double* scores) {
    bool bad = false;
    for (const double label : labels) bad |= !(label - label == 0);
    if (scores != nullptr)
      for (std::size_t i = 0; i < labels.size(); ++i) bad |= scores[i] != scores[i];
    if (bad) throw BadInput{.reason = "array"};
  }

  // Whether to keep the highest ones alone, which takes long where they are many.
  bool shallow(std::size_t n) const { return reach_ != 0 && reach_ <= 64 && reach_ < n / 4; }

  // Puts the items that may be reported into order_, best first, and their keys into keys_.
  void order(std::size_t n, const double* scores) {
    rows_.clear();
    if (scores == nullptr || options_.order != Order::score) {
      keys_.resize(n);
      for (std::uint32_t i = 0; i < n; ++i) keys_[i] = i;
    } else if (shallow(n) && !options_.float32) {
      // (Rounding to single precision could lift an item to one that was above it.)
      take_highest({scores, n}, reach_, highest_);
      keys_.clear();
      for (std::uint32_t i = 0; i < n; ++i)
        if (scores[i] >= highest_.back()) {
          keys_.push_back(key_of_score(scores[i], false));
          rows_.push_back(i);
        }
    } else {
      keys_.resize(n);
      for (std::size_t i = 0; i < n; ++i) keys_[i] = key_of_score(scores[i], options_.float32);
    }
    order_ = sorter_.sorted(keys_);
  }

  // Adds the hits down to the rank that is shown last.
  void add_hits(std::span<const double> labels, std::size_t shown) {
    Hits& hits = out_.aligned.hits;
    const std::size_t first = hits.size();
    hits.resize(first + order_.size());
    std::int64_t* rank = hits.rank.data() + first;
    double* label = hits.label.data() + first;
    std::int64_t* tie_first = hits.tie_first.data() + first;
    std::int64_t* tie_size = hits.tie_size.data() + first;
    const bool shared = options_.ties == Ties::middle;
    std::size_t end = 0;
    for (std::size_t begin = 0; begin < order_.size() && begin < shown; begin = end) {
      const std::uint64_t key = keys_[order_[begin]];
      for (end = begin; end < order_.size() && keys_[order_[end]] == key; ++end)
        label[end] = labels[rows_.empty() ? order_[end] : rows_[order_[end]]] + 0.0;
      if (end - begin > 1) arrange(label + begin, label + end);
      for (std::size_t i = begin; i < end; ++i) {
        rank[i] = static_cast<std::int64_t>((shared ? begin + (end - begin - 1) / 2 : i) + 1);
        tie_first[i] = static_cast<std::int64_t>(begin + 1);
        tie_size[i] = static_cast<std::int64_t>(end - begin);
      }
    }
    // An averaged tie that reaches above the cut counts with the part that does.
    if (options_.ties == Ties::average) return hits.resize(first + end);
    // Tied items that share a rank are cut together.
    if (shared)
      while (end > 0 && rank[end - 1] > static_cast<std::int64_t>(shown)) --end;
    hits.resize(first + (shared ? end : std::min(end, shown)));
  }

  // Puts the labels of a block of equal scores into the order of the rule.
  void arrange(double* begin, double* end) const {
    if (options_.ties == Ties::average || options_.ties == Ties::best)
      std::sort(begin, end, std::greater<>());
    if (options_.ties == Ties::worst) std::sort(begin, end);
    if (options_.ties == Ties::input_reversed) std::reverse(begin, end);
  }

  void add_pool(std::span<const double> labels) {
    std::vector<double>& pool = out_.pool_label;
    if (shallow(labels.size())) {
      take_highest(labels, reach_, highest_);
      for (const double label : highest_) pool.push_back(label + 0.0);
      return;
    }
    if (count_levels(labels)) {
      for (std::size_t level = kLevels; level-- > 0;)
        pool.insert(pool.end(), levels_[level], static_cast<double>(level));
      return;
    }
    keys_.resize(labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) keys_[i] = key_of_score(labels[i], false);
    for (const std::uint32_t i : sorter_.sorted(keys_)) pool.push_back(labels[i] + 0.0);
  }

  // Counts labels that are small whole numbers, as most are; false where there is another one.
  bool count_levels(std::span<const double> labels) {
    std::fill_n(levels_, kLevels, 0);
    for (const double label : labels) {
      if (!(label >= 0 && label < kLevels)) return false;
      const auto level = static_cast<std::size_t>(label);
      if (static_cast<double>(level) != label) return false;
      ++levels_[level];
    }
    return true;
  }

  static constexpr std::size_t kLevels = 32;

  const Options options_;
  const std::size_t reach_;
  Arrays& out_;
  Sorter sorter_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> rows_;  // which item each key is of; empty if they are all there
  std::span<const std::uint32_t> order_;
  std::vector<double> highest_;
  std::size_t levels_[kLevels] = {};
};

}  // namespace

Arrays align_arrays(std::span<const double> labels, const double* scores,
                    std::span<const std::int64_t> offsets, const Options& options,
                    std::size_t reach) {
  Arrays out;
  if (reach == 0) {
    out.aligned.hits.reserve(labels.size());
    out.pool_label.reserve(labels.size());
  }
  ArrayRanker ranker(options, reach, out);
  for (std::size_t query = 0; query + 1 < offsets.size(); ++query) {
    const auto begin = static_cast<std::size_t>(offsets[query]);
    const auto own = labels.subspan(begin, static_cast<std::size_t>(offsets[query + 1]) - begin);
    ranker.add(own, scores ? scores + begin : nullptr);
  }
  return out;
}

}  // namespace gainful
