// Lines of text to columns of their fields, for readers that want text and not an index.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parse.hpp"

namespace gainful {

// Which lines that begin with '#' are comments.
enum class Comments {
  none,      // they are data
  plain,     // all of them
  indented,  // those with white space in front, too
  isolated,  // all but every other one of several in a row, as trec_eval 10.0 has it
};

struct RowRules {
  std::size_t n_fields = 0;
  std::vector<std::size_t> columns{};  // the fields that are wanted
  std::vector<std::size_t> filled{};   // of the columns, those that may not be empty
  std::optional<char> separator{};     // of the fields; none for white space
  bool quotes = false;                 // whether quotes may enclose a field that is separated
  bool more = false;                   // whether lines may have more fields
  bool blank = true;                   // whether blank lines are skipped; else they lack fields
  Comments comments = Comments::none;
};

// The texts of one field, one after the other.
struct TextColumn {
  std::string bytes{};
  std::vector<std::int64_t> offsets{0};

  std::size_t size() const { return offsets.size() - 1; }
  std::string_view operator[](std::size_t row) const {
    const auto begin = static_cast<std::size_t>(offsets[row]);
    return std::string_view(bytes).substr(begin,
                                          static_cast<std::size_t>(offsets[row + 1]) - begin);
  }
};

// The rows above the first line that is wrong.
struct TextRows {
  std::vector<TextColumn> columns{};
  std::vector<std::int64_t> lines{};  // of each row, from 1
  Odd odd{};
  std::optional<BadInput> bad{};
  std::size_t unclosed = 0;  // bytes at the end of the text, from a line whose quotes do not end
};

TextRows split_rows(std::string_view text, const RowRules& rules);

}  // namespace gainful
