#include "parsimap/scene/field_histogram.hpp"

#include <algorithm>
#include <cmath>

namespace parsimap {

void FieldHistogram::write(const Window& window, const Spectra& values) {
  if (target_ != nullptr) {
    target_->write(window, values);
  }
  for (Index i = 0; i < values.rows(); ++i) {
    if (!std::isnan(values(i, 0))) {
      const auto bin = static_cast<Index>(values(i, 0) * static_cast<float>(kBins));
      ++counts_[static_cast<std::size_t>(std::clamp<Index>(bin, 0, kBins - 1))];
    }
  }
}

void FieldHistogram::close() {
  if (target_ != nullptr) {
    target_->close();
  }
}

}  // namespace parsimap
