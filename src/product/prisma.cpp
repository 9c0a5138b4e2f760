// PRISMA L1 to L2D, as the PRISMA Products Specification Document describes them.
#include "prisma.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/hdf5/array_file.hpp"
#include "parsimap/gdal/raster/georeference.hpp"

#include "cube_scene.hpp"

namespace parsimap {
namespace {

// A band for each error: 1 where a pixel has it in any band of the matrices, else 0.
class ErrorScene final : public SceneDecorator {
 public:
  ErrorScene(std::unique_ptr<SceneSource> matrices, std::vector<BandError> errors)
      : SceneDecorator(std::move(matrices), std::nullopt,
                       mapped<Band>(errors, [](const BandError& error) { return Band{.name = error.name}; })),
        errors_(std::move(errors)),
        all_(consecutive(std::ssize(behind().bands()))) {}

  void read(const Window& window, const Indices& bands, Spectra& values) override {
    values.resize(window.pixels(), static_cast<Index>(bands.size()));
    for (const Window& part : parts_to_read(window, std::ssize(all_))) {
      // All bands of the matrices are read for a part, whatever errors are asked for, because an error of a pixel may
      // be in any band. Parts keep the buffer small.
      behind().read(part, all_, numbers_);
      const Index first_pixel = (part.row - window.row) * window.width;
      for (Index pixel = 0; pixel < part.pixels(); ++pixel) {
        for (std::size_t i = 0; i < bands.size(); ++i) {
          values(first_pixel + pixel, static_cast<Index>(i)) =
              has(pixel, errors_.at(static_cast<std::size_t>(bands[i]))) ? 1.0F : 0.0F;
        }
      }
    }
  }

 private:
  [[nodiscard]] bool has(Index pixel, const BandError& error) const {
    // The matrices of all bands of a pixel are consecutive; a pixel has an error if any of its bands has one of the
    // numbers.
    const float* first = numbers_.data() + pixel * numbers_.cols();
    return std::find_first_of(first, first + numbers_.cols(), error.numbers.begin(), error.numbers.end()) !=
           first + numbers_.cols();
  }

