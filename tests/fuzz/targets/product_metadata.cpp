// The metadata of a product of EnMAP or DESIS, beside an image of two bands in memory.
#include <optional>
#include <string>

#include "parsimap/product/product.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {
namespace {

void make_raster(const std::string& path, int bands, GDALDataType type) {
  GDALDataset* raster =
      GetGDALDriverManager()->GetDriverByName("GTiff")->Create(path.c_str(), 6, 5, bands, type, nullptr);
  require(raster != nullptr, "a raster can be made in GDAL's memory");
  for (int band = 1; band <= bands; ++band) {
    raster->GetRasterBand(band)->Fill(band);
  }
  GDALClose(raster);
}

bool prepare() {
  keep_drivers({"GTiff"});
  require(VSIMkdir("/vsimem/product", 0755) == 0, "a folder can be made in GDAL's memory");
  make_raster("/vsimem/product/x-SPECTRAL_IMAGE.TIF", 2, GDT_Int16);
  make_raster("/vsimem/product/x-QL_QUALITY_CLOUD.TIF", 1, GDT_Byte);
  make_raster("/vsimem/product/x-QL_QUALITY-2.tif", 10, GDT_Byte);
  return true;
}

}  // namespace

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = prepare();
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

}  // namespace parsimap::fuzz
