// Arrow arrays that a fuzzer draws: well formed, of every type, with whatever contents; and what
// each row holds, told without looking at the array.
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "arrow.hpp"
#include "input.hpp"
#include "plain.hpp"

namespace fuzz {

using Text = std::optional<std::string>;         // nothing where it is null
using Number = std::optional<double>;            // NaN too is one
constexpr std::string_view kCodes = "cCsSiIlL";  // formats of whole numbers

// A column of a table: its memory ends where its contents do, so that a byte too far is noticed.
struct Column {
  ArrowSchema schema{};
  ArrowArray array{};
  std::string format;
  std::string metadata;
  std::deque<std::vector<char>> memory;
  std::vector<const void*> buffers;
  std::unique_ptr<Column> dictionary;
  std::size_t before = 0;  // rows of the array that stand before those of the column

  Column() = default;
  Column(const Column&) = delete;
  Column& operator=(const Column&) = delete;

  void hold(std::vector<char> bytes) {
    bytes.shrink_to_fit();
    memory.push_back(std::move(bytes));
    buffers.push_back(memory.back().data());  // null where it is empty, as many a library has it
  }
  template <class T>
  void hold_all(const std::vector<T>& values) {
    const char* begin = reinterpret_cast<const char*>(values.data());
    hold({begin, begin + values.size() * sizeof(T)});
  }
  // Fills in what readers look at; the rows begin at an offset of the array, or of its table.
  void close(std::size_t rows, std::int64_t nulls) {
    schema.format = format.c_str();
    schema.metadata = metadata.empty() ? nullptr : metadata.data();
    array.length = static_cast<std::int64_t>(rows);
    array.null_count = nulls;
    array.n_buffers = static_cast<std::int64_t>(buffers.size());
    array.buffers = buffers.data();
    if (dictionary) schema.dictionary = &dictionary->schema, array.dictionary = &dictionary->array;
  }
};

// Which rows are null, drawn; those before the column too.
class Nulls {
 public:
  Nulls(Input& input, std::size_t rows) : null_(rows) {
    const std::uint8_t how = input.byte();
    for (std::size_t row = 0; row < rows && how % 4 == 1; ++row) null_[row] = input.below(4) == 0;
    known_ = (how & 4) == 0;
    shown_ = how % 4 == 1 || (how & 8) != 0;
  }
  bool operator[](std::size_t row) const { return null_[row]; }
  // The bitmap, or no buffer where nothing is null.
  void hold(Column& column) const {
    if (!shown_) return column.buffers.push_back(nullptr);
    std::vector<char> bits((null_.size() + 7) / 8);
    for (std::size_t row = 0; row < null_.size(); ++row)
      if (!null_[row]) bits[row / 8] = static_cast<char>(bits[row / 8] | 1 << row % 8);
    column.hold(std::move(bits));
  }
  std::int64_t count() const {
    return known_ ? std::count(null_.begin(), null_.end(), true) : shown_ ? -1 : 0;
  }

