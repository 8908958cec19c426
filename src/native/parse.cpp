#include "parse.hpp"

#include <algorithm>

namespace gainful {

namespace {

constexpr std::size_t kShown = 200;  // bytes of a bad line or field that an error carries

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

std::size_t split_fields(std::string_view line, std::span<std::string_view> fields) {
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

std::size_t split(std::string_view line, std::span<std::string_view> fields) {
  return line.starts_with('#') ? 0 : split_fields(line, fields);
}

std::string_view field_after(std::string_view field) {
  const char* begin = field.data() + field.size();
  while (is_space(*begin)) ++begin;
  const char* end = begin;
  while (!is_space(*end)) ++end;
  return {begin, static_cast<std::size_t>(end - begin)};
}

void Odd::refuse(const BadInput& bad) {
  if (!lenient) throw bad;
  add({1, bad});
}

void Odd::add(const Fault& fault) {
  const auto known = std::ranges::find_if(faults, [&](const Fault& one) {
    return std::string_view(one.first.reason) == fault.first.reason;
  });
  if (known == faults.end()) return faults.push_back(fault);
  known->count += fault.count;
  if (fault.first.line < known->first.line) known->first = fault.first;
}

void bad_field(Odd& odd, const char* reason, std::uint64_t line, std::string_view text,
               std::string_view field) {
  odd.refuse({.reason = reason,
              .line = line,
              .column = static_cast<std::uint64_t>(field.data() - text.data()) + 1,
              .text = std::string(field.substr(0, kShown))});
}

BadInput long_line(std::size_t longest) {
  return {.reason = "long-line", .line = 1, .column = 1, .first = static_cast<double>(longest)};
}

void bad_count(Odd& odd, std::uint64_t line, std::string_view text, std::size_t expected,
               std::size_t found) {
  odd.refuse({.reason = "fields",
              .line = line,
              .column = 1,
              .text = std::string(text.substr(0, kShown)),
              .first = static_cast<double>(expected),
              .second = static_cast<double>(found)});
}

}  // namespace gainful
