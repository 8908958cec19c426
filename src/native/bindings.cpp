// The only file that knows Python: converts, calls, returns.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "arrays.hpp"
#include "running.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace gainful {
namespace {

template <class T>
using Array = nb::ndarray<nb::numpy, const T, nb::ndim<1>>;
using Mapping = nb::typed<nb::dict, nb::object, nb::object>;
using Ids = nb::typed<nb::list, nb::object>;
template <class T>
using Input = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A property that shows a vector as a NumPy array, without a copy.
template <class Owner, class T>
auto array_of(std::vector<T> Owner::* member) {
  return [member](nb::handle self) {
    auto& values = nb::cast<Owner&>(self).*member;
    return Array<T>(values.data(), {values.size()}, self);
  };
}

// The same for a vector that a part of the owner has.
template <class Owner, class Part, class T>
auto array_of(Part Owner::* part, Hits::Column<T> Part::* member) {
  return [part, member](nb::handle self) {
    auto& values = nb::cast<Owner&>(self).*part.*member;
    return Array<T>(values.data(), {values.size()}, self);
  };
}

// The same for what a method returns.
template <class Owner, class T>
auto array_from(std::span<const T> (Owner::*method)() const) {
  return [method](nb::handle self) {
    const auto values = (nb::cast<const Owner&>(self).*method)();
    return Array<T>(values.data(), {values.size()}, self);
  };
}

nb::bytes to_bytes(Id id) { return nb::bytes(id.data(), id.size()); }

// Bytes that are no UTF-8 travel through Python as escapes, and come back as they were.
nb::str to_str(Id id) {
  const auto size = static_cast<Py_ssize_t>(id.size());
  return nb::steal<nb::str>(PyUnicode_DecodeUTF8(id.data(), size, "surrogateescape"));
}

// A value that cannot be converted is our error to word; an interrupt is not.
void clear_expected_error() {
  if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
  PyErr_Clear();
}

// Text as an error shows it, at a length that a sentence can hold.
std::string shown_text(nb::handle text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    clear_expected_error();
    return "?";
  }
  return std::string(PyBytes_AsString(bytes.ptr())).substr(0, 200);
}

// What an error shows of a value: its repr, or its type where that fails.
std::string shown(nb::handle object) {
  nb::object text = nb::steal(PyObject_Repr(object.ptr()));
  if (!text.is_valid()) {
    clear_expected_error();
    text = nb::steal(PyObject_Str(object.type().ptr()));
  }
  if (text.is_valid()) return shown_text(text);
  clear_expected_error();
  return "?";
}

// Whether it is a uuid.UUID; who has one has imported the module.
bool is_uuid(nb::handle object) {
  const nb::object module = nb::steal(PyImport_GetModule(nb::str("uuid").ptr()));
  const nb::object type =
      module.is_valid() ? nb::steal(PyObject_GetAttrString(module.ptr(), "UUID")) : nb::object();
  const int is = type.is_valid() ? PyObject_IsInstance(object.ptr(), type.ptr()) : 0;
  clear_expected_error();
  return is == 1;
}

