// Where the white space is: one bit a byte, 64 bytes at a time, by the widest vectors there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace gainful {

// Of 64 bytes, the lowest bit standing for the first.
struct Marks {
  std::uint64_t space;    // blank, tab, newline, vertical tab, form feed, carriage return
  std::uint64_t newline;  // newline alone
};

// Marks text in blocks of 64 bytes; text holds 64 * marks.size() bytes.
using Scan = void (*)(const char* text, std::span<Marks> marks);

struct Scanner {
  const char* name;
  Scan scan;
};

// The scanners that this processor can run, the plain one first, the fastest last.
std::span<const Scanner> scanners();

}  // namespace gainful
