// Rows that several threads hold, in the order in which they were given.
#pragma once

#include <span>

#include "packed_rows.hpp"

namespace gainful {

template <class OnRow>
void in_order(std::span<PackedRows::Cursor> cursors, OnRow&& on_row) {
  while (true) {
    PackedRows::Cursor* first = nullptr;
    for (PackedRows::Cursor& cursor : cursors)
      if (!cursor.done() && (!first || cursor.row().place < first->row().place)) first = &cursor;
    if (first == nullptr) return;
    on_row(first->row());
    first->next();
  }
}

}  // namespace gainful
