// The lines of a chunk, split into fields.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <string_view>

#include "chunks.hpp"
#include "cpu.hpp"
#include "parse.hpp"

namespace gainful {

// One line with at least N fields.
template <std::size_t N>
struct Line {
  std::string_view text;  // without its newline
  std::uint64_t number;   // in its chunk, from 1
  std::array<std::string_view, N> field;
};

// How many fields a line may have beyond those that are wanted.
enum class Extra { refused, counted };

namespace lines {

// The N fields of a line of no more than 64 bytes in which single spaces separate them: what
// nearly every line is. Finds them from the marks alone.
template <std::size_t N>
GAINFUL_INLINE bool simple(const Chunk& chunk, std::size_t begin, Line<N>& line) {
  const std::uint64_t spaces = chunk.spaces(begin), newlines = chunk.newlines(begin);
  std::array<std::uint64_t, N> rest;  // the spaces from the i-th on
  rest[0] = spaces;
  for (std::size_t i = 1; i < N; ++i) rest[i] = rest[i - 1] & (rest[i - 1] - 1);
  const std::uint64_t end = newlines & (~newlines + 1);
  const std::uint64_t last = rest[N - 1] & (~rest[N - 1] + 1);
  // The last space is the newline; none begins the line or follows another one.
  const std::uint64_t crowded = spaces & (spaces << 1 | 1) & (end | (end - 1));
  const char* text = chunk.text().data() + begin;
  if (end == 0 || last != end || crowded != 0 || *text == '#') return false;
  // From the newlines, not from the last space, which is known later: the next line waits for it.
  line.text = {text, static_cast<std::size_t>(std::countr_zero(newlines))};
  std::size_t from = 0;
  for (std::size_t i = 0; i < N; ++i) {
    const auto to = static_cast<std::size_t>(std::countr_zero(rest[i]));
    line.field[i] = {text + from, to - from};
    from = to + 1;
  }
  return true;
}

// The same for longer lines.
template <std::size_t N>
bool simple_but_long(const Chunk& chunk, std::size_t begin, Line<N>& line) {
  const std::string_view text = chunk.text();
  if (text[begin] == '#') return false;
  std::size_t from = begin;
  for (std::size_t i = 0; i < N; ++i) {
    std::size_t to = from;
    while (to < text.size() && chunk.spaces(to) == 0) to += 64;
    if (to >= text.size()) return false;
    to += static_cast<std::size_t>(std::countr_zero(chunk.spaces(to)));
    if (to == from || (text[to] == '\n') != (i + 1 == N)) return false;
    line.field[i] = text.substr(from, to - from);
    from = to + 1;
  }
  line.text = text.substr(begin, from - 1 - begin);
  return true;
}

}  // namespace lines

// Counts a line that has more fields than it needs; where lines end in a carriage return alone, it
// is several.
inline void note_long(Odd& odd, std::string_view text, std::uint64_t number) {
  if (odd.long_lines++ == 0) odd.first_long = number;
  odd.returns += text.substr(0, text.size() - 1).find('\r') != std::string_view::npos;
}

// Calls on_line(Line<N>) for every line that is neither blank nor a comment; returns how many
// lines there are in all. Refuses what is wrong, its line counted in the chunk.
template <std::size_t N, Extra extra, class OnLine>
GAINFUL_INLINE std::uint64_t for_each_line(const Chunk& chunk, Odd& odd, OnLine&& on_line) {
  const std::string_view text = chunk.text();
  // A byte order mark is no part of the first id.
  std::size_t begin = chunk.number == 0 && text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  std::uint64_t number = 0;
  Line<N> line;  // not in the loop, where it would be cleared each time
  while (begin < text.size()) {
    if (!lines::simple(chunk, begin, line)) {
      Line<N> other;  // of its own, so that the simple ones stay in registers
      if (!lines::simple_but_long(chunk, begin, other)) {
        other.text = text.substr(begin, text.find('\n', begin) - begin);
        const std::size_t count = split(other.text, other.field);
        odd.comments += other.text.starts_with('#');
        if (count == 0) {
          odd.blanks += !other.text.starts_with('#');
          ++number;
          begin += other.text.size() + 1;
          continue;
        }
        if (count < N || (count > N && extra == Extra::refused)) {
          bad_count(odd, ++number, other.text, N, count);
          begin += other.text.size() + 1;
          continue;
        }
        if (count > N) note_long(odd, other.text, number + 1);
      }
      line = other;
    }
    begin += line.text.size() + 1;
    line.number = ++number;
    on_line(line);
  }
  return number;
}

}  // namespace gainful