  std::vector<BandError> errors_;
  Indices all_;
  Spectra numbers_;
};

const std::string kPrismaRoot = "/";
const std::string kSwaths = "/HDFEOS/SWATHS";
constexpr double kLargestNumber = 65535;
constexpr std::array<const char*, 4> kLevels{"L2D", "L2C", "L2B", "L1"};
constexpr std::array<const char*, 2> kDetectors{"Vnir", "Swir"};
// Lines x bands x samples.
constexpr CubeAxes kAxes{0, 2, 1};

std::string upper(const std::string& detector) { return detector == "Vnir" ? "VNIR" : "SWIR"; }

// A product of one level, whose hyperspectral cube is "coregistered" (HCO).
struct Product {
  std::shared_ptr<ArrayFile> file;
  std::string level;
  [[nodiscard]] std::string swath() const { return kSwaths + "/PRS_" + level + "_HCO"; }
  [[nodiscard]] std::string data(const std::string& name) const { return swath() + "/Data Fields/" + name; }
  [[nodiscard]] double number(const std::string& attribute) const {
    const auto values = file->numbers(kPrismaRoot, attribute);
    if (!values || values->size() != 1 || !std::isfinite(values->front())) {
      throw DataError(file->name() + " has no attribute " + attribute + " with a number, which PRISMA " + level +
                      " needs");
    }
    return values->front();
  }
  // An entry for each band of a detector.
  [[nodiscard]] std::vector<double> list(const std::string& attribute) const {
    const auto values = file->numbers(kPrismaRoot, attribute);
    if (!values) {
      throw DataError(file->name() + " has no attribute " + attribute + " with a number for each band, which PRISMA " +
                      level + " needs");
    }
    return *values;
  }
};

// A band that was acquired, of one of the detectors.
struct DeliveredBand {
  CubeBand place;
  Band band;
};

// Stored numbers are unsigned integers of 16 bits. Level 1: radiance = number / ScaleFactor - Offset. Level 2: value =
// Min + number (Max - Min) / 65535, with the extremes of the product as attributes.
CubeArray cube_of(const Product& product, const std::string& detector, std::size_t bands) {
  CubeArray cube{product.file->need(product.data(upper(detector) + "_Cube")), {}};
  cube.axes = find_axes(*product.file, cube.array, {}, {0, 0, static_cast<std::int64_t>(bands)}, kAxes);
  if (product.level == "L1") {
    const double factor = product.number("ScaleFactor_" + detector);
    if (!(factor > 0)) {
      throw DataError(product.file->name() + ": the attribute ScaleFactor_" + detector + " is " +
                      std::to_string(factor) + "; it must be above 0");
    }
    cube.scale = 1 / factor;
    cube.offset = -product.number("Offset_" + detector);
  } else {
    const double least = product.number("L2Scale" + detector + "Min");
    cube.scale = (product.number("L2Scale" + detector + "Max") - least) / kLargestNumber;
    cube.offset = least;
  }
  return cube;
}

// Bands with the wavelength 0, or marked by 0 in the list of flags, were not acquired.
// The lists have an entry for each place in the cube, also for bands that the instrument did not deliver.
void add_bands(const Product& product, std::size_t detector, std::vector<DeliveredBand>& bands) {
  const std::string name = kDetectors.at(detector);
  const std::vector<double> wavelengths = product.list("List_Cw_" + name);
  const std::vector<double> fwhm = product.list("List_Fwhm_" + name);
  const auto flags = product.file->numbers(kPrismaRoot, "List_Cw_" + name + "_Flags");
  if (fwhm.size() != wavelengths.size() || (flags && flags->size() != wavelengths.size())) {
    throw DataError(product.file->name() + ": the attributes List_Cw_" + name + ", List_Fwhm_" + name +
                    " and List_Cw_" + name + "_Flags differ in their numbers of bands");
  }
  // The band keeps its place i in the cube; its name has the number from 1, as in the document of the product.
  for (std::size_t i = 0; i < wavelengths.size(); ++i) {
    if (!(wavelengths[i] > 0) || !std::isfinite(wavelengths[i]) || (flags && (*flags)[i] == 0)) {
      continue;
    }
    Band band;
    band.name = upper(name) + " " + std::to_string(i + 1);
    band.wavelength = wavelengths[i];
    if (fwhm[i] > 0 && std::isfinite(fwhm[i])) {
      band.fwhm = fwhm[i];
    }
    bands.push_back({{detector, static_cast<std::int64_t>(i)}, band});
  }
}

// The corners are the centres of pixels.
void place_on_map(const Product& product, RasterGrid& grid) {
  constexpr double kPixel = 30;  // metres
  // Eastings and northings in metres of the projection Epsg_Code; northings decrease with the rows.
  const double left = product.number("Product_ULcorner_easting");
  const double top = product.number("Product_ULcorner_northing");
  const double width = product.number("Product_LRcorner_easting") - left;
  const double height = top - product.number("Product_LRcorner_northing");
  // From the centre of the first pixel to that of the last there are width - 1 pixels. A scene of one column says
  // nothing of their size, which is 30 m by design.
  const double pixel_width = grid.width > 1 ? width / static_cast<double>(grid.width - 1) : kPixel;
  const double pixel_height = grid.height > 1 ? height / static_cast<double>(grid.height - 1) : kPixel;
  const double code = product.number("Epsg_Code");
  if (!(pixel_width > 0) || !(pixel_height > 0) || code != std::floor(code) || !(code > 0 && code < 1e6)) {
    throw DataError(product.file->name() + " cannot be placed on the map: its upper left corner is (" +
                    std::to_string(left) + ", " + std::to_string(top) + "), its lower right one (" +
                    std::to_string(left + width) + ", " + std::to_string(top - height) + "), its Epsg_Code " +
                    std::to_string(code));
  }
  grid.geotransform = {left - pixel_width / 2, pixel_width, 0, top + pixel_height / 2, 0, -pixel_height};
  try {
    grid.crs = crs_from_epsg(static_cast<int>(code));
  } catch (const ConfigError& error) {
    throw DataError(product.file->name() + ": Epsg_Code: " + error.what());
  }
}

void add_control_points(const Product& product, RasterGrid& grid) {
  // Level 1 has positions for each detector. The cube is coregistered to VNIR, so that its positions hold for both.
  const std::string suffix = product.level == "L1" ? "_VNIR" : "";
  const std::string fields = product.swath() + "/Geolocation Fields/";
  grid.control_points = positions_of(*product.file, fields + "Longitude" + suffix, fields + "Latitude" + suffix, grid);
  grid.crs = grid.control_points.empty() ? "" : crs_from_epsg(4326);
}

// The matrices have a number for every pixel of every band, in the order of the cubes.
void add_error_layers(const Product& product, const RasterGrid& grid, const CubeLayout& cubes, OpenScene& scene) {
  const std::string suffix = product.level == "L1" ? "_PIXEL_SAT_ERR_MATRIX" : "_PIXEL_L2_ERR_MATRIX";
  CubeLayout layout{{}, cubes.bands};
  for (std::size_t i = 0; i < kDetectors.size(); ++i) {
    const auto matrix = product.file->find(product.data(upper(kDetectors.at(i)) + suffix));
    if (!matrix) {
      return;
    }
    if (matrix->shape != cubes.arrays[i].array.shape) {
      throw DataError(product.file->name() + ": " + matrix->text() + " does not have the shape of " +
                      cubes.arrays[i].array.text());
    }
    layout.arrays.push_back({*matrix, cubes.arrays[i].axes});
  }
  std::unique_ptr<SceneSource> matrices = open_cube(product.file, grid, BandTable(layout.bands.size()), layout);
  add_error_matrices(std::move(matrices), product.level == "L1" ? errors_of_level_1() : errors_of_level_2(),
                     scene.quality);
}

// 1 where a pixel is cloudy; products of level 1 have it.
void add_cloud_layer(const Product& product, const RasterGrid& grid, OpenScene& scene) {
  const auto mask = product.file->find(product.data("Cloud_Mask"));
  if (mask && mask->shape == std::vector<std::int64_t>{grid.height, grid.width}) {
    const CubeLayout layout{{{*mask, {0, 1, std::nullopt}}}, {{0, 0}}};
    scene.quality.push_back({"cloud", "Cloud_Mask", open_cube(product.file, grid, BandTable(1), layout), 0, {1}});
  }
}

OpenScene open(const Product& product) {
  CubeLayout layout;
  // Pixels of PRISMA without data are 0 in all bands.
  layout.zeros_are_missing = true;
  std::vector<DeliveredBand> delivered;
  for (std::size_t i = 0; i < kDetectors.size(); ++i) {
    const std::string detector = kDetectors.at(i);
    layout.arrays.push_back(cube_of(product, detector, product.list("List_Cw_" + detector).size()));
    add_bands(product, i, delivered);
  }
  RasterGrid grid = grid_of(layout.arrays[0]);
  const RasterGrid other = grid_of(layout.arrays[1]);
  if (grid.width != other.width || grid.height != other.height || delivered.empty()) {
    throw DataError(product.file->name() + ": " + layout.arrays[0].array.text() + " and " +
                    layout.arrays[1].array.text() +
                    (delivered.empty() ? " have no band with a wavelength" : " differ in their lines or samples"));
  }
  // The detectors store their bands from long to short wavelengths, and overlap from 920 to 1010 nm. The scene has them
  // by ascending wavelength, those of equal wavelength VNIR first.
  std::ranges::stable_sort(delivered,
                           [](const auto& a, const auto& b) { return *a.band.wavelength < *b.band.wavelength; });
  BandTable bands;
  for (const DeliveredBand& band : delivered) {
    bands.push_back(band.band);
    bands.back().scale = layout.arrays[band.place.array].scale;
    bands.back().offset = layout.arrays[band.place.array].offset;
    layout.bands.push_back(band.place);
  }
  if (product.level == "L2D") {
    place_on_map(product, grid);
  } else {
    add_control_points(product, grid);
  }
  OpenScene scene;
  scene.description = describe_arrays(*product.file, layout.arrays[0].array, "PRISMA " + product.level);
  add_cloud_layer(product, grid, scene);
  add_error_layers(product, grid, layout, scene);
  scene.source = open_cube(product.file, grid, std::move(bands), std::move(layout));
  scene.description.kept_bytes = product.file->kept_bytes();
  return scene;
}

// The product in an archive, as it is delivered; the path itself for what is none.
std::string product_in(const std::string& path) {
  const std::string name = CPLGetFilename(path.c_str());
  if (!name.starts_with("PRS_") || !EQUAL(CPLGetExtension(path.c_str()), "zip")) {
    return path;
  }
  const std::string archive = "/vsizip/" + path;
  const CPLStringList files(VSIReadDir(archive.c_str()));
  for (int i = 0; i < files.size(); ++i) {
    if (EQUAL(CPLGetExtension(files[i]), "he5")) {
      return archive + "/" + files[i];
    }
  }
  return path;
}

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

// A file holds the cube of one level. Levels are looked for from the highest, for files that hold several.
std::optional<OpenScene> open_prisma(const std::string& path) {
  const std::string place = product_in(path);
  // Other products are HDF5 files as well. Only for a file with the name of a PRISMA product is it an error that it
  // cannot be opened or has no cube; any other is left to the readers that follow.
  const bool named = std::string(CPLGetFilename(path.c_str())).starts_with("PRS_L");
  const std::shared_ptr<ArrayFile> file = open_arrays(place, named);
  if (file == nullptr) {
    return std::nullopt;
  }
  const std::vector<std::string> swaths = file->members(kSwaths);
  for (const std::string level : kLevels) {
    if (std::ranges::find(swaths, "PRS_" + level + "_HCO") != swaths.end()) {
      return open({file, level});
    }
  }
  if (!named) {
    return std::nullopt;
  }
  throw DataError(
      path + " has no hyperspectral cube of PRISMA: PRS_L2D_HCO, PRS_L2C_HCO, PRS_L2B_HCO or PRS_L1_HCO was " +
      "looked for in " + kSwaths + ", which holds " + (swaths.empty() ? "nothing" : separated(swaths, ", ")));
}

}  // namespace parsimap
