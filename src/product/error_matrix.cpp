#include "error_matrix.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace parsimap {
namespace {

// Numbers of the matrices that are read at once.
constexpr Index kMostValues = Index{1} << 22;

// A band for each error: 1 where a pixel has it in any band of the matrices, else 0.
class ErrorScene final : public SceneSource {
 public:
  ErrorScene(std::unique_ptr<SceneSource> matrices, std::vector<BandError> errors)
      : matrices_(std::move(matrices)), errors_(std::move(errors)), all_(matrices_->bands().size()) {
    for (const BandError& error : errors_) {
      bands_.push_back({.name = error.name});
    }
    std::iota(all_.begin(), all_.end(), Index{0});
  }

  [[nodiscard]] const std::string& name() const override { return matrices_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return matrices_->grid(); }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }
  [[nodiscard]] Index block_width() const override { return matrices_->block_width(); }
  [[nodiscard]] Index block_height() const override { return matrices_->block_height(); }
  [[nodiscard]] bool known_empty(const Window& /*window*/) const override { return false; }
  void check_unchanged() const override { matrices_->check_unchanged(); }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    const Index across = std::max<Index>(1, window.width * static_cast<Index>(all_.size()));
    const Index rows = std::clamp<Index>(kMostValues / across, 1, std::max<Index>(1, window.height));
    for (Index row = 0; row < window.height; row += rows) {
      const Window part{window.column, window.row + row, window.width, std::min(rows, window.height - row)};
      matrices_->read(part, all_, numbers_);
      for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
        for (std::size_t i = 0; i < bands.size(); ++i) {
          values(row * window.width + pixel, static_cast<Index>(i)) =
              has(pixel, errors_.at(static_cast<std::size_t>(bands[i]))) ? 1.0F : 0.0F;
        }
      }
    }
  }

 private:
  [[nodiscard]] bool has(Index pixel, const BandError& error) const {
    const float* first = numbers_.data() + pixel * numbers_.cols();
    return std::find_first_of(first, first + numbers_.cols(), error.numbers.begin(), error.numbers.end()) !=
           first + numbers_.cols();
  }

  std::unique_ptr<SceneSource> matrices_;
  std::vector<BandError> errors_;
  Indices all_;
  BandTable bands_;
  Spectra numbers_;
};

}  // namespace

std::vector<BandError> errors_of_level_1() {
  return {{"defective", "defective pixel in a band", {1}},
          {"saturated", "saturated in a band", {2}},
          {"uncertain", "lower radiometric confidence, or no number, in a band", {3, 4}}};
}

std::vector<BandError> errors_of_level_2() {
  // The document has 3 for saturated values, products have been seen with 4.
  return {{"defective", "invalid pixel of level 1 in a band", {1}},
          {"negative", "negative after atmospheric correction in a band", {2}},
          {"saturated", "saturated after atmospheric correction in a band", {3, 4}}};
}

void add_error_matrices(std::unique_ptr<SceneSource> matrices, const std::vector<BandError>& errors,
                        std::vector<QualityLayer>& layers) {
  const std::shared_ptr<SceneSource> source = std::make_shared<ErrorScene>(std::move(matrices), errors);
  for (std::size_t i = 0; i < errors.size(); ++i) {
    layers.push_back({errors[i].name, errors[i].meaning, source, static_cast<Index>(i), {1}});
  }
}

}  // namespace parsimap
