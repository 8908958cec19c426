// Qrels as text: on any number of threads, in chunks and pieces of any size, by any scanner, the
// index is that of its lines added one by one; what is wrong with them is told alike.
#include "answers.hpp"
#include "rows.hpp"

using namespace gainful;

namespace {

std::string by_rows(std::string_view text, Duplicates duplicates, bool lenient) {
  Index index({});
  Odd odd;
  try {
    const auto read = fuzz::plain::qrels(text, lenient);
    odd = read.odd;
    fuzz::plain::add(index, read.rows);
    index.finish(duplicates, {});
  } catch (const BadInput& bad) {
    return fuzz::described(bad);
  }
  fuzz::Answer out;
  fuzz::describe(out, odd);
  std::string text_of = fuzz::described(index);
  return text_of.substr(0, text_of.rfind("\nodd")) + out.text();
}

std::string by_text(std::string_view text, Duplicates duplicates, const fuzz::Way& way) {
  Index index(way.reading);
  try {
    fuzz::read(index, text, way);
    index.finish(duplicates, {});
  } catch (const BadInput& bad) {
    return fuzz::described(bad);
  }
  return fuzz::described(index);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const auto duplicates = static_cast<Duplicates>(input.below(6));
  const bool lenient = input.flag();
  const fuzz::Way file = fuzz::Way::drawn(input, lenient, true);
  const fuzz::Way pieces = fuzz::Way::drawn(input, lenient, false);
  const std::string_view text = input.all();
  const std::string rows = by_rows(text, duplicates, lenient);
  fuzz::require_same("text", by_text(text, duplicates, fuzz::Way::plain(lenient)), rows);
  fuzz::require_same("a file", by_text(text, duplicates, file), rows);
  fuzz::require_same("pieces", by_text(text, duplicates, pieces), rows);
  return 0;
}
