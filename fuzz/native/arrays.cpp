// Rankings of items without ids, and running sums: against a plain sort and a plain loop.
#include "arrays.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "answers.hpp"
#include "running.hpp"

using namespace gainful;

namespace {

struct Given {
  std::vector<double> labels, scores;
  std::vector<std::int64_t> offsets{0};
};

// A few values that come again and again, and now and then any.
double draw_value(fuzz::Input& input) {
  const std::uint8_t kind = input.byte();
  if (kind == 255) return input.raw<double>();
  if (kind == 254) return kind * 1e-3 + input.byte() * 1e-12;  // the same in single precision
  if (kind >= 250) return (kind % 2 == 0 ? -1.0 : 1.0) * HUGE_VAL;
  return kind % 64 == 0 ? -0.0 : kind % 9 - 2 + (kind / 64) * 0.25;
}

Given draw(fuzz::Input& input) {
  Given out;
  const bool long_ones = input.flag();
  while (input.left() > 0 && out.offsets.size() < 6) {
    const std::size_t n = long_ones ? 40 + input.byte() : input.below(12);
    const std::size_t period = long_ones ? 1 + input.below(32) : n;
    std::vector<double> labels, scores;
    for (std::size_t i = 0; i < period; ++i) {
      labels.push_back(std::abs(draw_value(input)) == HUGE_VAL ? 1 : draw_value(input));
      scores.push_back(draw_value(input));
    }
    for (std::size_t i = 0; i < n; ++i) {
      out.labels.push_back(labels[i % period]);
      out.scores.push_back(scores[i % period] + (i % 7 == 0 ? static_cast<double>(i) : 0));
    }
    out.offsets.push_back(static_cast<std::int64_t>(out.labels.size()));
  }
  return out;
}

struct Hit {
  std::int64_t rank;
  double label;
  std::int64_t tie_first, tie_size;
};

// The items of one ranking, in order.
std::vector<Hit> ranked(std::span<const double> labels, const double* scores,
                        const Options& options) {
  std::vector<std::size_t> order(labels.size());
  std::iota(order.begin(), order.end(), 0);
  const auto score = [&](std::size_t i) -> double {
    if (scores == nullptr || options.order != Order::score) return -static_cast<double>(i);
    return options.float32 ? static_cast<double>(static_cast<float>(scores[i])) : scores[i];
  };
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return score(a) > score(b); });
  std::vector<Hit> out;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    for (end = begin; end < order.size() && score(order[end]) == score(order[begin]);) ++end;
    std::vector<double> tied;
    for (std::size_t i = begin; i < end; ++i) tied.push_back(labels[order[i]] + 0.0);
    if (options.ties == Ties::average || options.ties == Ties::best)
      std::sort(tied.rbegin(), tied.rend());
    if (options.ties == Ties::worst) std::sort(tied.begin(), tied.end());
    if (options.ties == Ties::input_reversed) std::reverse(tied.begin(), tied.end());
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t place = options.ties == Ties::middle ? (begin + end + 1) / 2 : i + 1;
      out.push_back({static_cast<std::int64_t>(place), tied[i - begin],
                     static_cast<std::int64_t>(begin + 1), static_cast<std::int64_t>(end - begin)});
    }
  }
  return out;
}

// As text: the hits that count down to a rank, and that many labels of the pool.
std::string plainly(const Given& given, const double* scores, const Options& options,
                    std::size_t reach) {
  fuzz::Answer out;
  for (std::size_t query = 0; query + 1 < given.offsets.size(); ++query) {
    const auto begin = static_cast<std::size_t>(given.offsets[query]);
    const std::size_t n = static_cast<std::size_t>(given.offsets[query + 1]) - begin;
    const std::span<const double> labels(given.labels.data() + begin, n);
    const std::size_t deepest = options.depth == 0 ? n : std::min<std::size_t>(options.depth, n);
    const auto shown = static_cast<std::int64_t>(reach == 0 ? deepest : std::min(reach, deepest));
    out.line("query");
    out << deepest;
    for (const Hit& hit : ranked(labels, scores ? scores + begin : nullptr, options))
      if ((options.ties == Ties::average ? hit.tie_first : hit.rank) <= shown)
        out << hit.rank << hit.label << hit.tie_first << hit.tie_size;
    std::vector<double> pool(labels.begin(), labels.end());
    std::sort(pool.rbegin(), pool.rend());
    out << "pool";
    for (std::size_t i = 0; i < (reach == 0 ? n : std::min(reach, n)); ++i) out << pool[i] + 0.0;
  }
  return out.text();
}

