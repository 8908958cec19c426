#include "parse.hpp"

namespace gainful {

namespace {

constexpr std::size_t kShown = 200;  // bytes of a bad line or field that an error carries

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::size_t split(std::string_view line, std::span<std::string_view> fields) {
  if (line.starts_with('#')) return 0;
  std::size_t count = 0;
  const char* p = line.data();
  const char* end = p + line.size();
  while (true) {
    while (p < end && is_space(*p)) ++p;
    if (p == end) return count;
    const char* begin = p;
    while (p < end && !is_space(*p)) ++p;
    if (count < fields.size()) fields[count] = {begin, static_cast<std::size_t>(p - begin)};
    ++count;
  }
}

void bad_field(const char* reason, std::uint64_t line, std::string_view text,
               std::string_view field) {
  throw BadInput{.reason = reason,
                 .line = line,
                 .column = static_cast<std::uint64_t>(field.data() - text.data()) + 1,
                 .text = std::string(field.substr(0, kShown))};
}

void bad_count(std::uint64_t line, std::string_view text, std::size_t expected, std::size_t found) {
  throw BadInput{.reason = "fields",
                 .line = line,
                 .column = 1,
                 .text = std::string(text.substr(0, kShown)),
                 .first = static_cast<double>(expected),
                 .second = static_cast<double>(found)};
}

}  // namespace gainful