// The bytes of an id: text as UTF-8, whole numbers and UUIDs as they print, bytes as they are.
class IdBytes {
 public:
  // The query, if it is known, is for the error.
  explicit IdBytes(nb::handle object, Id query = {}) : owner_(nb::borrow(object)) {
    if (PyUnicode_Check(object.ptr())) {
      Py_ssize_t size = 0;
      if (const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size)) {
        id_ = {data, static_cast<std::size_t>(size)};
        return;
      }
      clear_expected_error();
      owner_ = nb::steal(PyUnicode_AsEncodedString(object.ptr(), "utf-8", "surrogateescape"));
    } else if (PyIndex_Check(object.ptr()) && !PyBool_Check(object.ptr())) {
      owner_ = nb::steal(PyNumber_Index(object.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyObject_Str(owner_.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyUnicode_AsUTF8String(owner_.ptr()));
    } else if (!PyBytes_Check(object.ptr()) && is_uuid(object)) {
      owner_ = nb::steal(PyObject_Str(object.ptr()));
      if (owner_.is_valid()) owner_ = nb::steal(PyUnicode_AsUTF8String(owner_.ptr()));
    }
    if (!owner_.is_valid() || !PyBytes_Check(owner_.ptr())) {
      clear_expected_error();
      throw BadInput{.reason = "id", .text = shown(object), .query = std::string(query)};
    }
    id_ = {PyBytes_AsString(owner_.ptr()), static_cast<std::size_t>(PyBytes_Size(owner_.ptr()))};
  }
  Id id() const { return id_; }

 private:
  nb::object owner_;
  Id id_;
};

double to_double(nb::handle object, const char* reason, Id query, Id item) {
  const double value = PyFloat_AsDouble(object.ptr());
  if (value == -1.0 && PyErr_Occurred()) {
    clear_expected_error();
    throw BadInput{.reason = reason,
                   .text = shown(object),
                   .query = std::string(query),
                   .item = std::string(item)};
  }
  return value;
}

// What an exception that says what is wrong is given; see BadInput below.
nb::tuple arguments_of(const BadInput& bad) {
  return nb::make_tuple(bad.reason, bad.line, bad.column, to_bytes(bad.text), to_bytes(bad.query),
                        to_bytes(bad.item), bad.first, bad.second);
}

// States what Python has made sure of; without it the memory would not be safe.
void require(bool condition, const char* what) {
  if (!condition) throw std::logic_error(what);
}

// Calls add(); what is wrong with the entry is skipped and counted where the reader says so.
template <class Add>
void refusing(Reader& reader, std::uint64_t entry, Add&& add) {
  if (!reader.options().lenient) return add();
  try {
    add();
  } catch (BadInput& bad) {
    bad.line = entry;
    reader.refuse(bad);
  }
}

// Calls on_query(query, count) and on_entry(query, item, number, count) over
// {query: {item: number}}; the entries are counted from 1.
template <class OnQuery, class OnEntry>
void for_each(Reader& reader, const nb::dict& mapping, const char* reason, OnQuery&& on_query,
              OnEntry&& on_entry) {
  std::uint64_t count = 0;
  for (auto [query_key, entries] : mapping) {
    refusing(reader, count + 1, [&] {
      const IdBytes query(query_key);
      if (!PyDict_Check(entries.ptr()))
        throw BadInput{
            .reason = "entries", .text = shown(entries), .query = std::string(query.id())};
      on_query(query.id(), count + 1);
      for (auto [item_key, number] : nb::borrow<nb::dict>(entries)) {
        ++count;
        const nb::object owned = nb::borrow(number);  // converting it may run code that drops it
        refusing(reader, count, [&] {
          const IdBytes item(item_key, query.id());
          on_entry(query.id(), item.id(), to_double(owned, reason, query.id(), item.id()), count);
        });
      }
    });
  }
}

// Calls use(bytes) on the memory of any bytes-like object, other threads running.
template <class Use>
void with_bytes(nb::handle object, Use&& use) {
  Py_buffer view;
  if (PyObject_GetBuffer(object.ptr(), &view, PyBUF_SIMPLE) != 0) throw nb::python_error();
  struct Release {
    Py_buffer* view;
    ~Release() { PyBuffer_Release(view); }
  } release_at_end{&view};
  nb::gil_scoped_release unlocked;
  use(std::string_view(static_cast<const char*>(view.buf), static_cast<std::size_t>(view.len)));
}

// Looks now and then whether the user wants to stop, and tells how far the work is.
std::function<void(std::uint64_t)> ticking(const nb::object& tick) {
  return [&tick](std::uint64_t position) {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (!tick.is_none()) tick(position);
  };
}

Idle heeding_signals() {
  return [] {
    const nb::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  };
}

// Reads a part of a file, from begin to before end.
void read_file(Reader& reader, int file, std::uint64_t begin, std::uint64_t end,
               const nb::object& tick) {
  require(begin <= end, "a file is read forwards");
  const auto idle = ticking(tick);
  const nb::gil_scoped_release unlocked;
  reader.read_file(file, begin, end, idle);
}

// Reads a piece of text; an empty one ends it.
void feed(Reader& reader, nb::handle piece) {
  with_bytes(piece, [&](std::string_view bytes) {
    if (bytes.empty()) {
      reader.end(heeding_signals());
    } else {
      reader.push(bytes);
    }
  });
}

// Rows come from text or from Python, not from both.
template <class Receiver>
void require_rows_only(const Receiver& receiver) {
  require(!receiver.finished(), "it is finished");
  require(!receiver.reader.used() && !receiver.tables.used(), "it has read text or tables");
}
template <class Receiver>
void require_tables_only(const Receiver& receiver) {
  require(!receiver.finished() && !receiver.reader.used(), "it has read text, or is finished");
  require(receiver.tables.used() || !receiver.has_rows(), "it was given rows");
}
template <class Receiver>
void require_text_only(const Receiver& receiver) {
  require(!receiver.finished(), "it is finished");
  require(receiver.reader.used() || !receiver.has_rows(), "it was given rows");
}

void add_judgments(Index& index, const Mapping& mapping) {
  require_rows_only(index);
  for_each(
      index.reader, mapping, "label",
      [&](Id query, std::uint64_t count) { index.add_query(query, count); },
      [&](Id query, Id item, double label, std::uint64_t count) {
        if (!(label - label == 0))
          throw BadInput{.reason = "label",
                         .text = label != label ? "nan"
                                 : label > 0    ? "inf"
                                                : "-inf",
                         .query = std::string(query),
                         .item = std::string(item)};
        index.add(query, item, label, count);
      });
}

void add_run(Aligner& aligner, const Mapping& mapping) {
  require_rows_only(aligner);
  for_each(
      aligner.reader, mapping, "score",
      [&](Id query, std::uint64_t count) { aligner.add_query(query, count); },
      [&](Id query, Id item, double score, std::uint64_t count) {
        if (score != score && aligner.options().order == Order::score)
          throw BadInput{
              .reason = "nan-score", .query = std::string(query), .item = std::string(item)};
        aligner.add(query, item, score, 0, count);
      });
}

// The items of one query, best first: whatever orders the run, they keep the order of the list.
void add_list(Aligner& aligner, nb::handle query_key, nb::handle items) {
  require_rows_only(aligner);
  const std::uint64_t before = aligner.n_rows();
  refusing(aligner.reader, before + 1, [&] {
    const IdBytes query(query_key);
    if (!PyList_Check(items.ptr()) && !PyTuple_Check(items.ptr()))
      throw BadInput{.reason = "list", .text = shown(items), .query = std::string(query.id())};
    aligner.add_query(query.id(), before + 1);
    std::int64_t rank = 0;
    for (nb::handle key : items) {
      ++rank;
      const std::uint64_t entry = before + static_cast<std::uint64_t>(rank);
      refusing(aligner.reader, entry, [&] {
        const IdBytes item(key, query.id());
        aligner.add(query.id(), item.id(), -static_cast<double>(rank), rank, entry);
      });
    }
  });
}

// Items of one query that are relevant, each with the label 1.
void add_relevant(Index& index, nb::handle query_key, nb::handle items) {
  require_rows_only(index);
  const IdBytes query(query_key);
  index.add_query(query.id(), index.n_rows() + 1);
  for (nb::handle key : items) {
    const IdBytes item(key, query.id());
    index.add(query.id(), item.id(), 1.0, index.n_rows() + 1);
  }
}

// The numbers of the columns of a table that hold what is wanted.
struct Roles {
  std::size_t query;
  std::size_t item;
  std::optional<std::size_t> number;
  std::optional<std::size_t> rank;
};

ArrowArrayStream& stream_in(const nb::object& capsule) {
  void* pointer = PyCapsule_GetPointer(capsule.ptr(), "arrow_array_stream");
  if (pointer == nullptr) throw nb::python_error();
  auto& stream = *static_cast<ArrowArrayStream*>(pointer);
  if (stream.release == nullptr)
    throw BadInput{.reason = "table", .text = "its rows were read before, and are gone"};
  return stream;
}

// What went wrong in the library that makes the table.
void check_stream(ArrowArrayStream& stream, int code) {
  if (code == 0) return;
  const char* text = stream.get_last_error(&stream);
  throw BadInput{.reason = "table", .text = text == nullptr ? "it cannot be read" : text};
}

std::string name_of(const ArrowSchema& column) { return column.name ? column.name : ""; }

// The name and the format of every column.
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

// Words to numbers, as text.
std::shared_ptr<Words> words_of(const nb::object& labels) {
  if (labels.is_none()) return nullptr;
  auto words = std::make_shared<Words>();
  for (auto [word, number] : nb::cast<nb::dict>(labels))
    words->emplace(std::string(IdBytes(word).id()), nb::cast<double>(number));
  return words;
}

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
  if (roles.rank) check(batch->rank != nullptr, *roles.rank, "number-type");
  batch->memory = memory;
  return batch;
}

