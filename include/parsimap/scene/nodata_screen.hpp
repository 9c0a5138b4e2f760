// Values that mean no data though the file of a scene does not say so.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "parsimap/samples/sample_set.hpp"
#include "parsimap/scene/raster.hpp"
#include "parsimap/scene/window_reader.hpp"

namespace parsimap {

// The scene with `value` as a further nodata value of all of its bands, as stored: before scale and offset.
std::unique_ptr<SceneSource> declare_nodata(std::unique_ptr<SceneSource> scene, double value);

// The scene without pixels of which all bands have one value, stored or scaled, that is 0, outside of `known`, or, of
// signed bytes, -128, where no training pixel has that in all bands; without those that lie below `known` in all bands,
// where it is mostly above 0; and without those that have fill in some bands: a value outside of `known` that is a
// usual number for it, such as -9999, or lies farther away than any measurement. Reads of fewer than four bands, or of
// all where the scene has fewer, are not screened: they are pictures and searches for pixels, not spectra. A scene of
// one band is left as it is.
class NodataScreen final : public SceneDecorator {
 public:
  NodataScreen(std::shared_ptr<SceneSource> scene, const ValueRange& known, bool signed_bytes);

  void read(const Window& window, const Indices& bands, Spectra& values) override;

  // Counts the pixels that are left out anew, in this window of the scene. Each column is counted downwards, as it is
  // read, so that pixels that are read again do not count twice.
  void count(const Window& window);
  [[nodiscard]] std::int64_t left_out() const { return left_out_; }
  // Those among them that have fill in some bands only.
  [[nodiscard]] std::int64_t partly_filled() const { return partly_filled_; }
  // Pixels that count as data, with 0 in some bands, which are those called missing, though all training values are
  // above 0.
  [[nodiscard]] const PartialPixels& partly_zero() const { return partly_zero_; }

 private:
  [[nodiscard]] bool has_fill(const float* spectrum, const Indices& bands) const;
  [[nodiscard]] bool is_nodata(const float* spectrum, const Indices& bands) const;
  // The integer that is stored in all bands, where there is one.
  [[nodiscard]] bool stored_alike(const float* spectrum, const Indices& bands, double& stored) const;

  ValueRange known_;
  bool signed_bytes_;
  Window counted_;
  std::vector<Index> next_;  // for every column the row below the last one counted
  std::int64_t left_out_ = 0;
  std::int64_t partly_filled_ = 0;
  PartialPixels partly_zero_;
};

// The range of the values that training samples have, for maps of the model.
ValueRange range_of_values(const Matrix& spectra, const BandTable& bands);

}  // namespace parsimap