 private:
  std::vector<bool> null_;
  bool known_ = true;
  bool shown_ = false;
};

// A few texts, from which rows are drawn: ids that never come again would test little.
inline std::vector<std::string> pool(Input& input) {
  std::vector<std::string> out;
  const std::size_t count = 1 + input.below(6);
  for (std::size_t i = 0; i < count; ++i) out.emplace_back(input.text(input.below(40)));
  return out;
}

template <class Offset>
void hold_texts(Column& column, const std::vector<std::string>& texts) {
  std::vector<Offset> offsets{0};
  std::vector<char> bytes;
  for (const std::string& text : texts) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  column.hold_all(offsets);
  column.hold(std::move(bytes));
}

// Sixteen bytes a row, and a buffer for every other long text.
inline void hold_views(Column& column, const std::vector<std::string>& texts) {
  std::vector<char> views(16 * texts.size());
  std::vector<std::vector<char>> longer;
  for (std::size_t row = 0; row < texts.size(); ++row) {
    const std::string& text = texts[row];
    char* view = views.data() + 16 * row;
    const auto size = static_cast<std::int32_t>(text.size());
    std::memcpy(view, &size, 4);
    if (size <= 12) {
      std::memcpy(view + 4, text.data(), text.size());
      continue;
    }
    if (longer.empty() || row % 2 == 0) longer.emplace_back();
    const std::int32_t place[] = {static_cast<std::int32_t>(longer.size()) - 1,
                                  static_cast<std::int32_t>(longer.back().size())};
    std::memcpy(view + 4, text.data(), 4);
    std::memcpy(view + 8, place, 8);
    longer.back().insert(longer.back().end(), text.begin(), text.end());
  }
  column.hold(std::move(views));
  std::vector<std::int64_t> sizes;
  for (auto& bytes : longer) {
    sizes.push_back(static_cast<std::int64_t>(bytes.size()));
    column.hold(std::move(bytes));
  }
  column.hold_all(sizes);
}

// Calls use(T{}) with the type of whole numbers that a format stands for.
template <class Use>
auto with_integer(char format, Use&& use) {
  switch (format) {
    case 'c':
      return use(std::int8_t{});
    case 'C':
      return use(std::uint8_t{});
    case 's':
      return use(std::int16_t{});
    case 'S':
      return use(std::uint16_t{});
    case 'i':
      return use(std::int32_t{});
    case 'I':
      return use(std::uint32_t{});
    case 'l':
      return use(std::int64_t{});
    default:
      return use(std::uint64_t{});
  }
}

// A drawn column and what its rows hold.
template <class Value>
struct Drawn {
  std::unique_ptr<Column> column = std::make_unique<Column>();
  std::vector<Value> values;
};

// Whole numbers, small ones or any.
template <class Value, class OfInteger>
void draw_integers(Drawn<Value>& out, Input& input, char format, std::size_t rows,
                   const Nulls& nulls, OfInteger&& of_integer) {
  out.column->format = format;
  with_integer(format, [&](auto type) {
    using T = decltype(type);
    std::vector<T> values;
    const bool any = input.flag();
    for (std::size_t row = 0; row < rows; ++row) {
      values.push_back(any ? input.raw<T>() : static_cast<T>(input.below(5) - 1));
      out.values.push_back(nulls[row] ? Value{} : Value(of_integer(values.back())));
    }
    out.column->hold_all(values);
    return 0;
  });
}

// Codes of rows of another column; those of no row are null.
template <class Value>
void draw_codes(Drawn<Value>& out, Input& input, Drawn<Value> listed, std::size_t rows,
                const Nulls& nulls) {
  const char format = kCodes[input.below(kCodes.size())];
  out.column->format = format;
  const std::size_t count = listed.values.size();
  with_integer(format, [&](auto type) {
    using T = decltype(type);
    std::vector<T> codes;
    for (std::size_t row = 0; row < rows; ++row) {
      codes.push_back(static_cast<T>(input.byte() % (count + 2) - 1));
      const auto code = static_cast<std::make_unsigned_t<T>>(codes.back());
      const bool there = !nulls[row] && code < count;
      out.values.push_back(there ? listed.values[static_cast<std::size_t>(code)] : Value{});
    }
    out.column->hold_all(codes);
    return 0;
  });
  out.column->dictionary = std::move(listed.column);
}

inline void draw_texts(Drawn<Text>& out, Input& input, std::string_view format, std::size_t rows,
                       const Nulls& nulls) {
  out.column->format = format;
  std::vector<std::string> texts, from = pool(input);
  for (std::size_t row = 0; row < rows; ++row) {
    texts.push_back(from[input.below(from.size())]);
    out.values.push_back(nulls[row] ? Text{} : texts.back());
  }
  if (format == "u" || format == "z") hold_texts<std::int32_t>(*out.column, texts);
  if (format == "U" || format == "Z") hold_texts<std::int64_t>(*out.column, texts);
  if (format == "vu" || format == "vz") hold_views(*out.column, texts);
}

inline std::string uuid_of(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[i]));
    out += digits;
  }
  return out;
}

