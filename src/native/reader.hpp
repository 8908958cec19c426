// Text to a consumer: chunk by chunk, on as many threads as there are, each chunk once.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "chunks.hpp"
#include "parse.hpp"
#include "workers.hpp"

namespace gainful {

// Where a line stands in the text: its chunk, and its number there; a later one is higher. Its
// number in the text is known when all is read.
constexpr int kLineBits = 28;
inline std::uint64_t place_of(const Chunk& chunk, std::uint64_t line) {
  return chunk.number << kLineBits | line;
}

// Whoever reads chunks. Each worker reads chunks in the order of the text, one at a time.
class Consumer {
 public:
  virtual ~Consumer() = default;
  // Forgets all, and gets ready for so many workers and chunks that are cut so.
  virtual void begin(std::size_t workers, Cut cut) = 0;
  // Reads a chunk and returns how many lines it has. Throws BadInput, its line counted in the
  // chunk, or Ungrouped where the text must be read again, cut by lines.
  virtual std::uint64_t read(std::size_t worker, const Chunk& chunk, Odd& odd) = 0;
};

// The text turned out not to hold its groups together.
struct Ungrouped {};

// How text is read; none of it changes the result of good text.
struct ReadingOptions {
  std::size_t threads = 1;
  std::size_t chunk = 1 << 19;  // bytes
  std::size_t longest_line = kLongestLine;
  const Scanner* scanner = nullptr;  // null for the fastest
  bool lenient = false;              // whether what is wrong is skipped and counted
};

class Reader {
 public:
  // The consumer must outlive the reader.
  Reader(Consumer& consumer, Cut cut, ReadingOptions options)
      : consumer_(consumer), cut_(cut), options_(options) {}
  ~Reader() { abandon(); }

  // Reads a part of a file, calling idle(position) now and then.
  void read_file(int file, std::uint64_t begin, std::uint64_t end,
                 const std::function<void(std::uint64_t)>& idle);
  // Reads text in pieces, wherever they end; then end() it. Throws Ungrouped, too: start_over(),
  // and push it all again.
  void push(std::string_view piece);
  void end(const Idle& idle);
  void start_over();
  // Stops after an error elsewhere. Told to settle, it first reads the chunks that are complete: if
  // one is bad, that comes first in the text, and is thrown.
  void abandon(bool settled = false);

  const ReadingOptions& options() const { return options_; }
  // Whether any text was read.
  bool used() const { return used_; }
  // Whether pieces were pushed and not ended.
  bool busy() const { return pushed_ != nullptr; }
  // What was odd about the lines; known when all is read.
  Odd odd() const;
  // Throws what is wrong with a row that does not come from text; where that is to be skipped,
  // counts it.
  void refuse(const BadInput& bad);
  // The number of a line; of a row that was not read from text, its place.
  std::uint64_t line_of(std::uint64_t place) const;

 private:
  Cutting cutting() const;
  void begin(std::size_t workers);
  void work(Chunks& chunks, std::size_t worker);
  void read_all(FileChunks& chunks, const Idle& idle);
  void settle(const Idle& idle);

  Consumer& consumer_;
  Cut cut_;
  const ReadingOptions options_;
  std::mutex lock_;
  std::vector<std::uint64_t> lines_;  // of every chunk
  std::optional<BadInput> bad_;       // the first of the text, found so far
  std::uint64_t bad_chunk_ = 0;
  Odd odd_;  // lines are places
  bool used_ = false;
  std::unique_ptr<PushedChunks> pushed_;
  std::unique_ptr<Workers> workers_;
};

}  // namespace gainful
