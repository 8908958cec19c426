// What is odd about the ranks and scores of a run: counted while it is read, for notices.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "rank.hpp"

namespace gainful {

// How often something was met, and where first: a place, or the number of a query.
struct Sightings {
  std::uint64_t count = 0;
  std::uint64_t first = ~std::uint64_t{0};

  void add(std::uint64_t times, std::uint64_t where) {
    if (times == 0) return;
    count += times;
    first = std::min(first, where);
  }
  void add(const Sightings& other) { add(other.count, other.first); }
};

// What the queries of a run that have judgments are like, by their ranks and scores, where scores
// order it. None of it changes a ranking.
struct Tally {
  // The rank of a row that has none, or one that is no integer.
  static constexpr std::int64_t kNoRank = std::numeric_limits<std::int64_t>::min();

  std::uint64_t rows = 0;
  std::uint64_t odd_ranks = 0;  // rows without an integer for a rank
  std::uint64_t neighbors = 0;  // rows whose rank, and that of the one before, are integers
  Sightings contradicted;       // of them: the better rank has the lower score; places
  Sightings infinite;           // rows with such a score; places
  std::uint64_t telling = 0;    // queries that have more than one score
  Sightings equal;              // queries of several rows and one score; numbers
  Sightings ascending;          // queries whose scores rise and never fall; numbers
  std::uint64_t rises = 0;      // how often they rise in these
  Sightings close;              // hits whose neighbors differ in double precision only; numbers

  // Adds the rows of a query, in the order of the input; place(row) tells where one stood. Their
  // ranks are with them, unless it is known that they rise.
  template <class PlaceOf>
  void add(const Rows& rows, bool ranks_rise, std::uint32_t query, PlaceOf&& place);
  void add(const Tally& other);

 private:
  template <class PlaceOf>
  void add_unusual(const Rows& rows, bool ranks_rise, std::uint32_t query, PlaceOf&& place);
  // Adds how many rows are so, and the place of the first.
  template <class IsSo, class PlaceOf>
  static void count(Sightings& what, std::size_t rows, IsSo&& is_so, PlaceOf&& place);

  // Whether the scores of a row and of the one before it say the opposite of their ranks.
  static bool contradicts(const Rows& rows, std::size_t i) {
    const std::int64_t before = rows.rank[i - 1], rank = rows.rank[i];
    const std::uint64_t key_before = rows.row[i - 1].key, key = rows.row[i].key;
    const bool opposed =
        ((before < rank) & (key < key_before)) | ((rank < before) & (key_before < key));
    return opposed & (before != kNoRank) & (rank != kNoRank);
  }
  static bool is_infinite(std::uint64_t key) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return key == key_of_score(kInfinity, false) || key == key_of_score(-kInfinity, false);
  }
};

template <class PlaceOf>
void Tally::add(const Rows& given, bool ranks_rise, std::uint32_t query, PlaceOf&& place) {
  const std::vector<Row>& row = given.row;
  const std::size_t n = row.size();
  const bool finite = !is_infinite(row[0].key) && !is_infinite(row[n - 1].key);
  rows += n;
  if (!ranks_rise || !given.sorted || !finite) return add_unusual(given, ranks_rise, query, place);
  neighbors += n - 1;
  telling += row[0].key != row[n - 1].key;
  equal.add(n > 1 && row[0].key == row[n - 1].key, query);
}

template <class PlaceOf>
void Tally::add_unusual(const Rows& given, bool ranks_rise, std::uint32_t query, PlaceOf&& place) {
  const std::vector<Row>& row = given.row;
  std::uint64_t up = 0, down = 0;
  for (std::size_t i = 1; i < row.size(); ++i) {
    up += row[i].key < row[i - 1].key;
    down += row[i].key > row[i - 1].key;
  }
  telling += up + down != 0;
  equal.add(row.size() > 1 && up + down == 0, query);
  ascending.add(up != 0 && down == 0, query);
  if (down == 0) rises += up;
  count(infinite, row.size(), [&](std::size_t i) { return is_infinite(row[i].key); }, place);
  if (ranks_rise) {
    neighbors += row.size() - 1;
    const auto rises_too = [&](std::size_t i) { return i > 0 && row[i].key < row[i - 1].key; };
    if (up != 0) count(contradicted, row.size(), rises_too, place);
    return;
  }
  const std::vector<std::int64_t>& rank = given.rank;
  odd_ranks += row.size() - rank.size();
  std::uint64_t opposed = 0;
  for (std::size_t i = 0; i < rank.size(); ++i) {
    odd_ranks += rank[i] == kNoRank;
    neighbors += i > 0 && rank[i] != kNoRank && rank[i - 1] != kNoRank;
    opposed += i > 0 && contradicts(given, i);
  }
  const auto is_opposed = [&](std::size_t i) { return i > 0 && contradicts(given, i); };
  if (opposed != 0) count(contradicted, rank.size(), is_opposed, place);
}

template <class IsSo, class PlaceOf>
void Tally::count(Sightings& what, std::size_t rows, IsSo&& is_so, PlaceOf&& place) {
  std::size_t first = rows;
  std::uint64_t times = 0;
  for (std::size_t i = rows; i-- > 0;) {
    if (!is_so(i)) continue;
    first = i;
    ++times;
  }
  if (times != 0) what.add(times, place(static_cast<std::uint32_t>(first)));
}

inline void Tally::add(const Tally& other) {
  rows += other.rows;
  odd_ranks += other.odd_ranks;
  neighbors += other.neighbors;
  contradicted.add(other.contradicted);
  infinite.add(other.infinite);
  telling += other.telling;
  equal.add(other.equal);
  ascending.add(other.ascending);
  rises += other.rises;
  close.add(other.close);
}

}  // namespace gainful