// Some keys and values, among them perhaps what makes sixteen bytes a UUID.
inline std::string metadata(bool uuid) {
  std::string out;
  const auto put = [&](std::string_view text) {
    const auto size = static_cast<std::int32_t>(text.size());
    out.append(reinterpret_cast<const char*>(&size), 4).append(text);
  };
  const std::int32_t count = uuid ? 2 : 1;
  out.append(reinterpret_cast<const char*>(&count), 4);
  put("a");
  put("");
  if (uuid) put("ARROW:extension:name"), put("arrow.uuid");
  return out;
}

inline void draw_fixed(Drawn<Text>& out, Input& input, std::size_t rows, const Nulls& nulls) {
  const bool uuid = input.flag();
  const std::size_t size = uuid ? 16 : input.below(20);
  out.column->format = "w:" + std::to_string(size);
  if (input.flag() || uuid) out.column->metadata = metadata(uuid);
  std::vector<char> bytes;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string text(input.text(size));
    text.resize(size);
    bytes.insert(bytes.end(), text.begin(), text.end());
    out.values.push_back(nulls[row] ? Text{} : uuid ? uuid_of(text) : text);
  }
  out.column->hold(std::move(bytes));
}

// Keeps the rows behind those before the column.
template <class Value>
Drawn<Value> closed(Drawn<Value> out, std::size_t rows, std::size_t before, std::size_t own,
                    const Nulls& nulls) {
  out.column->close(rows, nulls.count());
  out.column->array.offset = static_cast<std::int64_t>(own);
  out.column->array.length -= static_cast<std::int64_t>(own);
  out.values.erase(out.values.begin(), out.values.begin() + static_cast<std::ptrdiff_t>(before));
  return out;
}

// Ids of so many rows, behind those that the table skips; as a list of them, or as codes.
inline Drawn<Text> draw_ids(Input& input, std::size_t rows, std::size_t skipped,
                            bool listed = false) {
  Drawn<Text> out;
  const std::size_t own = listed ? 0 : input.below(3), before = own + skipped, all = rows + before;
  const Nulls nulls(input, all);
  nulls.hold(*out.column);
  const std::size_t kind = input.below(listed ? 15 : 17);
  constexpr std::string_view kTexts[] = {"u", "z", "U", "Z", "vu", "vz"};
  if (kind < 6) draw_texts(out, input, kTexts[kind], all, nulls);
  if (kind == 6) draw_fixed(out, input, all, nulls);
  if (kind >= 7 && kind < 15)
    draw_integers(out, input, kCodes[kind - 7], all, nulls,
                  [](auto value) { return std::to_string(value); });
  if (kind >= 15) draw_codes(out, input, draw_ids(input, input.below(6), 0, true), all, nulls);
  return closed(std::move(out), all, before, own, nulls);
}

inline double half(std::uint16_t bits) {
  const double sign = bits >> 15 ? -1 : 1, fraction = bits & 1023;
  const int exponent = bits >> 10 & 31;
  if (exponent == 31) return fraction == 0 ? sign * HUGE_VAL : NAN;
  return sign * (exponent == 0 ? fraction / 1024 * std::pow(2, -14)
                               : (1 + fraction / 1024) * std::pow(2, exponent - 15));
}

// The digits of a whole number of any size, the lowest byte first.
inline std::string digits_of(std::vector<unsigned char> bytes) {
  const bool negative = bytes.back() >> 7 != 0;
  int carry = 1;
  for (auto& byte : bytes)
    if (negative) carry += static_cast<unsigned char>(~byte), byte = carry & 255, carry >>= 8;
  std::string digits = "0";
  for (auto byte = bytes.rbegin(); byte != bytes.rend(); ++byte) {
    int over = *byte;
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
      over += 256 * (*digit - '0');
      *digit = static_cast<char>('0' + over % 10);
      over /= 10;
    }
    for (; over > 0; over /= 10) digits.insert(digits.begin(), static_cast<char>('0' + over % 10));
  }
  return (negative ? "-" : "") + digits;
}

