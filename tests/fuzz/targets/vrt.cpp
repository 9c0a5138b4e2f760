// A virtual mosaic (VRT) of a scene, which is there in memory under the name scene.tif.
#include <string>

#include "parsimap/gdal/raster/scene.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {
namespace {

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
bool prepare() {
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

}  // namespace

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = prepare();
  if (!stays_inside(input)) {
    return;
  }
  const VirtualFile mosaic("/vsimem/mosaic.vrt", input);
  accepted([&] { check_scene(*open_scene(mosaic.path()).source); });
}

}  // namespace parsimap::fuzz
