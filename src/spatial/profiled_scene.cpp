#include "parsimap/spatial/profiled_scene.hpp"

#include <algorithm>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "component_cells.hpp"

namespace parsimap {
namespace {

// Features are computed for tiles, whose images fit into a processor's cache.
constexpr Index kTileWidth = 256;
constexpr Index kTileHeight = ProfiledScene::kMostRows;
constexpr std::int64_t kReadBytes = std::int64_t{4} << 20U;
constexpr auto kPixelBytes = static_cast<std::int64_t>(sizeof(float));

Indices radii_of(const ProfileDesign& design, std::optional<double> pixel_metres) {
  return pixel_radii(design, pixel_metres ? &*pixel_metres : nullptr);
}

Index reach_of(const ProfileDesign& design, std::optional<double> pixel_metres) {
  return profile_reach(radii_of(design, pixel_metres), design.steps);
}

std::string radius_text(const ProfileDesign& design, std::size_t i) {
  return number_text(design.radii[i], 6) + (design.metres ? " m" : "");
}

// Names in the order of the features.
std::vector<std::string> feature_names(const ProfileDesign& design) {
  std::vector<std::string> names;
  for (Index p = 1; p <= design.components(); ++p) {
    const std::string component = "component " + std::to_string(p);
    for (std::size_t i = design.radii.size(); i-- > 0;) {
      names.push_back("closing " + radius_text(design, i) + " of " + component);
    }
    names.push_back(component);
    for (std::size_t i = 0; i < design.radii.size(); ++i) {
      names.push_back("opening " + radius_text(design, i) + " of " + component);
    }
  }
  return names;
}

// Rows as wide as the scene that `bytes` hold, with their features and the components around them.
Index rows_that_fit(const SceneSource& scene, const ProfileDesign& design, std::optional<double> pixel_metres,
                    std::int64_t bytes) {
  // Fewer rows at once mean that more of what surrounds them is computed again; the largest number that memory
  // allows is best.
  Index rows = ProfiledScene::kMostRows;
  while (rows > 0 && ProfiledScene::useful_bytes(scene, design, pixel_metres, rows) > bytes) {
    --rows;
  }
  return rows;
}

std::int64_t feature_bytes(const SceneSource& scene, const ProfileDesign& design, Index rows) {
  return rows * scene.grid().width * design.features() * kPixelBytes;
}

// The bands asked for, and the columns that they go to.
struct Asked {
  Indices bands;
  Indices columns;
};

}  // namespace

class ProfiledScene::Parts {
 public:
  Parts(SceneSource& scene, const Indices& bands, const ProfileDesign& design, std::optional<double> pixel_metres,
        std::int64_t ram_bytes, int threads, const std::optional<ItemRange>& rows)
      : scene_(scene),
        bands_(bands),
        radii_(radii_of(design, pixel_metres)),
        steps_(design.steps),
        reach_(reach_of(design, pixel_metres)),
        features_(design.features()),
        threads_(threads),
        table_(scene.bands()),
        rows_(rows_that_fit(scene, design, pixel_metres, ram_bytes)),
        last_row_(rows ? rows->last : scene.grid().height),
        cells_(whole_scene(scene), bands_, design, ram_bytes - kReadBytes - feature_bytes(scene, design, rows_),
               kReadBytes) {
    for (const std::string& name : feature_names(design)) {
      table_.push_back({name});
    }
  }

  void read(const Window& window, const Indices& bands, Spectra& values) {
    // Bands of the scene are read from it, and features are computed; both go to the columns in which they were asked
    // for.
    Asked own;
    Asked features;
    for (std::size_t i = 0; i < bands.size(); ++i) {
      Asked& asked = bands[i] < first_feature() ? own : features;
      asked.bands.push_back(bands[i] < first_feature() ? bands[i] : bands[i] - first_feature());
      asked.columns.push_back(static_cast<Index>(i));
    }
    if (features.bands.empty()) {
      scene_.read(window, bands, values);
      return;
    }
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    read_own(window, own, values);
    // Where the bands of the design were read first, the components can be computed of them without reading anew.
    // That is so if a map asks for the bands of the model followed by its features, of all pixels: those that a mask
    // leaves out have components, too.
    const bool spectra = scene_.masked() == nullptr && own.bands.size() >= bands_.size() &&
                         std::equal(bands_.begin(), bands_.end(), bands.begin());
    read_features(window, features, spectra, values);
  }

  [[nodiscard]] const BandTable& table() const { return table_; }
  [[nodiscard]] Index first_feature() const { return static_cast<Index>(table_.size()) - features_; }
  [[nodiscard]] Index features() const { return features_; }

  // Where memory does not even hold what one row as wide as the scene depends on, windows are to be narrower and higher
  // than the storage suggests.
  [[nodiscard]] Index block_width() const {
    return rows_ > 0 ? scene_.block_width() : std::min(scene_.block_width(), kTileWidth);
  }

 private:
  void read_own(const Window& window, const Asked& own, Spectra& values) {
    if (own.bands.empty()) {
      return;
    }
    const Index pixels = std::max<Index>(1, kReadBytes / (static_cast<Index>(own.bands.size()) * kPixelBytes));
    for_pieces(window, scene_.block_width(), scene_.block_height(), pixels, [&](const Window& piece) {
      scene_.read(piece, own.bands, part_);
      for (Index row = 0; row < piece.height; ++row) {
        const Index first = (piece.row + row - window.row) * window.width + piece.column - window.column;
        values(Eigen::seqN(first, piece.width), own.columns) = part_.middleRows(row * piece.width, piece.width);
      }
    });
  }

