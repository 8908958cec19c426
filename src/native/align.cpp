#include "align.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace gainful {

namespace {

// Writes the hits of one ranked query.
void write_hits(std::span<const Row> rows, const Options& options, std::vector<Place>& place,
                Aligned& out) {
  const std::size_t n =
      options.depth != 0 && options.depth < rows.size() ? options.depth : rows.size();
  places(rows, options.order, place);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // An averaged tie that reaches above the cut counts with the part that does.
    const auto shallowest = options.ties == Ties::average ? place[i].tie_first : place[i].rank;
    if (static_cast<std::size_t>(shallowest) > n) break;
    if (rows[i].judgment == nullptr) continue;
    out.hit_rank.push_back(place[i].rank);
    out.hit_label.push_back(rows[i].judgment->label);
    out.hit_tie_first.push_back(place[i].tie_first);
    out.hit_tie_size.push_back(place[i].tie_size);
  }
  out.n_retrieved.push_back(static_cast<std::int64_t>(n));
  out.hit_offsets.push_back(static_cast<std::int64_t>(out.hit_rank.size()));
}

// Whether the later of two mentions replaces the earlier one.
bool replaces(const Row& later, const Row& earlier, const Options& options) {
  if (options.duplicates == Duplicates::last) return true;
  if (options.duplicates != Duplicates::max) return false;
  if (options.order == Order::score) return later.score > earlier.score;
  return options.order == Order::rank && later.rank < earlier.rank;
}

}  // namespace

void Aligner::feed(std::string_view chunk) {
  const auto line = [this](std::string_view text, std::uint64_t number) { add_line(text, number); };
  if (chunk.empty()) {
    lines_.finish(line);
  } else {
    lines_.feed(chunk, line);
  }
}

void Aligner::add_line(std::string_view line, std::uint64_t number) {
  thread_local std::vector<std::string_view> fields(6);
  const std::size_t count = split(line, fields);
  odd_.comments += line.starts_with('#');
  if (count == 0) return;
  if (count < 6) bad_count(number, line, 6, count);
  if (count > 6 && odd_.long_lines++ == 0) odd_.first_long = number;
  double score = 0;
  if (options_.order == Order::score) {
    if (!read_number(fields[4], score)) bad_field("score", number, line, fields[4]);
    if (std::isnan(score)) bad_field("nan-score", number, line, fields[4]);
  }
  std::int64_t rank = 0;
  if (options_.order == Order::rank || options_.ties == Ties::rank_column)
    if (!read_integer(fields[3], rank)) bad_field("rank", number, line, fields[3]);
  add(fields[0], fields[2], score, rank, number);
}

void Aligner::add_query(Id query) {
  if (any_query_ && query == last_query_) return;
  if (!any_query_) first_query_ = query;
  any_query_ = true;
  last_query_ = query;
  last_ = index_.query(query);
  if (last_ == Index::kNone) {
    strangers_.find_or_add(query);
  } else {
    in_run_[last_] = 1;
  }
}

void Aligner::add(Id query, Id item, double score, std::int64_t rank, std::uint64_t line) {
  if (n_rows_++ == 0) first_item_ = item;
  add_query(query);
  if (last_ == Index::kNone) return;
  rows_[last_].push_back(
      {comparable(score, options_.float32), rank, line, arena_.keep(item), nullptr});
}

void Aligner::resolve_duplicates(std::uint32_t query, std::vector<Row>& rows) {
  Slots slots(rows.size());
  std::size_t kept = 0;
  for (const Row& row : rows) {
    const auto hash = hash_of(row.item);
    const auto known = slots.find(hash, [&](std::uint32_t n) { return rows[n].item == row.item; });
    if (known == Slots::kNone) {
      slots.insert(hash, static_cast<std::uint32_t>(kept));
      rows[kept] = row;
      rows[kept++].judgment = index_.find(query, row.item, hash);
      continue;
    }
    ++n_duplicates_;
    Row& earlier = rows[known];
    if (options_.duplicates == Duplicates::error) {
      if (worst_.reason == nullptr || row.line < worst_.line)
        worst_ = {.reason = "retrieved-twice",
                  .line = row.line,
                  .query = std::string(index_.queries()[query]),
                  .item = std::string(row.item),
                  .first = static_cast<double>(earlier.line),
                  .second = static_cast<double>(row.line)};
    } else if (replaces(row, earlier, options_)) {
      const auto* judgment = earlier.judgment;
      earlier = row;
      earlier.judgment = judgment;
    }
  }
  rows.resize(kept);
}

Aligned Aligner::finish() {
  Aligned out;
  out.in_run = in_run_;
  out.hit_offsets.push_back(0);
  std::vector<Place> place;
  for (std::uint32_t query = 0; query < rows_.size(); ++query) {
    auto& rows = rows_[query];
    resolve_duplicates(query, rows);
    if (options_.condense)
      std::erase_if(rows, [](const Row& row) { return row.judgment == nullptr; });
    rank(rows, options_);
    write_hits(rows, options_, place, out);
  }
  if (worst_.reason != nullptr) throw worst_;
  out.n_duplicates = n_duplicates_;
  return out;
}

Arrays align_arrays(std::span<const double> labels, const double* scores,
                    std::span<const std::int64_t> offsets, const Options& options) {
  Arrays out;
  Aligned& aligned = out.aligned;
  aligned.hit_offsets.push_back(0);
  out.pool_label.reserve(labels.size());
  std::vector<Index::Judgment> judged;
  std::vector<Row> rows;
  std::vector<Place> place;
  for (std::size_t query = 0; query + 1 < offsets.size(); ++query) {
    judged.clear();
    rows.clear();
    for (auto i = offsets[query]; i < offsets[query + 1]; ++i)
      judged.push_back({{}, labels[i] + 0.0, 0});
    for (std::size_t i = 0; i < judged.size(); ++i) {
      const double score = scores ? scores[offsets[query] + static_cast<std::int64_t>(i)] : 0.0;
      rows.push_back({comparable(score, options.float32), 0, i, {}, &judged[i]});
    }
    rank(rows, options);
    write_hits(rows, options, place, aligned);
    aligned.in_run.push_back(1);
    const auto begin = out.pool_label.insert(out.pool_label.end(), labels.begin() + offsets[query],
                                             labels.begin() + offsets[query + 1]);
    std::sort(begin, out.pool_label.end(), std::greater<>());
  }
  for (double& label : out.pool_label) label += 0.0;
  return out;
}

}  // namespace gainful
