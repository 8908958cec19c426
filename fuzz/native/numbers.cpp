// Text to numbers: every way to read one, against the C library.
#include "numbers.hpp"

#include <bit>
#include <vector>

#include "input.hpp"
#include "plain.hpp"

namespace {

std::string shown(std::optional<double> number) {
  if (!number) return "none";
  if (std::isnan(*number)) return "nan";
  return std::to_string(std::bit_cast<std::uint64_t>(*number)) + " (" + std::to_string(*number) +
         ")";
}

std::string shown(std::optional<std::int64_t> number) {
  return number ? std::to_string(*number) : "none";
}

template <class T, class Read>
std::string by(Read&& read, std::string_view text) {
  T value{};
  return shown(read(text, value) ? std::optional<T>(value) : std::nullopt);
}

// A field as a chunk holds it: white space after it, and eight bytes that may be read around it.
std::vector<char> padded(std::string_view text, char after) {
  std::vector<char> out(8, '7');
  out.insert(out.end(), text.begin(), text.end());
  out.push_back(after);
  out.insert(out.end(), 8, '7');
  return out;
}

void check(std::string_view text) {
  const std::vector<char> room = padded(text, '\n');
  const std::string_view field(room.data() + 8, text.size());
  const std::string number = shown(fuzz::plain::number(text));
  fuzz::require_same("read_number", by<double>(gainful::read_number, text), number);
  fuzz::require_same("read_number_fast", by<double>(gainful::read_number_fast, field), number);
  const std::string integer = shown(fuzz::plain::integer(text));
  fuzz::require_same("read_integer", by<std::int64_t>(gainful::read_integer, text), integer);
  fuzz::require_same("read_integer_fast", by<std::int64_t>(gainful::read_integer_fast, field),
                     integer);
}

// What is said to rise does; what does may go unnoticed.
void check_rising(const std::vector<std::string_view>& texts) {
  gainful::Rising rising;
  std::optional<std::int64_t> last;
  bool rises = true;
  for (const std::string_view text : texts) {
    const std::vector<char> room = padded(text, ' ');
    rising.see(room.data() + 8);
    const auto value = fuzz::plain::integer(text);
    rises = rises && value && (!last || *last < *value);
    last = value;
  }
  if (rising.rises() && !rises) fuzz::fail("Rising", "rises", "does not");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto texts = fuzz::plain::fields(input.all());  // a field is never empty
  for (const std::string_view text : texts) check(text);
  check_rising(texts);
  return 0;
}
