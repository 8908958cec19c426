#include "columns.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>

#include "numbers.hpp"

namespace gainful {

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::string text_of(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

// Which rows of an array have a value.
class Valid {
 public:
  Valid() = default;
  Valid(const ArrowArray& array, std::int64_t offset)
      : bits_(array.null_count != 0 && array.n_buffers > 0
                  ? static_cast<const std::uint8_t*>(array.buffers[0])
                  : nullptr),
        offset_(static_cast<std::size_t>(offset)) {}
  bool operator[](std::size_t row) const {
    const std::size_t bit = row + offset_;
    return bits_ == nullptr || (bits_[bit >> 3] >> (bit & 7) & 1) != 0;
  }
  bool all() const { return bits_ == nullptr; }

 private:
  const std::uint8_t* bits_ = nullptr;
  std::size_t offset_ = 0;
};

template <class T>
const T* buffer(const ArrowArray& array, std::int64_t number, std::int64_t offset) {
  return static_cast<const T*>(array.buffers[number]) + offset;
}

// Text: an offset into one buffer a row.
template <class Offset>
class Text {
 public:
  Text(const ArrowArray& array, std::int64_t offset)
      : offsets_(buffer<Offset>(array, 1, offset)),
        text_(static_cast<const char*>(array.buffers[2])) {}
  Id operator[](std::size_t row) const {
    // (A column of empty texts may have no buffer for them.)
    const auto begin = static_cast<std::size_t>(offsets_[row]);
    const auto end = static_cast<std::size_t>(offsets_[row + 1]);
    return {text_ == nullptr ? "" : text_ + begin, end - begin};
  }
  bool same(std::size_t a, std::size_t b) const { return gainful::same((*this)[a], (*this)[b]); }

 private:
  const Offset* offsets_;
  const char* text_;
};

// Text: sixteen bytes a row, which hold it, or tell in which buffer it is.
class TextViews {
 public:
  TextViews(const ArrowArray& array, std::int64_t offset)
      : views_(buffer<char>(array, 1, 16 * offset)), buffers_(array.buffers + 2) {}
  Id operator[](std::size_t row) const {
    const char* view = views_ + 16 * row;
    const auto size = static_cast<std::size_t>(load<std::int32_t>(view));
    if (size <= 12) return {view + 4, size};
    const auto number = load<std::int32_t>(view + 8), begin = load<std::int32_t>(view + 12);
    return {static_cast<const char*>(buffers_[number]) + begin, size};
  }
  bool same(std::size_t a, std::size_t b) const {
    // Most are short, or point to the same place: then their views are the same.
    const char *x = views_ + 16 * a, *y = views_ + 16 * b;
    if (load<std::uint64_t>(x) != load<std::uint64_t>(y)) return false;
    return load<std::uint64_t>(x + 8) == load<std::uint64_t>(y + 8) ||
           (load<std::int32_t>(x) > 12 && gainful::same((*this)[a], (*this)[b]));
  }

 private:
  const char* views_;
  const void** buffers_;
};

// Bytes, as many a row.
class FixedText {
 public:
  FixedText(const ArrowArray& array, std::int64_t offset, std::size_t size)
      : text_(buffer<char>(array, 1, offset * static_cast<std::int64_t>(size))), size_(size) {}
  Id operator[](std::size_t row) const {
    // (Where all are empty there may be no buffer for them.)
    return {text_ == nullptr ? "" : text_ + row * size_, size_};
  }
  bool same(std::size_t a, std::size_t b) const { return gainful::same((*this)[a], (*this)[b]); }

 private:
  const char* text_;
  std::size_t size_;
};

// Ids that stand in memory as they are. Null is the same as null.
template <class Texts>
class TextIds : public IdColumn {
 public:
  TextIds(Texts texts, Valid valid) : texts_(texts), valid_(valid) {}
  std::size_t stretch(std::size_t begin, std::size_t end) const override {
    std::size_t row = begin + 1;
    if (valid_.all()) {
      while (row < end && texts_.same(begin, row)) ++row;
    } else {
      while (row < end && valid_[row] == valid_[begin] && (!valid_[row] || texts_.same(begin, row)))
        ++row;
    }
    return row;
  }
  void read(std::size_t begin, std::size_t end, Id* out, Arena&) const override {
    for (std::size_t row = begin; row < end; ++row) *out++ = valid_[row] ? texts_[row] : Id{};
  }

 private:
  Texts texts_;
  Valid valid_;
};

// Ids of another kind, which are written out: equal where their values are.
template <class T, class Write>
class WrittenIds : public IdColumn {
 public:
  WrittenIds(const T* values, Valid valid, std::size_t most, Write write)
      : values_(values), valid_(valid), most_(most), write_(write) {}
  std::size_t stretch(std::size_t begin, std::size_t end) const override {
    std::size_t row = begin + 1;
    while (row < end && valid_[row] == valid_[begin] &&
           (!valid_[row] || std::memcmp(&values_[row], &values_[begin], sizeof(T)) == 0))
      ++row;
    return row;
  }
  void read(std::size_t begin, std::size_t end, Id* out, Arena& scratch) const override {
    char* next = scratch.take((end - begin) * most_);
    for (std::size_t row = begin; row < end; ++row) {
      if (!valid_[row]) {
        *out++ = Id{};
        continue;
      }
      char* const first = next;
      next = write_(next, next + most_, values_[row]);
      *out++ = {first, static_cast<std::size_t>(next - first)};
    }
  }

 private:
  const T* values_;
  Valid valid_;
  std::size_t most_;
  Write write_;
};

struct WriteInteger {
  template <class T>
  char* operator()(char* begin, char* end, T value) const {
    return std::to_chars(begin, end, value).ptr;
  }
};

struct Uuid {
  unsigned char bytes[16];
};

struct WriteUuid {
  char* operator()(char* out, char*, const Uuid& uuid) const {
    constexpr char kDigits[] = "0123456789abcdef";
    for (int i = 0; i < 16; ++i) {
      if (i == 4 || i == 6 || i == 8 || i == 10) *out++ = '-';
      *out++ = kDigits[uuid.bytes[i] >> 4];
      *out++ = kDigits[uuid.bytes[i] & 15];
    }
    return out;
  }
};

// Calls use(T{}) with the type of number that a format stands for; nothing where it is none.
template <class Use>
void with_type(std::string_view format, Use&& use) {
  if (format == "c") use(std::int8_t{});
  if (format == "C") use(std::uint8_t{});
  if (format == "s") use(std::int16_t{});
  if (format == "S") use(std::uint16_t{});
  if (format == "i") use(std::int32_t{});
  if (format == "I") use(std::uint32_t{});
  if (format == "l") use(std::int64_t{});
  if (format == "L") use(std::uint64_t{});
  if (format == "f") use(float{});
  if (format == "g") use(double{});
}

// The format of numbers in plain memory; kind is that of a NumPy dtype.
std::string_view format_of(char kind, std::size_t size) {
  const std::size_t power = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : size == 8 ? 3 : 4;
  constexpr std::string_view kSigned = "csil ", kUnsigned = "CSIL ", kFloats = "  fg ";
  const std::string_view formats = kind == 'i'   ? kSigned
                                   : kind == 'u' ? kUnsigned
                                   : kind == 'f' ? kFloats
                                                 : "     ";
  return formats.substr(power, 1);
}

template <class At>
std::unique_ptr<IdColumn> plain_ids(std::string_view format, At&& at, Valid valid) {
  std::unique_ptr<IdColumn> found;
  with_type(format, [&](auto type) {
    using T = decltype(type);
    if constexpr (std::is_integral_v<T>)
      found = std::make_unique<WrittenIds<T, WriteInteger>>(at(type), valid, 20, WriteInteger{});
  });
  return found;
}

// Codes of any integer type, which tell a row of another column.
class Codes {
 public:
  Codes(const ArrowSchema& schema, const ArrowArray& array, std::int64_t offset)
      : format_(schema.format[0]), valid_(array, offset) {
    constexpr std::string_view kSizes = "cCsSiIlL";
    const auto size = std::int64_t{1} << kSizes.find(format_) / 2;
    data_ = buffer<char>(array, 1, offset * size);
  }
  static bool fit(const ArrowSchema& schema) {
    return std::string_view("cCsSiIlL").find(schema.format[0]) != std::string_view::npos;
  }
  // The code of a row; of no row of the other column where it is null.
  std::size_t operator[](std::size_t row) const {
    if (!valid_[row]) return ~std::size_t{0};
    switch (format_) {
      case 'c':
      case 'C':
        return static_cast<unsigned char>(data_[row]);
      case 's':
      case 'S':
        return load<std::uint16_t>(data_ + 2 * row);
      case 'i':
      case 'I':
        return load<std::uint32_t>(data_ + 4 * row);
      default:
        return static_cast<std::size_t>(load<std::uint64_t>(data_ + 8 * row));
    }
  }

 private:
  char format_;
  const char* data_ = nullptr;
  Valid valid_;
};

// Ids that are listed once each, and codes that name them.
class CodedIds : public IdColumn {
 public:
  CodedIds(Codes codes, std::vector<Id> ids, Arena scratch)
      : codes_(codes), ids_(std::move(ids)), scratch_(std::move(scratch)) {}
  std::size_t stretch(std::size_t begin, std::size_t end) const override {
    const std::size_t code = codes_[begin];
    std::size_t row = begin + 1;
    while (row < end && (codes_[row] == code || equal(codes_[row], code))) ++row;
    return row;
  }
  void read(std::size_t begin, std::size_t end, Id* out, Arena&) const override {
    for (std::size_t row = begin; row < end; ++row) *out++ = id(codes_[row]);
  }

 private:
  Id id(std::size_t code) const { return code < ids_.size() ? ids_[code] : Id{}; }
  bool equal(std::size_t a, std::size_t b) const {
    return is_null(id(a)) == is_null(id(b)) && same(id(a), id(b));
  }

  Codes codes_;
  std::vector<Id> ids_;
  Arena scratch_;
};

// The name of the extension type that a schema carries, or nothing.
std::string_view extension_of(const ArrowSchema& schema) {
  const char* at = schema.metadata;
  if (at == nullptr) return {};
  const auto number = [&at] {
    const auto value = load<std::int32_t>(at);
    at += sizeof value;
    return static_cast<std::size_t>(value);
  };
  const auto text = [&] {
    const std::size_t size = number();
    const std::string_view found(at, size);
    at += size;
    return found;
  };
  for (std::size_t left = number(); left > 0; --left) {
    const std::string_view key = text(), value = text();
    if (key == "ARROW:extension:name") return value;
  }
  return {};
}

std::unique_ptr<IdColumn> fixed_ids(const ArrowSchema& schema, const ArrowArray& array,
                                    std::int64_t offset, Valid valid) {
  const auto size = static_cast<std::size_t>(std::atoi(schema.format + 2));
  if (size == 16 && extension_of(schema) == "arrow.uuid")
    return std::make_unique<WrittenIds<Uuid, WriteUuid>>(buffer<Uuid>(array, 1, offset), valid, 36,
                                                         WriteUuid{});
  return std::make_unique<TextIds<FixedText>>(FixedText(array, offset, size), valid);
}

template <class Texts>
std::unique_ptr<IdColumn> text_ids(const ArrowArray& array, std::int64_t offset, Valid valid) {
  return std::make_unique<TextIds<Texts>>(Texts(array, offset), valid);
}

std::unique_ptr<IdColumn> coded_ids(const ArrowSchema& schema, const ArrowArray& array,
                                    std::int64_t offset) {
  const auto values = id_column(*schema.dictionary, *array.dictionary, 0);
  if (!values || !Codes::fit(schema)) return nullptr;
  Arena scratch;
  std::vector<Id> ids(static_cast<std::size_t>(array.dictionary->length));
  values->read(0, ids.size(), ids.data(), scratch);
  return std::make_unique<CodedIds>(Codes(schema, array, offset), std::move(ids),
                                    std::move(scratch));
}

// Numbers as they are stored.
template <class T>
class PlainNumbers : public NumberColumn {
 public:
  PlainNumbers(const void* data, Valid valid)
      : values_(static_cast<const T*>(data)), valid_(valid) {}
  void read(std::size_t begin, std::size_t end, double* out) const override {
    for (std::size_t row = begin; row < end; ++row) *out++ = static_cast<double>(values_[row]);
    if (valid_.all()) return;
    out -= end - begin;
    for (std::size_t row = begin; row < end; ++row, ++out)
      if (!valid_[row]) *out = kNaN;
  }
  std::string shown(std::size_t row) const override {
    return valid_[row] ? text_of(static_cast<double>(values_[row])) : "null";
  }

 private:
  const T* values_;
  Valid valid_;
};

template <class At>
std::unique_ptr<NumberColumn> plain_numbers(std::string_view format, At&& at, Valid valid) {
  std::unique_ptr<NumberColumn> found;
  with_type(format, [&](auto type) {
    found = std::make_unique<PlainNumbers<decltype(type)>>(at(type), valid);
  });
  return found;
}

// Numbers that a function makes of a row: NaN where there is none.
class MadeNumbers : public NumberColumn {
 public:
  MadeNumbers(std::function<double(std::size_t)> number,
              std::function<std::string(std::size_t)> text)
      : number_(std::move(number)), text_(std::move(text)) {}
  void read(std::size_t begin, std::size_t end, double* out) const override {
    for (std::size_t row = begin; row < end; ++row) *out++ = number_(row);
  }
  std::string shown(std::size_t row) const override { return text_(row); }

 private:
  std::function<double(std::size_t)> number_;
  std::function<std::string(std::size_t)> text_;
};

double half_to_double(std::uint16_t half) {
  const int exponent = half >> 10 & 31;
  const double fraction = half & 1023;
  double value = exponent == 31  ? (fraction == 0 ? HUGE_VAL : kNaN)
                 : exponent == 0 ? std::ldexp(fraction, -24)
                                 : std::ldexp(fraction + 1024, exponent - 25);
  return half >> 15 ? -value : value;
}

// Whole numbers of 32 to 256 bits and where their point stands, through text, which rounds
// correctly.
double decimal_to_double(const char* at, std::size_t size, int scale) {
  std::uint32_t words[8] = {};
  std::memcpy(words, at, size);
  const std::size_t n = size / 4;
  const bool negative = words[n - 1] >> 31 != 0;
  if (negative) {
    std::uint64_t carry = 1;
    for (std::size_t i = 0; i < n; ++i) {
      carry += static_cast<std::uint32_t>(~words[i]);
      words[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }
  std::string digits;
  for (bool any = true; any;) {
    std::uint64_t rest = 0;
    any = false;
    for (std::size_t i = n; i-- > 0;) {
      rest = rest << 32 | words[i];
      words[i] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
      any |= words[i] != 0;
    }
    digits.insert(digits.begin(), static_cast<char>('0' + rest));
  }
  double value = 0;
  read_number((negative ? "-" : "") + digits + "e" + std::to_string(-scale), value);
  return value;
}

// A number as text, or a word; numbers in text are read as those in files are.
std::unique_ptr<NumberColumn> text_numbers(std::shared_ptr<IdColumn> texts, const Words* words) {
  const auto text = [texts](std::size_t row) {
    Id found;
    Arena scratch;
    texts->read(row, row + 1, &found, scratch);
    return is_null(found) ? std::optional<std::string>() : std::string(found);
  };
  const auto number = [texts, words](std::size_t row) {
    Id found;
    Arena scratch;
    texts->read(row, row + 1, &found, scratch);
    return is_null(found) ? kNaN : number_in(found, words);
  };
  return std::make_unique<MadeNumbers>(
      number, [text](std::size_t row) { return text(row).value_or("null"); });
}

std::unique_ptr<NumberColumn> coded_numbers(const ArrowSchema& schema, const ArrowArray& array,
                                            std::int64_t offset, const Words* words) {
  std::shared_ptr<NumberColumn> values =
      number_column(*schema.dictionary, *array.dictionary, 0, words);
  if (!values || !Codes::fit(schema)) return nullptr;
  const auto count = static_cast<std::size_t>(array.dictionary->length);
  std::vector<double> numbers(count);
  values->read(0, count, numbers.data());
  const Codes codes(schema, array, offset);
  return std::make_unique<MadeNumbers>(
      [codes, numbers = std::move(numbers)](std::size_t row) {
        const std::size_t code = codes[row];
        return code < numbers.size() ? numbers[code] : kNaN;
      },
      [codes, values, count](std::size_t row) {
        return codes[row] < count ? values->shown(codes[row]) : std::string("null");
      });
}

std::unique_ptr<NumberColumn> made(std::function<double(std::size_t)> number, Valid valid) {
  return std::make_unique<MadeNumbers>(
      [number, valid](std::size_t row) { return valid[row] ? number(row) : kNaN; },
      [number, valid](std::size_t row) -> std::string {
        return valid[row] ? text_of(number(row)) : "null";
      });
}

std::unique_ptr<NumberColumn> decimals(const ArrowSchema& schema, const ArrowArray& array,
                                       std::int64_t offset, Valid valid) {
  // d:precision,scale or d:precision,scale,bits
  int precision = 0, scale = 0, bits = 128;
  std::sscanf(schema.format, "d:%d,%d,%d", &precision, &scale, &bits);
  if (bits != 32 && bits != 64 && bits != 128 && bits != 256) return nullptr;
  const auto size = static_cast<std::size_t>(bits) / 8;
  const char* data = buffer<char>(array, 1, offset * static_cast<std::int64_t>(size));
  return made([=](std::size_t row) { return decimal_to_double(data + row * size, size, scale); },
              valid);
}

}  // namespace

double number_in(Id text, const Words* words) {
  if (words != nullptr)
    if (const auto found = words->find(std::string(text)); found != words->end())
      return found->second;
  double value = 0;
  return !text.empty() && read_number(text, value) ? value : kNaN;
}

void ListedNumbers::read(std::size_t begin, std::size_t end, double* out) const {
  std::copy(numbers_.begin() + static_cast<std::ptrdiff_t>(begin),
            numbers_.begin() + static_cast<std::ptrdiff_t>(end), out);
}

std::string ListedNumbers::shown(std::size_t row) const {
  return row == row_ ? text_ : text_of(numbers_[row]);
}

std::size_t ListedIds::stretch(std::size_t begin, std::size_t end) const {
  const Id first = ids_[begin];
  std::size_t row = begin + 1;
  // Equal texts are often one object. What is null is no empty text, though as long.
  while (row < end && (ids_[row].data() == first.data()
                           ? ids_[row].size() == first.size()
                           : is_null(ids_[row]) == is_null(first) && same(ids_[row], first)))
    ++row;
  return row;
}

void ListedIds::read(std::size_t begin, std::size_t end, Id* out, Arena&) const {
  std::copy(ids_.begin() + static_cast<std::ptrdiff_t>(begin),
            ids_.begin() + static_cast<std::ptrdiff_t>(end), out);
}

std::unique_ptr<IdColumn> id_column(const ArrowSchema& schema, const ArrowArray& array,
                                    std::int64_t begin) {
  const std::int64_t offset = array.offset + begin;
  if (schema.dictionary != nullptr) return coded_ids(schema, array, offset);
  const Valid valid(array, offset);
  const std::string_view format = schema.format;
  if (format.starts_with("w:")) return fixed_ids(schema, array, offset, valid);
  if (format == "vu" || format == "vz") return text_ids<TextViews>(array, offset, valid);
  if (format == "u" || format == "z") return text_ids<Text<std::int32_t>>(array, offset, valid);
  if (format == "U" || format == "Z") return text_ids<Text<std::int64_t>>(array, offset, valid);
  return plain_ids(
      format, [&](auto type) { return buffer<decltype(type)>(array, 1, offset); }, valid);
}

std::unique_ptr<NumberColumn> number_column(const ArrowSchema& schema, const ArrowArray& array,
                                            std::int64_t begin, const Words* words) {
  const std::int64_t offset = array.offset + begin;
  if (schema.dictionary != nullptr) return coded_numbers(schema, array, offset, words);
  const Valid valid(array, offset);
  const std::string_view format = schema.format;
  // Whole numbers may stand for others, as words may.
  const bool whole = format.size() == 1 && Codes::fit(schema);
  if (format == "u" || format == "U" || format == "vu" || (words != nullptr && whole))
    return text_numbers(id_column(schema, array, begin), words);
  if (format.starts_with("d:")) return decimals(schema, array, offset, valid);
  if (format == "e") {
    const auto* halves = buffer<std::uint16_t>(array, 1, offset);
    return made([halves](std::size_t row) { return half_to_double(halves[row]); }, valid);
  }
  if (format == "b") {
    const auto* bits = static_cast<const std::uint8_t*>(array.buffers[1]);
    return made(
        [bits, offset](std::size_t row) {
          const std::size_t bit = row + static_cast<std::size_t>(offset);
          return static_cast<double>(bits[bit >> 3] >> (bit & 7) & 1);
        },
        valid);
  }
  return plain_numbers(
      format, [&](auto type) { return buffer<decltype(type)>(array, 1, offset); }, valid);
}

std::unique_ptr<IdColumn> id_column(char kind, std::size_t size, const void* data) {
  return plain_ids(format_of(kind, size),
                   [data](auto type) { return static_cast<const decltype(type)*>(data); }, {});
}

std::unique_ptr<NumberColumn> number_column(char kind, std::size_t size, const void* data) {
  return plain_numbers(format_of(kind, size),
                       [data](auto type) { return static_cast<const decltype(type)*>(data); }, {});
}

}  // namespace gainful