  // `spectra`: the first columns of the values are those of the design.
  void read_features(const Window& window, const Asked& asked, bool spectra, Spectra& values) {
    const auto put = [&](const Window& from, const Spectra& features) {
      const Window part = overlap(from, window);
      for (Index row = part.row; row < part.row + part.height; ++row) {
        values(Eigen::seqN((row - window.row) * window.width + part.column - window.column, part.width),
               asked.columns) =
            features(Eigen::seqN((row - from.row) * from.width + part.column - from.column, part.width), asked.bands);
      }
    };
    // Windows one below the other need mostly the same rows: what was computed for the last one is used as long as it
    // holds all of the next one.
    if (!(overlap(window, kept_window_) == window)) {
      const Window area = area_of(window);
      const auto offer = [&](const Window& wanted) {
        if (spectra) {
          cells_.offer(window, values, wanted);
        }
      };
      if (area == window) {
        compute(window, offer, put);
        return;
      }
      keep(area, offer);
    }
    put(kept_window_, kept_);
  }

  // What is computed for the sake of a window: low ones that are about as wide as the scene are taken together with the
  // rows below, since the rows around them would be computed again for each. What is left to read is divided evenly,
  // and between windows, for the same reason.
  [[nodiscard]] Window area_of(const Window& window) const {
    const Index left = last_row_ - window.row;
    if (2 * window.width < scene_.grid().width || window.height >= std::min(rows_, left)) {
      return window;
    }
    const Index even = part_count(left, part_count(left, rows_));
    const Index whole = part_count(even, window.height) * window.height;
    return {0, window.row, scene_.grid().width, std::min({whole, rows_, left})};
  }

  template <typename Offer>
  void keep(const Window& area, const Offer& offer) {
    kept_window_ = {};
    kept_.resize(area.pixels(), features_);
    compute(area, offer, [&](const Window& tile, const Spectra& features) {
      for (Index row = 0; row < tile.height; ++row) {
        kept_.middleRows((tile.row + row - area.row) * area.width + tile.column - area.column, tile.width) =
            features.middleRows(row * tile.width, tile.width);
      }
    });
    kept_window_ = area;
  }

  [[nodiscard]] Window around(const Window& window) const {
    return {window.column - reach_, window.row - reach_, window.width + 2 * reach_, window.height + 2 * reach_};
  }

  // Calls put() with the features of tiles that cover the area.
  template <typename Offer, typename Put>
  void compute(const Window& area, const Offer& offer, const Put& put) {
    // Where memory allows, all that is needed is read at once: storage blocks may be as wide as the scene.
    if (cells_.fits(around(area))) {
      offer(around(area));
      cells_.fetch(around(area));
    }
    // Features of a tile depend on pixels at most `reach_` away, so that tiles give what the whole scene would.
    for (const Window& tile : tiles_of(area, kTileWidth, kTileHeight)) {
      compute_tile(tile, offer);
      put(tile, tile_features_);
    }
    cells_.trim();
  }

  template <typename Offer>
  void compute_tile(const Window& tile, const Offer& offer) {
    const Window needed = around(tile);
    offer(needed);
    cells_.fetch(needed);
    if (cells_.components(needed, images_)) {
      extended_profile(images_, reach_, radii_, steps_, threads_, buffers_, tile_features_);
    } else {
      tile_features_.setConstant(tile.pixels(), features_, kMissingValue);
    }
    cells_.trim();
  }

  SceneSource& scene_;
  Indices bands_;
  Indices radii_;  // in pixels
  Index steps_;
  Index reach_;
  Index features_;
  int threads_;
  BandTable table_;
  Index rows_;
  Index last_row_;  // behind those that will be read
  ComponentCells cells_;
  std::vector<Image> images_;
  ProfileBuffers buffers_;
  Spectra tile_features_;
  Window kept_window_;  // of no pixels where nothing is kept
  Spectra kept_;
  Spectra part_;
};

ProfiledScene::ProfiledScene(SceneSource& scene, const Indices& bands, const ProfileDesign& design,
                             std::optional<double> pixel_metres, std::int64_t ram_bytes, int threads,
                             const std::optional<ItemRange>& rows)
    : SceneDecorator(std::shared_ptr<SceneSource>(std::shared_ptr<void>(), &scene)),
      parts_(std::make_unique<Parts>(scene, bands, design, pixel_metres, ram_bytes, threads, rows)) {}

ProfiledScene::~ProfiledScene() = default;

Index ProfiledScene::first_feature() const { return parts_->first_feature(); }
Index ProfiledScene::features() const { return parts_->features(); }

Indices ProfiledScene::with_features(const Indices& bands) const {
  Indices all = bands;
  std::ranges::copy(consecutive(features(), first_feature()), std::back_inserter(all));
  return all;
}

std::int64_t ProfiledScene::useful_bytes(const SceneSource& scene, const ProfileDesign& design,
                                         std::optional<double> pixel_metres, Index rows) {
  return kReadBytes + feature_bytes(scene, design, rows) +
         ComponentCells::row_bytes(scene, rows + 2 * reach_of(design, pixel_metres), design.components());
}

std::int64_t ProfiledScene::working_bytes(const ProfileDesign& design, std::optional<double> pixel_metres,
                                          int threads) {
  const Index reach = reach_of(design, pixel_metres);
  const Index rows = kTileHeight + 2 * reach;
  const Index columns = kTileWidth + 2 * reach;
  return kTileHeight * kTileWidth * design.features() * kPixelBytes +
         design.components() * rows * columns * kPixelBytes + extended_profile_bytes(rows, columns, threads);
}

const BandTable& ProfiledScene::bands() const { return parts_->table(); }
Index ProfiledScene::block_width() const { return parts_->block_width(); }

void ProfiledScene::read(const Window& window, const Indices& bands, Spectra& values) {
  parts_->read(window, bands, values);
}

}  // namespace parsimap
