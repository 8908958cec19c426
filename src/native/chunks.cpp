#include "chunks.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#if defined(_WIN32)
#define NOMINMAX
#include <io.h>
#include <windows.h>
#else
#include <unistd.h>
#endif

namespace gainful {

namespace {

constexpr std::size_t kProbe = 1 << 16;  // bytes before a chunk's wanted end, looked at for a cut

// Reads all of the bytes at a place of the file.
void read_at(int file, std::uint64_t place, std::span<char> out) {
  while (!out.empty()) {
#if defined(_WIN32)
    OVERLAPPED where{};
    where.Offset = static_cast<DWORD>(place);
    where.OffsetHigh = static_cast<DWORD>(place >> 32);
    DWORD got = 0;
    const auto wanted = static_cast<DWORD>(std::min<std::size_t>(out.size(), 1 << 30));
    const auto handle = reinterpret_cast<HANDLE>(_get_osfhandle(file));
    if (!ReadFile(handle, out.data(), wanted, &got, &where)) got = 0, errno = EIO;
    const bool failed = got == 0;
#else
    const auto got = pread(file, out.data(), out.size(), static_cast<off_t>(place));
    if (got < 0 && errno == EINTR) continue;
    const bool failed = got <= 0;
    if (got == 0) errno = EIO;  // the file became shorter than it was
#endif
    if (failed) throw ReadError{errno};
    place += static_cast<std::uint64_t>(got);
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

// The first field of a line, empty where it is blank or a comment.
std::string_view first_field(std::string_view line) {
  constexpr std::string_view kSpace = " \t\n\v\f\r";
  const auto begin = line.find_first_not_of(kSpace);
  if (begin == line.npos || line.starts_with('#')) return {};
  return line.substr(begin, line.find_first_of(kSpace, begin) - begin);
}

// How much is looked at for a cut after a text had none; refuses what is one line by then.
std::size_t more_than(std::string_view text, const Cutting& cutting) {
  const std::size_t size = text.size(), longest = cutting.longest_line;
  if (cutting.cut == Cut::group && size >= cutting.longest_group) throw LongGroup{};
  const bool is_long = size > longest && text.substr(0, longest + 1).find('\n') == text.npos;
  if (is_long) throw long_line(longest);
  return size > longest ? 2 * size : std::min(2 * size, longest + 1);
}

const Scanner& chosen(const Cutting& cutting) {
  return cutting.scanner != nullptr ? *cutting.scanner : scanners().back();
}

}  // namespace

char* Chunk::room(std::size_t size) {
  if (const std::size_t needed = size + 1 + 2 * kPadding; buffer_.size() < needed)
    buffer_.resize(needed);
  return buffer_.data() + kPadding;
}

void Chunk::scan(std::size_t size, const Scanner& scanner) {
  char* text = buffer_.data() + kPadding;
  size_ = size;
  if (size_ > 0 && text[size_ - 1] != '\n') text[size_++] = '\n';
  std::memset(text + size_, 0, kPadding);
  const std::size_t blocks = (size_ + 63) / 64;
  if (marks_.size() < blocks + 1) marks_.resize(blocks + 1);
  scanner.scan(text, {marks_.data(), blocks});
  marks_[blocks] = {0, 0};
}

std::size_t last_cut(std::string_view text, Cut cut, bool whole) {
  auto end = text.rfind('\n');
  if (end == text.npos) return 0;
  if (cut == Cut::line) return end + 1;
  std::string_view below;  // the first field of the line after the one that is looked at
  std::size_t below_begin = 0;
  while (true) {
    const auto before = end == 0 ? text.npos : text.rfind('\n', end - 1);
    if (before == text.npos && !whole) return 0;
    const std::size_t begin = before == text.npos ? 0 : before + 1;
    const auto field = first_field(text.substr(begin, end - begin));
    if (!field.empty() && !below.empty() && field != below) return below_begin;
    if (before == text.npos) return 0;
    if (!field.empty()) {  // else it goes with the line after it
      below = field;
      below_begin = begin;
    }
    end = before;
  }
}

std::uint64_t FileChunks::cut_after(std::uint64_t begin) {
  std::size_t look = kProbe;  // most often there is a cut not far before the wanted end
  const std::uint64_t rest = end_ - begin, longest = cutting_.longest_line;
  // (The last line may be too long as well, by a byte.)
  for (std::size_t size = cutting_.size; size < rest || (size == rest && size > longest);) {
    for (look = std::min(look, size);; look = size) {
      probe_.resize(std::max(probe_.size(), look));
      const std::uint64_t from = begin + size - look;
      read_at(file_, from, {probe_.data(), look});
      const auto cut = last_cut({probe_.data(), look}, cutting_.cut, look == size);
      if (cut != 0) return from + cut;
      if (look == size) break;
    }
    size = more_than({probe_.data(), size}, cutting_);
    look = size;
  }
  return end_;
}

bool FileChunks::next(Chunk& chunk) {
  std::uint64_t begin = 0, end = 0;
  {
    const std::lock_guard guard(lock_);
    if (next_ >= end_) return false;
    begin = next_;
    chunk.number = number_++;
    next_ = end_;  // where there is no cut, nobody reads on
    next_ = end = cut_after(begin);
  }
  const auto size = static_cast<std::size_t>(end - begin);
  read_at(file_, begin, {chunk.room(size), size});
  chunk.scan(size, chosen(cutting_));
  return true;
}

void FileChunks::stop() {
  const std::lock_guard guard(lock_);
  end_ = std::min(next_, end_);
}

std::uint64_t FileChunks::position() {
  const std::lock_guard guard(lock_);
  return next_;
}

bool PushedChunks::push(std::string_view piece, const std::function<void()>& on_chunk) {
  while (!piece.empty()) {
    const std::size_t wanted = std::min(piece.size(), enough_ - pending_.size());
    pending_.insert(pending_.end(), piece.begin(), piece.begin() + wanted);
    piece.remove_prefix(wanted);
    if (pending_.size() < enough_) return true;
    const std::string_view text(pending_.data(), pending_.size());
    const std::size_t cut = last_cut(text, cutting_.cut, true);
    // A cut is not looked for again before there is twice as much: that keeps the work linear.
    const std::size_t rest = pending_.size() - cut;
    enough_ = cut == 0 ? more_than(text, cutting_) : std::max(cutting_.size, 2 * rest);
    if (cut == 0) continue;
    on_chunk();
    if (!enqueue(cut)) return false;
  }
  return true;
}

void PushedChunks::end(bool with_rest) {
  if (with_rest && !pending_.empty()) enqueue(pending_.size());
  const std::lock_guard guard(lock_);
  ended_ = true;
  changed_.notify_all();
}

void PushedChunks::hold_all() {
  const std::lock_guard guard(lock_);
  most_ = std::numeric_limits<std::size_t>::max();
}

bool PushedChunks::enqueue(std::size_t size) {
  const auto cut = pending_.begin() + static_cast<std::ptrdiff_t>(size);
  std::vector<char> rest(cut, pending_.end());
  pending_.erase(cut, pending_.end());
  std::unique_lock guard(lock_);
  changed_.wait(guard, [&] { return stopped_ || waiting_.size() < most_; });
  waiting_.push_back(std::exchange(pending_, std::move(rest)));
  changed_.notify_all();
  return !stopped_;
}

bool PushedChunks::next(Chunk& chunk) {
  std::vector<char> text;
  {
    std::unique_lock guard(lock_);
    changed_.wait(guard, [&] { return stopped_ || ended_ || !waiting_.empty(); });
    if (stopped_ || waiting_.empty()) return false;
    text = std::move(waiting_.front());
    waiting_.pop_front();
    chunk.number = number_++;
    changed_.notify_all();
  }
  std::memcpy(chunk.room(text.size()), text.data(), text.size());
  chunk.scan(text.size(), chosen(cutting_));
  return true;
}

void PushedChunks::stop() {
  const std::lock_guard guard(lock_);
  stopped_ = true;
  changed_.notify_all();
}

}  // namespace gainful
