// Text to lines and fields: every scanner and both splitters, against a plain loop.
#include "scan.hpp"

#include "input.hpp"
#include "lines.hpp"
#include "plain.hpp"

using namespace gainful;

namespace {

Chunk chunk_of(std::string_view text, const Scanner& scanner) {
  Chunk chunk;
  char* room = chunk.room(text.size());
  std::memcpy(room, text.data(), text.size());
  chunk.scan(text.size(), scanner);
  return chunk;
}

void check_marks(const Chunk& chunk, const char* scanner) {
  const std::string_view text = chunk.text();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (((chunk.spaces(i) & 1) != 0) != fuzz::plain::is_space(text[i]))
      fuzz::fail("spaces", text.substr(i), scanner);
    if (((chunk.newlines(i) & 1) != 0) != (text[i] == '\n'))
      fuzz::fail("newlines", text.substr(i), scanner);
  }
}

void add(std::string& out, std::uint64_t number, std::string_view text) {
  out += std::to_string(number) + "[" + std::string(text) + "]";
}

template <std::size_t N, Extra extra>
std::string fast(const Chunk& chunk) {
  std::string out;
  Odd odd{.lenient = true};
  const std::uint64_t count = for_each_line<N, extra>(chunk, odd, [&](const Line<N>& line) {
    add(out, line.number, line.text);
    for (const std::string_view field : line.field) add(out, 0, field);
  });
  for (const std::uint64_t n : {count, odd.comments, odd.blanks, odd.long_lines, odd.first_long})
    out += " " + std::to_string(n);
  for (const Fault& fault : odd.faults)
    add(out, fault.first.line * 1000 + fault.count, fault.first.text);
  return out;
}

template <std::size_t N, Extra extra>
std::string plainly(std::string_view text) {
  std::string out, first_bad;
  Odd odd;
  std::uint64_t count = 0, bad = 0, bad_line = 0;
  for (const fuzz::plain::Line& line : fuzz::plain::lines(text)) {
    ++count;
    odd.comments += line.comment();
    odd.blanks += !line.comment() && line.field.empty();
    if (line.comment() || line.field.empty()) continue;
    if (line.field.size() < N || (line.field.size() > N && extra == Extra::refused)) {
      if (bad++ == 0) bad_line = line.number, first_bad = line.text.substr(0, 200);
      continue;
    }
    if (line.field.size() > N && odd.long_lines++ == 0) odd.first_long = line.number;
    add(out, line.number, line.text);
    for (std::size_t i = 0; i < N; ++i) add(out, 0, line.field[i]);
  }
  for (const std::uint64_t n : {count, odd.comments, odd.blanks, odd.long_lines, odd.first_long})
    out += " " + std::to_string(n);
  if (bad > 0) add(out, bad_line * 1000 + bad, first_bad);
  return out;
}

// A cut stands after a newline; one of groups, between lines of two queries.
void check_cut(std::string_view text, bool whole) {
  const std::size_t by_line = last_cut(text, Cut::line, whole);
  if (by_line != text.rfind('\n') + 1) fuzz::fail("cut", "line", text);
  const std::size_t cut = last_cut(text, Cut::group, whole);
  if (cut == 0) return;
  if (cut > by_line || text[cut - 1] != '\n') fuzz::fail("cut", "not after a line", text);
  std::string_view above, below;
  for (const auto& line : fuzz::plain::lines(text.substr(0, cut)))
    if (!line.comment() && !line.field.empty()) above = line.field[0];
  const auto after = fuzz::plain::fields(text.substr(cut, text.find('\n', cut) - cut));
  if (!after.empty()) below = after[0];
  const bool marked = text.starts_with("\xEF\xBB\xBF");  // which is no part of the first id
  if (below.empty() || (whole && !marked && above == below))
    fuzz::fail("cut", "inside a group", text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const bool whole = input.flag();
  const std::string_view text = input.all();
  for (const Scanner& scanner : scanners()) {
    const Chunk chunk = chunk_of(text, scanner);
    check_marks(chunk, scanner.name);
    fuzz::require_same("lines of four", fast<4, Extra::refused>(chunk),
                       plainly<4, Extra::refused>(text));
    fuzz::require_same("lines of six", fast<6, Extra::counted>(chunk),
                       plainly<6, Extra::counted>(text));
  }
  check_cut(text, whole);
  return 0;
}