std::string natively(const Given& given, const double* scores, const Options& options,
                     std::size_t reach) {
  const Arrays found = align_arrays(given.labels, scores, given.offsets, options, reach);
  fuzz::Answer out;
  const Hits& hits = found.aligned.hits;
  for (std::size_t query = 0; query + 1 < given.offsets.size(); ++query) {
    const auto n = static_cast<std::size_t>(given.offsets[query + 1] - given.offsets[query]);
    const auto deepest = static_cast<std::size_t>(found.aligned.n_retrieved[query]);
    const auto shown = static_cast<std::int64_t>(reach == 0 ? deepest : std::min(reach, deepest));
    out.line("query");
    out << deepest;
    for (auto i = static_cast<std::size_t>(found.aligned.hit_offsets[query]);
         i < static_cast<std::size_t>(found.aligned.hit_offsets[query + 1]); ++i)
      if ((options.ties == Ties::average ? hits.tie_first[i] : hits.rank[i]) <= shown)
        out << hits.rank[i] << hits.label[i] << hits.tie_first[i] << hits.tie_size[i];
    out << "pool";
    const auto first = static_cast<std::size_t>(found.pool_offsets[query]);
    for (std::size_t i = 0; i < (reach == 0 ? n : std::min(reach, n)); ++i)
      out << found.pool_label.at(first + i);
  }
  return out.text();
}

void check_running(const Given& given, Step step) {
  std::vector<double> found = given.scores, expected = given.scores;
  running(found, given.offsets, step);
  for (std::size_t query = 0; query + 1 < given.offsets.size(); ++query) {
    double so_far = step == Step::add ? 0 : step == Step::multiply ? 1 : -HUGE_VAL;
    for (auto i = static_cast<std::size_t>(given.offsets[query]);
         i < static_cast<std::size_t>(given.offsets[query + 1]); ++i) {
      const double value = expected[i];
      so_far = step == Step::add        ? so_far + value
               : step == Step::multiply ? so_far * value
                                        : std::max(so_far, value);
      expected[i] = so_far;
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (found[i] != expected[i] && !(std::isnan(found[i]) && std::isnan(expected[i])))
      fuzz::fail("running", std::to_string(found[i]), std::to_string(expected[i]));
}

bool good(const Given& given) {
  return std::ranges::all_of(given.labels, [](double one) { return std::isfinite(one); }) &&
         std::ranges::none_of(given.scores, [](double one) { return std::isnan(one); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto order = input.flag() ? Order::score : Order::file;
  const auto ties = static_cast<Ties>(input.below(9));
  const bool float32 = input.flag(), scored = input.below(8) != 0;
  const std::uint64_t depth = input.below(16) * (1 + input.below(3));
  const std::size_t reach = input.below(4) == 0 ? 0 : input.byte();
  const auto step = static_cast<Step>(input.below(3));
  const Options options{.order = order, .ties = ties, .float32 = float32, .depth = depth};
  const Given given = draw(input);
  const double* scores = scored ? given.scores.data() : nullptr;
  if (good(given)) {
    fuzz::require_same("arrays", natively(given, scores, options, reach),
                       plainly(given, scores, options, reach));
    check_running(given, step);
    return 0;
  }
  try {
    align_arrays(given.labels, scores, given.offsets, options, reach);
    if (scored || !std::ranges::all_of(given.labels, [](double one) { return std::isfinite(one); }))
      fuzz::fail("arrays", "what is no number was taken", "");
  } catch (const BadInput&) {
  }
  return 0;
}
