#include "bindings_rows.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "arrow.hpp"
#include "bindings_ids.hpp"
#include "text_rows.hpp"

namespace gainful {

using namespace nb::literals;

namespace {

// Rows and the names of their columns.
struct NamedRows {
  TextRows rows;
  std::vector<std::string> names;
};
using Shared = std::shared_ptr<const NamedRows>;

// What an Arrow object keeps alive until it is released: the rows, and its children.
template <class T>
struct Parts {
  Shared rows;
  std::vector<T> children{};
  std::vector<T*> pointers{};
  std::array<const void*, 3> buffers{};
};

template <class T>
void release(T* object) {
  auto* parts = static_cast<Parts<T>*>(object->private_data);
  for (T& child : parts->children)
    if (child.release != nullptr) child.release(&child);
  delete parts;
  object->release = nullptr;
}

// Lets an object own its parts, and show the children among them.
template <class T>
void own(T& object, std::unique_ptr<Parts<T>> parts) {
  for (T& child : parts->children) parts->pointers.push_back(&child);
  object.n_children = static_cast<std::int64_t>(parts->children.size());
  object.children = parts->pointers.empty() ? nullptr : parts->pointers.data();
  object.release = release<T>;
  object.private_data = parts.release();
}

// A stream of one batch.
struct Stream {
  Shared rows;
  bool at_end = false;
};

int get_schema(ArrowArrayStream* stream, ArrowSchema* out) {
  const Shared& rows = static_cast<Stream*>(stream->private_data)->rows;
  auto parts = std::make_unique<Parts<ArrowSchema>>(rows);
  for (const std::string& name : rows->names) {
    ArrowSchema& child = parts->children.emplace_back(ArrowSchema{});
    child.format = "U";
    child.name = name.c_str();
    own(child, std::make_unique<Parts<ArrowSchema>>(rows));
  }
  *out = {};
  out->format = "+s";
  out->name = "";
  own(*out, std::move(parts));
  return 0;
}

int get_next(ArrowArrayStream* stream, ArrowArray* out) {
  auto& state = *static_cast<Stream*>(stream->private_data);
  *out = {};
  if (std::exchange(state.at_end, true)) return 0;
  const auto length = static_cast<std::int64_t>(state.rows->rows.lines.size());
  auto parts = std::make_unique<Parts<ArrowArray>>(state.rows);
  for (const TextColumn& column : state.rows->rows.columns) {
    ArrowArray& child = parts->children.emplace_back(ArrowArray{});
    auto memory = std::make_unique<Parts<ArrowArray>>(state.rows);
    memory->buffers = {nullptr, column.offsets.data(), column.bytes.data()};
    child.length = length;
    child.n_buffers = 3;
    child.buffers = memory->buffers.data();
    own(child, std::move(memory));
  }
  out->length = length;
  out->n_buffers = 1;
  out->buffers = parts->buffers.data();
  own(*out, std::move(parts));
  return 0;
}

const char* get_last_error(ArrowArrayStream*) { return nullptr; }

void release_stream(ArrowArrayStream* stream) {
  delete static_cast<Stream*>(stream->private_data);
  stream->release = nullptr;
}

void release_capsule(PyObject* capsule) {
  auto* stream =
      static_cast<ArrowArrayStream*>(PyCapsule_GetPointer(capsule, "arrow_array_stream"));
  if (stream->release != nullptr) stream->release(stream);
  delete stream;
}

nb::object stream_of(const Shared& rows) {
  auto stream = std::make_unique<ArrowArrayStream>(
      ArrowArrayStream{get_schema, get_next, get_last_error, release_stream, new Stream{rows}});
  nb::object capsule =
      nb::steal(PyCapsule_New(stream.get(), "arrow_array_stream", release_capsule));
  if (!capsule.is_valid()) {
    stream->release(stream.get());
    throw nb::python_error();
  }
  stream.release();
  return capsule;
}

// The texts of a column; bytes that are no UTF-8 are escaped.
nb::list list_of(const TextColumn& column) {
  nb::list texts;
  for (std::size_t row = 0; row < column.size(); ++row) texts.append(to_str(column[row]));
  return texts;
}

class Rows {
 public:
  Rows(const nb::bytes& text, const nb::dict& columns, RowRules rules) {
    std::vector<std::string> names;
    for (auto [name, number] : columns) {
      names.push_back(nb::cast<std::string>(name));
      rules.columns.push_back(nb::cast<std::size_t>(number));
      require(rules.columns.back() < rules.n_fields, "there is no such field");
    }
    const std::string_view view(text.c_str(), text.size());
    const nb::gil_scoped_release unlocked;
    rows_ = std::make_shared<const NamedRows>(NamedRows{split_rows(view, rules), std::move(names)});
  }
  const Shared& shared() const { return rows_; }
  const TextRows& rows() const { return rows_->rows; }

