// Tables to a consumer: batches of rows, in parts of whole queries, on as many threads as there
// are.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "columns.hpp"
#include "reader.hpp"
#include "workers.hpp"

namespace gainful {

// Rows in memory.
struct Batch {
  std::size_t rows = 0;
  std::uint64_t first = 0;  // the number of its first row among all, from 0
  std::unique_ptr<IdColumn> query;
  std::unique_ptr<IdColumn> item;
  std::unique_ptr<NumberColumn> number;    // labels or scores; null where there are none
  std::unique_ptr<NumberColumn> rank;      // null where there are none, or none are wanted
  std::map<std::size_t, BadInput> no_ids;  // what stands in rows where there should be an id: null
  std::shared_ptr<void> memory;            // what the columns show, kept as long as they are
  std::atomic<std::size_t> waiting = 0;    // parts that are yet to be read
};

// Some rows of a batch.
struct Span {
  Batch* batch;
  std::size_t begin;
  std::size_t end;

  std::size_t size() const { return end - begin; }
};

// Rows that one worker reads.
using Part = std::vector<Span>;

// Whoever reads parts. Each worker reads parts in the order of the rows, one at a time.
class PartConsumer {
 public:
  virtual ~PartConsumer() = default;
  // Forgets all, and gets ready for so many workers; grouped where parts are cut between queries,
  // ranked where there is a column of ranks.
  virtual void begin_parts(std::size_t workers, bool grouped, bool ranked) = 0;
  // Throws BadInput, its line being the number of the row from 1, or Ungrouped where the rows of a
  // query stand apart.
  virtual void read_part(std::size_t worker, const Part& part) = 0;
};

// Calls on_rows(batch, begin, end, query) for every stretch of rows that have the same query, which
// may be null.
template <class OnRows>
void for_each_stretch(const Part& part, OnRows&& on_rows) {
  Arena scratch;
  for (const Span& span : part)
    for (std::size_t row = span.begin; row < span.end;) {
      const std::size_t next = span.batch->query->stretch(row, span.end);
      scratch.clear();
      Id query;
      span.batch->query->read(row, row + 1, &query, scratch);
      on_rows(*span.batch, row, next, query);
      row = next;
    }
}

// Some rows of a batch, read out: their items, numbers and ranks.
class Block {
 public:
  static constexpr std::size_t kRows = 1024;

  // Reads rows, at most kRows of them; items live as long as the scratch, or as the batch. An item
  // may be null.
  void read(const Batch& batch, std::size_t begin, std::size_t end, Arena& scratch);

  Id item[kRows];
  double number[kRows];
  double rank[kRows];
};

// What is wrong with a row whose query or item is null; the query is known if it is the item.
BadInput no_id(const Batch& batch, std::size_t row, const char* what, Id query = {});

// What is wrong with a number that is not as it must be.
BadInput no_number(const char* reason, const Batch& batch, const NumberColumn& column,
                   std::size_t row, Id query, Id item);

class Tables {
 public:
  // The consumer must outlive it.
  Tables(PartConsumer& consumer, std::size_t threads) : consumer_(consumer), threads_(threads) {}
  ~Tables() { abandon(); }

  // Adds rows, which go on where those before ended; then end() it. What a batch has in memory is
  // given back by these functions only. Throws Ungrouped, too: start_over(), and push it all again.
  // Both call idle() now and then.
  void push(std::unique_ptr<Batch> batch, const Idle& idle);
  void end(const Idle& idle);
  // Forgets all; the rows of a query may then stand apart.
  void start_over();
  // Stops after an error elsewhere.
  void abandon();

  bool used() const { return used_; }
  bool busy() const { return workers_ != nullptr || !batches_.empty(); }

 private:
  static constexpr std::size_t kRows = 1 << 15;  // of a part, or more

  void begin(bool ranked);
  bool take_part(Part& part);
  bool cut(std::size_t& span, std::size_t& row);
  void enqueue(Part part);
  void rest(const Idle& idle);
  void work(std::size_t worker);
  void read(std::size_t worker, const Part& part);
  void stop();
  bool stopped();
  void settle(const Idle& idle);
  void forget_read();

  PartConsumer& consumer_;
  const std::size_t threads_;
  bool used_ = false;
  bool grouped_ = true;
  std::uint64_t n_rows_ = 0;
  std::deque<std::unique_ptr<Batch>> batches_;  // those that are not read to the end
  std::deque<Span> window_;                     // rows that are not yet in a part
  std::size_t n_window_ = 0;
  std::size_t n_searched_ = 0;  // spans at whose end the last query of a part still goes on
  std::chrono::steady_clock::time_point rested_{};

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<Part> queue_;
  bool ended_ = false;
  bool stopped_ = false;
  std::optional<BadInput> bad_;  // the first by its row, found so far
  std::unique_ptr<Workers> workers_;
};

}  // namespace gainful
