// Lines of text to columns: at white space against a plain reader, at separators by what must hold.
#include "text_rows.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "input.hpp"
#include "plain.hpp"

namespace {

// The first two fields of each line that has any, up to the first that has one.
std::string plain_rows(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const auto fields = fuzz::plain::fields(line);
    if (fields.empty()) continue;
    if (fields.size() < 2) break;
    out += std::string(fields[0]) + '\n' + std::string(fields[1]) + '\n';
  }
  return out;
}

std::string shown(const gainful::TextRows& rows) {
  std::string out;
  for (std::size_t row = 0; row < rows.lines.size(); ++row)
    for (const gainful::TextColumn& column : rows.columns) out += std::string(column[row]) + '\n';
  return out;
}

void check_separated(std::string_view text, char separator, bool quotes) {
  const auto rows = gainful::split_rows(
      text,
      {.n_fields = 3, .columns = {2, 0}, .filled = {1}, .separator = separator, .quotes = quotes});
  std::int64_t above = 0;
  for (const std::int64_t line : rows.lines) {
    if (line <= above) fuzz::fail("lines", std::to_string(line), std::to_string(above));
    above = line;
  }
  for (const gainful::TextColumn& column : rows.columns)
    if (column.size() != rows.lines.size()) fuzz::fail("columns", "unequal", "equal");
  if (rows.unclosed > text.size() || (rows.unclosed > 0 && !quotes))
    fuzz::fail("unclosed", std::to_string(rows.unclosed), "less");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuzz::Input(data, size).all();
  const auto rows = gainful::split_rows(text, {.n_fields = 2, .columns = {0, 1}, .more = true});
  fuzz::require_same("split_rows", shown(rows), plain_rows(text));
  for (const char separator : {',', '\t'})
    for (const bool quotes : {false, true}) check_separated(text, separator, quotes);
  return 0;
}
