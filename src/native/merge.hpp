// Rows that several threads hold, in the order in which they were given.
#pragma once

#include <span>

#include "held.hpp"

namespace gainful {

template <class OnRow>
void in_order(std::span<Held::Cursor> cursors, OnRow&& on_row) {
  while (true) {
    Held::Cursor* first = nullptr;
    for (Held::Cursor& cursor : cursors)
      if (!cursor.done() && (!first || cursor.row().place < first->row().place)) first = &cursor;
    if (first == nullptr) return;
    on_row(first->row());
    first->next();
  }
}

}  // namespace gainful
