#include "parsimap/io/gdal/points.hpp"

#include <doctest/doctest.h>
#include <ogrsf_frmts.h>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/labels.hpp"

#include "raster_fixture.hpp"

using namespace parsimap;
using namespace parsimap::test;

using Names = std::vector<std::string>;

namespace {

const std::vector<PointField> fields = {
    {"id", PointFieldKind::integer}, {"label", PointFieldKind::text}, {"p", PointFieldKind::real}};

void write_two(PointSink& sink) {
  sink.add(0, {std::int64_t{7}, std::string("oak, \"red\""), 0.25});
  sink.add(12, {std::int64_t{5'000'000'000}, std::monostate(), std::monostate()});
  sink.close();
}

}  // namespace

TEST_CASE("a table has the centres of the pixels in front, and nothing where there is no value") {
  const TemporaryFolder folder;
  const auto sink = create_points(folder.file("a.csv"), utm_grid(10, 10), fields, false);
  write_two(*sink);
  CHECK(folder.names() != Names{"a.csv"});
  sink->commit();
  CHECK(folder.names() == Names{"a.csv"});
  CHECK(file_content(folder.file("a.csv")) ==
        "X,Y,id,label,p\r\n500000.5,3999999.5,7,\"oak, \"\"red\"\"\",0.25\r\n500002.5,3999998.5,5000000000,,\r\n");
}

TEST_CASE("points are labels of the pixels they were made from, georeferenced or not") {
  const TemporaryFolder folder;
  RasterGrid bare = utm_grid(10, 10);
  bare.geotransform.reset();
  bare.crs.clear();
  for (const RasterGrid& grid : {utm_grid(10, 10), bare}) {
    const std::string path = folder.file(grid.crs.empty() ? "bare.gpkg" : "utm.gpkg");
    const auto sink = create_points(path, grid, fields, false);
    write_two(*sink);
    sink->commit();
    const LabelledPixels labels = read_labels(path, {"label", std::nullopt}, grid, "s");
    CHECK(labels.classes == ClassTable{{1, "oak, \"red\"", {}}});
    REQUIRE(labels.pixels.size() == 1);
    CHECK(labels.pixels[0].pixel == 0);
  }
}

TEST_CASE("a GeoPackage has a layer of points in the grid's reference system") {
  const TemporaryFolder folder;
  const auto sink = create_points(folder.file("points.gpkg"), utm_grid(10, 10), fields, false);
  write_two(*sink);
  sink->commit();
  CHECK(folder.names() == Names{"points.gpkg"});
  const DatasetPtr dataset(GDALDataset::Open(folder.file("points.gpkg").c_str(), GDAL_OF_VECTOR));
  REQUIRE(dataset != nullptr);
  OGRLayer& layer = *dataset->GetLayer(0);
  CHECK(layer.GetFeatureCount() == 2);
  CHECK(layer.GetGeomType() == wkbPoint);
  CHECK(std::string(layer.GetSpatialRef()->GetAuthorityCode(nullptr)) == "32617");
  const OGRFeatureUniquePtr first(layer.GetNextFeature());
  CHECK(first->GetGeometryRef()->toPoint()->getX() == 500000.5);
  CHECK(std::string(first->GetFieldAsString("label")) == "oak, \"red\"");
  CHECK(first->GetFieldAsDouble("p") == 0.25);
  const OGRFeatureUniquePtr second(layer.GetNextFeature());
  CHECK(second->GetFieldAsInteger64("id") == 5'000'000'000);
  CHECK_FALSE(second->IsFieldSetAndNotNull(second->GetFieldIndex("label")));
}

TEST_CASE("what is not committed leaves nothing, and targets are checked before") {
  const TemporaryFolder folder;
  write_two(*create_points(folder.file("a.gpkg"), utm_grid(10, 10), fields, false));
  CHECK(folder.names().empty());
  CHECK(contains(message_of<ConfigError>([&] { check_points_target(folder.file("a.xyz5"), false); }),
                 "no vector format"));
  write_file(folder.file("a.csv"), "mine");
  CHECK(contains(message_of<ConfigError>([&] { check_points_target(folder.file("a.csv"), false); }), "--overwrite"));
  CHECK_NOTHROW(check_points_target(folder.file("a.csv"), true));
}
