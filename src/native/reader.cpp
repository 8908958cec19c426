#include "reader.hpp"

#include <algorithm>
#include <utility>

namespace gainful {

Cutting Reader::cutting() const {
  return {.cut = cut_,
          .size = options_.chunk,
          .longest_group = std::max<std::size_t>(16 * options_.chunk, 1),
          .longest_line = options_.longest_line,
          .scanner = options_.scanner};
}

void Reader::begin(std::size_t workers) {
  used_ = true;
  lines_.clear();
  bad_.reset();
  odd_ = {};
  consumer_.begin(workers, cut_);
}

void Reader::work(Chunks& chunks, std::size_t worker) {
  Chunk chunk;
  while (true) {
    Odd odd{.lenient = options_.lenient};
    try {
      if (!chunks.next(chunk)) return;
      const std::uint64_t count = consumer_.read(worker, chunk, odd);
      const std::lock_guard guard(lock_);
      if (lines_.size() <= chunk.number) lines_.resize(chunk.number + 1);
      lines_[chunk.number] = count;
    } catch (BadInput& found) {
      // Chunks before this one are being read already; none after it matters.
      chunks.stop();
      const std::lock_guard guard(lock_);
      if (!bad_ || chunk.number < bad_chunk_) bad_ = std::move(found), bad_chunk_ = chunk.number;
      return;
    }
    const std::lock_guard guard(lock_);
    odd_.comments += odd.comments;
    odd_.blanks += odd.blanks;
    odd_.unwhole += odd.unwhole;
    odd_.long_lines += odd.long_lines;
    odd_.returns += odd.returns;
    for (Fault& fault : odd.faults) {
      fault.first.line = place_of(chunk, fault.first.line);
      odd_.add(fault);
    }
    const std::uint64_t first = place_of(chunk, odd.first_long);
    if (odd.long_lines > 0 && (odd_.first_long == 0 || first < odd_.first_long))
      odd_.first_long = first;
  }
}

void Reader::read_file(int file, std::uint64_t begin, std::uint64_t end,
                       const std::function<void(std::uint64_t)>& idle) {
  while (true) {
    FileChunks chunks(file, begin, end, cutting());
    const auto tell = [&] {
      if (idle) idle(chunks.position());
    };
    try {
      read_all(chunks, tell);
      break;
    } catch (const Ungrouped&) {
      cut_ = Cut::line;
    } catch (const LongGroup&) {
      cut_ = Cut::line;
    }
  }
  settle({});
}

void Reader::read_all(FileChunks& chunks, const Idle& idle) {
  begin(options_.threads);
  if (chunks.size() <= options_.chunk) return work(chunks, 0);
  Workers(
      options_.threads, [&](std::size_t worker) { work(chunks, worker); }, [&] { chunks.stop(); })
      .wait(idle);
}

void Reader::push(std::string_view piece) {
  if (!pushed_) {
    begin(options_.threads);
    pushed_ = std::make_unique<PushedChunks>(cutting(), options_.threads + 2);
  }
  bool taken = false;
  try {
    taken = pushed_->push(piece, [this] {
      if (workers_) return;
      workers_ = std::make_unique<Workers>(
          options_.threads, [this](std::size_t worker) { work(*pushed_, worker); },
          [this] { pushed_->stop(); });
      if (workers_->none()) pushed_->hold_all();
    });
  } catch (const LongGroup&) {
    throw Ungrouped{};
  } catch (BadInput& bad) {
    // What stands above it is read first: more may be wrong there, and its lines are counted.
    pushed_->end(false);
    settle({});
    bad.line = line_of(lines_.size() << kLineBits | bad.line);
    throw bad;
  }
  if (!taken) settle({});
}

void Reader::end(const Idle& idle) {
  if (!pushed_) begin(1);
  if (pushed_) {
    pushed_->end(true);
    // What fits into one chunk is read at once.
    if (!workers_) work(*pushed_, 0);
  }
  settle(idle);
}

void Reader::settle(const Idle& idle) {
  if (workers_) std::exchange(workers_, nullptr)->wait(idle);
  pushed_.reset();
  if (bad_) {
    bad_->line = line_of(bad_chunk_ << kLineBits | bad_->line);
    throw *std::exchange(bad_, std::nullopt);
  }
}

void Reader::start_over() {
  abandon();
  cut_ = Cut::line;
}

void Reader::abandon(bool settled) {
  if (settled && workers_) {
    pushed_->end(false);
    settle({});
  }
  if (pushed_) pushed_->stop();
  workers_.reset();
  pushed_.reset();
}

Odd Reader::odd() const {
  Odd found = odd_;
  if (found.long_lines > 0) found.first_long = line_of(found.first_long);
  for (Fault& fault : found.faults) fault.first.line = line_of(fault.first.line);
  // Threads meet them in any order.
  std::ranges::sort(found.faults, {}, [](const Fault& one) { return one.first.line; });
  return found;
}

void Reader::refuse(const BadInput& bad) {
  const std::lock_guard guard(lock_);
  odd_.lenient = options_.lenient;
  odd_.refuse(bad);
}

std::uint64_t Reader::line_of(std::uint64_t place) const {
  if (lines_.empty() && !bad_) return place;
  const auto chunk = static_cast<std::size_t>(place >> kLineBits);
  std::uint64_t line = place & ((std::uint64_t{1} << kLineBits) - 1);
  for (std::size_t i = 0; i < chunk; ++i) line += lines_[i];
  return line;
}

}  // namespace gainful
