#include "bindings_tables.hpp"

#include "arrow.hpp"

namespace gainful {

namespace {

// The numbers of the columns of a table that hold what is wanted.
struct Roles {
  std::size_t query;
  std::size_t item;
  std::optional<std::size_t> number;
  std::optional<std::size_t> rank;
  bool needs_rank;  // or it is only looked at
};

ArrowArrayStream& stream_in(const nb::object& capsule) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (pointer == nullptr) throw nb::python_error();
  auto& stream = *static_cast<ArrowArrayStream*>(pointer);
  if (stream.release == nullptr)
    throw BadInput{.reason = "table", .text = "its rows were read before, and are gone"};
  return stream;
}

// Moved out of the capsule, which is then empty: rows are not read twice.
Released<ArrowArrayStream> taken_from(const nb::object& capsule) {
  const nb::ft_object_guard alone(capsule);
  return Released<ArrowArrayStream>(stream_in(capsule));
}

// What went wrong in the library that makes the table.
void check_stream(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* text = stream.get_last_error(&stream);
  throw BadInput{.reason = "table", .text = text == nullptr ? "it cannot be read" : text};
}

std::string name_of(const ArrowSchema& column) { return column.name ? column.name : ""; }

// A batch of an Arrow stream, whose columns show the memory of the array.
std::unique_ptr<Batch> batch_of(const ArrowSchema& schema, Released<ArrowArray> array,
                                const Roles& roles, const std::shared_ptr<Words>& words) {
  struct Memory {
    Released<ArrowArray> array;
    std::shared_ptr<Words> words;
  };
  const std::shared_ptr<Memory> memory(new Memory{std::move(array), words});
  const ArrowArray& table = memory->array;
  const auto ids = [&](std::size_t column) {
    return id_column(*schema.children[column], *table.children[column], table.offset);
  };
  const auto numbers = [&](std::optional<std::size_t> column) -> std::unique_ptr<NumberColumn> {
    if (!column) return nullptr;
    return number_column(*schema.children[*column], *table.children[*column], table.offset,
                         words.get());
  };
  auto batch = std::make_unique<Batch>();
  batch->rows = static_cast<std::size_t>(table.length);
  batch->query = ids(roles.query);
  batch->item = ids(roles.item);
  batch->number = numbers(roles.number);
  batch->rank = numbers(roles.rank);
  const auto check = [&](bool readable, std::size_t column, const char* reason) {
    if (readable) return;
    const ArrowSchema& child = *schema.children[column];
    const ArrowSchema& values = child.dictionary == nullptr ? child : *child.dictionary;
    throw BadInput{.reason = reason, .text = values.format, .query = name_of(child)};
  };
  check(batch->query != nullptr, roles.query, "id-type");
  check(batch->item != nullptr, roles.item, "id-type");
  if (roles.number) check(batch->number != nullptr, *roles.number, "number-type");
  if (roles.rank && roles.needs_rank) check(batch->rank != nullptr, *roles.rank, "number-type");
  batch->memory = memory;
  return batch;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> columns_of(const nb::object& capsule) {
  ArrowArrayStream& stream = stream_in(capsule);
  Released<ArrowSchema> schema;
  check_stream(stream, stream.get_schema(&stream, &schema));
  if (std::string_view(schema.format) != "+s")
    throw BadInput{.reason = "table", .text = "it is a single column, not a table"};
  std::vector<std::pair<std::string, std::string>> out;
  for (std::int64_t i = 0; i < schema.n_children; ++i) {
    const ArrowSchema& child = *schema.children[i];
    const ArrowSchema* values = child.dictionary ? child.dictionary : &child;
    out.emplace_back(name_of(child), values->format);
  }
  return out;
}

std::shared_ptr<Words> words_of(const nb::object& labels) {
  if (labels.is_none()) return nullptr;
  auto words = std::make_shared<Words>();
  for (auto [word, number] : nb::cast<nb::dict>(labels))
    words->emplace(std::string(IdBytes(word).id()), nb::cast<double>(number));
  return words;
}

template <class Receiver>
void push_table(Receiver& receiver, const nb::object& capsule, std::size_t query, std::size_t item,
                std::optional<std::size_t> number, std::optional<std::size_t> rank,
                const nb::object& labels) {
  const ExclusiveUse use(receiver.exclusive);
  require_tables_only(receiver);
  keep_read(receiver, number, rank);
  const Roles roles{query, item, number, rank, receiver.reads_ranks(number.has_value())};
  const auto words = words_of(labels);
  const Idle idle = heeding_signals();
  Released<ArrowArrayStream> stream = taken_from(capsule);
  const AbandonOnError guard(receiver.tables);
  const nb::gil_scoped_release unlocked;
  Released<ArrowSchema> schema;
  check_stream(stream, stream.get_schema(&stream, &schema));
  for (const auto column : {std::optional(query), std::optional(item), number, rank})
    require(!column || *column < static_cast<std::size_t>(schema.n_children), "there is a column");
  while (true) {
    Released<ArrowArray> array;
    const int code = stream.get_next(&stream, &array);
    if (code != 0) receiver.tables.end(idle);  // a row that is bad comes first
    check_stream(stream, code);
    if (array.release == nullptr) return;
    if (array.length == 0) continue;  // of whatever type: none of it is read
    receiver.tables.push(batch_of(schema, std::move(array), roles, words), idle);
  }
}

template void push_table<Index>(Index&, const nb::object&, std::size_t, std::size_t,
                                std::optional<std::size_t>, std::optional<std::size_t>,
                                const nb::object&);
template void push_table<Aligner>(Aligner&, const nb::object&, std::size_t, std::size_t,
                                  std::optional<std::size_t>, std::optional<std::size_t>,
                                  const nb::object&);

}  // namespace gainful
