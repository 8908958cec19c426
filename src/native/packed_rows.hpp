// Rows of many queries, packed: a number, a place and an id each take as few bytes as they can.
#pragma once

#include <cstdint>
#include <vector>

#include "ids.hpp"

namespace gainful {

// One row, unpacked.
struct PackedRow {
  std::uint64_t key = 0;    // a score, a label or a rank, in 64 bits
  std::uint64_t place = 0;  // where in the input it stood; later is higher
  std::int64_t rank = 0;    // the rank column, where it is wanted
  Id item;
};

class PackedRows {
 public:
  explicit PackedRows(bool with_ranks = false) : with_ranks_(with_ranks) {}

  // Adds a row to a query; the places of a query's rows must rise.
  void add(std::size_t query, const PackedRow& row);
  // How many rows a query has.
  std::size_t count(std::size_t query) const {
    return query < chains_.size() ? chains_[query].count : 0;
  }

  // Goes through the rows of a query, in the order in which they were added.
  class Cursor {
   public:
    Cursor(const PackedRows& rows, std::size_t query);
    bool done() const { return left_ == 0; }
    const PackedRow& row() const { return row_; }  // unless done
    void next();

   private:
    void read();

    bool with_ranks_;
    std::size_t left_ = 0;
    const char* at_ = nullptr;
    const char* block_ = nullptr;
    PackedRow row_;
  };

 private:
  struct Chain {
    char* first = nullptr;  // of its blocks
    char* block = nullptr;  // the last of them
    char* next = nullptr;   // where the next row goes
    char* end = nullptr;
    std::uint64_t place = 0;
    std::uint32_t count = 0;
    std::uint32_t size = 0;  // of all its blocks, none counted as more than 8192 bytes; it may wrap
  };

  void grow(Chain& chain, std::size_t needed);
  std::size_t packed_size(const PackedRow& row, std::uint64_t place) const;

  bool with_ranks_;
  Arena arena_;
  std::vector<Chain> chains_;
};

}  // namespace gainful
