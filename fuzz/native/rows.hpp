// Qrels and runs as rows, read in the obvious way and added one by one.
#pragma once

#include "align.hpp"
#include "plain.hpp"

namespace fuzz::plain {

// Rows, and what was odd about the lines around them.
struct Judged {
  std::string_view query, item;
  double label;
  std::uint64_t line;
};
struct Retrieved {
  std::string_view query, item;
  double score;
  std::int64_t rank;
  std::uint64_t line;
};

template <class Row>
struct Read {
  std::vector<Row> rows;
  gainful::Odd odd;
};

inline bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return digits(text) == text.size();
}

// Calls on_line for those with enough fields; extra fields are wrong, or counted.
template <class OnLine>
void for_each(std::string_view text, std::size_t wanted, bool extra, gainful::Odd& odd,
              OnLine&& on_line) {
  for (const Line& line : lines(text)) {
    odd.comments += line.comment();
    odd.blanks += !line.comment() && line.field.empty();
    if (line.comment() || line.field.empty()) continue;
    if (line.field.size() < wanted || (line.field.size() > wanted && !extra)) {
      odd.refuse(bad_count(line, wanted));
      continue;
    }
    if (line.field.size() > wanted && odd.long_lines++ == 0) odd.first_long = line.number;
    on_line(line);
  }
}

// Throws BadInput unless it is lenient.
inline Read<Judged> qrels(std::string_view text, bool lenient) {
  Read<Judged> out;
  out.odd.lenient = lenient;
  for_each(text, 4, false, out.odd, [&](const Line& line) {
    const auto label = number(line.field[3]);
    if (!label || !std::isfinite(*label))
      return out.odd.refuse(bad_field("label", line, line.field[3]));
    out.odd.unwhole += !is_whole(line.field[3]);
    out.rows.push_back({line.field[0], line.field[2], *label, line.number});
  });
  return out;
}

inline Read<Retrieved> run(std::string_view text, const gainful::Options& options, bool lenient) {
  Read<Retrieved> out;
  out.odd.lenient = lenient;
  for_each(text, 6, true, out.odd, [&](const Line& line) {
    const auto score = number(line.field[4]);
    const auto rank = integer(line.field[3]);
    if (options.with_scores() && !score)
      return out.odd.refuse(bad_field("score", line, line.field[4]));
    if (options.with_scores() && std::isnan(*score))
      return out.odd.refuse(bad_field("nan-score", line, line.field[4]));
    if (options.with_ranks() && !rank)
      return out.odd.refuse(bad_field("rank", line, line.field[3]));
    out.rows.push_back({line.field[0], line.field[2], score.value_or(0),
                        rank.value_or(gainful::Tally::kNoRank), line.number});
  });
  return out;
}

inline void add(gainful::Index& index, const std::vector<Judged>& rows) {
  for (const Judged& row : rows) index.add(row.query, row.item, row.label, row.line);
}
inline void add(gainful::Aligner& aligner, const std::vector<Retrieved>& rows) {
  for (const Retrieved& row : rows) aligner.add(row.query, row.item, row.score, row.rank, row.line);
}

}  // namespace fuzz::plain
