// A run joined with the judgments: where the judged items ended up.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rank.hpp"

namespace gainful {

// One entry a query (of the index, in its order) or a hit, as flat arrays.
struct Aligned {
  std::vector<std::uint8_t> in_run;  // whether the run names the query
  std::vector<std::int64_t> n_retrieved;
  std::vector<std::int64_t> hit_offsets;
  std::vector<std::int64_t> hit_rank;
  std::vector<double> hit_label;
  std::vector<std::int64_t> hit_tie_first;
  std::vector<std::int64_t> hit_tie_size;
  std::uint64_t n_duplicates = 0;
};

class Aligner {
 public:
  // The index must outlive the aligner.
  Aligner(const Index& index, Options options) : index_(index), options_(options) {}

  // Adding, by TREC text (`query Q0 item rank score tag`, in chunks, an empty one at the end) or by
  // row; then finish(), once.
  void feed(std::string_view chunk);
  void add(Id query, Id item, double score, std::int64_t rank, std::uint64_t line);
  // A query that the run names but returns nothing for.
  void add_query(Id query);
  Aligned finish();

  const Options& options() const { return options_; }
  std::size_t n_queries() const { return rows_.size(); }
  std::uint64_t n_rows() const { return n_rows_; }
  const Odd& odd() const { return odd_; }
  // The queries of the run that have no judgments, and the first id of each kind, for notices.
  const IdTable& strangers() const { return strangers_; }
  const std::string& first_query() const { return first_query_; }
  const std::string& first_item() const { return first_item_; }
  // The ranked rows of one query, all of them, unjudged ones too; valid after finish().
  const std::vector<Row>& ranking(std::uint32_t query) const { return rows_[query]; }

 private:
  void add_line(std::string_view line, std::uint64_t number);
  void resolve_duplicates(std::uint32_t query, std::vector<Row>& rows);

  const Index& index_;
  Options options_;
  Lines lines_;
  Arena arena_;
  std::vector<std::vector<Row>> rows_ = std::vector<std::vector<Row>>(index_.n_queries());
  std::vector<std::uint8_t> in_run_ = std::vector<std::uint8_t>(index_.n_queries());
  IdTable strangers_;
  std::string last_query_;
  std::uint32_t last_ = Index::kNone;
  bool any_query_ = false;
  std::string first_query_;
  std::string first_item_;
  std::uint64_t n_rows_ = 0;
  Odd odd_;
  std::uint64_t n_duplicates_ = 0;
  BadInput worst_{.reason = nullptr};
};

// Labels (and scores, unless null) of many rankings, without ids: every item is judged.
struct Arrays {
  Aligned aligned;
  std::vector<double> pool_label;  // descending within each ranking
};
Arrays align_arrays(std::span<const double> labels, const double* scores,
                    std::span<const std::int64_t> offsets, const Options& options);

}  // namespace gainful
