#include "described_scene.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/scene_decorator.hpp"
#include "parsimap/scene/scene_source.hpp"

namespace parsimap {
namespace {

bool is_scaled(const Band& band) { return band.scale != 1 || band.offset != 0; }

class DescribedScene final : public SceneDecorator {
 public:
  DescribedScene(std::unique_ptr<SceneSource> scene, const BandDescription& description, std::string name)
      : SceneDecorator(std::move(scene)),
        name_(std::move(name)),
        bands_(description.bands),
        nodata_(description.nodata) {
    for (std::size_t i = 0; i < bands_.size(); ++i) {
      const Band& own = behind().bands()[i];
      applied_.push_back(is_scaled(own) ? Applied{} : Applied{bands_[i].scale, bands_[i].offset, true});
      if (is_scaled(own)) {
        bands_[i].scale = own.scale;
        bands_[i].offset = own.offset;
      }
    }
  }

  [[nodiscard]] const std::string& name() const override { return name_; }
  [[nodiscard]] const BandTable& bands() const override { return bands_; }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    behind().read(window, bands, values);
    const auto count = static_cast<Index>(bands.size());
    for (Index pixel = 0; pixel < values.rows(); ++pixel) {
      for (Index i = 0; i < count; ++i) {
        const Applied& applied = applied_[static_cast<std::size_t>(bands[static_cast<std::size_t>(i)])];
        if (applied.stored) {
          values(pixel, i) = value_of(values(pixel, i), applied);
        }
      }
    }
  }

 private:
  // What is done to the numbers of one band; nothing where the scene has made values of them.
  struct Applied {
    double scale = 1;
    double offset = 0;
    bool stored = false;
  };

  // In double, as GDAL's own scale is applied.
  [[nodiscard]] float value_of(float stored, const Applied& applied) const {
    const auto value = static_cast<float>(static_cast<double>(stored) * applied.scale + applied.offset);
    const bool is_nodata = nodata_ && static_cast<double>(stored) == *nodata_;
    return is_nodata || !std::isfinite(value) ? kMissingValue : value;
  }

  std::string name_;
  BandTable bands_;
  std::optional<double> nodata_;
  std::vector<Applied> applied_;
};

}  // namespace

std::unique_ptr<SceneSource> describe_scene(std::unique_ptr<SceneSource> scene, const BandDescription& description,
                                            const std::string& name) {
  if (description.bands.size() != scene->bands().size()) {
    throw DataError(scene->name() + " has " + std::to_string(scene->bands().size()) + " bands, but " +
                    std::to_string(description.bands.size()) + " are described; is it the image that the product had?");
  }
  return std::make_unique<DescribedScene>(std::move(scene), description, name);
}

}  // namespace parsimap
