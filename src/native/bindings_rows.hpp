// Rows of text, as Python sees them.
#pragma once

#include <nanobind/nanobind.h>

namespace gainful {

void define_rows(nanobind::module_& m);

}  // namespace gainful
