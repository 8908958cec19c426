// Text to numbers, rounded correctly.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "ids.hpp"

namespace gainful {

// Reads a decimal number, inf or nan, rounded correctly; false where the text is none of these.
bool read_number(std::string_view text, double& out);

// Reads a whole number; false where the text is none, or too large.
bool read_integer(std::string_view text, std::int64_t& out);

namespace numbers {

constexpr double kPowers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                              1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                              1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr std::uint64_t kExact = 1ull << 53;  // up to here a double holds every whole number

// Eight characters, the first in the lowest byte.
struct Eight {
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kZeros = kOnes * '0';

  std::uint64_t bytes;

  explicit Eight(const char* text) : bytes(load<std::uint64_t>(text)) {
    if constexpr (std::endian::native == std::endian::big) {
      std::uint64_t reversed = 0;
      for (int i = 0; i < 8; ++i) reversed |= (bytes >> (56 - 8 * i) & 0xff) << (8 * i);
      bytes = reversed;
    }
  }

  // All but the last characters become '0'.
  void keep_last(std::size_t count) {
    if (count == 8) return;
    const std::uint64_t mask = ~std::uint64_t{0} >> (8 * count);
    bytes = (bytes & ~mask) | (kZeros & mask);
  }

  // Where the first point is, from 0, or 8.
  int point() const {
    const std::uint64_t x = bytes ^ (kOnes * '.');
    return std::countr_zero((x - kOnes) & ~x & (kOnes << 7)) / 8;
  }

  // Takes one character out; those before it move up, and one comes in at the front.
  void take_out(int at, std::uint64_t incoming) {
    const std::uint64_t before = (std::uint64_t{1} << (8 * at)) - 1;
    const std::uint64_t after = ~before << 8;
    bytes = (bytes & after) | (bytes & before) << 8 | incoming;
  }

  bool all_digits() const {
    constexpr std::uint64_t kHigh = kOnes * 0xf0;
    return ((bytes & kHigh) | ((bytes + kOnes * 6) & kHigh) >> 4) == kOnes * 0x33;
  }

  std::uint64_t number() const {
    std::uint64_t x = bytes - kZeros;
    x = x * 10 + (x >> 8);  // pairs of digits, in every other byte
    constexpr std::uint64_t kPairs = 0x000000ff000000ff;
    return ((x & kPairs) * (100 + (1000000ull << 32)) +
            ((x >> 16) & kPairs) * (1 + (10000ull << 32))) >>
           32;
  }
};

}  // namespace numbers

// As read_number(), for text whose 16 bytes before its end may be read, as may those of every field
// of a chunk: a short decimal takes a few instructions.
inline bool read_number_fast(std::string_view text, double& out) {
  using numbers::Eight;
  const bool negative = text.starts_with('-');
  const char* end = text.data() + text.size();
  const std::size_t size = text.size() - negative;
  // A point alone is no number.
  if (size == 0 || size > 16 || (size == 1 && end[-1] == '.')) return read_number(text, out);
  Eight low(end - 8);
  std::uint64_t mantissa = 0;
  int after_point = 0;
  bool plain = true;
  if (size <= 8) {
    low.keep_last(size);
    if (const int at = low.point(); at < 8) {
      after_point = 7 - at;
      low.take_out(at, '0');
    }
  } else {
    Eight high(end - 16);
    high.keep_last(size - 8);
    if (const int at = low.point(); at < 8) {
      after_point = 7 - at;
      low.take_out(at, high.bytes >> 56);
      high.take_out(7, '0');
    } else if (const int above = high.point(); above < 8) {
      after_point = 15 - above;
      high.take_out(above, '0');
    }
    plain = high.all_digits();
    mantissa = high.number() * 100'000'000;
  }
  mantissa += low.number();
  // Both operands are exact, so the division rounds once: to the correctly rounded value.
  if (!plain || !low.all_digits() || mantissa > numbers::kExact) return read_number(text, out);
  const double value = static_cast<double>(mantissa) / numbers::kPowers[after_point];
  out = negative ? -value : value;
  return true;
}

}  // namespace gainful
