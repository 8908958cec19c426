// Tables from Python: those that speak the Arrow interface, and columns of objects and arrays.
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "align.hpp"
#include "bindings_ids.hpp"

namespace gainful {

// The name and the format of every column.
std::vector<std::pair<std::string, std::string>> columns_of(const nb::object& capsule);

// Reads a table that speaks the Arrow interface, to its end.
template <class Receiver>
void push_table(Receiver& receiver, const nb::object& capsule, std::size_t query, std::size_t item,
                std::optional<std::size_t> number, std::optional<std::size_t> rank,
                const nb::object& labels);

// Reads columns of Python objects or of arrays, some rows at a time.
template <class Receiver>
void push_columns(Receiver& receiver, nb::object query, nb::object item, nb::object number,
                  nb::object rank, const nb::object& labels);

// Words to numbers, as text.
std::shared_ptr<Words> words_of(const nb::object& labels);

// Rows come from tables, not from elsewhere too.
template <class Receiver>
void require_tables_only(const Receiver& receiver) {
  require(!receiver.finished() && !receiver.reader.used(), "it has read text, or is finished");
  require(receiver.tables.used() || !receiver.has_rows(), "it was given rows");
}

// Leaves out columns that nothing reads; throws where one is missing that something does.
template <class Receiver, class Column>
void keep_read(const Receiver& receiver, std::optional<Column>& number,
               std::optional<Column>& rank) {
  if (!receiver.reads_numbers()) number.reset();
  const bool reads_ranks = receiver.reads_ranks(number.has_value());
  if (!reads_ranks && !receiver.notes_ranks()) rank.reset();
  if (reads_ranks ? !rank : receiver.reads_numbers() && !number)
    throw BadInput{.reason = "no-scores"};
}

// Gives up what was pushed where an error comes in between: it may show memory that then goes away.
class AbandonOnError {
 public:
  explicit AbandonOnError(Tables& tables) : tables_(tables) {}
  AbandonOnError(const AbandonOnError&) = delete;
  AbandonOnError& operator=(const AbandonOnError&) = delete;
  ~AbandonOnError() {
    if (std::uncaught_exceptions() > before_) tables_.abandon();
  }

 private:
  Tables& tables_;
  const int before_ = std::uncaught_exceptions();
};

}  // namespace gainful
