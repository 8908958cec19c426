// What the values of each query come to so far, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace gainful {

enum class Step { add, multiply, maximum };

// Replaces each value by the sum, product or maximum of its query's values up to it, in order: what
// is before never leaks into a query.
inline void running(std::span<double> values, std::span<const std::int64_t> offsets, Step step) {
  const auto each = [&](const auto& combined) {
    for (std::size_t query = 0; query + 1 < offsets.size(); ++query)
      for (auto i = static_cast<std::size_t>(offsets[query]) + 1;
           i < static_cast<std::size_t>(offsets[query + 1]); ++i)
        values[i] = combined(values[i - 1], values[i]);
  };
  switch (step) {
    case Step::add:
      return each([](double a, double b) { return a + b; });
    case Step::multiply:
      return each([](double a, double b) { return a * b; });
    case Step::maximum:
      return each([](double a, double b) { return std::max(a, b); });
  }
}

}  // namespace gainful
