// The module: converts, calls, returns. Only the bindings know Python.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "arrays.hpp"
#include "bindings_rows.hpp"
#include "bindings_tables.hpp"
#include "running.hpp"
#include "throwing.hpp"

namespace gainful {

using namespace nb::literals;

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

// The same for what a method returns, once it will not change.
template <class Owner, class T>
auto array_from(std::span<const T> (Owner::*method)() const) {
  return [method](nb::handle self) {
    const Owner& owner = nb::cast<const Owner&>(self);
    require(owner.finished(), "it is not finished");
    const auto values = (owner.*method)();
    return Array<T>(values.data(), {values.size()}, self);
  };
}

// Whether threads of its own may still be filling it.
template <class Receiver>
bool is_busy(const Receiver& receiver) {
  return !receiver.finished() && (receiver.reader.busy() || receiver.tables.busy());
}

// Reads from an index or an aligner that no other thread is filling.
template <class Owner, class Read>
auto exclusively(Read read) {
  return [read](Owner& self) {
    const ExclusiveUse use(self.exclusive);
    require(!is_busy(self), "it is still being read");
    return std::invoke(read, std::as_const(self));
  };
}

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
  for (auto [query_key, value] : mapping) {
    const nb::object entries = nb::borrow(value);  // reading the key may run code that drops them
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
void require_text_only(const Receiver& receiver) {
  require(!receiver.finished(), "it is finished");
  require(!receiver.tables.used(), "it has read tables");
  require(receiver.reader.used() || !receiver.has_rows(), "it was given rows");
}

void add_judgments(Index& index, const Mapping& mapping) {
  const ExclusiveUse use(index.exclusive);
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
  const ExclusiveUse use(aligner.exclusive);
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
  const ExclusiveUse use(aligner.exclusive);
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
  const ExclusiveUse use(index.exclusive);
  require_rows_only(index);
  const IdBytes query(query_key);
  index.add_query(query.id(), index.n_rows() + 1);
  for (nb::handle key : items) {
    const IdBytes item(key, query.id());
    index.add(query.id(), item.id(), 1.0, index.n_rows() + 1);
  }
}

nb::typed<nb::list, nb::str> ids_of(const IdTable& table) {
  nb::typed<nb::list, nb::str> out;
  for (std::size_t n = 0; n < table.size(); ++n) out.append(to_str(table[n]));
  return out;
}

// Every judgment of one query, as (item, label).
nb::list judgments_of(Index& index, std::size_t query) {
  const ExclusiveUse use(index.exclusive);
  if (query >= index.n_queries()) throw nb::index_error();
  nb::list out;
  for (const auto& judgment : index.judged(query).judgments)
    out.append(nb::make_tuple(to_str(judgment.item()), judgment.label));
  return out;
}

Array<double> given_labels_of(const Index& index) {
  auto labels = std::make_unique<std::vector<double>>(index.given_labels());
  const double* const first = labels->data();
  const std::size_t size = labels->size();
  const nb::capsule owner(labels.release(), [](void* held) noexcept {
    delete static_cast<std::vector<double>*>(held);
  });
  return Array<double>(first, {size}, owner);
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
      .value("max", Duplicates::max)
      .value("once", Duplicates::once)
      .value("count", Duplicates::count);
  nb::enum_<Order>(m, "Order")
      .value("score", Order::score)
      .value("rank", Order::rank)
      .value("file", Order::file);
  nb::enum_<Ties>(m, "Ties")
      .value("item_desc", Ties::item_desc)
      .value("item_asc", Ties::item_asc)
      .value("input", Ties::input)
      .value("input_reversed", Ties::input_reversed)
      .value("rank_column", Ties::rank_column)
      .value("average", Ties::average)
      .value("best", Ties::best)
      .value("worst", Ties::worst)
      .value("middle", Ties::middle);
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
             const std::optional<std::string>& scanner, bool lenient, std::size_t longest_line) {
            new (self) ReadingOptions(reading_options(threads, chunk, scanner, lenient));
            self->longest_line = longest_line;
          },
          "threads"_a = 1, "chunk"_a = ReadingOptions{}.chunk, "scanner"_a = nb::none(),
          "lenient"_a = false, "longest_line"_a = kLongestLine);
  m.attr("LONGEST_LINE") = kLongestLine;
  m.def(
      "hash_of", [](const nb::bytes& id) { return hash_of({id.c_str(), id.size()}); }, "id"_a,
      "What an id hashes to; another number in every process.");
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
            const ExclusiveUse use(self.exclusive);
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
            const ExclusiveUse use(self.exclusive);
            require_text_only(self);
            feed(self.reader, piece);
          },
          "piece"_a, "Read a piece of text; an empty piece ends it.")
      .def(
          "abandon",
          [](Receiver& self, bool settled) {
            const ExclusiveUse use(self.exclusive);
            require(!self.finished(), "it is finished");
            const nb::gil_scoped_release unlocked;
            self.reader.abandon(settled);
          },
          "settled"_a, "Stop reading pieces, after the complete ones were read if so asked.")
      .def_prop_ro("odd",
                   exclusively<Receiver>([](const Receiver& self) { return self.reader.odd(); }))
      .def_prop_ro(
          "repeat", exclusively<Receiver>([](const Receiver& self) -> nb::object {
            if (!self.repeat()) return nb::none();
            return arguments_of(*self.repeat());
          }),
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
            const ExclusiveUse use(self.exclusive);
            require(!self.finished(), "it is finished");
            for (nb::handle query : queries) self.name_query(IdBytes(query).id());
          },
          "queries"_a, "Queries of tables, some of which may have no row.")
      .def(
          "end_tables",
          [](Receiver& self) {
            const ExclusiveUse use(self.exclusive);
            require_tables_only(self);
            const nb::gil_scoped_release unlocked;
            self.tables.end(heeding_signals());
          },
          "No more tables come.")
      .def(
          "start_over",
          [](Receiver& self) {
            const ExclusiveUse use(self.exclusive);
            require(!self.finished(), "it is finished");
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
            ExclusiveUse use(self.exclusive);
            require(!self.finished() && !is_busy(self), "it is to be finished once, at the end");
            use.finish();
            const nb::gil_scoped_release unlocked;
            self.finish(duplicates, heeding_signals());
          },
          "duplicates"_a)
      .def_prop_ro("n_queries", exclusively<Index>(&Index::n_queries))
      .def_prop_ro("n_duplicates", exclusively<Index>(&Index::n_duplicates))
      .def_prop_ro("queries",
                   exclusively<Index>([](const Index& self) { return ids_of(self.queries()); }))
      .def_prop_ro("pool_offsets", array_from(&Index::pool_offsets))
      .def_prop_ro("pool_labels", array_from(&Index::pool_labels))
      .def("given_labels", exclusively<Index>(&given_labels_of),
           "The labels of the pool in the order of the qrels.")
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
      .def_ro("neighbors", &Tally::neighbors)
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
      .def_ro("n_own", &Aligned::n_own)
      .def_ro("tally", &Aligned::tally)
      .def_prop_ro("head_offsets", array_of(&Aligned::head_offsets))
      .def_prop_ro("head_item", array_of(&Aligned::head_item))
      .def_prop_ro("items", [](const Aligned& self) { return ids_of(self.items); });
  nb::class_<Options>(m, "Options", "How a run is ordered and cut.")
      .def(nb::init<Order, Ties, Duplicates, bool, bool, std::uint64_t, bool>(), "order"_a,
           "ties"_a, "duplicates"_a, "condense"_a, "float32"_a, "depth"_a, "drop_own"_a = false);
  nb::class_<Aligner::Example>(m, "Example",
                               "A row of the input; number is None if its query is not judged, and "
                               "place if there is no such row.")
      .def_prop_ro("place",
                   [](const Aligner::Example& one) -> std::optional<std::uint64_t> {
                     if (one.place == Aligner::Example{}.place) return std::nullopt;
                     return one.place;
                   })
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
             ExclusiveUse use(self.exclusive);
             require(!self.finished() && !is_busy(self), "it is to be finished once, at the end");
             use.finish();
             const nb::gil_scoped_release unlocked;
             return self.finish(heeding_signals());
           })
      .def_prop_ro("n_rows", exclusively<Aligner>(&Aligner::n_rows))
      .def_prop_ro("strangers", exclusively<Aligner>([](const Aligner& self) {
                     nb::typed<nb::list, nb::str> out;
                     for (const auto& one : self.strangers()) out.append(to_str(one.query));
                     return out;
                   }))
      .def_prop_ro("stranger_places", exclusively<Aligner>([](const Aligner& self) {
                     std::vector<std::uint64_t> out;
                     for (const auto& one : self.strangers()) out.push_back(one.place);
                     return out;
                   }),
                   "Where each of them is met first: a row, of tables; they rise in any case.")
      .def_prop_ro("first_row", exclusively<Aligner>(&Aligner::first_row))
      .def_prop_ro("first_judged", exclusively<Aligner>(&Aligner::first_judged))
      .def("ranking", exclusively<Aligner>(&ranking_of),
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
  // Whoever keeps an object until the interpreter ends would be told of a leak that is none.
  nb::set_leak_warnings(false);
  can_throw();  // the thread that imports: there is memory yet
  static nb::object bad_input = nb::steal(PyErr_NewExceptionWithDoc(
      "gainful.base._native.BadInput",
      "Args: reason, line, column, text, query, item, first, second; sources put it into words.",
      PyExc_ValueError, nullptr));
  m.attr("BadInput") = bad_input;
  static nb::object ungrouped = nb::steal(PyErr_NewExceptionWithDoc(
      "gainful.base._native.Ungrouped",
      "The lines of some query stand apart: start_over(), and feed the text again.",
      PyExc_RuntimeError, nullptr));
  m.attr("Ungrouped") = ungrouped;
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const BadInput& e) {
      const nb::tuple args = arguments_of(e);
      PyErr_SetObject(bad_input.ptr(), args.ptr());
    } catch (const TooMany& e) {
      const nb::tuple args = arguments_of({.reason = e.reason});
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
  define_rows(m);
  define_index(m);
  define_tally(m);
  define_aligner(m);
  define_arrays(m);
  define_running(m);
}
