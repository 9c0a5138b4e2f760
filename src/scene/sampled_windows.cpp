#include "parsimap/scene/sampled_windows.hpp"

#include <utility>

#include "parsimap/core/random.hpp"

namespace parsimap {
namespace {

constexpr Index kSide = 64;
constexpr Index kEnoughPixels = Index{16} * kSide * kSide;
constexpr Index kMostWindows = 512;

// The scene cut into windows of about equal size, at most kSide x kSide pixels, from which samples are drawn.
class Places {
 public:
  explicit Places(const RasterGrid& grid)
      : grid_(grid), across_((grid.width + kSide - 1) / kSide), down_((grid.height + kSide - 1) / kSide) {}

  [[nodiscard]] Index count() const { return across_ * down_; }
  [[nodiscard]] Window window(Index i) const {
    const Index column = i % across_ * grid_.width / across_;
    const Index row = i / across_ * grid_.height / down_;
    return {column, row, (i % across_ + 1) * grid_.width / across_ - column,
            (i / across_ + 1) * grid_.height / down_ - row};
  }

 private:
  const RasterGrid& grid_;
  Index across_;
  Index down_;
};

}  // namespace

void for_sampled_windows(SceneSource& scene, const Indices& bands, const std::function<void(ValidSpectra&&)>& use) {
  const Places places(scene.grid());
  WindowReader reader(scene, bands);
  Index pixels = 0;
  Index looked_at = 0;
  // The random order is the same for every run.
  for (const Index i : Random(0).permutation(places.count())) {
    if (pixels >= kEnoughPixels || looked_at == kMostWindows) {
      return;
    }
    const Window window = places.window(i);
    if (scene.known_empty(window)) {
      continue;
    }
    ++looked_at;
    if (ValidSpectra input = reader.read(window); input.spectra.rows() > 0) {
      pixels += input.spectra.rows();
      use(std::move(input));
    }
  }
}

}  // namespace parsimap
