#include "text_rows.hpp"

#include <algorithm>
#include <utility>

#include "lines.hpp"

namespace gainful {

namespace {

std::string_view without_indent(std::string_view line) {
  const std::size_t begin = line.find_first_not_of(" \t\v\f\r");
  return begin == std::string_view::npos ? std::string_view{} : line.substr(begin);
}

// Whether a line is a comment, the line above being one or not.
bool is_comment(std::string_view line, Comments comments, bool after_comment) {
  switch (comments) {
    case Comments::none:
      return false;
    case Comments::plain:
      return line.starts_with('#');
    case Comments::indented:
      return without_indent(line).starts_with('#');
    case Comments::isolated:
      return line.starts_with('#') && !after_comment;
  }
  return false;
}

void add(TextColumn& column, std::string_view text) {
  column.bytes += text;
  column.offsets.push_back(static_cast<std::int64_t>(column.bytes.size()));
}

}  // namespace

TextRows split_rows(std::string_view text, const RowRules& rules) {
  TextRows rows{.columns = std::vector<TextColumn>(rules.n_fields)};
  std::vector<std::string_view> fields(rules.n_fields);
  std::int64_t number = 0;
  bool after_comment = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    ++number;
    after_comment = is_comment(line, rules.comments, after_comment);
    if (after_comment) {
      ++rows.odd.comments;
      continue;
    }
    const std::size_t count = split_fields(line, fields);
    if (count == 0 && rules.blank) {
      ++rows.odd.blanks;
      continue;
    }
    if (count < rules.n_fields || (count > rules.n_fields && !rules.more)) {
      try {
        bad_count(rows.odd, static_cast<std::uint64_t>(number), line, rules.n_fields, count);
      } catch (BadInput& bad) {
        rows.bad = std::move(bad);
      }
      break;
    }
    if (count > rules.n_fields) note_long(rows.odd, line, static_cast<std::uint64_t>(number));
    for (std::size_t i = 0; i < rules.n_fields; ++i) add(rows.columns[i], fields[i]);
    rows.lines.push_back(number);
  }
  return rows;
}

}  // namespace gainful
