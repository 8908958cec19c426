// Columns of a table in memory: ids as bytes, numbers as doubles, whatever they are stored as.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "arrow.hpp"
#include "ids.hpp"

namespace gainful {

// An id that is null: one without an address, which an empty one has.
inline bool is_null(Id id) { return id.data() == nullptr; }

// Ids in the order of the rows. Text is shown where it is; what is no text is written out.
class IdColumn {
 public:
  virtual ~IdColumn() = default;
  // The end of the rows, from begin on and before end, that have the same id.
  virtual std::size_t stretch(std::size_t begin, std::size_t end) const = 0;
  // The ids of the rows from begin to before end. What is written out lives as long as the scratch.
  virtual void read(std::size_t begin, std::size_t end, Id* out, Arena& scratch) const = 0;
};

// Numbers in the order of the rows.
class NumberColumn {
 public:
  virtual ~NumberColumn() = default;
  // The numbers of the rows from begin to before end; NaN for what is none.
  virtual void read(std::size_t begin, std::size_t end, double* out) const = 0;
  // What an error shows of a row.
  virtual std::string shown(std::size_t row) const = 0;
};

// What words mean as numbers.
using Words = std::unordered_map<std::string, double>;

// The number that a text holds, or that it means as a word; NaN where there is none.
double number_in(Id text, const Words* words);

// Numbers that somebody else has read already.
class ListedNumbers : public NumberColumn {
 public:
  // The row is the first whose number is NaN, if there is one, and the text what it holds instead.
  ListedNumbers(std::vector<double> numbers, std::size_t row, std::string text)
      : numbers_(std::move(numbers)), row_(row), text_(std::move(text)) {}
  void read(std::size_t begin, std::size_t end, double* out) const override;
  std::string shown(std::size_t row) const override;

 private:
  std::vector<double> numbers_;
  std::size_t row_;
  std::string text_;
};

// Ids whose bytes somebody else has found already.
class ListedIds : public IdColumn {
 public:
  explicit ListedIds(std::vector<Id> ids) : ids_(std::move(ids)) {}
  std::size_t stretch(std::size_t begin, std::size_t end) const override;
  void read(std::size_t begin, std::size_t end, Id* out, Arena& scratch) const override;

 private:
  std::vector<Id> ids_;
};

// A column of an Arrow array, whose memory must outlive it; its rows begin at the offset of the
// array that has it. Null where there is no way to read such a type.
std::unique_ptr<IdColumn> id_column(const ArrowSchema& schema, const ArrowArray& array,
                                    std::int64_t offset);
// Words, which may be null, must outlive it.
std::unique_ptr<NumberColumn> number_column(const ArrowSchema& schema, const ArrowArray& array,
                                            std::int64_t offset, const Words* words);

// The same for numbers in plain memory; kind is that of a NumPy dtype: i, u or f. Null where there
// are none of such a size.
std::unique_ptr<IdColumn> id_column(char kind, std::size_t size, const void* data);
std::unique_ptr<NumberColumn> number_column(char kind, std::size_t size, const void* data);

}  // namespace gainful
