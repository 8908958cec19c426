#include "index.hpp"

#include <algorithm>
#include <cmath>

namespace gainful {

namespace {

// Of all duplicates, the one whose second mention comes first in the file.
void keep_earliest(BadInput& worst, Id query, const Index::Judgment& first,
                   const Index::Judgment& second) {
  if (worst.line != 0 && worst.line <= second.line) return;
  worst = {.reason = "judged-twice",
           .line = second.line,
           .query = std::string(query),
           .item = std::string(second.item),
           .first = first.label,
           .second = second.label};
}

}  // namespace

void Index::feed(std::string_view chunk) {
  const auto line = [this](std::string_view text, std::uint64_t number) { add_line(text, number); };
  if (chunk.empty()) {
    lines_.finish(line);
  } else {
    lines_.feed(chunk, line);
  }
}

void Index::add_line(std::string_view line, std::uint64_t number) {
  thread_local std::vector<std::string_view> fields(4);
  const std::size_t count = split(line, fields);
  odd_.comments += line.starts_with('#');
  if (count == 0) return;
  if (count != 4) bad_count(number, line, 4, count);
  double label = 0;
  if (!read_number(fields[3], label) || !std::isfinite(label))
    bad_field("label", number, line, fields[3]);
  add(fields[0], fields[2], label, number);
}

void Index::add_query(Id query) {
  if (last_query_ != kNone && queries_[last_query_] == query) return;
  last_query_ = queries_.find_or_add(query);
  if (last_query_ == judged_.size()) judged_.emplace_back();
}

void Index::add(Id query, Id item, double label, std::uint64_t line) {
  add_query(query);
  // Adding zero turns -0.0 into 0.0.
  judged_[last_query_].push_back({arena_.keep(item), label + 0.0, line});
}

void Index::finish(Duplicates duplicates) {
  BadInput worst{.reason = nullptr};
  finished_ = true;
  slots_.reserve(judged_.size());
  for (std::size_t query = 0; query < judged_.size(); ++query) {
    auto& rows = judged_[query];
    Slots& slots = slots_.emplace_back(rows.size());
    std::size_t kept = 0;
    for (const Judgment& row : rows) {
      const auto hash = hash_of(row.item);
      const auto same = [&](std::uint32_t n) { return rows[n].item == row.item; };
      const auto known = slots.find(hash, same);
      if (known == kNone) {
        slots.insert(hash, static_cast<std::uint32_t>(kept));
        rows[kept++] = row;
        continue;
      }
      ++n_duplicates_;
      Judgment& first = rows[known];
      if (duplicates == Duplicates::error) keep_earliest(worst, queries_[query], first, row);
      if (duplicates == Duplicates::last) first.label = row.label;
      if (duplicates == Duplicates::max) first.label = std::max(first.label, row.label);
    }
    rows.resize(kept);
  }
  if (worst.reason != nullptr) throw worst;
}

const Index::Judgment* Index::find(std::uint32_t query, Id item, std::uint64_t hash) const {
  const auto& rows = judged_[query];
  const auto n = slots_[query].find(hash, [&](std::uint32_t i) { return rows[i].item == item; });
  return n == kNone ? nullptr : &rows[n];
}

}  // namespace gainful
