// Lines to fields, and what can be wrong with them. What a field means is the caller's.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ids.hpp"

namespace gainful {

// What is wrong with the input, for Python to put into words.
struct BadInput {
  const char* reason = nullptr;
  std::uint64_t line = 0;    // from 1; where there are no lines, the number of the entry, or 0
  std::uint64_t column = 0;  // from 1, in bytes
  std::string text{};        // the field, or the line, that is wrong
  std::string query{};
  std::string item{};
  double first = 0;   // the numbers the sentence needs: fields expected, the first label or line
  double second = 0;  // fields found, the second label or line
};

// Lines or entries that are wrong for one reason, where they are skipped: how many, and the first.
struct Fault {
  std::uint64_t count;
  BadInput first;
};

// Lines that were read in part or not at all.
struct Odd {
  std::uint64_t comments = 0;    // lines that begin with '#'
  std::uint64_t blanks = 0;      // lines with nothing in them
  std::uint64_t unwhole = 0;     // labels that are not written as whole numbers
  std::uint64_t long_lines = 0;  // lines with more fields than the format has
  std::uint64_t first_long = 0;  // the first of them
  std::uint64_t returns = 0;     // of the long lines, those with a carriage return inside
  bool lenient = false;          // whether what is wrong is skipped and counted, not thrown
  std::vector<Fault> faults{};   // one for each reason, in the order in which they were met

  // Throws what is wrong; where it is to be skipped, counts it.
  void refuse(const BadInput& bad);
  // Adds so many more of a kind.
  void add(const Fault& fault);
};

// Splits a line at white space, keeping the first fields.size() fields; returns how many there are.
std::size_t split_fields(std::string_view line, std::span<std::string_view> fields);

// The same, but lines that begin with '#' have none.
std::size_t split(std::string_view line, std::span<std::string_view> fields);

// The field after another one in a text; there must be one, and white space after it.
std::string_view field_after(std::string_view field);

// Refuses the field at fault, with its place in the line.
void bad_field(Odd& odd, const char* reason, std::uint64_t line, std::string_view text,
               std::string_view field);

// What is wrong with text that begins with a line longer than a line may be; its line is the first.
BadInput long_line(std::size_t longest);

// Refuses a line with too few or too many fields.
void bad_count(Odd& odd, std::uint64_t line, std::string_view text, std::size_t expected,
               std::size_t found);

}  // namespace gainful
