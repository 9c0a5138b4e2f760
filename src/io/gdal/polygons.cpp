#include "parsimap/io/gdal/polygons.hpp"

#include <cpl_conv.h>
#include <ogrsf_frmts.h>

#include <array>
#include <optional>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"
#include "output_format.hpp"
#include "staging_folder.hpp"

namespace parsimap {

namespace {

bool add_feature(OGRLayer& layer, const ClassPolygon& polygon) {
  OGRLinearRing ring;
  for (const auto& [x, y] : polygon.ring) {
    ring.addPoint(x, y);
  }
  OGRPolygon shape;
  shape.addRing(&ring);
  OGRFeature feature(layer.GetLayerDefn());
  feature.SetField(0, polygon.class_name.c_str());
  feature.SetField(1, polygon.split.c_str());
  return feature.SetGeometry(&shape) == OGRERR_NONE && layer.CreateFeature(&feature) == OGRERR_NONE;
}

bool write_layer(GDALDataset& dataset, const std::string& name, const std::string& crs, const std::string& class_field,
                 const std::vector<ClassPolygon>& polygons) {
  std::optional<OGRSpatialReference> reference;
  if (!crs.empty()) {
    reference = gdal::spatial_reference(crs);
  }
  OGRLayer* layer = dataset.CreateLayer(name.c_str(), reference ? &*reference : nullptr, wkbPolygon, nullptr);
  if (layer == nullptr) {
    return false;
  }
  for (const std::string& field : {class_field, std::string("split")}) {
    OGRFieldDefn definition(field.c_str(), OFTString);
    if (layer->CreateField(&definition) != OGRERR_NONE) {
      return false;
    }
  }
  // One transaction, where the format has any: a GeoPackage is slow otherwise.
  dataset.StartTransaction();
  for (const ClassPolygon& polygon : polygons) {
    if (!add_feature(*layer, polygon)) {
      return false;
    }
  }
  return dataset.CommitTransaction() == OGRERR_NONE || dataset.TestCapability(ODsCTransactions) == 0;
}

}  // namespace

void write_polygons(const std::string& path, const std::string& crs, const std::string& class_field,
                    const std::vector<ClassPolygon>& polygons, bool overwrite) {
  GDALDriver& driver = gdal::vector_driver(path);
  gdal::check_target(path, {path}, overwrite);
  gdal::StagingFolder staging(path);
  const std::string name = CPLGetFilename(path.c_str());
  const std::string file = staging.path_of(name);
  const gdal::ErrorCollector errors;
  gdal::DatasetPtr dataset(driver.Create(file.c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  const bool written =
      dataset != nullptr && write_layer(*dataset, CPLGetBasename(path.c_str()), crs, class_field, polygons);
  dataset.reset();
  if (!written || errors.failed()) {
    throw IoError(path + ": cannot be written: " + errors.text());
  }
  staging.publish(name, {}, overwrite);
}

}  // namespace parsimap
