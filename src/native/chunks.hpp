// Text in chunks of whole lines, from a file or from pieces that are pushed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <span>
#include <string_view>
#include <vector>

#include "parse.hpp"
#include "scan.hpp"

namespace gainful {

// Where a chunk may end.
enum class Cut {
  line,   // after any line
  group,  // after a line whose first field is not that of the line after it
};

// Whole lines, the last of which always ends in a newline, and where their white space is.
class Chunk {
 public:
  static constexpr std::size_t kPadding = 64;  // bytes before and after the text that may be read

  // Makes room for text and returns where it goes; then scan() it.
  char* room(std::size_t size);
  void scan(std::size_t size, const Scanner& scanner);

  std::string_view text() const { return {buffer_.data() + kPadding, size_}; }
  // White space and newlines from a place in the text on: the lowest bit stands for that byte.
  std::uint64_t spaces(std::size_t from) const { return window<&Marks::space>(from); }
  std::uint64_t newlines(std::size_t from) const { return window<&Marks::newline>(from); }

  std::uint64_t number = 0;  // from 0, in the order of the text

 private:
  template <std::uint64_t Marks::* which>
  std::uint64_t window(std::size_t from) const {
    const Marks* marks = marks_.data() + from / 64;
    const auto shift = static_cast<unsigned>(from % 64);
    // In two steps, since a shift by 64 is undefined.
    return marks[0].*which >> shift | marks[1].*which << 1 << (63 - shift);
  }

  std::vector<char> buffer_;
  std::vector<Marks> marks_;
  std::size_t size_ = 0;
};

// Where the text may be cut last, or 0. It starts with a whole line where `whole` says so.
std::size_t last_cut(std::string_view text, Cut cut, bool whole);

// Hands out chunks, in order, to several threads.
class Chunks {
 public:
  virtual ~Chunks() = default;
  // Fills the next chunk; false at the end. Waits for it where it must. Throws BadInput where it
  // would begin with a line that is too long.
  virtual bool next(Chunk& chunk) = 0;
  // Lets every next() return false from now on.
  virtual void stop() = 0;
};

// Bytes that a line of text may have: a chunk holds whole lines, so that memory grows with it.
constexpr std::size_t kLongestLine = 1 << 24;

// How chunks are made.
struct Cutting {
  Cut cut = Cut::line;
  std::size_t size = 1 << 19;           // bytes a chunk should have
  std::size_t longest_group = 1 << 23;  // bytes; more of one group than that is not held together
  std::size_t longest_line = kLongestLine;
  const Scanner* scanner = nullptr;  // null for the fastest
};

// The text has a group too long to be held in one chunk.
struct LongGroup {};

// A file could not be read; the system's error number.
struct ReadError {
  int number;
};

// Chunks of a file, from one place to another; every thread reads for itself.
class FileChunks : public Chunks {
 public:
  FileChunks(int file, std::uint64_t begin, std::uint64_t end, Cutting cutting)
      : file_(file), size_(end - begin), next_(begin), end_(end), cutting_(cutting) {}
  bool next(Chunk& chunk) override;
  void stop() override;
  // The end of what was handed out, and what was still to come at the beginning.
  std::uint64_t position();
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t cut_after(std::uint64_t begin);

  const int file_;
  const std::uint64_t size_;
  std::mutex lock_;
  std::uint64_t next_;
  std::uint64_t end_;
  std::uint64_t number_ = 0;
  std::vector<char> probe_;
  const Cutting cutting_;
};

// Chunks of text that is pushed piece by piece, wherever the pieces end; at most a few wait.
class PushedChunks : public Chunks {
 public:
  PushedChunks(Cutting cutting, std::size_t most) : cutting_(cutting), most_(most) {}
  // Adds a piece; waits while too many chunks do, and calls on_chunk() before the first of them.
  // False where nobody takes them any more. Throws BadInput, its line not known, where a line is
  // too long.
  bool push(std::string_view piece, const std::function<void()>& on_chunk);
  // No piece follows; what is left is the last chunk, or is dropped.
  void end(bool with_rest);
  // Nobody takes chunks before the end: all of them wait.
  void hold_all();
  bool next(Chunk& chunk) override;
  void stop() override;

 private:
  bool enqueue(std::size_t size);

  const Cutting cutting_;
  std::size_t most_;
  std::vector<char> pending_;           // only the pushing thread looks at it
  std::size_t enough_ = cutting_.size;  // of it to look for a cut
  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::vector<char>> waiting_;
  std::uint64_t number_ = 0;
  bool ended_ = false;
  bool stopped_ = false;
};

}  // namespace gainful
