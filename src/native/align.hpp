// A run joined with the judgments: where the judged items ended up.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "exclusive.hpp"
#include "numbers.hpp"
#include "rank.hpp"
#include "reader.hpp"
#include "tables.hpp"
#include "tally.hpp"

namespace gainful {

// One entry a query (of the index, in its order) or a hit, as flat arrays.
struct Aligned {
  std::vector<std::uint8_t> in_run;  // whether the run names the query
  std::vector<std::int64_t> n_retrieved;
  std::vector<std::int64_t> hit_offsets;
  Hits hits;
  std::uint64_t n_duplicates = 0;
  std::uint64_t n_own = 0;  // items that were dropped for having the id of their query
  Tally tally;              // where it names places, they are lines
  // The first items of every query, where they are kept, by their numbers in `items`.
  std::vector<std::int64_t> head_offsets;
  std::vector<std::int64_t> head_item;
  IdTable items;
};

// An item of a ranking that is kept whole.
struct Ranked {
  std::string item;
  double score;
  const Judgment* judgment;  // or null
  Place place;
};

class Aligner : public Consumer, public PartConsumer {
 public:
  // The index must outlive the aligner. Of the query `kept`, if there is one, ranking() is known.
  // Of every query, the first `heads` items are kept; of the first `headed` queries if not of all.
  Aligner(const Index& index, const Options& options, std::uint32_t kept, std::uint64_t heads,
          std::uint64_t headed, ReadingOptions reading);

  // Adding, by TREC text (`query Q0 item rank score tag`), which the reader reads, by tables, or by
  // row; then finish(), once. Where the lines of each query stand together, its rows are ranked and
  // forgotten when the next query begins; else all rows are held until the end.
  void add(Id query, Id item, double score, std::int64_t rank, std::uint64_t entry);
  // A query that the run names but returns nothing for.
  void add_query(Id query, std::uint64_t entry);
  // A query of tables or text that may have no row.
  void name_query(Id query) { named_.emplace_back(query); }
  Aligned finish(const Idle& idle);
  bool finished() const { return exclusive.finished(); }
  bool has_rows() const { return workers_[0].any; }
  // Which columns of a table it reads beside the ids; without scores the ranks decide.
  bool reads_numbers() const { return options_.with_scores(); }
  bool reads_ranks(bool has_numbers) const {
    return options_.with_ranks() || (options_.with_scores() && !has_numbers);
  }

  // Whether ranks are looked at though nothing is ordered by them.
  bool notes_ranks() const { return options_.with_scores(); }

  const Options& options() const { return options_; }
  std::uint64_t n_rows() const;
  // The queries of the run that have no judgments, in the order of the run, and where each begins.
  struct Mention {
    std::uint64_t place;  // 0 if it has no row
    std::string query;
  };
  std::vector<Mention> strangers() const;
  // A row of the input, for notices; the query's number is that of the index.
  struct Example {
    std::uint64_t place = ~std::uint64_t{0};
    std::string query;
    std::string item;
    std::uint32_t number = Index::kNone;
  };
  // The first row, and the first one of a query that has judgments; empty where there is none.
  Example first_row() const;
  Example first_judged() const;
  const std::vector<Ranked>& ranking() const { return ranking_; }
  // After finish(): the first item that a judged query has twice, if there is one.
  const std::optional<BadInput>& repeat() const { return repeat_; }

 private:
  // A query that is done with: where its hits and its first items are.
  struct Done {
    std::uint32_t query;
    std::size_t n_retrieved;
    std::size_t first_hit;
    std::size_t first_head;
  };
  // An item that a query has twice.
  struct RepeatFound {
    std::uint64_t first;  // places
    std::uint64_t second;
    std::string query;
    std::string item;
  };
  // What one thread has read and ranked.
  struct Worker {
    Worker(const Options& options, bool ranked);

    Ranker ranker;
    Rows rows;
    PackedRows packed;
    Hits hits;
    std::vector<Done> done;
    std::vector<std::uint32_t> heads;  // numbers in items
    IdTable items;
    IdTable strangers;
    std::vector<std::uint64_t> first;  // where each stranger was mentioned first
    std::uint64_t n_rows = 0;
    Example first_row;
    Example first_judged;
    std::optional<RepeatFound> repeat;  // the first one
    Tally tally;
    std::uint32_t query = Index::kNone;  // of the row that add() added last
    std::string query_id;
    bool any = false;
    Block block;                        // of a table
    std::vector<std::uint64_t> places;  // of a group of its rows, where some may be skipped
    Arena scratch;                      // ids of a group of its rows, where they are written out
  };

  void begin(std::size_t workers, Cut cut) override;
  std::uint64_t read(std::size_t worker, const Chunk& chunk, Odd& odd) override;
  // Reads a chunk; plain where each group is ranked at its end, by scores in double precision.
  template <bool plain>
  std::uint64_t read_lines(Worker& worker, const Chunk& chunk, Odd& odd);
  std::uint64_t read_plain(Worker& worker, const Chunk& chunk, Odd& odd);
  std::uint64_t read_plain_bmi(Worker& worker, const Chunk& chunk, Odd& odd);
  void begin_parts(std::size_t workers, bool grouped, bool ranked) override;
  void read_part(std::size_t worker, const Part& part) override;
  // What a row of a table is ordered by.
  struct Keyed {
    std::uint64_t key = 0;
    std::int64_t rank = 0;
  };
  static constexpr const char* kScore = "score";
  static constexpr const char* kRank = "rank";
  const char* key_of(const Batch& batch, std::size_t i, const Block& block, Keyed& row) const;
  bool keeps_ranks() const { return ranked_ && options_.keeps_ranks(); }
  // Adds rows of one query, at most as many as a block has.
  void add_rows(Worker& worker, const Batch& batch, std::size_t begin, std::size_t end, Id query,
                std::uint32_t number);
  std::uint32_t begin_query(Worker& worker, Id query, std::uint64_t place);
  std::uint32_t begin_query(Worker& worker, Id query, Id item, std::uint64_t place);
  // Keeps the row if it is an example that notices may need.
  void note_row(Worker& worker, Id query, std::uint32_t number, Id item, std::uint64_t place);
  // Ranks the rows of a group, the first of which stands at a place of the text.
  void end_group(Worker& worker, std::uint32_t query, std::uint64_t first);
  void rank_packed(Worker& worker, std::uint32_t query);
  // Ranks worker.rows; place(row) tells where a row stood.
  template <class PlaceOf>
  void rank_rows(Worker& worker, std::uint32_t query, bool ranks_rise, PlaceOf&& place);
  // Keeps the repeat if it stands before those that were found.
  template <class PlaceOf>
  void note_repeat(Worker& worker, std::uint32_t query, const Repeat& repeat, PlaceOf&& place);
  void find_first_repeat();
  Aligned collected() const;
  std::size_t n_heads(std::size_t query, std::size_t n_retrieved) const {
    return query < headed_ ? std::min(n_retrieved, static_cast<std::size_t>(heads_)) : 0;
  }

  const Index& index_;
  const Options options_;
  const std::uint32_t kept_;
  const std::uint64_t heads_;
  const std::uint64_t headed_;
  bool hold_ = true;
  bool ranked_ = true;  // whether rows have ranks, needed or not
  std::deque<Worker> workers_;
  std::vector<std::string> named_;
  std::vector<std::atomic<bool>> in_run_;
  std::vector<Ranked> ranking_;
  std::optional<BadInput> repeat_;

 public:
  Exclusive exclusive;  // of those who fill it
  Reader reader;        // last: their threads end before what they write to
  Tables tables;
};

}  // namespace gainful
