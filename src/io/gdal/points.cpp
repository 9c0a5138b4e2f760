#include "parsimap/io/gdal/points.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <ogrsf_frmts.h>

#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/settings.hpp"

#include "dataset.hpp"
#include "map_point.hpp"
#include "output_format.hpp"
#include "staging_folder.hpp"

namespace parsimap {

namespace {

bool is_table(const std::string& path) { return EQUAL(CPLGetExtension(path.c_str()), "csv"); }

GDALDriver& point_driver(const std::string& path) {
  initialise_gdal();
  // Not among the formats of vector files at large: polygons in a table are of no use.
  return is_table(path) ? *GetGDALDriverManager()->GetDriverByName("CSV") : gdal::vector_driver(path);
}

OGRFieldType type_of(PointFieldKind kind) {
  switch (kind) {
    case PointFieldKind::integer:
      return OFTInteger64;
    case PointFieldKind::real:
      return OFTReal;
    case PointFieldKind::text:
      break;
  }
  return OFTString;
}

class GdalPointSink final : public PointSink {
 public:
  GdalPointSink(const std::string& path, RasterGrid grid, const std::vector<PointField>& fields, bool overwrite);

  void add(std::int64_t pixel, const std::vector<PointValue>& values) override;
  void close() override;
  void commit() override {
    staging_->publish(name_, {}, overwrite_);
    staging_.reset();
  }

 private:
  void create(const std::vector<PointField>& fields);
  [[noreturn]] void fail(const gdal::ErrorCollector& errors) const {
    throw IoError(path_ + ": cannot be written: " + errors.text());
  }

  std::string path_;
  std::string name_;
  RasterGrid grid_;
  bool overwrite_;
  std::unique_ptr<gdal::StagingFolder> staging_;
  gdal::DatasetPtr dataset_;
  OGRLayer* layer_ = nullptr;
  std::unique_ptr<OGRFeature> feature_;
};

GdalPointSink::GdalPointSink(const std::string& path, RasterGrid grid, const std::vector<PointField>& fields,
                             bool overwrite)
    : path_(path),
      name_(CPLGetFilename(path.c_str())),
      grid_(std::move(grid)),
      overwrite_(overwrite),
      staging_(std::make_unique<gdal::StagingFolder>(path)) {
  create(fields);
}

void GdalPointSink::create(const std::vector<PointField>& fields) {
  const gdal::ErrorCollector errors;
  dataset_.reset(point_driver(path_).Create(staging_->path_of(name_).c_str(), 0, 0, 0, GDT_Unknown, nullptr));
  std::optional<OGRSpatialReference> reference;
  if (!grid_.crs.empty()) {
    reference = gdal::spatial_reference(grid_.crs);
  }
  CPLStringList options;
  if (is_table(path_)) {
    options.SetNameValue("GEOMETRY", "AS_XY");
    options.SetNameValue("LINEFORMAT", "CRLF");
    options.SetNameValue("STRING_QUOTING", "IF_NEEDED");
  }
  if (dataset_ != nullptr) {
    layer_ = dataset_->CreateLayer(CPLGetBasename(path_.c_str()), reference ? &*reference : nullptr, wkbPoint,
                                   options.List());
  }
  for (const PointField& field : fields) {
    OGRFieldDefn definition(field.name.c_str(), type_of(field.kind));
    if (layer_ == nullptr || layer_->CreateField(&definition) != OGRERR_NONE) {
      fail(errors);
    }
  }
  // One transaction, where the format has any: a GeoPackage is slow otherwise.
  dataset_->StartTransaction();
  feature_ = std::make_unique<OGRFeature>(layer_->GetLayerDefn());
}

void GdalPointSink::add(std::int64_t pixel, const std::vector<PointValue>& values) {
  const gdal::ErrorCollector errors;
  feature_->Reset();
  for (std::size_t i = 0; i < values.size(); ++i) {
    const int field = static_cast<int>(i);
    if (const auto* integer = std::get_if<std::int64_t>(&values[i])) {
      feature_->SetField(field, static_cast<GIntBig>(*integer));
    } else if (const auto* real = std::get_if<double>(&values[i])) {
      feature_->SetField(field, *real);
    } else if (const auto* text = std::get_if<std::string>(&values[i])) {
      feature_->SetField(field, text->c_str());
    }
  }
  const auto [x, y] = gdal::map_point(grid_, static_cast<double>(pixel % grid_.width) + 0.5,
                                      static_cast<double>(pixel / grid_.width) + 0.5);
  OGRPoint point(x, y);
  feature_->SetGeometry(&point);
  if (layer_->CreateFeature(feature_.get()) != OGRERR_NONE) {
    fail(errors);
  }
}

void GdalPointSink::close() {
  const gdal::ErrorCollector errors;
  const bool written = dataset_->CommitTransaction() == OGRERR_NONE || dataset_->TestCapability(ODsCTransactions) == 0;
  feature_.reset();
  dataset_.reset();
  if (!written || errors.failed()) {
    fail(errors);
  }
}

}  // namespace

void check_points_target(const std::string& path, bool overwrite) {
  point_driver(path);
  gdal::check_target(path, {path}, overwrite);
}

std::unique_ptr<PointSink> create_points(const std::string& path, const RasterGrid& grid,
                                         const std::vector<PointField>& fields, bool overwrite) {
  check_points_target(path, overwrite);
  return std::make_unique<GdalPointSink>(path, grid, fields, overwrite);
}

}  // namespace parsimap
