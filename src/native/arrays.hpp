// Rankings of items without ids: every item is judged, and all there is to be found.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align.hpp"

namespace gainful {

struct Arrays {
  Aligned aligned;
  std::vector<std::int64_t> pool_offsets;
  std::vector<double> pool_label;  // descending within each ranking
};

// Ranks labels by scores (unless null) or as they stand. Hits below the rank `reach`, and as many
// labels of the pool, may be left out; 0 leaves out none.
Arrays align_arrays(std::span<const double> labels, const double* scores,
                    std::span<const std::int64_t> offsets, const Options& options,
                    std::size_t reach);

}  // namespace gainful