 private:
  Shared rows_;
};

}  // namespace

void define_rows(nb::module_& m) {
  nb::enum_<Comments>(m, "Comments")
      .value("none", Comments::none)
      .value("plain", Comments::plain)
      .value("indented", Comments::indented)
      .value("isolated", Comments::isolated);
  nb::class_<Rows>(m, "Rows",
                   "The lines of a text, split into fields, up to the first that is wrong.")
      .def(
          "__init__",
          [](Rows* self, const nb::bytes& text, const nb::dict& columns, std::size_t n_fields,
             const std::string& separator, bool quotes, bool more, bool blank, Comments comments,
             const std::vector<std::size_t>& filled) {
            RowRules rules{.n_fields = n_fields,
                           .filled = filled,
                           .quotes = quotes,
                           .more = more,
                           .blank = blank,
                           .comments = comments};
            if (!separator.empty()) rules.separator = separator.front();
            for (const std::size_t column : filled)
              require(column < columns.size(), "there is no such column");
            new (self) Rows(text, columns, std::move(rules));
          },
          "text"_a, "columns"_a, "n_fields"_a, nb::kw_only(), "separator"_a = "",
          "quotes"_a = false, "more"_a = false, "skip_blank"_a = true,
          "comments"_a = Comments::none, "filled"_a = std::vector<std::size_t>{},
          nb::sig("def __init__(self, text: bytes, columns: dict[str, int], n_fields: int, *, "
                  "separator: str = '', quotes: bool = False, more: bool = False, "
                  "skip_blank: bool = True, comments: Comments = ..., "
                  "filled: collections.abc.Sequence[int] = ()) -> None"),
          "Split lines at a separator, or at white space; columns are numbers of fields by name.")
      .def_prop_ro(
          "columns",
          [](const Rows& self) {
            nb::list columns;
            for (const TextColumn& column : self.rows().columns) columns.append(list_of(column));
            return columns;
          },
          nb::sig("def columns(self) -> list[list[str]]"), "The fields, column by column.")
      .def_prop_ro(
          "lines",
          [](const nb::handle self) {
            const auto& lines = nb::cast<const Rows&>(self).rows().lines;
            return nb::ndarray<nb::numpy, const std::int64_t, nb::ndim<1>>(lines.data(),
                                                                           {lines.size()}, self);
          },
          "The line of each row, from 1.")
      .def_prop_ro(
          "odd", [](const Rows& self) -> const Odd& { return self.rows().odd; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "bad",
          [](const Rows& self) -> nb::object {
            if (!self.rows().bad) return nb::none();
            return arguments_of(*self.rows().bad);
          },
          nb::sig(
              "def bad(self) -> tuple[str, int, int, bytes, bytes, bytes, float, float] | None"),
          "What BadInput says of the line below the last row; None at the end of the text.")
      .def_prop_ro(
          "unclosed", [](const Rows& self) { return self.rows().unclosed; },
          "Bytes at the end of the text, from a line whose quotes do not end.")
      .def(
          "__arrow_c_stream__",
          [](const Rows& self, const nb::object&) { return stream_of(self.shared()); },
          "requested_schema"_a = nb::none(),
          nb::sig("def __arrow_c_stream__(self, requested_schema: object = None) -> object"))
      .def("__len__", [](const Rows& self) { return self.rows().lines.size(); });
}

}  // namespace gainful
