// Counts the values of a field of shares (confidence, novelty) while it is written.
#pragma once

#include <cstdint>
#include <vector>

#include "parsimap/scene/map_sink.hpp"

namespace parsimap {

class FieldHistogram final : public FieldSink {
 public:
  static constexpr Index kBins = 20;  // of [0, 1]; the last holds 1

  // Values are passed on to `target`, which is kept by the caller, unless it is null.
  explicit FieldHistogram(FieldSink* target) : target_(target), counts_(kBins, 0) {}

  // One band; values in [0, 1], or NaN, which is not counted.
  void write(const Window& window, const Spectra& values) override;
  void close() override;

  [[nodiscard]] const std::vector<std::int64_t>& counts() const { return counts_; }

 private:
  FieldSink* target_;
  std::vector<std::int64_t> counts_;
};

}  // namespace parsimap
