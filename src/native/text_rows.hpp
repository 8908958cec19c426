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
  bool more = false;  // whether lines may have more fields, which are dropped
  bool blank = true;  // whether blank lines are skipped; else they lack fields
  Comments comments = Comments::plain;
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

// The rows above the first line that lacks fields or has too many.
struct TextRows {
  std::vector<TextColumn> columns{};
  std::vector<std::int64_t> lines{};  // of each row, from 1
  Odd odd{};
  std::optional<BadInput> bad{};
};

TextRows split_rows(std::string_view text, const RowRules& rules);

}  // namespace gainful
