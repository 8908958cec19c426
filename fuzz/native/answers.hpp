// All that an index or a run says, as text, so that two ways to read it can be compared.
#pragma once

#include <unistd.h>

#include <bit>
#include <cstdio>
#include <string>

#include "align.hpp"
#include "input.hpp"

namespace fuzz {

class Answer {
 public:
  Answer& operator<<(std::string_view text) {
    text_.append(text).append(" ");
    return *this;
  }
  // By its bits, so that nothing that prints alike is the same.
  Answer& operator<<(double number) {
    char text[64];
    std::snprintf(text, sizeof text, "%.17g", number);
    return *this << text;
  }
  template <std::integral T>
  Answer& operator<<(T number) {
    return *this << std::string_view(std::to_string(number));
  }
  template <class T>
    requires requires(const T& values) { values.begin(); }
  Answer& operator<<(const T& values) {
    *this << "[";
    for (const auto& value : values) *this << value;
    return *this << "]";
  }
  void line(std::string_view name) { text_.append("\n").append(name).append(": "); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

inline Answer& operator<<(Answer& out, const gainful::BadInput& bad) {
  return out << bad.reason << bad.line << bad.column << std::string_view(bad.text)
             << std::string_view(bad.query) << std::string_view(bad.item) << bad.first
             << bad.second;
}

inline Answer& operator<<(Answer& out, const gainful::Sightings& seen) {
  return out << seen.count << (seen.count == 0 ? 0 : seen.first);
}

inline std::string described(const gainful::BadInput& bad) {
  Answer out;
  out << bad;
  return out.text();
}

inline void describe(Answer& out, const gainful::Odd& odd) {
  out.line("odd");
  out << odd.comments << odd.blanks << odd.unwhole << odd.long_lines << odd.first_long;
  for (const gainful::Fault& fault : odd.faults) out << fault.count << fault.first;
}

inline std::string described(const gainful::Index& index) {
  Answer out;
  for (std::size_t query = 0; query < index.n_queries(); ++query) {
    out.line(index.queries()[query]);
    for (const auto& judgment : index.judged(query).judgments)
      out << judgment.item() << judgment.label;
  }
  out.line("pool");
  out << index.pool_offsets() << index.pool_labels() << index.given_labels();
  out.line("duplicates");
  out << index.n_duplicates();
  if (index.repeat()) out << *index.repeat();
  describe(out, index.reader.odd());
  return out.text();
}

inline void describe(Answer& out, const gainful::Tally& tally) {
  out.line("tally");
  out << tally.rows << tally.odd_ranks << tally.neighbors << tally.contradicted << tally.infinite
      << tally.telling << tally.equal << tally.ascending << tally.rises << tally.close;
}

inline void describe(Answer& out, const gainful::Aligned& aligned) {
  out.line("queries");
  out << aligned.in_run << aligned.n_retrieved << aligned.hit_offsets;
  out.line("hits");
  out << aligned.hits.rank << aligned.hits.label << aligned.hits.tie_first << aligned.hits.tie_size;
  out.line("counts");
  out << aligned.n_duplicates << aligned.n_own;
  describe(out, aligned.tally);
  out.line("heads");
  out << aligned.head_offsets << aligned.head_item;
  for (std::size_t i = 0; i < aligned.items.size(); ++i) out << aligned.items[i];
}

// After finish(), what it returned being given.
inline std::string described(const gainful::Aligner& aligner, const gainful::Aligned& aligned) {
  Answer out;
  describe(out, aligned);
  out.line("rows");
  out << aligner.n_rows();
  for (const auto& stranger : aligner.strangers()) out << std::string_view(stranger.query);
  for (const auto& row : {aligner.first_row(), aligner.first_judged()})
    out << std::string_view(row.query) << std::string_view(row.item) << row.number;
  out.line("ranking");
  for (const gainful::Ranked& one : aligner.ranking()) {
    out << std::string_view(one.item) << one.score << one.place.rank << one.place.tie_first
        << one.place.tie_size;
    if (one.judgment != nullptr) out << one.judgment->item() << one.judgment->label;
  }
  if (aligner.repeat()) out << *aligner.repeat();
  describe(out, aligner.reader.odd());
  return out.text();
}

// A file that holds some text, not from its beginning on.
class TextFile {
 public:
  static constexpr std::string_view kBefore = "x\n";

  int with(std::string_view text) {
    if (ftruncate(number(), 0) != 0) std::abort();
    put(kBefore, 0);
    put(text, kBefore.size());
    return number();
  }

 private:
  int number() { return fileno(file_); }
  void put(std::string_view text, std::size_t place) {
    if (pwrite(number(), text.data(), text.size(), static_cast<off_t>(place)) !=
        static_cast<ssize_t>(text.size()))
      std::abort();
  }
  std::FILE* file_ = std::tmpfile();
};

// How text is read: from a file, or in pieces.
struct Way {
  gainful::ReadingOptions reading{};
  std::size_t piece = 0;  // bytes; 0 for a file

  // The simplest there is.
  static Way plain(bool lenient) {
    return {{.scanner = gainful::scanners().data(), .lenient = lenient}};
  }
  static Way drawn(Input& input, bool lenient, bool file) {
    const std::size_t threads = 1 + input.below(3), chunk = 1 + input.byte();
    const auto& scanner = gainful::scanners()[input.below(gainful::scanners().size())];
    const std::size_t piece = file ? 0 : 1 + input.byte();
    return {{.threads = threads, .chunk = chunk, .scanner = &scanner, .lenient = lenient}, piece};
  }
};

template <class Receiver>
void push(Receiver& receiver, std::string_view text, std::size_t piece) {
  for (std::size_t begin = 0; begin < text.size(); begin += piece)
    receiver.reader.push(text.substr(begin, piece));
  receiver.reader.end({});
}

// Reads text as Python does, again from the beginning where its groups turn out to be apart.
template <class Receiver>
void read(Receiver& receiver, std::string_view text, const Way& way) {
  static TextFile file;
  if (way.piece == 0) {
    const std::size_t begin = TextFile::kBefore.size();
    return receiver.reader.read_file(file.with(text), begin, begin + text.size(), {});
  }
  try {
    push(receiver, text, way.piece);
  } catch (const gainful::Ungrouped&) {
    receiver.reader.start_over();
    push(receiver, text, way.piece);
  }
}

}  // namespace fuzz
