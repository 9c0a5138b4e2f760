// A scene that was opened from a file with what the file says about it, and what of it is used: its pixels, without
// those that a quality layer or a mask marks, and its bands, chosen from its own or computed as those of another
// sensor.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"
#include "parsimap/samples/spectral_library.hpp"
#include "parsimap/scene/raster.hpp"

namespace parsimap {

// What a product says of the quality of its pixels, such as clouds: one kind of mark, on the scene's grid.
struct QualityLayer {
  std::string name;                     // as people ask for it: "cloud", "shadow", "snow"
  std::string meaning;                  // a few words with the product's own name of it, for descriptions
  std::shared_ptr<SceneSource> source;  // may hold the layers of other names, too
  Index band = 0;                       // of `source`
  std::vector<float> marks;             // the values that mark a pixel; a pixel without a value is not marked
};

// The layers of these names, in the order of `layers`. Unset: "cloud" where there is such a layer. A list of "none"
// alone gives none. ConfigError: a name that no layer has (with those that there are); "none" among other names.
std::vector<QualityLayer> choose_quality(const std::vector<QualityLayer>& layers,
                                         const std::optional<std::vector<std::string>>& names,
                                         const std::string& scene_name);

// The scene with all bands NaN where any of the layers marks the pixel. Name, grid, bands and storage blocks are those
// of `scene`. Without layers it is returned as it is. DataError: a layer of another size than the scene.
std::unique_ptr<SceneSource> leave_out_marked(std::unique_ptr<SceneSource> scene,
                                              const std::vector<QualityLayer>& layers);

// A part of a scene that counts.
struct Region {
  std::shared_ptr<SegmentSource> pixels = nullptr;  // those with a number are in it
  Window window = {};                               // the smallest one around them
};

// The scene with all bands NaN where the mask, a raster of one band on the same grid, is 0 or has no value, and outside
// of the region. Either may be null. Name, grid, bands and storage blocks are those of `scene`. What lies around a
// pixel is that of the scene without the mask: the mask decides which pixels get a class, and not which shape their
// surroundings.
class MaskedScene final : public SceneDecorator {
 public:
  MaskedScene(std::shared_ptr<SceneSource> scene, std::shared_ptr<SceneSource> mask, Region region = {})
      : SceneDecorator(std::move(scene)), mask_(std::move(mask)), region_(std::move(region)) {}

  [[nodiscard]] bool known_empty(const Window& window) const override;
  void read(const Window& window, const Indices& bands, Spectra& values) override;
  void check_unchanged() const override;
  [[nodiscard]] MaskedScene* masked() override { return this; }

  // The scene with all its pixels.
  [[nodiscard]] SceneSource& whole() { return behind(); }
  // Which pixels of the window the mask shows, row by row. It may be asked while another thread reads.
  [[nodiscard]] std::vector<bool> shown(const Window& window);
  // The scene with the pixels that the mask shows, and those at most `reach` columns and rows away from one.
  [[nodiscard]] std::unique_ptr<SceneSource> around_shown(Index reach);
  // Puts what `change` makes of the scene behind the mask in its place.
  template <typename Change>
  void change(const Change& change) {
    replace(change(shared()));
  }

 private:
  std::shared_ptr<SceneSource> mask_;
  Region region_;
  std::mutex reading_;
};

// DataError: the mask has several bands.
std::unique_ptr<SceneSource> mask_scene(std::unique_ptr<SceneSource> scene, std::unique_ptr<SceneSource> mask,
                                        Region region = {});

// The scene without its mask, if it has one.
inline SceneSource& whole_scene(SceneSource& scene) {
  MaskedScene* const masked = scene.masked();
  return masked != nullptr ? masked->whole() : scene;
}

// What the file of a scene says about itself.
struct SceneDescription {
  std::string driver;              // GDAL's short name, such as "GTiff", or "MATLAB"
  std::string data_type;           // of the first band, such as "Int16"
  std::vector<std::string> files;  // all files that the scene consists of, the main one first
  std::int64_t bytes = 0;          // of all of them together; 0 where that is unknown
  std::optional<double> nodata;    // of all bands; unset where there is none or where the bands differ
  bool nodata_differs = false;     // True where the bands differ in it; alpha bands do not count.
  // The number of entries of a list of bad bands that does not have one for every band: such a list marks none.
  std::optional<Index> misfit_bad_band_entries;
  // Memory in which the source keeps decoded data by itself, beside GDAL's cache.
  std::int64_t kept_bytes = 0;
  // Of a storage block with all bands in GDAL's cache; 0 where the source reads past it.
  std::int64_t block_bytes = 0;
  std::string product;   // of an agency, with its level, such as "EnMAP L2A"; empty for other scenes
  std::string note;      // a sentence about what comes of other files, or is missing; empty where there is nothing
  std::string quantity;  // what the values of a product are, as in "reflectance"; empty where it is not known
};

struct OpenScene {
  std::unique_ptr<SceneSource> source;  // with all pixels, whatever the quality layers mark
  SceneDescription description;
  std::vector<QualityLayer> quality = {};              // of a product
  std::unique_ptr<GeometryLookup> geometry = nullptr;  // null where the scene comes with none
};

// Every entry is a list, separated by commas, of numbers from 1 (7), ranges of numbers (10-25), ranges of wavelengths
// (1350-1450nm, 1.35-1.45um, both ends included) and names of bands, in this order of precedence. The name of a band
// may also be a whole entry, commas included.
struct BandChoice {
  std::vector<std::string> use;      // empty: all that are not bad; bad bands that are named here are used
  std::vector<std::string> exclude;  // taken away from the others
};

struct ChosenBands {
  Indices bands;                     // ascending
  std::vector<DroppedBand> dropped;  // ascending: all others
  Indices bad;                       // of `bands`: marked as bad, but named
};

// The bands that one entry names, ascending. `scene_name` is for messages.
// ConfigError: what is neither of these (with what is allowed), a number or range outside the table, a range of
// wavelengths that holds no band, a name of several bands.
Indices bands_of_list(const std::string& entry, const BandTable& table, const std::string& scene_name);

// ConfigError: as above; no band left. DataError: no band is named, and the scene marks all of them as bad.
ChosenBands choose_bands(const BandTable& table, const BandChoice& choice, const std::string& scene_name);

// The scene with the bands `bands`, computed from its own by the weights of `resampling`, which has as many. Where a
// band that counts has no value, what is computed from it has none. Reads only bands that count for those asked for,
// and besides what it hands out holds some 32 MB, or one row of a window. Values do not depend on the windows. Name,
// grid and storage blocks are those of `scene`.
std::unique_ptr<SceneSource> resample_scene(std::shared_ptr<SceneSource> scene, const SpectralResampling& resampling,
                                            BandTable bands);

}  // namespace parsimap