// Leaves out columns that nothing reads; throws where one is missing that something does.
template <class Receiver, class Column>
void keep_read(const Receiver& receiver, std::optional<Column>& number,
               std::optional<Column>& rank) {
  if (!receiver.reads_numbers()) number.reset();
  const bool reads_ranks = receiver.reads_ranks(number.has_value());
  if (!reads_ranks) rank.reset();
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

// Reads a table that speaks the Arrow interface, to its end.
template <class Receiver>
void push_table(Receiver& receiver, const nb::object& capsule, std::size_t query, std::size_t item,
                std::optional<std::size_t> number, std::optional<std::size_t> rank,
                const nb::object& labels) {
  require_tables_only(receiver);
  keep_read(receiver, number, rank);
  const Roles roles{query, item, number, rank};
  const auto words = words_of(labels);
  const Idle idle = heeding_signals();
  // Moved out of the capsule, which is then empty: rows are not read twice.
  Released<ArrowArrayStream> stream(stream_in(capsule));
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

// A column of Python objects: a list, or a NumPy array of objects.
class Objects {
 public:
  explicit Objects(nb::object column) : column_(std::move(column)) {
    if (PyList_Check(column_.ptr())) {
      size_ = static_cast<std::size_t>(PyList_Size(column_.ptr()));
    } else {
      if (PyObject_GetBuffer(column_.ptr(), &view_, PyBUF_STRIDED_RO | PyBUF_FORMAT) != 0)
        throw nb::python_error();
      viewed_ = true;
      if (view_.ndim != 1 || !view_.format || std::string_view(view_.format) != "O") {
        PyBuffer_Release(&view_);
        throw std::logic_error("a column of objects");
      }
      size_ = static_cast<std::size_t>(view_.shape[0]);
    }
  }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;
  ~Objects() {
    if (viewed_) PyBuffer_Release(&view_);
  }
  std::size_t size() const { return size_; }

  // The object of a row, which another owns.
  PyObject* operator[](std::size_t row) const {
    if (!viewed_) {
      // Converting an object may run code that shortens the list.
      require(row < static_cast<std::size_t>(PyList_Size(column_.ptr())),
              "columns keep their size");
      return PyList_GetItem(column_.ptr(), static_cast<Py_ssize_t>(row));
    }
    const char* place =
        static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(row) * view_.strides[0];
    PyObject* object = load<PyObject*>(place);
    return object == nullptr ? Py_None : object;  // an array that was never filled
  }

 private:
  nb::object column_;
  Py_buffer view_{};
  bool viewed_ = false;
  std::size_t size_ = 0;
};

// The ids of some rows, written out: what Python holds may change as soon as other threads run.
// Ends before the first that is none, and reports it.
std::unique_ptr<IdColumn> written_ids(const Objects& objects, std::size_t begin, std::size_t end,
                                      Arena& kept, std::optional<BadInput>& bad) {
  std::vector<Id> out;
  out.reserve(end - begin);
  const PyObject* last = nullptr;  // the text of the row before
  for (std::size_t row = begin; row < end; ++row) {
    PyObject* object = objects[row];
    if (object == last) {
      out.push_back(out.back());
      continue;
    }
    Py_ssize_t size = 0;
    if (const char* text =
            PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : nullptr) {
      last = object;
      out.push_back(kept.keep({text, static_cast<std::size_t>(size)}));
      continue;
    }
    clear_expected_error();
    last = nullptr;  // other objects may run code of their own, after which the text may be gone
    try {
      out.push_back(kept.keep(IdBytes(object).id()));
    } catch (BadInput& found) {
      found.line = row + 1;
      bad = std::move(found);
      break;
    }
  }
  return std::make_unique<ListedIds>(std::move(out));
}

// The number that an object is, or holds as text; NaN where there is none.
double number_of(nb::handle object, const Words* words) {
  const bool is_text = PyUnicode_Check(object.ptr());
  if (object.is_none() || PyBytes_Check(object.ptr())) return NAN;
  if (is_text || (words != nullptr && PyLong_Check(object.ptr()))) try {
      return number_in(IdBytes(object).id(), words);
    } catch (const BadInput&) {
      if (is_text) return NAN;
    }
  const double value = PyFloat_AsDouble(object.ptr());
  if (value != -1.0 || !PyErr_Occurred()) return value;
  clear_expected_error();
  return NAN;
}

std::unique_ptr<NumberColumn> written_numbers(const Objects& objects, std::size_t begin,
                                              std::size_t end, const Words* words) {
  std::vector<double> out;
  out.reserve(end - begin);
  std::size_t bad_row = end - begin;
  std::string bad;
  for (std::size_t row = begin; row < end; ++row) {
    const nb::object object = nb::borrow(objects[row]);  // converting it may drop it
    out.push_back(number_of(object, words));
    if (out.back() == out.back() || bad_row < end - begin) continue;
    bad_row = row - begin;
    bad = object.is_none()                ? "null"
          : PyFloat_Check(object.ptr())   ? "nan"
          : PyUnicode_Check(object.ptr()) ? shown_text(object)
                                          : shown(object);
  }
  return std::make_unique<ListedNumbers>(std::move(out), bad_row, std::move(bad));
}

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

char kind_of(const AnyArray& array) {
  const auto code = static_cast<nb::dlpack::dtype_code>(array.dtype().code);
  return code == nb::dlpack::dtype_code::Int     ? 'i'
         : code == nb::dlpack::dtype_code::UInt  ? 'u'
         : code == nb::dlpack::dtype_code::Float ? 'f'
                                                 : ' ';
}

// A column that Python holds: numbers in an array, which are shown, or objects.
class PythonColumn {
 public:
  explicit PythonColumn(nb::object column) {
    AnyArray array;
    if (!PyList_Check(column.ptr()) && nb::try_cast(column, array)) {
      array_ = array;
    } else {
      objects_.emplace(std::move(column));
    }
  }
  std::size_t size() const { return array_ ? array_->size() : objects_->size(); }
  std::unique_ptr<IdColumn> ids(std::size_t begin, std::size_t end, Arena& kept,
                                std::optional<BadInput>& bad) const {
    if (objects_) return written_ids(*objects_, begin, end, kept, bad);
    return readable(id_column(kind_of(*array_), array_->itemsize(), from(begin)));
  }
  std::unique_ptr<NumberColumn> numbers(std::size_t begin, std::size_t end,
                                        const Words* words) const {
    if (objects_) return written_numbers(*objects_, begin, end, words);
    return readable(number_column(kind_of(*array_), array_->itemsize(), from(begin)));
  }

 private:
  const void* from(std::size_t begin) const {
    return static_cast<const char*>(array_->data()) + begin * array_->itemsize();
  }
  template <class Column>
  static Column readable(Column column) {
    require(column != nullptr, "numbers are of 8 to 64 bits, ids whole");
    return column;
  }

  std::optional<AnyArray> array_;
  std::optional<Objects> objects_;
};

std::optional<PythonColumn> column_of(nb::object column) {
  if (column.is_none()) return std::nullopt;
  return std::optional<PythonColumn>(std::in_place, std::move(column));
}

// Reads columns of Python objects or of arrays, some rows at a time.
template <class Receiver>
void push_columns(Receiver& receiver, nb::object query, nb::object item, nb::object number,
                  nb::object rank, const nb::object& labels) {
  require_tables_only(receiver);
  const PythonColumn queries(std::move(query)), items(std::move(item));
  auto numbers = column_of(std::move(number)), ranks = column_of(std::move(rank));
  const std::size_t rows = queries.size();
  require(items.size() == rows && (!numbers || numbers->size() == rows) &&
              (!ranks || ranks->size() == rows),
          "columns have the same length");
  keep_read(receiver, numbers, ranks);
  const auto words = words_of(labels);
  constexpr std::size_t kRows = 1 << 15;
  const Idle idle = heeding_signals();
  const AbandonOnError guard(receiver.tables);
  std::optional<BadInput> bad;  // the first id that is none
  for (std::size_t begin = 0; begin < rows && !bad; begin += kRows) {
    std::size_t end = std::min(rows, begin + kRows);
    auto kept = std::make_shared<Arena>();
    auto batch = std::make_unique<Batch>();
    batch->query = queries.ids(begin, end, *kept, bad);
    if (bad) end = bad->line - 1;
    std::optional<BadInput> bad_item;
    batch->item = items.ids(begin, end, *kept, bad_item);
    if (bad_item) {
      end = bad_item->line - 1;
      Id own;
      batch->query->read(end - begin, end - begin + 1, &own, *kept);
      bad_item->query = own;
      bad = std::move(bad_item);
    }
    batch->rows = end - begin;
    if (numbers) batch->number = numbers->numbers(begin, end, words.get());
    if (ranks) batch->rank = ranks->numbers(begin, end, nullptr);
    batch->memory = std::move(kept);
    const nb::gil_scoped_release unlocked;
    receiver.tables.push(std::move(batch), idle);
  }
  // What the arrays show may be gone after this call.
  const nb::gil_scoped_release unlocked;
  receiver.tables.end(idle);
  if (bad) throw BadInput(*bad);
}

nb::typed<nb::list, nb::str> ids_of(const IdTable& table) {
  nb::typed<nb::list, nb::str> out;
  for (std::size_t n = 0; n < table.size(); ++n) out.append(to_str(table[n]));
  return out;
}

// Every judgment of one query, as (item, label).
nb::list judgments_of(const Index& index, std::size_t query) {
  if (query >= index.n_queries()) throw nb::index_error();
  nb::list out;
  for (const auto& judgment : index.judged(query).judgments)
    out.append(nb::make_tuple(to_str(judgment.item()), judgment.label));
  return out;
}

// The ranking that was kept, as (item, score, label or None, tie_first, tie_size).
nb::list ranking_of(const Aligner& aligner) {
  nb::list out;
  for (const Ranked& one : aligner.ranking()) {
    const nb::object label = one.judgment ? nb::cast(one.judgment->label) : nb::object(nb::none());
    out.append(nb::make_tuple(to_str(one.item), one.score, label, one.place.tie_first,
                              one.place.tie_size));
  }
  return out;
}

bool rises_to(const Input<std::int64_t>& offsets, std::size_t end) {
  const std::int64_t* first = offsets.data();
  const std::int64_t* last = first + offsets.size();
  return offsets.size() > 0 && *first == 0 && std::is_sorted(first, last) &&
         last[-1] == static_cast<std::int64_t>(end);
}

void define_enums(nb::module_& m) {
  nb::enum_<Duplicates>(m, "Duplicates")
      .value("error", Duplicates::error)
      .value("first", Duplicates::first)
      .value("last", Duplicates::last)
      .value("max", Duplicates::max);
  nb::enum_<Order>(m, "Order")
      .value("score", Order::score)
      .value("rank", Order::rank)
      .value("file", Order::file);
  nb::enum_<Ties>(m, "Ties")
      .value("item_desc", Ties::item_desc)
      .value("item_asc", Ties::item_asc)
      .value("input", Ties::input)
      .value("rank_column", Ties::rank_column)
      .value("average", Ties::average)
      .value("best", Ties::best)
      .value("worst", Ties::worst);
}

ReadingOptions reading_options(std::size_t threads, std::size_t chunk,
                               const std::optional<std::string>& scanner, bool lenient) {
  require(threads > 0 && chunk > 0, "at least one thread and one byte");
  ReadingOptions options{.threads = threads, .chunk = chunk, .lenient = lenient};
  for (const Scanner& one : scanners())
    if (scanner == one.name) options.scanner = &one;
  require(!scanner || options.scanner, "the scanner is one of scanners()");
  return options;
}

void define_reading(nb::module_& m) {
  nb::class_<ReadingOptions>(m, "Reading",
                             "How text is read; none of it changes the result of good text. Read "
                             "leniently, what is wrong is skipped and counted.")
      .def(
          "__init__",
          [](ReadingOptions* self, std::size_t threads, std::size_t chunk,
             const std::optional<std::string>& scanner, bool lenient) {
            new (self) ReadingOptions(reading_options(threads, chunk, scanner, lenient));
          },
          "threads"_a = 1, "chunk"_a = ReadingOptions{}.chunk, "scanner"_a = nb::none(),
          "lenient"_a = false);
  m.def("columns_of", &columns_of, "stream"_a,
        "The name and the Arrow format of every column of a table.");
  m.def(
      "scanners",
      [] {
        std::vector<std::string> names;
        for (const Scanner& one : scanners()) names.emplace_back(one.name);
        return names;
      },
      "The ways to find white space that this processor has, the fastest last.");
  nb::class_<Odd>(m, "Odd", "Lines that were read in part or not at all.")
      .def_ro("comments", &Odd::comments)
      .def_ro("blanks", &Odd::blanks)
      .def_ro("unwhole", &Odd::unwhole)
      .def_ro("long_lines", &Odd::long_lines)
      .def_ro("first_long", &Odd::first_long)
      .def_ro("returns", &Odd::returns)
      .def_prop_ro(
          "faults",
          [](const Odd& self) {
            nb::list out;
            for (const auto& [count, first] : self.faults)
              out.append(nb::make_tuple(count, arguments_of(first)));
            return out;
          },
          nb::sig("def faults(self) -> list[tuple[int, tuple[str, int, int, bytes, bytes, bytes, "
                  "float, float]]]"),
          "What was skipped, by reason: how often, and what BadInput says of the first.");
}

// What an index and an aligner have in common: they read text.
template <class Class>
void define_reader(Class& receiver) {
  using Receiver = typename Class::Type;
  receiver
      .def(
          "read",
          [](Receiver& self, int file, std::uint64_t begin, std::uint64_t end,
             const nb::object& tick) {
            require_text_only(self);
            read_file(self.reader, file, begin, end, tick);
          },
          "file"_a, "begin"_a, "end"_a, "tick"_a.none(),
          nb::sig("def read(self, file: int, begin: int, end: int, "
                  "tick: collections.abc.Callable[[int], object] | None) -> None"),
          "Read a part of an open file, calling tick(position) now and then.")
      .def(
          "feed",
          [](Receiver& self, nb::handle piece) {
            require_text_only(self);
            feed(self.reader, piece);
          },
          "piece"_a, "Read a piece of text; an empty piece ends it.")
      .def(
          "abandon",
          [](Receiver& self, bool settled) {
            const nb::gil_scoped_release unlocked;
            self.reader.abandon(settled);
          },
          "settled"_a, "Stop reading pieces, after the complete ones were read if so asked.")
      .def_prop_ro("odd", [](const Receiver& self) { return self.reader.odd(); })
      .def_prop_ro(
          "repeat",
          [](const Receiver& self) -> nb::object {
            if (!self.repeat()) return nb::none();
            return arguments_of(*self.repeat());
          },
          nb::sig("def repeat(self) -> tuple[str, int, int, bytes, bytes, bytes, float, float] | "
                  "None"),
          "What BadInput says of the first item that a query has twice; None if there is none.")
      .def("push_table", &push_table<Receiver>, "stream"_a, "query"_a, "item"_a,
           "number"_a = nb::none(), "rank"_a = nb::none(), "labels"_a = nb::none(),
           "Read a table from an Arrow stream; then end_tables(). The columns are numbered.")
      .def("push_columns", &push_columns<Receiver>, "query"_a, "item"_a, "number"_a = nb::none(),
           "rank"_a = nb::none(), "labels"_a = nb::none(),
           "Read columns of ids and numbers, all there are.")
      .def(
          "name_queries",
          [](Receiver& self, const Ids& queries) {
            require(!self.finished(), "it is finished");
            for (nb::handle query : queries) self.name_query(IdBytes(query).id());
          },
          "queries"_a, "Queries of tables, some of which may have no row.")
      .def(
          "end_tables",
          [](Receiver& self) {
            const nb::gil_scoped_release unlocked;
            self.tables.end(heeding_signals());
          },
          "No more tables come.")
      .def(
          "start_over",
          [](Receiver& self) {
            self.reader.start_over();
            self.tables.start_over();
          },
          "Forget all, and hold the rows until the end: after Ungrouped was raised.");
}

void define_index(nb::module_& m) {
  auto index = nb::class_<Index>(m, "Index", "The judgments: built once, joined with many runs.");
  index.def(
      "__init__",
      [](Index* self, const std::optional<ReadingOptions>& reading) {
        new (self) Index(reading.value_or(ReadingOptions{}));
      },
      "reading"_a = nb::none());
  define_reader(index);
  index.def("add", &add_judgments, "mapping"_a, "Add {query: {item: label}}.")
      .def("add_list", &add_relevant, "query"_a.none(), "items"_a,
           "Add the relevant items of one query; their label is 1.")
      .def(
          "finish",
          [](Index& self, Duplicates duplicates) {
            require(!self.finished() && !self.reader.busy() && !self.tables.busy(),
                    "it is to be finished once, at the end");
            const nb::gil_scoped_release unlocked;
            self.finish(duplicates, heeding_signals());
          },
          "duplicates"_a)
      .def_prop_ro("n_queries", &Index::n_queries)
      .def_prop_ro("n_duplicates", &Index::n_duplicates)
      .def_prop_ro("queries", [](const Index& self) { return ids_of(self.queries()); })
      .def_prop_ro("pool_offsets", array_from(&Index::pool_offsets))
      .def_prop_ro("pool_labels", array_from(&Index::pool_labels))
      .def("judgments", &judgments_of, "query"_a,
           nb::sig("def judgments(self, query: int) -> list[tuple[str, float]]"),
           "Every (item, label) of one query.");
}

void define_tally(nb::module_& m) {
  nb::class_<Sightings>(m, "Sightings",
                        "How often something was met, and where first: a line, or a query's number "
                        "in the index; None if it was not.")
      .def_ro("count", &Sightings::count)
      .def_prop_ro("first", [](const Sightings& self) -> std::optional<std::uint64_t> {
        if (self.count == 0) return std::nullopt;
        return self.first;
      });
  nb::class_<Tally>(m, "Tally", "What the scores of judged queries are like, if they order a run.")
      .def_ro("rows", &Tally::rows)
      .def_ro("odd_ranks", &Tally::odd_ranks)
      .def_ro("neighbours", &Tally::neighbours)
      .def_ro("contradicted", &Tally::contradicted)
      .def_ro("infinite", &Tally::infinite)
      .def_ro("telling", &Tally::telling)
      .def_ro("equal", &Tally::equal)
      .def_ro("ascending", &Tally::ascending)
      .def_ro("rises", &Tally::rises)
      .def_ro("close", &Tally::close);
}

void define_aligner(nb::module_& m) {
  nb::class_<Aligned>(m, "Aligned", "Where the judged items of each query ended up.")
      .def_prop_ro("in_run", array_of(&Aligned::in_run))
      .def_prop_ro("n_retrieved", array_of(&Aligned::n_retrieved))
      .def_prop_ro("hit_offsets", array_of(&Aligned::hit_offsets))
      .def_prop_ro("hit_rank", array_of(&Aligned::hits, &Hits::rank))
      .def_prop_ro("hit_label", array_of(&Aligned::hits, &Hits::label))
      .def_prop_ro("hit_tie_first", array_of(&Aligned::hits, &Hits::tie_first))
      .def_prop_ro("hit_tie_size", array_of(&Aligned::hits, &Hits::tie_size))
      .def_ro("n_duplicates", &Aligned::n_duplicates)
      .def_ro("tally", &Aligned::tally)
      .def_prop_ro("head_offsets", array_of(&Aligned::head_offsets))
      .def_prop_ro("head_item", array_of(&Aligned::head_item))
      .def_prop_ro("items", [](const Aligned& self) { return ids_of(self.items); });
  nb::class_<Options>(m, "Options", "How a run is ordered and cut.")
      .def(nb::init<Order, Ties, Duplicates, bool, bool, std::uint64_t>(), "order"_a, "ties"_a,
           "duplicates"_a, "condense"_a, "float32"_a, "depth"_a);
  nb::class_<Aligner::Example>(m, "Example",
                               "A row of the input; number is None if its query is not judged.")
      .def_prop_ro("query", [](const Aligner::Example& one) { return to_str(one.query); })
      .def_prop_ro("item", [](const Aligner::Example& one) { return to_str(one.item); })
      .def_prop_ro("number", [](const Aligner::Example& one) -> std::optional<std::uint32_t> {
        if (one.number == Index::kNone) return std::nullopt;
        return one.number;
      });
  auto aligner = nb::class_<Aligner>(m, "Aligner", "Joins one run with the judgments.");
  aligner.def(
      "__init__",
      [](Aligner* self, const Index& index, const Options& options,
         const std::optional<ReadingOptions>& reading, std::optional<std::uint32_t> kept,
         std::uint64_t heads, std::optional<std::uint64_t> headed) {
        require(index.finished(), "finish the index before it is used");
        new (self) Aligner(index, options, kept.value_or(Index::kNone), heads,
                           headed.value_or(~std::uint64_t{0}), reading.value_or(ReadingOptions{}));
      },
      "index"_a, "options"_a, "reading"_a = nb::none(), "kept"_a = nb::none(), "heads"_a = 0,
      "headed"_a = nb::none(), nb::keep_alive<1, 2>());
  define_reader(aligner);
  aligner.def("add", &add_run, "mapping"_a, "Add {query: {item: score}}.")
      .def("add_list", &add_list, "query"_a.none(), "items"_a.none(),
           "Add the items of one query, best first.")
      .def("finish",
           [](Aligner& self) {
             require(!self.finished() && !self.reader.busy() && !self.tables.busy(),
                     "it is to be finished once, at the end");
             const nb::gil_scoped_release unlocked;
             return self.finish(heeding_signals());
           })
      .def_prop_ro("n_rows", &Aligner::n_rows)
      .def_prop_ro("strangers",
                   [](const Aligner& self) {
                     nb::typed<nb::list, nb::str> out;
                     for (const auto& id : self.strangers()) out.append(to_str(id));
                     return out;
                   })
      .def_prop_ro("first_row", &Aligner::first_row)
      .def_prop_ro("first_judged", &Aligner::first_judged)
      .def("ranking", &ranking_of,
           nb::sig("def ranking(self) -> list[tuple[str, float, float | None, int, int]]"),
           "Every (item, score, label or None, tie_first, tie_size) of the query that was kept.");
}

void define_arrays(nb::module_& m) {
  nb::class_<Arrays>(m, "Arrays", "Rankings of items without ids, and their labels descending.")
      .def_ro("aligned", &Arrays::aligned)
      .def_prop_ro("pool_offsets", array_of(&Arrays::pool_offsets))
      .def_prop_ro("pool_label", array_of(&Arrays::pool_label));
  m.def(
      "align_arrays",
      [](Input<double> labels, std::optional<Input<double>> scores, Input<std::int64_t> offsets,
         const Options& options, std::size_t reach) {
        require(labels.size() < Index::kNone, "rows are numbered in 32 bits");
        require(!scores || scores->size() == labels.size(), "as many scores as labels");
        require(rises_to(offsets, labels.size()), "offsets rise from 0 to the number of labels");
        const nb::gil_scoped_release unlocked;
        return align_arrays({labels.data(), labels.size()}, scores ? scores->data() : nullptr,
                            {offsets.data(), offsets.size()}, options, reach);
      },
      "labels"_a, "scores"_a.none(), "offsets"_a, "options"_a, "reach"_a = 0,
      "Rank items without ids; without scores, by order=file. What stands below rank reach may be "
      "left out.");
}

void define_running(nb::module_& m) {
  nb::enum_<Step>(m, "Step", "How a value and what came before it are combined.")
      .value("add", Step::add)
      .value("multiply", Step::multiply)
      .value("maximum", Step::maximum);
  m.def(
      "running",
      [](nb::ndarray<double, nb::ndim<1>, nb::c_contig, nb::device::cpu> values,
         Input<std::int64_t> offsets, Step step) {
        require(rises_to(offsets, values.size()), "offsets rise from 0 to the number of values");
        const nb::gil_scoped_release unlocked;
        running({values.data(), values.size()}, {offsets.data(), offsets.size()}, step);
      },
      "values"_a, "offsets"_a, "step"_a,
      "Replace each value by what its query's values come to up to it.");
}

}  // namespace
}  // namespace gainful

NB_MODULE(_native, m) {
  using namespace gainful;
  static nb::object bad_input = nb::steal(PyErr_NewExceptionWithDoc(
      "gainful._native.BadInput",
      "Args: reason, line, column, text, query, item, first, second; sources put it into words.",
      PyExc_ValueError, nullptr));
  m.attr("BadInput") = bad_input;
  static nb::object ungrouped = nb::steal(PyErr_NewExceptionWithDoc(
      "gainful._native.Ungrouped",
      "The lines of some query stand apart: start_over(), and feed the text again.",
      PyExc_RuntimeError, nullptr));
  m.attr("Ungrouped") = ungrouped;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const BadInput& e) {
      const nb::tuple args = arguments_of(e);
      PyErr_SetObject(bad_input.ptr(), args.ptr());
    } catch (const Ungrouped&) {
      PyErr_SetString(ungrouped.ptr(), "lines of a query stand apart");
    } catch (const ReadError& e) {
      errno = e.number;
      PyErr_SetFromErrno(PyExc_OSError);
    }
  });
  define_enums(m);
  define_reading(m);
  define_index(m);
  define_tally(m);
  define_aligner(m);
  define_arrays(m);
  define_running(m);
}
