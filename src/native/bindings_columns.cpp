#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "bindings_tables.hpp"

namespace gainful {

namespace {

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

  // Lets the memory of an object come while others are read: it may be anywhere.
  void prefetch([[maybe_unused]] std::size_t row) const {
#if defined(__GNUC__)
    if (!viewed_ || row >= size_) return;
    const char* place =
        static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(row) * view_.strides[0];
    const char* object = reinterpret_cast<const char*>(load<PyObject*>(place));
    __builtin_prefetch(object);
    __builtin_prefetch(object + 48);  // where the text of a short one may go on
#endif
  }

  // The object of a row, owned: converting it may run code that drops it, or let other threads run.
  nb::object operator[](std::size_t row) const {
    if (!viewed_) {
      const nb::ft_object_guard alone(column_);
      // Converting an object may run code that shortens the list.
      require(row < static_cast<std::size_t>(PyList_Size(column_.ptr())),
              "columns keep their size");
      return nb::borrow(PyList_GetItem(column_.ptr(), static_cast<Py_ssize_t>(row)));
    }
    const char* place =
        static_cast<const char*>(view_.buf) + static_cast<Py_ssize_t>(row) * view_.strides[0];
    PyObject* object = load<PyObject*>(place);
    return nb::borrow(object == nullptr ? Py_None : object);  // an array that was never filled
  }

 private:
  nb::object column_;
  Py_buffer view_{};
  bool viewed_ = false;
  std::size_t size_ = 0;
};

// The ids of some rows, written out: what Python holds may change as soon as other threads run.
// What is none is null, and reported.
std::unique_ptr<IdColumn> written_ids(const Objects& objects, std::size_t begin, std::size_t end,
                                      Arena& kept, std::map<std::size_t, BadInput>& no_ids) {
  std::vector<Id> out;
  out.reserve(end - begin);
  nb::object last;  // the text of the row before
  for (std::size_t row = begin; row < end; ++row) {
    objects.prefetch(row + 24);
    nb::object object = objects[row];
    if (object.is(last)) {
      out.push_back(out.back());
      continue;
    }
    Py_ssize_t size = 0;
    if (const char* text = PyUnicode_Check(object.ptr())
                               ? PyUnicode_AsUTF8AndSize(object.ptr(), &size)
                               : nullptr) {
      out.push_back(kept.keep({text, static_cast<std::size_t>(size)}));
      last = std::move(object);
      continue;
    }
    clear_expected_error();
    last.reset();  // the row before is this one now
    try {
      out.push_back(kept.keep(IdBytes(object).id()));
    } catch (const BadInput& found) {
      no_ids.emplace(row - begin, found);  // of the query, if neither is one
      out.emplace_back();
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
    const nb::object object = objects[row];
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
                                std::map<std::size_t, BadInput>& no_ids) const {
    if (objects_) return written_ids(*objects_, begin, end, kept, no_ids);
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

}  // namespace

template <class Receiver>
void push_columns(Receiver& receiver, nb::object query, nb::object item, nb::object number,
                  nb::object rank, const nb::object& labels) {
  const ExclusiveUse use(receiver.exclusive);
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
  for (std::size_t begin = 0; begin < rows; begin += kRows) {
    const std::size_t end = std::min(rows, begin + kRows);
    auto kept = std::make_shared<Arena>();
    auto batch = std::make_unique<Batch>();
    batch->rows = end - begin;
    batch->query = queries.ids(begin, end, *kept, batch->no_ids);
    batch->item = items.ids(begin, end, *kept, batch->no_ids);
    if (numbers) batch->number = numbers->numbers(begin, end, words.get());
    if (ranks) batch->rank = ranks->numbers(begin, end, nullptr);
    batch->memory = std::move(kept);
    const nb::gil_scoped_release unlocked;
    receiver.tables.push(std::move(batch), idle);
  }
  // What the arrays show may be gone after this call.
  const nb::gil_scoped_release unlocked;
  receiver.tables.end(idle);
}

template void push_columns<Index>(Index&, nb::object, nb::object, nb::object, nb::object,
                                  const nb::object&);
template void push_columns<Aligner>(Aligner&, nb::object, nb::object, nb::object, nb::object,
                                    const nb::object&);

}  // namespace gainful
