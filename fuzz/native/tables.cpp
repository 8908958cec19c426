// Tables: batches of Arrow columns, each of any type, as qrels or as a run, on any number of
// threads; the result is that of the rows added one by one.
#include "tables.hpp"

#include "answers.hpp"
#include "arrow_arrays.hpp"

using namespace gainful;

namespace {

struct TableRows {
  std::vector<fuzz::Text> query, item;
  std::vector<fuzz::Number> number, rank;
};

// A batch as the bindings make them, and its rows.
struct DrawnBatch {
  std::size_t rows, skipped;
  fuzz::Drawn<fuzz::Text> query, item;
  fuzz::Drawn<fuzz::Number> number, rank;

  std::unique_ptr<Batch> made(bool numbered, bool ranked) const {
    const auto begin = static_cast<std::int64_t>(skipped);
    auto batch = std::make_unique<Batch>();
    batch->rows = rows;
    batch->query = id_column(query.column->schema, query.column->array, begin);
    batch->item = id_column(item.column->schema, item.column->array, begin);
    if (numbered)
      batch->number = number_column(number.column->schema, number.column->array, begin, nullptr);
    if (ranked)
      batch->rank = number_column(rank.column->schema, rank.column->array, begin, nullptr);
    return batch;
  }
  void add_to(TableRows& out) const {
    out.query.insert(out.query.end(), query.values.begin(), query.values.end());
    out.item.insert(out.item.end(), item.values.begin(), item.values.end());
    out.number.insert(out.number.end(), number.values.begin(), number.values.end());
    out.rank.insert(out.rank.end(), rank.values.begin(), rank.values.end());
  }
};

DrawnBatch draw_batch(fuzz::Input& input, bool large) {
  const std::size_t rows = large ? 9000 + 32 * input.byte() : 1 + input.below(12);
  DrawnBatch out{rows, input.below(2), {}, {}, {}, {}};
  out.query = fuzz::draw_ids(input, out.rows, out.skipped);
  out.item = fuzz::draw_ids(input, out.rows, out.skipped);
  out.number = fuzz::draw_numbers(input, out.rows, out.skipped);
  out.rank = fuzz::draw_numbers(input, out.rows, out.skipped);
  return out;
}

using Batches = std::vector<DrawnBatch>;

// How a table is read.
struct Wanted {
  Options options;
  bool lenient = false, numbered = true, ranked = false;
  std::size_t threads = 1;
  bool large = false;  // whether there are more rows than one thread takes at once
};

// What is wrong, as far as a row tells: the rest depends on how its column shows it.
std::string worded(const BadInput& bad) {
  fuzz::Answer out;
  out << bad.reason << bad.line << std::string_view(bad.query) << std::string_view(bad.item);
  return out.text();
}

template <class Receiver>
void push(Receiver& receiver, const Batches& batches, const Wanted& wanted, bool ranked) {
  const bool numbered = wanted.numbered && receiver.reads_numbers();
  for (const DrawnBatch& batch : batches) receiver.tables.push(batch.made(numbered, ranked), [] {});
  receiver.tables.end([] {});
}

template <class Receiver>
void read(Receiver& receiver, const Batches& batches, const Wanted& wanted, bool ranked) {
  try {
    push(receiver, batches, wanted, ranked);
  } catch (const Ungrouped&) {
    receiver.tables.start_over();
    push(receiver, batches, wanted, ranked);
  }
}

// Calls add(query, item, number, rank, row); throws what is wrong, as the core does.
template <class AddQuery, class Add>
void for_each(const TableRows& rows, AddQuery&& add_query, Add&& add) {
  for (std::size_t row = 0; row < rows.query.size(); ++row) {
    const fuzz::Text &query = rows.query[row], &item = rows.item[row];
    if (!query) throw BadInput{.reason = "null", .line = row + 1};
    add_query(*query, row + 1);
    if (!item) throw BadInput{.reason = "null", .line = row + 1, .query = *query};
    add(*query, *item, rows.number[row].value_or(NAN), rows.rank[row].value_or(NAN), row + 1);
  }
}

std::string index_by_rows(const TableRows& rows, const Wanted& wanted) {
  Index index({});
  try {
    for_each(
        rows, [&](Id query, std::uint64_t place) { index.add_query(query, place); },
        [&](const std::string& query, const std::string& item, double label, double,
            std::uint64_t row) {
          if (!std::isfinite(label))
            throw BadInput{.reason = "label", .line = row, .query = query, .item = item};
          index.add(query, item, label, row);
        });
    index.finish(wanted.options.duplicates, {});
    return fuzz::described(index);
  } catch (const BadInput& bad) {
    return worded(bad);
  }
}

std::string index_by_tables(const Batches& batches, const Wanted& wanted, std::size_t threads) {
  Index index({.threads = threads, .lenient = wanted.lenient});
  Wanted labeled = wanted;
  labeled.numbered = true;
  try {
    read(index, batches, labeled, false);
    index.finish(wanted.options.duplicates, [] {});
    return fuzz::described(index);
  } catch (const BadInput& bad) {
    return worded(bad);
  }
}

bool is_rank(double rank) { return std::trunc(rank) == rank && std::abs(rank) < 0x1p53; }

std::string run_by_rows(const Index& index, const TableRows& rows, const Wanted& wanted,
                        bool numbered, bool ranked) {
  Aligner aligner(index, wanted.options, 0, 2, ~0ull, {});
  const bool needs_ranks = aligner.reads_ranks(numbered);
  try {
    for_each(
        rows, [&](Id query, std::uint64_t place) { aligner.add_query(query, place); },
        [&](const std::string& query, const std::string& item, double score, double rank,
            std::uint64_t row) {
          if (numbered && std::isnan(score))
            throw BadInput{.reason = "score", .line = row, .query = query, .item = item};
          if (needs_ranks && !is_rank(rank))
            throw BadInput{.reason = "rank", .line = row, .query = query, .item = item};
          const std::int64_t whole =
              is_rank(rank) ? static_cast<std::int64_t>(rank) : Tally::kNoRank;
          aligner.add(query, item, numbered ? score : -rank, ranked ? whole : Tally::kNoRank, row);
        });
    return fuzz::described(aligner, aligner.finish({}));
  } catch (const BadInput& bad) {
    return worded(bad);
  }
}

std::string run_by_tables(const Index& index, const Batches& batches, const Wanted& wanted,
                          std::size_t threads, bool ranked) {
  Aligner aligner(index, wanted.options, 0, 2, ~0ull,
                  {.threads = threads, .lenient = wanted.lenient});
  try {
    read(aligner, batches, wanted, ranked);
    return fuzz::described(aligner, aligner.finish([] {}));
  } catch (const BadInput& bad) {
    return worded(bad);
  }
}

Wanted drawn(fuzz::Input& input) {
  const auto order = static_cast<Order>(input.below(3));
  const auto ties = static_cast<Ties>(input.below(9));
  const auto duplicates = static_cast<Duplicates>(input.below(6));
  const std::uint8_t flags = input.byte(), more = input.byte();
  const Options options{
      order,           ties, duplicates, (flags & 1) != 0, (flags & 2) != 0, input.below(8),
      (flags & 4) != 0};
  return {options,           (flags & 8) != 0, (flags & 16) == 0,
          (flags & 32) == 0, 1 + more % 3u,    more >= 252};
}

void check_qrels(const Batches& batches, const TableRows& rows, const Wanted& wanted) {
  const std::string one = index_by_tables(batches, wanted, 1);
  if (!wanted.lenient) fuzz::require_same("qrels", one, index_by_rows(rows, wanted));
  fuzz::require_same("threads of qrels", index_by_tables(batches, wanted, wanted.threads), one);
}

// Columns that are wanted and not there are refused before any row is read.
bool enough(const Wanted& wanted, const Aligner& aligner, bool numbered) {
  return aligner.reads_ranks(numbered) ? wanted.ranked : !aligner.reads_numbers() || numbered;
}

void check_run(const Index& index, const Batches& batches, const TableRows& rows,
               const Wanted& wanted) {
  const Aligner aligner(index, wanted.options, Index::kNone, 0, 0, {});
  const bool numbered = wanted.numbered && aligner.reads_numbers();
  const bool ranked = wanted.ranked && (aligner.reads_ranks(numbered) || aligner.notes_ranks());
  if (!enough(wanted, aligner, numbered)) return;
  const std::string one = run_by_tables(index, batches, wanted, 1, ranked);
  if (!wanted.lenient)
    fuzz::require_same("run", one, run_by_rows(index, rows, wanted, numbered, ranked));
  fuzz::require_same("threads of the run",
                     run_by_tables(index, batches, wanted, wanted.threads, ranked), one);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input start(data, size);
  const Wanted wanted = drawn(start);
  fuzz::Input input(data, size, wanted.large);
  drawn(input);
  Batches batches;
  TableRows rows;
  for (std::size_t left = 1 + input.below(4); left > 0; --left)
    batches.push_back(draw_batch(input, wanted.large));
  for (const DrawnBatch& batch : batches) batch.add_to(rows);
  check_qrels(batches, rows, wanted);

  // The run is judged by what is good of a batch like its first.
  fuzz::Input again(data, size);
  drawn(again);
  again.byte();
  Batches some;
  some.push_back(draw_batch(again, false));
  Index index({.lenient = true});
  read(index, some, {.options = {}, .lenient = true, .numbered = true}, false);
  index.finish(Duplicates::max, {});
  check_run(index, batches, rows, wanted);
  return 0;
}
