#include "index.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "lines.hpp"
#include "merge.hpp"
#include "numbers.hpp"

namespace gainful {

namespace {

// Whether a label is written as a whole number, as the labels of nearly all qrels are.
bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

// What a thread needs to build queries, used again for each.
struct Index::Tools {
  Slots slots;
  std::vector<PackedRow> rows;
  std::size_t n_duplicates = 0;
  std::uint64_t repeat_place = 0;
  BadInput repeat{};  // the first item judged twice that it met, by its place
};

void Index::begin(std::size_t workers, Cut) {
  workers_.clear();
  workers_.resize(workers);
}

std::uint64_t Index::read(std::size_t number, const Chunk& chunk, Odd& odd) {
  Worker& worker = workers_[number];
  Id last;  // the query of the line before, so that it is not looked up again
  bool any = false;
  return for_each_line<4, Extra::refused>(chunk, odd, [&](const Line<4>& line) {
    const auto& [query, iteration, item, text] = line.field;
    double label = 0;
    if (!read_number_fast(text, label) || !std::isfinite(label)) [[unlikely]]
      return bad_field(odd, "label", line.number, line.text, text);
    odd.unwhole += !is_whole(text);
    const std::uint64_t place = place_of(chunk, line.number);
    if (!any || !same(query, last)) add_query(worker, query, place);
    any = true;
    last = query;
    add(worker, item, label, place);
  });
}

void Index::begin_parts(std::size_t workers, bool, bool) { begin(workers, Cut::line); }

void Index::read_part(std::size_t number, const Part& part) {
  Worker& worker = workers_[number];
  for_each_stretch(part, [&](const Batch& batch, std::size_t begin, std::size_t end, Id query) {
    if (is_null(query)) {
      for (std::size_t row = begin; row < end; ++row) reader.refuse(no_id(batch, row, "query"));
      return;
    }
    add_query(worker, query, batch.first + begin + 1);
    for (std::size_t from = begin; from < end; from += Block::kRows) {
      const std::size_t to = std::min(end, from + Block::kRows);
      Block& block = worker.block;
      block.read(batch, from, to, worker.scratch);
      for (std::size_t i = 0; i < to - from; ++i) {
        const Id item = block.item[i];
        const double label = block.number[i];
        if (is_null(item)) {
          reader.refuse(no_id(batch, from + i, "item", query));
        } else if (!std::isfinite(label)) {
          reader.refuse(no_number("label", batch, *batch.number, from + i, query, item));
        } else {
          add(worker, item, label, batch.first + from + i + 1);
        }
      }
      worker.scratch.clear();
    }
  });
}

void Index::add_query(Worker& worker, Id query, std::uint64_t place) {
  worker.query = worker.queries.find_or_add(query);
  if (worker.query == worker.first.size()) worker.first.push_back(place);
}

void Index::add(Worker& worker, Id item, double label, std::uint64_t place) {
  // Adding zero turns -0.0 into 0.0.
  worker.packed.add(
      worker.query,
      {.key = std::bit_cast<std::uint64_t>(label + 0.0), .place = place, .item = item});
}

void Index::add_query(Id query, std::uint64_t entry) {
  if (workers_.empty()) begin(1, Cut::line);
  Worker& worker = workers_[0];
  if (worker.query == kNone || !same(worker.queries[worker.query], query))
    add_query(worker, query, entry);
}

void Index::add(Id query, Id item, double label, std::uint64_t entry) {
  add_query(query, entry);
  add(workers_[0], item, label, entry);
  ++n_rows_;
}

void Index::finish(Duplicates duplicates, const Idle& idle) {
  const auto parts = number_queries();
  extents_.resize(parts.size());
  std::size_t total = 0;
  for (std::size_t query = 0; query < parts.size(); ++query) {
    extents_[query].begin = total;
    for (const Share& part : parts[query]) total += workers_[part.worker].packed.count(part.query);
    if (total - extents_[query].begin >= kNone) throw TooMany{"many-rows"};
  }
  judgments_ = std::make_unique_for_overwrite<Judgment[]>(total);
  hashes_ = std::make_unique_for_overwrite<std::uint64_t[]>(total);
  pool_labels_ = std::make_unique_for_overwrite<double[]>(total);
  const std::size_t threads = reader.options().threads;
  std::vector<Tools> tools(threads);
  for_each_parallel(parts.size(), total, threads, idle, [&](std::size_t worker, std::size_t query) {
    build(query, parts[query], duplicates, tools[worker]);
  });
  const Tools* first = nullptr;  // of those that met a repeat
  for (const Tools& one : tools) {
    n_duplicates_ += one.n_duplicates;
    if (one.repeat.reason && (!first || one.repeat_place < first->repeat_place)) first = &one;
  }
  if (first != nullptr) {
    repeat_ = first->repeat;
    repeat_->line = reader.line_of(first->repeat_place);
    if (duplicates == Duplicates::error) throw *repeat_;
  }
  collect_pool();
}

std::vector<std::vector<Index::Share>> Index::number_queries() {
  struct Mention {
    std::uint64_t place;
    Share part;
  };
  std::vector<Mention> mentions;
  for (std::uint32_t worker = 0; worker < workers_.size(); ++worker)
    for (std::uint32_t query = 0; query < workers_[worker].queries.size(); ++query)
      mentions.push_back({workers_[worker].first[query], {worker, query}});
  // Threads read in any order; the queries are numbered in the order of the qrels.
  // (Queries that Python names without items share their place with the row after them.)
  std::stable_sort(mentions.begin(), mentions.end(),
                   [](const Mention& a, const Mention& b) { return a.place < b.place; });
  std::vector<std::vector<Share>> parts;
  for (const std::string& query : named_)
    if (queries_.find_or_add(query) == parts.size()) parts.emplace_back();
  for (const auto& [place, part] : mentions) {
    const std::uint32_t query = queries_.find_or_add(workers_[part.worker].queries[part.query]);
    if (query == parts.size()) parts.emplace_back();
    parts[query].push_back(part);
  }
  return parts;
}

void Index::build(std::size_t query, std::span<const Share> parts, Duplicates duplicates,
                  Tools& tools) {
  std::vector<PackedRows::Cursor> cursors;
  for (const Share& part : parts) cursors.emplace_back(workers_[part.worker].packed, part.query);
  tools.rows.clear();
  in_order(cursors, [&](const PackedRow& row) { tools.rows.push_back(row); });
  Extent& span = extents_[query];
  Judgment* judgments = judgments_.get() + span.begin;
  std::uint64_t* hashes = hashes_.get() + span.begin;
  tools.slots.reset(tools.rows.size());
  for (const PackedRow& row : tools.rows) {
    const double label = std::bit_cast<double>(row.key);
    const std::uint64_t hash = hash_of(row.item);
    const std::uint32_t known = tools.slots.find(hash, [&](std::uint32_t n) {
      return hashes[n] == hash && same(judgments[n].item(), row.item);
    });
    if (known == kNone) {
      tools.slots.insert(hash, static_cast<std::uint32_t>(span.count));
      hashes[span.count] = hash;
      judgments[span.count++] = {row.item.data(), row.item.size(), label};
      continue;
    }
    ++tools.n_duplicates;
    double& first = judgments[known].label;
    if (!tools.repeat.reason || row.place < tools.repeat_place) {
      tools.repeat_place = row.place;
      tools.repeat = {.reason = "judged-twice",
                      .query = std::string(queries_[query]),
                      .item = std::string(row.item),
                      .first = first,
                      .second = label};
    }
    if (duplicates == Duplicates::last) first = label;
    if (duplicates == Duplicates::max) first = std::max(first, label);
  }
  double* pool = pool_labels_.get() + span.begin;
  for (std::size_t i = 0; i < span.count; ++i) pool[i] = judgments[i].label;
  std::sort(pool, pool + span.count, std::greater<>());
}

std::vector<double> Index::given_labels() const {
  std::vector<double> labels;
  labels.reserve(pool_labels().size());
  for (std::size_t query = 0; query < n_queries(); ++query)
    for (const Judgment& judgment : judged(query).judgments) labels.push_back(judgment.label);
  return labels;
}

void Index::collect_pool() {
  std::size_t end = 0;
  for (const auto& [begin, count] : extents_) {
    // Where an item was judged twice, its query has fewer labels than lines.
    if (end != begin) std::copy_n(&pool_labels_[begin], count, &pool_labels_[end]);
    end += count;
    pool_offsets_.push_back(static_cast<std::int64_t>(end));
  }
}

}  // namespace gainful
