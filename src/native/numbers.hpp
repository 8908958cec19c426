// Text to numbers, rounded correctly.
#pragma once

#include <bit>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "cpu.hpp"
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

// Eight bytes in the opposite order.
inline std::uint64_t reversed(std::uint64_t bytes) {
#if defined(_MSC_VER)
  return _byteswap_uint64(bytes);
#else
  return __builtin_bswap64(bytes);
#endif
}

// Eight characters, the first in the lowest byte, less '0' each: digits become what they are worth.
struct Eight {
  static constexpr std::uint64_t kOnes = 0x0101010101010101;
  static constexpr std::uint64_t kHighs = kOnes << 7;

  std::uint64_t bytes;

  explicit Eight(const char* text) : bytes(load<std::uint64_t>(text)) {
    if constexpr (std::endian::native == std::endian::big) bytes = reversed(bytes);
    bytes ^= kOnes * '0';
  }

  // Moves the first characters to the end, behind zeros; count is from 1 to 8.
  void keep_first(std::size_t count) { bytes <<= 8 * (8 - count); }

  // Takes a point out, if there is one, letting what stands before it move up; one digit comes in
  // at the front. Returns how many characters follow the point, or -1.
  int take_out_point(std::uint64_t incoming) {
    const std::uint64_t x = bytes ^ (kOnes * ('.' ^ '0'));
    const std::uint64_t points = (x - kOnes) & ~x & kHighs;  // the lowest is right
    if (points == 0) return -1;
    const std::uint64_t before = ((points & (~points + 1)) >> 7) - 1;
    bytes = (bytes & ~before << 8) | (bytes & before) << 8 | incoming;
    return 7 - std::countr_zero(points) / 8;
  }

  // In the high bit of a byte: whether it is no digit. (The lowest of them is right.)
  std::uint64_t not_digits() const { return ((bytes + kOnes * 0x76) | bytes) & kHighs; }
  bool all_digits() const { return not_digits() == 0; }

  std::uint64_t number() const {
    const std::uint64_t x = bytes * 10 + (bytes >> 8);  // pairs of digits, in every other byte
    constexpr std::uint64_t kPairs = 0x000000ff000000ff;
    return ((x & kPairs) * (100 + (1000000ull << 32)) +
            ((x >> 16) & kPairs) * (1 + (10000ull << 32))) >>
           32;
  }
};

}  // namespace numbers

// As read_number(), for text after whose beginning and before whose end eight bytes may be read, as
// may those of every field of a chunk: a short decimal takes a few instructions.
GAINFUL_INLINE bool read_number_fast(std::string_view text, double& out) {
  using numbers::Eight;
  const bool negative = text.starts_with('-');
  const char* begin = text.data() + negative;
  const std::size_t size = text.size() - negative;
  // A point alone is no number.
  if (size - 1 >= 16 || (size == 1 && *begin == '.')) return read_number(text, out);
  std::uint64_t mantissa = 0;
  int after_point = 0;
  bool plain = true;
  if (size <= 8) {
    Eight all(begin);
    all.keep_first(size);
    after_point = all.take_out_point(0);
    plain = all.all_digits();
    mantissa = all.number();
  } else {
    Eight high(begin), low(begin + size - 8);
    high.keep_first(size - 8);
    after_point = low.take_out_point(high.bytes >> 56);
    if (after_point >= 0) {
      high.bytes <<= 8;
    } else if (after_point = high.take_out_point(0); after_point >= 0) {
      after_point += 8;
    }
    plain = low.all_digits() && high.all_digits();
    mantissa = high.number() * 100'000'000 + low.number();
  }
  if (!plain || mantissa > numbers::kExact) return read_number(text, out);
  // Both operands are exact, so the division rounds once: to the correctly rounded value.
  const double value = static_cast<double>(static_cast<std::int64_t>(mantissa)) /
                       numbers::kPowers[after_point < 0 ? 0 : after_point];
  out = negative ? -value : value;
  return true;
}

// As read_integer(), for such text: a short one without a sign takes a few instructions.
GAINFUL_INLINE bool read_integer_fast(std::string_view text, std::int64_t& out) {
  if (text.size() - 1 >= 8) return read_integer(text, out);
  numbers::Eight all(text.data());
  all.keep_first(text.size());
  if (!all.all_digits()) return read_integer(text, out);
  out = static_cast<std::int64_t>(all.number());
  return true;
}

// Whether whole numbers rise from one text to the next; eight bytes may be read after the beginning
// of each. Found without reading them: a few instructions for those of less than eight digits that
// a space follows. Others may rise unnoticed.
class Rising {
 public:
  GAINFUL_INLINE void see(const char* text) {
    numbers::Eight all(text);
    const auto size = static_cast<unsigned>(std::countr_zero(all.not_digits() | kEnd)) / 8;
    const std::uint64_t after = all.bytes >> (8 * size) & 0xff;
    // Digits behind zeros, the first one highest, are ordered as the numbers are.
    const std::uint64_t number = numbers::reversed(all.bytes << (64 - 8 * size) % 64);
    rises_ &= (size != 0) & (after == (' ' ^ '0')) & (number >= least_);
    least_ = number + 1;
  }
  bool rises() const { return rises_; }

 private:
  static constexpr std::uint64_t kEnd = std::uint64_t{1} << 63;

  std::uint64_t least_ = 0;
  bool rises_ = true;
};

}  // namespace gainful
