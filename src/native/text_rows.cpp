#include "text_rows.hpp"

#include <algorithm>
#include <utility>

#include "lines.hpp"

namespace gainful {

namespace {

std::string_view stripped(std::string_view text, std::string_view blanks) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string_view without_blanks(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

// Whether a line is a comment, the line above being one or not.
bool is_comment(std::string_view line, Comments comments, bool after_comment) {
  switch (comments) {
    case Comments::none:
      return false;
    case Comments::plain:
      return line.starts_with('#');
    case Comments::indented:
      return stripped(line, " \t\v\f\r").starts_with('#');
    case Comments::isolated:
      return line.starts_with('#') && !after_comment;
  }
  return false;
}

// The fields of one line; with quotes it may go on below.
struct Record {
  std::vector<std::string_view> fields{};
  std::vector<std::string> unquoted{};  // what fields with quotes show
  std::size_t count = 0;                // how many fields there are; some may not be kept
  std::string_view text{};              // all of it, without its newline
};

// What quotes enclose, and what follows them up to the end of the field; false where they do not
// end. The text begins after the first quote, and afterwards where the field ends.
bool take_quoted(std::string_view& text, char separator, std::string& out) {
  out.clear();
  while (true) {
    const std::size_t quote = text.find('"');
    if (quote == std::string_view::npos) return false;
    out += text.substr(0, quote);
    text.remove_prefix(quote + 1);
    if (!text.starts_with('"')) break;
    out += '"';
    text.remove_prefix(1);
  }
  const std::size_t end = std::min(text.find('\n'), text.find(separator));
  out += text.substr(0, end);
  text.remove_prefix(std::min(text.size(), end));
  return true;
}

// Reads the record that text begins with; false where its quotes do not end.
bool read_separated(std::string_view text, const RowRules& rules, Record& record) {
  const char separator = *rules.separator;
  const char* begin = text.data();
  record.count = 0;
  while (true) {
    std::string_view field;
    std::size_t start = 0;
    while (start < text.size() && (text[start] == ' ' || text[start] == '\t') &&
           text[start] != separator)
      ++start;
    if (rules.quotes && start < text.size() && text[start] == '"') {
      text.remove_prefix(start + 1);
      std::string& content = record.unquoted[std::min(record.count, rules.n_fields)];
      if (!take_quoted(text, separator, content)) return false;
      field = content;
    } else {
      std::size_t end = 0;
      while (end < text.size() && text[end] != separator && text[end] != '\n') ++end;
      field = text.substr(0, end);
      text.remove_prefix(end);
    }
    if (record.count < rules.n_fields) record.fields[record.count] = without_blanks(field);
    ++record.count;
    if (!text.starts_with(separator)) break;
    text.remove_prefix(1);
  }
  record.text = {begin, static_cast<std::size_t>(text.data() - begin)};
  if (record.count == 1 && stripped(record.text, " \t\v\f\r").empty()) record.count = 0;
  return true;
}

bool read_record(std::string_view text, const RowRules& rules, Record& record) {
  if (rules.separator) return read_separated(text, rules, record);
  record.text = text.substr(0, text.find('\n'));
  record.count = split_fields(record.text, record.fields);
  return true;
}

// What is wrong with a record, if anything is.
std::optional<BadInput> bad_in(const Record& record, const RowRules& rules, std::uint64_t line) {
  constexpr std::size_t kShown = 200;  // bytes that an error carries
  if (record.count < rules.n_fields || (record.count > rules.n_fields && !rules.more))
    return BadInput{.reason = "fields",
                    .line = line,
                    .column = 1,
                    .text = std::string(record.text.substr(0, kShown)),
                    .first = static_cast<double>(rules.n_fields),
                    .second = static_cast<double>(record.count)};
  for (const std::size_t column : rules.filled)
    if (record.fields[rules.columns[column]].empty())
      return BadInput{
          .reason = "empty", .line = line, .column = 1, .first = static_cast<double>(column)};
  return std::nullopt;
}

void add(TextColumn& column, std::string_view text) {
  column.bytes += text;
  column.offsets.push_back(static_cast<std::int64_t>(column.bytes.size()));
}

}  // namespace

TextRows split_rows(std::string_view text, const RowRules& rules) {
  TextRows rows{.columns = std::vector<TextColumn>(rules.columns.size())};
  Record record{.fields = std::vector<std::string_view>(rules.n_fields),
                .unquoted = std::vector<std::string>(rules.n_fields + 1)};
  std::uint64_t line = 0;
  bool after_comment = false;
  while (!text.empty()) {
    if (!read_record(text, rules, record)) {
      rows.unclosed = text.size();
      break;
    }
    text.remove_prefix(std::min(text.size(), record.text.size() + 1));
    const std::uint64_t number = ++line;
    if (rules.quotes) line += static_cast<std::uint64_t>(std::ranges::count(record.text, '\n'));
    after_comment = is_comment(record.text, rules.comments, after_comment);
    if (after_comment) {
      ++rows.odd.comments;
      continue;
    }
    if (record.count == 0 && rules.blank) {
      ++rows.odd.blanks;
      continue;
    }
    rows.bad = bad_in(record, rules, number);
    if (rows.bad) break;
    if (record.count > rules.n_fields) note_long(rows.odd, record.text, number);
    for (std::size_t i = 0; i < rules.columns.size(); ++i)
      add(rows.columns[i], record.fields[rules.columns[i]]);
    rows.lines.push_back(static_cast<std::int64_t>(number));
  }
  return rows;
}

}  // namespace gainful
