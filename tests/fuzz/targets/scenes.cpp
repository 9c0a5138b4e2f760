// Scenes: MATLAB files, ENVI files, virtual mosaics, and products of agencies.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/gdal/raster/class_map.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/matlab/matlab_file.hpp"
#include "parsimap/product/product.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {
namespace {

// ---- matlab ----

// A MATLAB file, as a scene and as labels.
void run_matlab(std::string_view input) {
  static MemoryFile file;
  const std::string& path = file.hold(input);
  accepted([&] { check_scene(*open_matlab_scene(path, {}).source); });
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  accepted([&] { check_labels(read_matlab_labels(path, {}, grid, "scene"), grid); });
}

// ---- envi ----

// An ENVI scene and class map: the input is the header up to a byte of zero, and the data behind it.
void run_envi(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"ENVI"});
  const std::size_t end = std::min(input.find('\0'), input.size());
  const VirtualFile header("/vsimem/scene.hdr", input.substr(0, end));
  const VirtualFile data("/vsimem/scene.img", input.substr(std::min(end + 1, input.size())));
  accepted([&] { check_scene(*open_scene(data.path()).source); });
  accepted([&] {
    const auto map = open_class_map(data.path());
    std::vector<std::uint16_t> codes;
    map->read({0, 0, map->grid().width, 1}, codes);
  });
}

// ---- vrt ----

// A virtual mosaic (VRT) of a scene, which is there in memory under the name scene.tif.

// A mosaic may name any file as its source. Without a slash, but for those of tags and of GDAL's memory, it finds none
// but the one that is meant.
bool stays_inside(std::string_view text) {
  constexpr std::string_view kMemory = "/vsimem/";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '/' && text.substr(i, kMemory.size()) == kMemory) {
      i += kMemory.size() - 1;
    } else if (text[i] == '/' && (i == 0 || text[i - 1] != '<') && (i + 1 == text.size() || text[i + 1] != '>')) {
      return false;
    }
  }
  return text.find("&#") == std::string_view::npos && text.find("..") == std::string_view::npos &&
         text.find('\\') == std::string_view::npos;
}

// Four bands of 6 x 5 pixels.
bool prepare_mosaic() {
  keep_drivers({"VRT", "GTiff"});
  CPLSetConfigOption("GDAL_VRT_ENABLE_PYTHON", "NO");
  GDALDataset* scene =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create("/vsimem/scene.tif", 6, 5, 4, GDT_Int16, nullptr);
  require(scene != nullptr, "a scene can be made in GDAL's memory");
  for (int band = 1; band <= 4; ++band) {
    scene->GetRasterBand(band)->Fill(band * 100);
  }
  GDALClose(scene);
  return true;
}

void run_vrt(std::string_view input) {
  [[maybe_unused]] static const bool ready = prepare_mosaic();
  if (!stays_inside(input)) {
    return;
  }
  const VirtualFile mosaic("/vsimem/mosaic.vrt", input);
  accepted([&] { check_scene(*open_scene(mosaic.path()).source); });
}

// ---- product_metadata ----

// The metadata of a product of EnMAP or DESIS, beside an image of two bands in memory.

void make_raster(const std::string& path, int bands, GDALDataType type) {
  GDALDataset* raster =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), 6, 5, bands, type, nullptr);
  require(raster != nullptr, "a raster can be made in GDAL's memory");
  for (int band = 1; band <= bands; ++band) {
    raster->GetRasterBand(band)->Fill(band);
  }
  GDALClose(raster);
}

bool prepare_product() {
  keep_drivers({"GTiff"});
  require(VSIMkdir("/vsimem/product", 0755) == 0, "a folder can be made in GDAL's memory");
  make_raster("/vsimem/product/x-SPECTRAL_IMAGE.TIF", 2, GDT_Int16);
  make_raster("/vsimem/product/x-QL_QUALITY_CLOUD.TIF", 1, GDT_Byte);
  make_raster("/vsimem/product/x-QL_QUALITY-2.tif", 10, GDT_Byte);
  return true;
}

void run_product_metadata(std::string_view input) {
  [[maybe_unused]] static const bool ready = prepare_product();
  const VirtualFile metadata("/vsimem/product/x-METADATA.XML", input);
  accepted([&] {
    const std::optional<OpenScene> scene = open_product(metadata.path());
    if (!scene) {
      return;
    }
    for (const Band& band : scene->source->bands()) {
      require(!band.fwhm || *band.fwhm > 0, "a width is above 0");
      require(band.scale != 0, "a scale is not 0");
    }
    for (const QualityLayer& layer : scene->quality) {
      require(layer.band >= 0 && layer.band < static_cast<Index>(layer.source->bands().size()),
              "a quality layer is in a band of its source");
    }
    check_scene(*scene->source);
  });
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"matlab", run_matlab},
      {"envi", run_envi},
      {"vrt", run_vrt},
      {"product_metadata", run_product_metadata},
  };
  return all;
}

}  // namespace parsimap::fuzz
