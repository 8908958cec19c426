#include "align.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "lines.hpp"
#include "merge.hpp"
#include "numbers.hpp"

namespace gainful {

Aligner::Worker::Worker(const Options& options, bool ranked) : ranker(options), packed(ranked) {}

Aligner::Aligner(const Index& index, const Options& options, std::uint32_t kept,
                 std::uint64_t heads, std::uint64_t headed, ReadingOptions reading)
    : index_(index),
      options_(options),
      kept_(kept),
      heads_(heads),
      headed_(headed),
      in_run_(index.n_queries()),
      reader(*this, Cut::group, reading),
      tables(*this, reading.threads) {
  begin(reading.threads, Cut::line);
}

void Aligner::begin(std::size_t workers, Cut cut) {
  hold_ = cut == Cut::line;
  workers_.clear();
  for (std::size_t i = 0; i < workers; ++i) workers_.emplace_back(options_, keeps_ranks());
  for (auto& named : in_run_) named = false;
  ranking_.clear();
}

template <bool plain>
GAINFUL_INLINE std::uint64_t Aligner::read_lines(Worker& worker, const Chunk& chunk, Odd& odd) {
  const bool hold = !plain && hold_, float32 = !plain && options_.float32;
  const bool with_scores = plain || options_.with_scores();
  const bool with_ranks = !plain && options_.with_ranks();
  const bool keeps_ranks = !plain && options_.keeps_ranks();
  const Order order = plain ? Order::score : options_.order;
  std::vector<Row>& rows = worker.rows.row;
  Id last;
  bool any = false;
  std::uint32_t query = Index::kNone;
  std::uint64_t first = 0;  // where its group begins
  const auto on_line = [&](const Line<6>& line) GAINFUL_INLINE_LAMBDA {
    const auto& [query_id, q0, item, rank_text, score_text, tag] = line.field;
    std::uint64_t key = rows.size();
    std::int64_t rank = 0;
    if (with_scores) {
      double score = 0;
      if (!read_number_fast(score_text, score)) [[unlikely]]
        return bad_field(odd, "score", line.number, line.text, score_text);
      if (std::isnan(score)) [[unlikely]]
        return bad_field(odd, "nan-score", line.number, line.text, score_text);
      key = key_of_score(score, float32);
    }
    if (keeps_ranks && !read_integer_fast(rank_text, rank)) [[unlikely]] {
      if (with_ranks) return bad_field(odd, "rank", line.number, line.text, rank_text);
      rank = Tally::kNoRank;
    }
    if (order == Order::rank) key = key_of_rank(rank);
    if (!any || !same(query_id, last)) {
      if (query != Index::kNone && !hold) end_group(worker, query, first);
      first = place_of(chunk, line.number);
      query = begin_query(worker, query_id, item, first);
      any = true;
      last = query_id;
      if (order == Order::file) key = 0;
    }
    ++worker.n_rows;
    if (query == Index::kNone) return;
    if (hold) {
      worker.packed.add(query, {key, place_of(chunk, line.number), rank, item});
    } else {
      rows.push_back({key, hash_of(item), item});
      if (keeps_ranks) worker.rows.rank.push_back(rank);
    }
  };
  const std::uint64_t lines = for_each_line<6, Extra::counted>(chunk, odd, on_line);
  if (query != Index::kNone && !hold) end_group(worker, query, first);
  return lines;
}

// The usual case, compiled once for every processor and once for newer ones.
std::uint64_t Aligner::read_plain(Worker& worker, const Chunk& chunk, Odd& odd) {
  return read_lines<true>(worker, chunk, odd);
}
GAINFUL_TARGET("bmi,bmi2")
std::uint64_t Aligner::read_plain_bmi(Worker& worker, const Chunk& chunk, Odd& odd) {
  return read_lines<true>(worker, chunk, odd);
}

std::uint64_t Aligner::read(std::size_t number, const Chunk& chunk, Odd& odd) {
  static const bool has_bmi = cpu::has_bmi();
  Worker& worker = workers_[number];
  if (hold_ || !options_.with_scores() || options_.with_ranks() || options_.float32)
    return read_lines<false>(worker, chunk, odd);
  return has_bmi ? read_plain_bmi(worker, chunk, odd) : read_plain(worker, chunk, odd);
}

void Aligner::begin_parts(std::size_t workers, bool grouped, bool ranked) {
  ranked_ = ranked;
  begin(workers, grouped ? Cut::group : Cut::line);
}

void Aligner::read_part(std::size_t number, const Part& part) {
  Worker& worker = workers_[number];
  std::string last;
  bool any = false;
  std::uint32_t query = Index::kNone;
  std::uint64_t first = 0;  // row of the group
  const auto end_group = [&] {
    if (query == Index::kNone || hold_) return;
    const std::vector<std::uint64_t>& places = worker.places;
    if (!worker.rows.row.empty())
      rank_rows(worker, query, false,
                [&](std::uint32_t row) { return places.empty() ? first + row : places[row]; });
    worker.places.clear();
    worker.scratch.clear();
  };
  for_each_stretch(part, [&](const Batch& batch, std::size_t begin, std::size_t end, Id id) {
    if (is_null(id)) {
      for (std::size_t row = begin; row < end; ++row) reader.refuse(no_id(batch, row, "query"));
      return;
    }
    if (!any || !same(id, last)) {
      end_group();
      any = true;
      last = id;
      first = batch.first + begin + 1;
      query = begin_query(worker, id, first);
    }
    for (std::size_t from = begin; from < end; from += Block::kRows)
      add_rows(worker, batch, from, std::min(end, from + Block::kRows), id, query);
  });
  end_group();
}

void Aligner::add_rows(Worker& worker, const Batch& batch, std::size_t begin, std::size_t end,
                       Id query, std::uint32_t number) {
  Block& block = worker.block;
  block.read(batch, begin, end, worker.scratch);
  for (std::size_t i = 0; i < end - begin; ++i) {
    const Id item = block.item[i];
    const std::uint64_t place = batch.first + begin + i + 1;
    Keyed row;
    if (is_null(item)) {
      reader.refuse(no_id(batch, begin + i, "item", query));
      continue;
    }
    if (const char* reason = key_of(batch, i, block, row)) {
      const NumberColumn& column = reason == kRank ? *batch.rank : *batch.number;
      reader.refuse(no_number(reason, batch, column, begin + i, query, item));
      continue;
    }
    ++worker.n_rows;
    if (worker.first_judged.number == Index::kNone) note_row(worker, query, number, item, place);
    if (number == Index::kNone) continue;
    if (hold_) {
      worker.packed.add(number, {row.key, place, row.rank, item});
    } else {
      if (options_.order == Order::file) row.key = worker.rows.row.size();
      worker.rows.row.push_back({row.key, hash_of(item), item});
      if (keeps_ranks()) worker.rows.rank.push_back(row.rank);
      if (reader.options().lenient) worker.places.push_back(place);
    }
  }
  if (hold_ || number == Index::kNone) worker.scratch.clear();
}

// What a row of a table is ordered by; or the reason why it cannot be.
const char* Aligner::key_of(const Batch& batch, std::size_t i, const Block& block,
                            Keyed& row) const {
  const bool with_scores = options_.with_scores(), has_score = with_scores && batch.number;
  if (has_score && std::isnan(block.number[i])) return kScore;
  if (batch.rank) {
    // (Above this not every whole number is a double.)
    const double rank = block.rank[i];
    const bool is_rank = std::trunc(rank) == rank && std::abs(rank) < 0x1p53;
    if (!is_rank && reads_ranks(has_score)) return kRank;
    row.rank = is_rank ? static_cast<std::int64_t>(rank) : Tally::kNoRank;
  }
  // Without scores the rank decides.
  if (with_scores)
    row.key = key_of_score(has_score ? block.number[i] : -block.rank[i], options_.float32);
  if (options_.order == Order::rank) row.key = key_of_rank(row.rank);
  return nullptr;
}

// The number of a query that the text comes to, or kNone.
std::uint32_t Aligner::begin_query(Worker& worker, Id query, Id item, std::uint64_t place) {
  const std::uint32_t number = begin_query(worker, query, place);
  note_row(worker, query, number, item, place);
  return number;
}

std::uint32_t Aligner::begin_query(Worker& worker, Id query, std::uint64_t place) {
  const std::uint32_t number = index_.query(query);
  if (number == Index::kNone) {
    if (worker.strangers.find_or_add(query) == worker.first.size()) worker.first.push_back(place);
    return number;
  }
  if (hold_) {
    in_run_[number].store(true, std::memory_order_relaxed);
  } else if (in_run_[number].exchange(true, std::memory_order_relaxed)) {
    throw Ungrouped{};
  }
  return number;
}

void Aligner::note_row(Worker& worker, Id query, std::uint32_t number, Id item,
                       std::uint64_t place) {
  if (worker.first_judged.number != Index::kNone) return;
  const Example row{place, std::string(query), std::string(item), number};
  if (worker.first_row.place > place) worker.first_row = row;
  if (number != Index::kNone && !index_.judged(number).judgments.empty()) worker.first_judged = row;
}

void Aligner::add_query(Id query, std::uint64_t entry) {
  Worker& worker = workers_[0];
  if (worker.any && same(worker.query_id, query)) return;
  worker.any = true;
  worker.query_id = query;
  worker.query = begin_query(worker, query, entry);
}

void Aligner::add(Id query, Id item, double score, std::int64_t rank, std::uint64_t entry) {
  Worker& worker = workers_[0];
  add_query(query, entry);
  ++worker.n_rows;
  note_row(worker, query, worker.query, item, entry);
  if (worker.query == Index::kNone) return;
  const std::uint64_t key =
      options_.with_scores() ? key_of_score(score, options_.float32) : key_of_rank(rank);
  worker.packed.add(worker.query, {key, entry, rank, item});
}

// Whether the numbers in the text behind the items rise, as far as one can see at a glance.
static bool rise_after(std::span<const Row> rows) {
  Rising numbers;
  for (const Row& row : rows) numbers.see(row.item.data() + row.item.size() + 1);
  return numbers.rises();
}

void Aligner::end_group(Worker& worker, std::uint32_t query, std::uint64_t first) {
  const std::vector<Row>& rows = worker.rows.row;
  const bool unread = worker.rows.rank.empty() && options_.keeps_ranks();
  // Ranks follow the items in the text; they are read only if they do not simply rise.
  const bool ranks_rise = unread && rise_after(rows);
  if (unread && !ranks_rise)
    for (const Row& row : rows) {
      std::int64_t rank = Tally::kNoRank;
      if (!read_integer(field_after(row.item), rank)) rank = Tally::kNoRank;
      worker.rows.rank.push_back(rank);
    }
  rank_rows(worker, query, ranks_rise, [&](std::uint32_t row) {
    const auto before = std::count(rows[0].item.data(), rows[row].item.data(), '\n');
    return first + static_cast<std::uint64_t>(before);
  });
}

void Aligner::rank_packed(Worker& worker, std::uint32_t query) {
  std::vector<PackedRows::Cursor> cursors;
  std::size_t count = 0;
  for (const Worker& each : workers_) count += each.packed.count(query);
  if (count >= Index::kNone) throw TooMany{"many-rows"};
  for (const Worker& each : workers_) cursors.emplace_back(each.packed, query);
  std::vector<std::uint64_t> places;
  in_order(cursors, [&](const PackedRow& row) {
    const std::uint64_t key = options_.order == Order::file ? places.size() : row.key;
    worker.rows.row.push_back({key, hash_of(row.item), row.item});
    if (keeps_ranks()) worker.rows.rank.push_back(row.rank);
    places.push_back(row.place);
  });
  if (!places.empty())
    rank_rows(worker, query, false, [&](std::uint32_t row) { return places[row]; });
}

template <class PlaceOf>
void Aligner::rank_rows(Worker& worker, std::uint32_t query, bool ranks_rise, PlaceOf&& place) {
  Ranker& ranker = worker.ranker;
  // Rows and judgments are numbered together.
  if (worker.rows.row.size() + index_.judged(query).judgments.size() >= Index::kNone)
    throw TooMany{"many-rows"};
  worker.rows.sorted = worker.rows.in_order();
  if (options_.with_scores()) worker.tally.add(worker.rows, ranks_rise, query, place);
  const auto repeat = ranker.join(worker.rows, index_.judged(query));
  if (repeat) note_repeat(worker, query, *repeat, place);
  if (!repeat || options_.duplicates != Duplicates::error) {
    ranker.rank(worker.rows, index_.queries()[query]);
    const std::size_t first_hit = worker.hits.size();
    worker.done.push_back({query, ranker.n_retrieved(), first_hit, worker.heads.size()});
    ranker.add_hits(worker.hits);
    if (options_.with_scores())
      worker.tally.close.add(ranker.n_close(worker.hits, first_hit), query);
    if (const std::size_t heads = n_heads(query, ranker.n_retrieved()))
      ranker.for_first(heads, [&](std::uint32_t row, auto...) {
        worker.heads.push_back(worker.items.find_or_add(worker.rows.row[row].item));
      });
    if (query == kept_)
      ranker.for_each([&](std::uint32_t row, std::uint32_t judgment, const Place& where) {
        const Row& item = worker.rows.row[row];
        const double score = options_.with_scores() ? score_of_key(item.key) : 0.0;
        ranking_.push_back(
            {std::string(item.item), score,
             judgment == Index::kNone ? nullptr : &index_.judged(query).judgments[judgment],
             where});
      });
  }
  worker.rows.clear();
}

template <class PlaceOf>
void Aligner::note_repeat(Worker& worker, std::uint32_t query, const Repeat& repeat,
                          PlaceOf&& place) {
  // Groups come in the order of the text, so the first one found stands first in it.
  if (!worker.repeat || (hold_ && place(repeat.row) < worker.repeat->second))
    worker.repeat = {place(repeat.first), place(repeat.row), std::string(index_.queries()[query]),
                     std::string(worker.rows.row[repeat.row].item)};
}

void Aligner::find_first_repeat() {
  const RepeatFound* repeat = nullptr;
  for (const Worker& worker : workers_)
    if (worker.repeat && (!repeat || worker.repeat->second < repeat->second))
      repeat = &*worker.repeat;
  if (repeat == nullptr) return;
  const std::uint64_t first = reader.line_of(repeat->first);
  const std::uint64_t second = reader.line_of(repeat->second);
  repeat_ = {.reason = "retrieved-twice",
             .line = second,
             .query = repeat->query,
             .item = repeat->item,
             .first = static_cast<double>(first),
             .second = static_cast<double>(second)};
}

Aligned Aligner::finish(const Idle& idle) {
  for (const std::string& query : named_) {
    const std::uint32_t number = index_.query(query);
    if (number != Index::kNone) {
      in_run_[number] = true;
    } else if (Worker& worker = workers_[0];
               worker.strangers.find_or_add(query) == worker.first.size()) {
      worker.first.push_back(0);
    }
  }
  if (hold_)
    for_each_parallel(index_.n_queries(), n_rows(), workers_.size(), idle,
                      [&](std::size_t worker, std::size_t query) {
                        rank_packed(workers_[worker], static_cast<std::uint32_t>(query));
                      });
  find_first_repeat();
  if (repeat_ && options_.duplicates == Duplicates::error) throw *repeat_;
  return collected();
}

Aligned Aligner::collected() const {
  struct Found {
    const Worker* worker = nullptr;
    std::size_t done = 0;
  };
  std::vector<Found> found(index_.n_queries());
  std::size_t n_hits = 0;
  Aligned out;
  for (const Worker& worker : workers_) {
    for (std::size_t i = 0; i < worker.done.size(); ++i) found[worker.done[i].query] = {&worker, i};
    n_hits += worker.hits.size();
    out.n_duplicates += worker.ranker.n_repeats();
    out.n_own += worker.ranker.n_own();
    out.tally.add(worker.tally);
  }
  for (Sightings* of_rows : {&out.tally.contradicted, &out.tally.infinite})
    if (of_rows->count != 0) of_rows->first = reader.line_of(of_rows->first);
  out.hits.reserve(n_hits);
  out.hit_offsets.push_back(0);
  for (std::size_t query = 0; query < found.size(); ++query) {
    const auto& [worker, i] = found[query];
    out.in_run.push_back(in_run_[query]);
    out.n_retrieved.push_back(worker ? static_cast<std::int64_t>(worker->done[i].n_retrieved) : 0);
    if (worker) {
      const bool last = i + 1 == worker->done.size();
      const std::size_t end = last ? worker->hits.size() : worker->done[i + 1].first_hit;
      out.hits.append(worker->hits, worker->done[i].first_hit, end);
    }
    out.hit_offsets.push_back(static_cast<std::int64_t>(out.hits.size()));
  }
  if (heads_ == 0) return out;
  // Items are numbered anew, query by query: which thread met them first does not matter.
  std::map<const Worker*, std::vector<std::uint32_t>> numbers;
  for (const Worker& worker : workers_) numbers[&worker].assign(worker.items.size(), Index::kNone);
  out.head_offsets.push_back(0);
  for (const auto& [worker, i] : found) {
    if (worker) {
      const Done& done = worker->done[i];
      std::vector<std::uint32_t>& number = numbers[worker];
      for (std::size_t rank = 0; rank < n_heads(done.query, done.n_retrieved); ++rank) {
        const std::uint32_t head = worker->heads[done.first_head + rank];
        if (number[head] == Index::kNone) number[head] = out.items.find_or_add(worker->items[head]);
        out.head_item.push_back(number[head]);
      }
    }
    out.head_offsets.push_back(static_cast<std::int64_t>(out.head_item.size()));
  }
  return out;
}

std::uint64_t Aligner::n_rows() const {
  std::uint64_t total = 0;
  for (const Worker& worker : workers_) total += worker.n_rows;
  return total;
}

std::vector<Aligner::Mention> Aligner::strangers() const {
  std::vector<std::pair<std::uint64_t, Id>> mentions;
  for (const Worker& worker : workers_)
    for (std::size_t i = 0; i < worker.first.size(); ++i)
      mentions.emplace_back(worker.first[i], worker.strangers[i]);
  std::stable_sort(mentions.begin(), mentions.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  IdTable once;
  std::vector<Mention> out;
  for (const auto& [place, id] : mentions)
    if (once.find_or_add(id) == out.size()) out.push_back({place, std::string(id)});
  return out;
}

Aligner::Example Aligner::first_row() const {
  Example first;
  for (const Worker& worker : workers_)
    if (worker.first_row.place < first.place) first = worker.first_row;
  return first;
}

Aligner::Example Aligner::first_judged() const {
  Example first;
  for (const Worker& worker : workers_)
    if (worker.first_judged.place < first.place) first = worker.first_judged;
  return first;
}

}  // namespace gainful
