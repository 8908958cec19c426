#include "numbers.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#if !defined(__cpp_lib_to_chars)  // libc++ before LLVM 20 has no from_chars for double
#include <locale.h>
#include <stdlib.h>
#if defined(__APPLE__)
#include <xlocale.h>
#endif
#endif

namespace gainful {

using numbers::kExact;
using numbers::kPowers;

namespace {

bool is_digit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  if (text.size() != lower.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((text[i] | 0x20) != lower[i]) return false;
  return true;
}

// Digits, point and exponent of an unsigned decimal; tells whether the text is one.
struct Decimal {
  std::uint64_t mantissa = 0;  // the first 19 significant digits
  long exponent = 0;           // power of ten the mantissa is to be multiplied with
  bool valid = false;

  explicit Decimal(std::string_view text) {
    const char* p = text.data();
    const char* end = p + text.size();
    int digits = 0;
    p = take_digits(p, end, digits, false);
    if (p < end && *p == '.') p = take_digits(p + 1, end, digits, true);
    if (digits == 0) return;
    if (p < end && (*p | 0x20) == 'e') {
      const bool negative = ++p < end && *p == '-';
      if (p < end && (*p == '-' || *p == '+')) ++p;
      if (p == end) return;
      long power = 0;
      for (; p < end && is_digit(*p); ++p) power = std::min(power * 10 + (*p - '0'), 100'000'000L);
      exponent += negative ? -power : power;
    }
    valid = p == end;
  }

 private:
  const char* take_digits(const char* p, const char* end, int& digits, bool after_point) {
    for (; p < end && is_digit(*p); ++p) {
      digits = 1;
      if (mantissa < 1'000'000'000'000'000'000u) {
        mantissa = mantissa * 10 + static_cast<std::uint64_t>(*p - '0');
        exponent -= after_point;
      } else {
        exponent += !after_point;
      }
    }
    return p;
  }
};

double from_text(std::string_view text, const Decimal& decimal) {
#if defined(__cpp_lib_to_chars)
  double value = 0;
  if (std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc())
    return value;
  // Out of range: too large is infinite, too small is nothing.
  return decimal.exponent > 0 ? std::numeric_limits<double>::infinity() : 0.0;
#else
  (void)decimal;
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(std::string(text).c_str(), nullptr, c_locale);
#endif
}

// Many digits, as programs print doubles: the library rounds them well and at once. False where
// the text is short, or needs a closer look.
bool read_long_decimal(std::string_view text, double& out) {
#if defined(__cpp_lib_to_chars)
  if (text.size() <= 16 || !(is_digit(text[0]) || text[0] == '.')) return false;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, out);
  return error == std::errc() && rest == end;
#else
  (void)text, (void)out;
  return false;
#endif
}

}  // namespace

bool read_number(std::string_view text, double& out) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return false;
  double value = 0;
  if (read_long_decimal(text, value)) {
    out = negative ? -value : value;
    return true;
  }
  if (const Decimal decimal(text); decimal.valid) {
    // Both operands are exact, so one operation rounds once: the correctly rounded value. (A
    // mantissa that lost digits is far above 2^53.)
    const bool exact =
        decimal.mantissa <= kExact && decimal.exponent >= -22 && decimal.exponent <= 22;
    if (exact) {
      const auto mantissa = static_cast<double>(decimal.mantissa);
      value = decimal.exponent < 0 ? mantissa / kPowers[-decimal.exponent]
                                   : mantissa * kPowers[decimal.exponent];
    } else {
      value = from_text(text, decimal);
    }
  } else if (equals_ignoring_case(text, "inf") || equals_ignoring_case(text, "infinity")) {
    value = std::numeric_limits<double>::infinity();
  } else if (equals_ignoring_case(text, "nan")) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else {
    return false;
  }
  out = negative ? -value : value;
  return true;
}

bool read_integer(std::string_view text, std::int64_t& out) {
  if (text.starts_with("+-")) return false;
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, out);
  return result.ec == std::errc() && result.ptr == end;
}

}  // namespace gainful
