#include "parsimap/scene/orthorectified_scene.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <tuple>
#include <utility>
#include <vector>

namespace parsimap {
namespace {

// Of the map: windows of it are about square, so that they touch few storage blocks of a scene that is turned.
constexpr Index kBlock = 256;
// Values of the scene that are read at once.
constexpr Index kMostValues = Index{1} << 22;

class OrthorectifiedScene final : public SceneSource {
 public:
  OrthorectifiedScene(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup)
      : scene_(std::move(scene)), lookup_(std::move(lookup)) {}

  [[nodiscard]] const std::string& name() const override { return scene_->name(); }
  [[nodiscard]] const RasterGrid& grid() const override { return lookup_->grid(); }
  [[nodiscard]] const BandTable& bands() const override { return scene_->bands(); }
  [[nodiscard]] Index block_width() const override { return std::min(kBlock, grid().width); }
  [[nodiscard]] Index block_height() const override { return std::min(kBlock, grid().height); }
  [[nodiscard]] bool known_empty(const Window& /*window*/) const override { return false; }

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.setConstant(window.pixels(), static_cast<Index>(bands.size()), std::numeric_limits<float>::quiet_NaN());
    lookup_->read(window, shown_);
    list_places();
    for (auto first = places_.begin(); first != places_.end();) {
      const auto next =
          std::find_if(first, places_.end(), [&](const Place& place) { return place.block != first->block; });
      read_block(first, next, bands, values);
      first = next;
    }
  }
  void check_unchanged() const override {
    scene_->check_unchanged();
    lookup_->check_unchanged();
  }

 private:
  // A pixel of the window that shows something.
  struct Place {
    std::int64_t block;  // storage block of the scene
    std::int64_t pixel;  // of the scene
    Index position;      // in the window
  };
  using Places = std::vector<Place>::const_iterator;

  // Sorted such that each storage block of the scene is read once, from above to below.
  void list_places() {
    const Index width = scene_->grid().width;
    const Index block_width = std::max<Index>(1, scene_->block_width());
    const Index block_height = std::max<Index>(1, scene_->block_height());
    const Index across = (width + block_width - 1) / block_width;
    places_.clear();
    for (std::size_t i = 0; i < shown_.size(); ++i) {
      if (shown_[i] >= 0) {
        const std::int64_t row = shown_[i] / width;
        const std::int64_t column = shown_[i] % width;
        places_.push_back({row / block_height * across + column / block_width, shown_[i], static_cast<Index>(i)});
      }
    }
    std::sort(places_.begin(), places_.end(), [](const Place& a, const Place& b) {
      return std::tie(a.block, a.pixel, a.position) < std::tie(b.block, b.pixel, b.position);
    });
  }

  // Reads the smallest windows that hold the pixels of one storage block, which are ascending, in pieces of few rows.
  void read_block(Places first, Places last, const Indices& bands, Spectra& values) {
    const Index width = scene_->grid().width;
    const auto by_column = [&](const Place& a, const Place& b) { return a.pixel % width < b.pixel % width; };
    const auto [left, right] = std::minmax_element(first, last, by_column);
    Window piece;
    piece.column = left->pixel % width;
    piece.width = right->pixel % width - piece.column + 1;
    const auto count = std::max<Index>(1, static_cast<Index>(bands.size()));
    const Index rows = std::max<Index>(1, kMostValues / (piece.width * count));
    while (first != last) {
      piece.row = first->pixel / width;
      const std::int64_t end = (piece.row + rows) * width;
      const auto next = std::find_if(first, last, [&](const Place& place) { return place.pixel >= end; });
      piece.height = std::prev(next)->pixel / width - piece.row + 1;
      scene_->read(piece, bands, read_);
      for (; first != next; ++first) {
        values.row(first->position) =
            read_.row((first->pixel / width - piece.row) * piece.width + first->pixel % width - piece.column);
      }
    }
  }

  std::unique_ptr<SceneSource> scene_;
  std::unique_ptr<GeometryLookup> lookup_;
  std::vector<std::int64_t> shown_;
  std::vector<Place> places_;
  Spectra read_;
};

}  // namespace

std::unique_ptr<SceneSource> orthorectify(std::unique_ptr<SceneSource> scene, std::unique_ptr<GeometryLookup> lookup) {
  return std::make_unique<OrthorectifiedScene>(std::move(scene), std::move(lookup));
}

}  // namespace parsimap
