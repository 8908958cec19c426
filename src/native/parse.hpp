// Bytes to lines, lines to fields, fields to numbers. No policy: what a field means is the
// caller's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gainful {

using Id = std::string_view;

// What is wrong with the input, for Python to put into words.
struct BadInput {
  const char* reason;
  std::uint64_t line = 0;    // from 1; where there are no lines, the number of the entry, or 0
  std::uint64_t column = 0;  // from 1, in bytes
  std::string text{};        // the field, or the line, that is wrong
  std::string query{};
  std::string item{};
  double first = 0;   // the numbers the sentence needs: fields expected, the first label or line
  double second = 0;  // fields found, the second label or line
};

// Splits a stream of bytes into lines, wherever its chunks happen to end.
class Lines {
 public:
  // Calls line(text, number) for every line that the chunk completes.
  template <class F>
  void feed(std::string_view chunk, F&& line) {
    while (true) {
      const auto end = chunk.find('\n');
      if (end == std::string_view::npos) {
        carry_.append(chunk);
        return;
      }
      if (carry_.empty()) {
        call(chunk.substr(0, end), line);
      } else {
        carry_.append(chunk.substr(0, end));
        call(carry_, line);
        carry_.clear();
      }
      chunk.remove_prefix(end + 1);
    }
  }

  // Calls line(text, number) for a last line without a newline.
  template <class F>
  void finish(F&& line) {
    if (carry_.empty()) return;
    call(carry_, line);
    carry_.clear();
  }

 private:
  template <class F>
  void call(std::string_view text, F&& line) {
    // A byte order mark is no part of the first id.
    if (++number_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    line(text, number_);
  }

  std::string carry_;
  std::uint64_t number_ = 0;
};

// Lines that were read in part or not at all.
struct Odd {
  std::uint64_t comments = 0;    // lines that begin with '#'
  std::uint64_t long_lines = 0;  // lines with more fields than the format has
  std::uint64_t first_long = 0;  // the first of them
};

// Splits a line at white space, keeping the first fields.size() fields; returns how many there are.
// Blank lines and lines that begin with '#' have none.
std::size_t split(std::string_view line, std::vector<std::string_view>& fields);

// Reads a decimal number, inf or nan, rounded correctly; false where the text is none of these.
bool read_number(std::string_view text, double& out);

// Reads a whole number; false where the text is none, or too large.
bool read_integer(std::string_view text, std::int64_t& out);

// Reports the field at fault, with its place in the line.
[[noreturn]] void bad_field(const char* reason, std::uint64_t line, std::string_view text,
                            std::string_view field);

// Reports a line with too few or too many fields.
[[noreturn]] void bad_count(std::uint64_t line, std::string_view text, std::size_t expected,
                            std::size_t found);

}  // namespace gainful
