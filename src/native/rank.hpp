// One ranking: order the rows of a query, find its blocks of equal scores.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "index.hpp"

namespace gainful {

enum class Order { score, rank, file };
enum class Ties { item_desc, item_asc, input, rank_column, average, best, worst };

struct Options {
  Order order = Order::score;
  Ties ties = Ties::item_desc;
  Duplicates duplicates = Duplicates::error;
  bool condense = false;    // drop unjudged items before ranking
  bool float32 = false;     // compare scores in single precision
  std::uint64_t depth = 0;  // keep this many items a query; 0 keeps all
};

struct Row {
  double score;
  std::int64_t rank;  // the rank column; 0 where it is not needed
  std::uint64_t line;
  Id item;
  const Index::Judgment* judgment = nullptr;
};

// Where an item stands: its rank, and the block of equal scores around it.
struct Place {
  std::int64_t rank;
  std::int64_t tie_first;
  std::int64_t tie_size;
};

// Sorts the rows, in place, into the order that the options ask for.
void rank(std::vector<Row>& rows, const Options& options);

// The place of every row, for rows that rank() has sorted.
void places(std::span<const Row> rows, Order order, std::vector<Place>& out);

// The score as the options compare it: -0.0 is 0.0, single precision where asked for.
double comparable(double score, bool float32);

}  // namespace gainful
