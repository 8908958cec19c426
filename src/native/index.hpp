// The judgments as an index: built once, asked for every item that any run returns.
#pragma once

#include <cstdint>
#include <vector>

#include "ids.hpp"
#include "parse.hpp"

namespace gainful {

enum class Duplicates { error, first, last, max };

class Index {
 public:
  static constexpr std::uint32_t kNone = IdTable::kNone;

  struct Judgment {
    Id item;
    double label;
    std::uint64_t line;
  };

  // Adding, by TREC text (`query iteration item label`, in chunks) or by row; then finish(), once.
  void feed(std::string_view chunk);
  void add(Id query, Id item, double label, std::uint64_t line);
  // A query that has no judgments yet, perhaps none at all.
  void add_query(Id query);
  void finish(Duplicates duplicates);
  bool finished() const { return finished_; }

  std::uint32_t query(Id id) const { return queries_.find(id); }
  std::size_t n_queries() const { return queries_.size(); }
  std::size_t n_duplicates() const { return n_duplicates_; }
  const Odd& odd() const { return odd_; }
  const IdTable& queries() const { return queries_; }
  // In the order in which they were added.
  const std::vector<Judgment>& judgments(std::size_t query) const { return judged_[query]; }
  // The item's judgment in this query, or null.
  const Judgment* find(std::uint32_t query, Id item, std::uint64_t hash) const;

 private:
  void add_line(std::string_view line, std::uint64_t number);

  Lines lines_;
  Arena arena_;
  IdTable queries_;
  std::vector<std::vector<Judgment>> judged_;
  std::vector<Slots> slots_;
  std::uint32_t last_query_ = kNone;
  std::size_t n_duplicates_ = 0;
  Odd odd_;
  bool finished_ = false;
};

}  // namespace gainful
