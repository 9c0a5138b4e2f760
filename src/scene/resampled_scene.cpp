#include "parsimap/scene/resampled_scene.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "parsimap/scene/scene_decorator.hpp"

namespace parsimap {
namespace {

constexpr std::int64_t kBufferBytes = std::int64_t{32} << 20U;

// The weighted sums that make the bands asked for.
struct Sums {
  Indices asked;              // bands of the resampled scene
  Indices read;               // bands of the scene behind that count for them, ascending
  std::vector<Index> ends;    // of every sum, in the two lists below
  std::vector<Index> column;  // among `read`
  std::vector<double> weight;
};

class ResampledScene final : public SceneDecorator {
 public:
  ResampledScene(std::unique_ptr<SceneSource> scene, const SpectralResampling& resampling, BandTable bands)
      : SceneDecorator(std::move(scene)), weights_(resampling.weights), bands_(std::move(bands)) {
    for (Band& band : bands_) {
      band.bad = false;
    }
  }

  [[nodiscard]] const BandTable& bands() const override { return bands_; }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    if (sums_.asked != bands) {
      sums_ = sums_for(bands);
    }
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    const Index rows = rows_at_once(window);
    for (Index row = 0; row < window.height; row += rows) {
      const Window part{window.column, window.row + row, window.width, std::min(rows, window.height - row)};
      behind().read(part, sums_.read, part_);
      for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
        add_up(part_.row(pixel).data(), values.row(row * window.width + pixel).data());
      }
    }
  }

 private:
  [[nodiscard]] Sums sums_for(const Indices& bands) const {
    Sums sums;
    sums.asked = bands;
    std::set<Index> read;
    for (const Index band : bands) {
      for (const BandWeight& entry : weights_[static_cast<std::size_t>(band)]) {
        read.insert(entry.band);
      }
    }
    sums.read.assign(read.begin(), read.end());
    for (const Index band : bands) {
      for (const BandWeight& entry : weights_[static_cast<std::size_t>(band)]) {
        sums.column.push_back(std::lower_bound(sums.read.begin(), sums.read.end(), entry.band) - sums.read.begin());
        sums.weight.push_back(entry.weight);
      }
      sums.ends.push_back(static_cast<Index>(sums.weight.size()));
    }
    return sums;
  }

  // Rows of a window that fit into the buffer: whole storage blocks where they do, one row at least.
  [[nodiscard]] Index rows_at_once(const Window& window) const {
    const auto row_bytes = static_cast<std::int64_t>(sums_.read.size() * sizeof(float)) * window.width;
    const Index rows = std::max<Index>(1, kBufferBytes / std::max<std::int64_t>(1, row_bytes));
    return rows > block_height() ? rows - rows % block_height() : rows;
  }

  // A pixel at a time, so that its sums are rounded alike in every window.
  void add_up(const float* spectrum, float* values) const {
    std::size_t k = 0;
    for (std::size_t i = 0; i < sums_.ends.size(); ++i) {
      double sum = 0;
      for (; k < static_cast<std::size_t>(sums_.ends[i]); ++k) {
        sum += sums_.weight[k] * static_cast<double>(spectrum[sums_.column[k]]);
      }
      values[i] = static_cast<float>(sum);
    }
  }

  std::vector<std::vector<BandWeight>> weights_;
  BandTable bands_;
  Sums sums_;
  Spectra part_;
};

}  // namespace

std::unique_ptr<SceneSource> resample_scene(std::unique_ptr<SceneSource> scene, const SpectralResampling& resampling,
                                            BandTable bands) {
  return std::make_unique<ResampledScene>(std::move(scene), resampling, std::move(bands));
}

}  // namespace parsimap