inline void draw_decimals(Drawn<Number>& out, Input& input, std::size_t rows, const Nulls& nulls) {
  const std::size_t size = std::size_t{4} << input.below(4);
  const int scale = static_cast<int>(input.below(100)) - 20;
  out.column->format = "d:9," + std::to_string(scale);
  if (size != 16 || input.flag()) out.column->format += "," + std::to_string(8 * size);
  std::vector<char> memory;
  for (std::size_t row = 0; row < rows; ++row) {
    std::string bytes(input.text(size));
    bytes.resize(size);
    memory.insert(memory.end(), bytes.begin(), bytes.end());
    const std::string text = digits_of({bytes.begin(), bytes.end()}) + "e" + std::to_string(-scale);
    out.values.push_back(nulls[row] ? Number{} : std::strtod(text.c_str(), nullptr));
  }
  out.column->hold(std::move(memory));
}

template <class T, class OfRaw>
void draw_raw(Drawn<Number>& out, Input& input, const char* format, std::size_t rows,
              const Nulls& nulls, OfRaw&& of_raw) {
  out.column->format = format;
  std::vector<T> values;
  for (std::size_t row = 0; row < rows; ++row) {
    values.push_back(input.raw<T>());
    out.values.push_back(nulls[row] ? Number{} : Number(of_raw(values.back())));
  }
  out.column->hold_all(values);
}

inline void draw_bits(Drawn<Number>& out, Input& input, std::size_t rows, const Nulls& nulls) {
  out.column->format = "b";
  std::vector<char> bits((rows + 7) / 8);
  for (std::size_t row = 0; row < rows; ++row) {
    const bool set = input.flag();
    if (set) bits[row / 8] = static_cast<char>(bits[row / 8] | 1 << row % 8);
    out.values.push_back(nulls[row] ? Number{} : set);
  }
  out.column->hold(std::move(bits));
}

// Numbers of any type, text that should hold them among them.
inline Drawn<Number> draw_numbers(Input& input, std::size_t rows, std::size_t skipped,
                                  bool listed = false) {
  Drawn<Number> out;
  const std::size_t own = listed ? 0 : input.below(3), before = own + skipped, all = rows + before;
  const Nulls nulls(input, all);
  nulls.hold(*out.column);
  const std::size_t kind = input.below(listed ? 16 : 18);
  if (kind < 8)
    draw_integers(out, input, kCodes[kind], all, nulls,
                  [](auto value) { return static_cast<double>(value); });
  if (kind == 8) draw_raw<double>(out, input, "g", all, nulls, [](double value) { return value; });
  if (kind == 9) draw_raw<float>(out, input, "f", all, nulls, [](float value) { return value; });
  if (kind == 10) draw_raw<std::uint16_t>(out, input, "e", all, nulls, half);
  if (kind == 11) draw_bits(out, input, all, nulls);
  if (kind == 12) draw_decimals(out, input, all, nulls);
  if (kind >= 13 && kind < 16) {
    constexpr std::string_view kTexts[] = {"u", "U", "vu"};
    Drawn<Text> texts;
    texts.column = std::move(out.column);
    draw_texts(texts, input, kTexts[kind - 13], all, nulls);
    for (const Text& text : texts.values)
      out.values.push_back(text ? plain::number(*text).value_or(NAN) : Number{});
    out.column = std::move(texts.column);
  }
  if (kind >= 16) draw_codes(out, input, draw_numbers(input, input.below(6), 0, true), all, nulls);
  return closed(std::move(out), all, before, own, nulls);
}

}  // namespace fuzz
