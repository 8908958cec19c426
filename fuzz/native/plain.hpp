// Text read in the most obvious way: the twin that the native core must agree with.
#pragma once

#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse.hpp"

namespace fuzz::plain {

inline bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }

inline std::size_t digits(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  return n;
}

inline std::string_view without_sign(std::string_view text) {
  return text.substr(text.starts_with('-') || text.starts_with('+'));
}

// Whether it is digits, perhaps a point, perhaps an exponent.
inline bool is_decimal(std::string_view text) {
  const std::size_t before = digits(text);
  text.remove_prefix(before);
  std::size_t after = 0;
  if (text.starts_with('.')) {
    after = digits(text.substr(1));
    text.remove_prefix(1 + after);
  }
  if (before + after == 0) return false;
  if (!text.starts_with('e') && !text.starts_with('E')) return text.empty();
  const std::string_view power = without_sign(text.substr(1));
  return !power.empty() && digits(power) == power.size();
}

// The number that a text is, by the C library; nothing where it is none.
inline std::optional<double> number(std::string_view text) {
  const std::string_view unsigned_text = without_sign(text);
  std::string lower;
  for (const char c : unsigned_text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  if (is_decimal(unsigned_text) || lower == "inf" || lower == "infinity" || lower == "nan")
    return std::strtod(std::string(text).c_str(), nullptr);
  return std::nullopt;
}

inline std::optional<std::int64_t> integer(std::string_view text) {
  const std::string_view unsigned_text = without_sign(text);
  if (unsigned_text.empty() || digits(unsigned_text) != unsigned_text.size()) return std::nullopt;
  errno = 0;
  const long long value = std::strtoll(std::string(text).c_str(), nullptr, 10);
  if (errno != 0) return std::nullopt;
  return value;
}

// A line with fields; number counts all lines, from 1.
struct Line {
  std::string_view text;
  std::uint64_t number;
  std::vector<std::string_view> field;

  bool comment() const { return text.starts_with('#'); }
};

inline std::vector<std::string_view> fields(std::string_view text) {
  std::vector<std::string_view> out;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;
    while (end < text.size() && !is_space(text[end])) ++end;
    if (end > begin) out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

inline std::vector<Line> lines(std::string_view text) {
  std::vector<Line> out;
  // (A mark of the byte order alone counts as a line with nothing in it.)
  const bool marked = text.starts_with("\xEF\xBB\xBF");
  if (marked) text.remove_prefix(3);
  while (!text.empty() || (marked && out.empty())) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    out.push_back({line, out.size() + 1, fields(line)});
  }
  return out;
}

inline gainful::BadInput bad_field(const char* reason, const Line& line, std::string_view field) {
  return {.reason = reason,
          .line = line.number,
          .column = static_cast<std::uint64_t>(field.data() - line.text.data()) + 1,
          .text = std::string(field.substr(0, 200))};
}

inline gainful::BadInput bad_count(const Line& line, std::size_t expected) {
  return {.reason = "fields",
          .line = line.number,
          .column = 1,
          .text = std::string(line.text.substr(0, 200)),
          .first = static_cast<double>(expected),
          .second = static_cast<double>(line.field.size())};
}

}  // namespace fuzz::plain
