#include "tables.hpp"

#include <utility>

namespace gainful {

namespace {

// Whether two rows, of batches that may differ, have the same query.
bool same_query(const Span& a, std::size_t row, const Span& b) {
  Arena scratch;
  Id first, second;
  a.batch->query->read(row, row + 1, &first, scratch);
  b.batch->query->read(b.begin, b.begin + 1, &second, scratch);
  return is_null(first) == is_null(second) && same(first, second);
}

}  // namespace

void Block::read(const Batch& batch, std::size_t begin, std::size_t end, Arena& scratch) {
  batch.item->read(begin, end, item, scratch);
  if (batch.number) batch.number->read(begin, end, number);
  if (batch.rank) batch.rank->read(begin, end, rank);
}

BadInput no_id(const Batch& batch, std::size_t row, const char* what, Id query) {
  const auto found = batch.no_ids.find(row);
  BadInput bad = found != batch.no_ids.end() ? found->second : BadInput{.reason = "null"};
  if (found == batch.no_ids.end()) bad.text = what;
  bad.line = batch.first + row + 1;
  bad.query = query;
  return bad;
}

BadInput no_number(const char* reason, const Batch& batch, const NumberColumn& column,
                   std::size_t row, Id query, Id item) {
  return {.reason = reason,
          .line = batch.first + row + 1,
          .text = column.shown(row),
          .query = std::string(query),
          .item = std::string(item)};
}

void Tables::begin(bool ranked) {
  used_ = true;
  n_rows_ = 0;
  ended_ = stopped_ = false;
  bad_.reset();
  consumer_.begin_parts(threads_, grouped_, ranked);
}

void Tables::push(std::unique_ptr<Batch> batch, const Idle& idle) {
  forget_read();
  if (batch->rows == 0) return;
  if (n_rows_ == 0) begin(batch->rank != nullptr);
  batch->first = n_rows_;
  n_rows_ += batch->rows;
  window_.push_back({batch.get(), 0, batch->rows});
  n_window_ += batch->rows;
  batches_.push_back(std::move(batch));
  for (Part part; n_window_ >= kRows && take_part(part); part.clear()) {
    enqueue(std::move(part));
    rest(idle);
  }
  if (stopped()) settle(idle);
}

void Tables::rest(const Idle& idle) {
  constexpr std::chrono::milliseconds kPatience{50};
  const auto now = std::chrono::steady_clock::now();
  if (now - rested_ < kPatience) return;
  rested_ = now;
  idle();
}

// Moves rows of whole queries from the window to a part, as far as it is known where one ends.
bool Tables::take_part(Part& part) {
  std::size_t last = 0, end = 0;
  if (!cut(last, end)) return false;
  for (std::size_t i = 0; i < last; ++i) {
    part.push_back(window_.front());
    window_.pop_front();
  }
  Span& front = window_.front();
  part.push_back({front.batch, front.begin, end});
  front.begin = end;
  if (front.size() == 0) window_.pop_front();
  for (const Span& span : part) n_window_ -= span.size();
  n_searched_ = 0;
  return true;
}

// Where a part of the window may end: in which of its spans, and before which row of it.
bool Tables::cut(std::size_t& span, std::size_t& row) {
  if (n_searched_ != 0) {
    span = n_searched_ - 1;
    row = window_[span].end;
  } else {
    std::size_t wanted = kRows;
    for (span = 0; wanted > window_[span].size(); ++span) wanted -= window_[span].size();
    row = window_[span].begin + wanted;
    if (!grouped_) return true;
    row = window_[span].batch->query->stretch(row - 1, window_[span].end);
  }
  while (row == window_[span].end) {
    n_searched_ = span + 1;
    if (n_searched_ == window_.size()) return false;  // the query may go on in the next batch
    if (!same_query(window_[span], row - 1, window_[span + 1])) return true;
    ++span;
    row = window_[span].batch->query->stretch(window_[span].begin, window_[span].end);
  }
  return true;
}

void Tables::enqueue(Part part) {
  for (const Span& span : part) ++span.batch->waiting;
  if (!workers_)
    workers_ = std::make_unique<Workers>(
        threads_, [this](std::size_t worker) { work(worker); }, [this] { stop(); });
  std::unique_lock guard(lock_);
  const std::size_t most = workers_->none() ? queue_.size() + 1 : threads_ + 2;
  changed_.wait(guard, [&] { return stopped_ || queue_.size() < most; });
  queue_.push_back(std::move(part));
  changed_.notify_all();
}

void Tables::work(std::size_t worker) {
  while (true) {
    Part part;
    {
      std::unique_lock guard(lock_);
      changed_.wait(guard, [&] { return stopped_ || ended_ || !queue_.empty(); });
      if (stopped_ || queue_.empty()) return;
      part = std::move(queue_.front());
      queue_.pop_front();
      changed_.notify_all();
    }
    read(worker, part);
    for (const Span& span : part) --span.batch->waiting;
  }
}

void Tables::read(std::size_t worker, const Part& part) {
  try {
    consumer_.read_part(worker, part);
  } catch (BadInput& found) {
    // Parts before this one are being read already; none after it matters.
    stop();
    const std::lock_guard guard(lock_);
    if (!bad_ || found.line < bad_->line) bad_ = std::move(found);
  }
}

void Tables::stop() {
  const std::lock_guard guard(lock_);
  stopped_ = true;
  changed_.notify_all();
}

bool Tables::stopped() {
  const std::lock_guard guard(lock_);
  return stopped_;
}

void Tables::end(const Idle& idle) {
  if (n_rows_ == 0) begin(false);
  Part last(window_.begin(), window_.end());
  window_.clear();
  n_window_ = n_searched_ = 0;
  // What is less than a part is read at once.
  if (!workers_) {
    read(0, last);
  } else if (!last.empty()) {
    enqueue(std::move(last));
  }
  settle(idle);
}

void Tables::settle(const Idle& idle) {
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
    changed_.notify_all();
  }
  if (workers_) std::exchange(workers_, nullptr)->wait(idle);
  abandon();
  if (bad_) throw *std::exchange(bad_, std::nullopt);
}

void Tables::start_over() {
  abandon();
  grouped_ = false;
}

void Tables::abandon() {
  stop();
  workers_.reset();
  queue_.clear();
  window_.clear();
  n_window_ = n_searched_ = 0;
  n_rows_ = 0;
  batches_.clear();
}

// Gives back the memory of batches that have been read to the end.
void Tables::forget_read() {
  const Batch* first = window_.empty() ? nullptr : window_.front().batch;
  while (!batches_.empty() && batches_.front().get() != first && batches_.front()->waiting == 0)
    batches_.pop_front();
}

}  // namespace gainful
