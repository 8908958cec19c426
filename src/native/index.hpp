// The judgments as an index: built once, asked for every item that any run returns.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "exclusive.hpp"
#include "packed_rows.hpp"
#include "reader.hpp"
#include "tables.hpp"

namespace gainful {

// Those that keep every mention of a retrieved item keep the first one of a judged item.
enum class Duplicates { error, first, last, max, once, count };

struct Judgment {
  const char* text;  // of the item, not a view: arrays of it need no clearing
  std::size_t size;
  double label;

  Id item() const { return {text, size}; }
};

// What is judged for one query, in the order of the qrels.
struct Judged {
  std::span<const Judgment> judgments;
  std::span<const std::uint64_t> hashes;
};

class Index : public Consumer, public PartConsumer {
 public:
  static constexpr std::uint32_t kNone = IdTable::kNone;

  explicit Index(ReadingOptions options)
      : reader(*this, Cut::line, options), tables(*this, options.threads) {}

  // Adding, by TREC text (`query iteration item label`), which the reader reads, by tables, or by
  // row; then finish(), once.
  void add(Id query, Id item, double label, std::uint64_t entry);
  // A query that has no judgments yet, perhaps none at all.
  void add_query(Id query, std::uint64_t entry);
  // A query of tables or text that may have no row; those that are named come first, in order.
  void name_query(Id query) { named_.emplace_back(query); }
  void finish(Duplicates duplicates, const Idle& idle);
  bool finished() const { return exclusive.finished(); }
  bool has_rows() const { return !workers_.empty(); }
  // Which columns of a table it reads beside the ids.
  static constexpr bool reads_numbers() { return true; }
  static constexpr bool reads_ranks(bool) { return false; }
  static constexpr bool notes_ranks() { return false; }
  std::uint64_t n_rows() const { return n_rows_; }  // that were added one by one

  std::uint32_t query(Id id) const { return queries_.find(id); }
  std::size_t n_queries() const { return queries_.size(); }
  std::size_t n_duplicates() const { return n_duplicates_; }
  // The first item that is judged twice for a query, if there is one.
  const std::optional<BadInput>& repeat() const { return repeat_; }
  const IdTable& queries() const { return queries_; }
  Judged judged(std::size_t query) const {
    const auto [begin, count] = extents_[query];
    return {{judgments_.get() + begin, count}, {hashes_.get() + begin, count}};
  }
  // The labels of all judged items, descending within each query, and where each query's begin.
  std::span<const double> pool_labels() const {
    return {pool_labels_.get(), static_cast<std::size_t>(pool_offsets_.back())};
  }
  std::span<const std::int64_t> pool_offsets() const { return pool_offsets_; }
  // The same labels in the order of the qrels, worked out when they are asked for.
  std::vector<double> given_labels() const;

 private:
  // What one thread has read.
  struct Worker {
    PackedRows packed;
    IdTable queries;
    std::vector<std::uint64_t> first;  // where each query was mentioned first
    std::uint32_t query = kNone;       // the last one
    Block block;                       // of a table
    Arena scratch;                     // its ids, where they are written out
  };
  struct Extent {
    std::size_t begin = 0;
    std::size_t count = 0;
  };
  // A query's rows in one worker.
  struct Share {
    std::uint32_t worker;
    std::uint32_t query;
  };
  struct Tools;

  void begin(std::size_t workers, Cut cut) override;
  std::uint64_t read(std::size_t worker, const Chunk& chunk, Odd& odd) override;
  void begin_parts(std::size_t workers, bool grouped, bool ranked) override;
  void read_part(std::size_t worker, const Part& part) override;
  static void add_query(Worker& worker, Id query, std::uint64_t place);
  static void add(Worker& worker, Id item, double label, std::uint64_t place);
  std::vector<std::vector<Share>> number_queries();
  void build(std::size_t query, std::span<const Share> parts, Duplicates duplicates, Tools& tools);
  void collect_pool();

  std::deque<Worker> workers_;
  std::vector<std::string> named_;
  IdTable queries_;
  std::vector<Extent> extents_;
  // Not vectors, which would be cleared before the threads fill them.
  std::unique_ptr<Judgment[]> judgments_;
  std::unique_ptr<std::uint64_t[]> hashes_;
  std::unique_ptr<double[]> pool_labels_;
  std::vector<std::int64_t> pool_offsets_{0};
  std::size_t n_duplicates_ = 0;
  std::uint64_t n_rows_ = 0;
  std::optional<BadInput> repeat_;

 public:
  Exclusive exclusive;  // of those who fill it
  Reader reader;        // last: their threads end before what they write to
  Tables tables;
};

}  // namespace gainful
