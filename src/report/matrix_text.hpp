// A table of reference classes against map classes, with sums. Rows are reference, columns are map.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

namespace parsimap {

// `values` is K x K for K `names`. Classes are numbered from 1 in their order, so that long names do not widen the
// columns; `format` writes values and their sums.
std::string matrix_text(const std::vector<std::string>& names, const Matrix& values,
                        const std::function<std::string(double)>& format);

}  // namespace parsimap
