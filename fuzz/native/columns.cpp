// Columns of Arrow tables: every type there is, with offsets, nulls and dictionaries; each row
// reads as what was put there, whole or in parts, and rows that are alike are found to be.
#include "columns.hpp"

#include "arrow_arrays.hpp"

using namespace gainful;

namespace {

std::string shown(Id id) { return is_null(id) ? "null" : "'" + std::string(id) + "'"; }
std::string shown(const fuzz::Text& text) { return text ? "'" + *text + "'" : "null"; }
std::string shown(double number) {
  if (std::isnan(number)) return "nan";
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

void check_ids(const IdColumn& column, const std::vector<fuzz::Text>& expected,
               const char* format) {
  Arena scratch;
  const std::size_t rows = expected.size();
  for (std::size_t begin = 0; begin < rows; ++begin) {
    std::vector<Id> found(rows - begin);
    column.read(begin, rows, found.data(), scratch);
    for (std::size_t row = begin; row < rows; ++row)
      fuzz::require_same(format, shown(found[row - begin]), shown(expected[row]));
    std::size_t same = begin + 1;
    while (same < rows && expected[same] == expected[begin]) ++same;
    if (column.stretch(begin, rows) != same) fuzz::fail("stretch", format, shown(expected[begin]));
  }
}

void check_numbers(const NumberColumn& column, const std::vector<fuzz::Number>& expected,
                   const char* format) {
  const std::size_t rows = expected.size();
  for (std::size_t begin = 0; begin < rows; ++begin) {
    std::vector<double> found(rows - begin);
    column.read(begin, rows, found.data());
    for (std::size_t row = begin; row < rows; ++row)
      fuzz::require_same(format, shown(found[row - begin]), shown(expected[row].value_or(NAN)));
    if (const std::string text = column.shown(begin); !expected[begin] && text != "null")
      fuzz::fail("what is shown of null", format, text);
  }
}

// Ids whose bytes are listed, as those of Python objects are.
void check_listed(const std::vector<fuzz::Text>& texts) {
  std::vector<Id> ids;
  Arena kept;
  for (const fuzz::Text& text : texts) ids.push_back(text ? kept.keep(*text) : Id{});
  check_ids(ListedIds(ids), texts, "listed");
}

// Numbers may be ids and words: whatever they are, they are read or refused.
void check_either_way(const fuzz::Column& column, std::size_t rows, std::int64_t skipped) {
  const Words words{{"1", 10}, {"", 0}, {"high", 2}};
  std::vector<double> numbers(rows);
  for (const Words* known : {static_cast<const Words*>(nullptr), &words})
    if (const auto found = number_column(column.schema, column.array, skipped, known)) {
      found->read(0, rows, numbers.data());
      for (std::size_t row = 0; row < rows; ++row) found->shown(row);
    }
  Arena scratch;
  std::vector<Id> ids(rows);
  if (const auto found = id_column(column.schema, column.array, skipped))
    found->read(0, rows, ids.data(), scratch);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::size_t skipped = input.below(3), rows = input.below(24);
  const auto begin = static_cast<std::int64_t>(skipped);
  const auto ids = fuzz::draw_ids(input, rows, skipped);
  const auto numbers = fuzz::draw_numbers(input, rows, skipped);
  const char* format = ids.column->format.c_str();
  const auto id = id_column(ids.column->schema, ids.column->array, begin);
  if (!id) fuzz::fail("ids", format, "has no reader");
  check_ids(*id, ids.values, format);
  check_listed(ids.values);
  format = numbers.column->format.c_str();
  const auto number = number_column(numbers.column->schema, numbers.column->array, begin, nullptr);
  if (!number) fuzz::fail("numbers", format, "has no reader");
  check_numbers(*number, numbers.values, format);
  check_either_way(*ids.column, rows, begin);
  check_either_way(*numbers.column, rows, begin);
  return 0;
}
