#include "parsimap/gdal/vector/memory_labels.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "../raster/dataset.hpp"

namespace parsimap {

MemoryLabels::MemoryLabels(const std::string& document) {
  initialise_gdal();
  const ErrorCollector errors;
  file_ = std::make_unique<MemoryFile>("labels.geojson");
  if (!write_whole_file(file_->path(), document)) {
    throw IoError("labels cannot be kept in memory: " + errors.text());
  }
}

MemoryLabels::~MemoryLabels() = default;

const std::string& MemoryLabels::path() const { return file_->path(); }

}  // namespace parsimap
