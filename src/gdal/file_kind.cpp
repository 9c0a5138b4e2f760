#include "parsimap/gdal/file_kind.hpp"

#include "parsimap/core/text_file.hpp"
#include "parsimap/gdal/settings.hpp"

#include "dataset.hpp"

namespace parsimap {

FileKind file_kind(const std::string& path) {
  if (!special_file(path).empty()) {
    return FileKind::unknown;
  }
  initialise_gdal();
  const ErrorCollector ignored;
  const DatasetPtr dataset(GDALDataset::Open(path.c_str(), GDAL_OF_RASTER | GDAL_OF_VECTOR | GDAL_OF_READONLY));
  if (dataset == nullptr) {
    return FileKind::unknown;
  }
  if (dataset->GetRasterCount() > 0 || dataset->GetMetadata("SUBDATASETS") != nullptr) {
    return FileKind::raster;
  }
  return dataset->GetLayerCount() > 0 ? FileKind::vector : FileKind::unknown;
}

}  // namespace parsimap
