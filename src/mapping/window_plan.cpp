#include "window_plan.hpp"

#include <algorithm>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/mapping/model_scene.hpp"

namespace parsimap {

// Pixels of a window, whatever the memory: smaller windows would be all overhead.
constexpr Index kFewestPixels = 256;

// Bytes for a pixel of a window: two spectra with their profiles, since one window is read while another is computed,
// and the outcome of one.
static Index pixel_bytes(const Model& model) {
  const auto value_bytes = static_cast<Index>(sizeof(float));
  const auto spectrum = values_of_pixel(model) * value_bytes + static_cast<Index>(sizeof(Index));
  // Decision values and probabilities of the valid pixels, either of the whole window, confidence, novelty, codes.
  const Index outcome = 3 * static_cast<Index>(model.classes.size()) * value_bytes + 2 * value_bytes +
                        static_cast<Index>(sizeof(std::uint16_t));
  return 2 * spectrum + outcome;
}

// More memory than this for a window makes nothing faster: it is only touched for the first time, and what is read has
// left the cache before it is computed. All threads must find work in a window, though, and a storage block is best
// read as a whole.
static Index window_pixels(const SceneSource& scene, const Model& model, std::int64_t bytes, int threads) {
  constexpr std::int64_t kWindowBytes = std::int64_t{16} << 20U;
  constexpr Index kPixelsOfThread = 8192;
  const Index most = std::max({static_cast<Index>(kWindowBytes / pixel_bytes(model)), threads * kPixelsOfThread,
                               scene.block_width() * scene.block_height()});
  return std::clamp(bytes / pixel_bytes(model), kFewestPixels, std::max(kFewestPixels, most));
}

// Windows that fit into `bytes` together with the probabilities that are kept between them, `values` numbers for each
// pixel. Smaller windows need less themselves but are more in a row, so sizes are tried from large to small.
static WindowGrid regularised_windows(const SceneSource& scene, const ItemRange& rows, const Model& model,
                                      const Regularisation& regularisation, Index values, std::int64_t bytes,
                                      int threads) {
  const Index reach = gaussian_reach(regularisation.sigma);
  // What is kept between the smallest windows. If it takes more than half of the memory, no size of windows is
  // acceptable.
  const std::int64_t least = RollingBlocks::bytes({scene.grid().width, rows, 1, 1}, values, reach);
  if (2 * least > bytes) {
    throw ConfigError("regularisation '" + to_string(regularisation) + "' of " + scene.name() + " keeps " +
                      std::to_string((least >> 20U) + 1) + " MB of probabilities, which may be half of the " +
                      std::to_string(std::max<std::int64_t>(bytes, 0) >> 20U) +
                      " MB for windows at most; give it more memory or a smaller sigma");
  }
  // Sizes are tried in steps of a quarter; windows of the fewest pixels are taken even where they do not fit.
  for (Index pixels = window_pixels(scene, model, bytes, threads);; pixels = std::max(kFewestPixels, pixels / 4 * 3)) {
    const WindowGrid grid = window_grid(scene.grid(), rows, scene.block_width(), scene.block_height(), pixels);
    const std::int64_t needed = grid.width * grid.height * pixel_bytes(model);
    if (pixels == kFewestPixels || needed + RollingBlocks::bytes(grid, values, reach) <= bytes) {
      return grid;
    }
  }
}

ItemRange evaluated_rows(const RasterGrid& grid, const ItemRange& rows, const Regularisation& regularisation) {
  const Index reach = regularisation.method == RegularisationMethod::none ? 0 : gaussian_reach(regularisation.sigma);
  return {std::max<Index>(0, rows.first - reach), std::min(grid.height, rows.last + reach)};
}

WindowPlan window_plan(const SceneSource& scene, const ItemRange& rows, const Model& model,
                       const Regularisation& regularisation, Index values, std::int64_t bytes, int threads) {
  WindowPlan plan;
  if (regularisation.method == RegularisationMethod::none) {
    plan.windows = plan_windows(scene.grid(), rows, scene.block_width(), scene.block_height(),
                                window_pixels(scene, model, bytes, threads));
  } else {
    const Index reach = gaussian_reach(regularisation.sigma);
    const WindowGrid grid = regularised_windows(scene, evaluated_rows(scene.grid(), rows, regularisation), model,
                                                regularisation, values, bytes, threads);
    plan.windows = mapped<Window>(consecutive(grid.rows() * grid.columns()),
                                  [&](Index i) { return grid.window(i % grid.columns(), i / grid.columns()); });
    plan.neighbours = grid;
    plan.bytes = RollingBlocks::bytes(grid, values, reach);
  }
  plan.bytes += largest<Index>(plan.windows, &Window::pixels) * pixel_bytes(model);
  return plan;
}

}  // namespace parsimap
