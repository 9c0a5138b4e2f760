#include "commands/assessment/sample_file.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

constexpr Index kWidth = 10;

RasterGrid small_grid() { return {kWidth, 10, std::array<double, 6>{0, 10, 0, 100, 0, -10}, {}}; }

// Points 1 to 4 in two strata, which `change` makes something else of.
std::vector<PixelFeature> points(std::int64_t labelled) {
  std::vector<PixelFeature> features;
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::int64_t pixel = 11 * i;
    const FieldValue label = i < labelled ? FieldValue("oak") : FieldValue();
    features.push_back({{pixel},
                        {i + 1, label, std::string(i % 2 == 0 ? "a" : "b"), 0.25, std::int64_t{0}, pixel / kWidth,
                         pixel % kWidth, plan_text(SamplingDesign::stratified, {parse_aim("overall:0.02")})}});
  }
  return features;
}

std::string written(const TemporaryFolder& folder, const std::vector<PixelFeature>& features) {
  const std::string path = folder.file("plan.gpkg");
  OutputSet outputs(true);
  const StagedOutput& staged = stage_pixel_layers(outputs, "--out", path);
  write_pixel_layers(staged, small_grid(), {{"plan", PixelGeometry::centre, sample_fields(), features, {}}});
  outputs.publish();
  return path;
}

std::string refused(const std::vector<PixelFeature>& features) {
  const TemporaryFolder folder;
  const std::string path = written(folder, features);
  const std::string message = message_of([&] { read_sample(path, {"class"}, small_grid()); });
  CHECK(message.starts_with(path));
  return message.substr(path.size());
}

}  // namespace

TEST_CASE("a sample is read back with its order, its strata, its aims and its labels") {
  const TemporaryFolder folder;
  std::vector<PixelFeature> features = points(3);
  std::swap(features[0], features[3]);   // the order of the file does not matter
  features[0].values[7] = FieldValue();  // nor a plan that a program emptied in one row
  const SampleInput input = read_sample(written(folder, features), {"class"}, small_grid());
  CHECK(input.layer == "plan");
  CHECK(input.sample.design == SamplingDesign::stratified);
  CHECK(input.sample.aims == std::vector<Aim>{{AimKind::overall, {}, 0.02}});
  CHECK(input.sample.strata == std::vector<std::string>{"a", "b"});
  CHECK(input.sample.labelled == 3);
  REQUIRE(input.sample.points.size() == 4);
  CHECK(input.sample.points[3].pixel == 33);
  CHECK(input.sample.points[3].stratum == 1);
  CHECK(input.sample.points[0].probability == 0.25);
}

TEST_CASE("samples are read from tables with decimal commas, shapefiles and layers by their names") {
  const TemporaryFolder folder;
  const auto labelled = [](const std::string& path, const std::optional<std::string>& layer) {
    return read_sample(path, {.class_field = "class", .layer = layer}, small_grid()).sample.labelled;
  };
  write_file(folder.file("plan.csv"),
             "order;class;stratum;probability;cluster;row;column;plan\n1;oak;a;0,25;0;0;0;\"parsimap sample;simple\"\n"
             "2;;a;0,25;0;1;1;\"parsimap sample;simple\"\n");
  CHECK(labelled(folder.file("plan.csv"), {}) == 1);
  // A shapefile cuts the names of fields, here in the tables of two layers.
  write_file(folder.file("cut.csv"),
             "order,class,stratum,probabilit,cluster,row,column,plan\n1,oak,a,1,0,0,0,parsimap sample;simple\n");
  CHECK(labelled(folder.file("cut.csv"), {}) == 1);
  const std::string path = written(folder, points(2));
  CHECK(labelled(path, "plan") == 2);
  CHECK(labelled(path + "|layername=plan", {}) == 2);
  CHECK(contains(message_of([&] { labelled(path, "other"); }), "has no field with its plan"));
}

TEST_CASE("samples that differ by their labels alone") {
  const TemporaryFolder folder;
  const auto sample = [&](const std::string& name, const std::vector<PixelFeature>& features) {
    std::filesystem::rename(written(folder, features), folder.file(name));
    return folder.file(name);
  };
  const std::string before = sample("before.gpkg", points(0));
  CHECK(is_sample(before));
  CHECK(differ_by_labels_alone(before, sample("after.gpkg", points(3))));
  // Files that differ elsewhere have to differ by their labels, too.
  CHECK_FALSE(differ_by_labels_alone(before, sample("same.gpkg", points(0))));
  std::vector<PixelFeature> other = points(1);
  other[1].values[3] = 0.5;
  CHECK_FALSE(differ_by_labels_alone(before, sample("other.gpkg", other)));
  other = points(1);
  other[1].pixels = {13};
  CHECK_FALSE(differ_by_labels_alone(before, sample("moved.gpkg", other)));
  write_file(folder.file("none.csv"), "class\noak\n");
  CHECK_FALSE(is_sample(folder.file("none.csv")));
  CHECK_FALSE(differ_by_labels_alone(folder.file("none.csv"), before));
}

TEST_CASE("samples that were changed are refused, with the point") {
  std::vector<PixelFeature> changed = points(2);
  changed[2].values[3] = FieldValue();
  CHECK(refused(changed) ==
        ": the point in row 3 of the table has nothing in the field 'probability'; it must have the number that was "
        "drawn");
  changed[2].values[3] = 0.0;
  CHECK(refused(changed) == ": point 3 has the inclusion probability 0; it must be above 0 and at most 1");
  changed[2].values[3] = 0.5;
  CHECK(refused(changed) ==
        ": point 3 has another inclusion probability than the points before it in stratum 'a'; all "
        "points of a stratum have the same");
  // Of all points of a stratum or sample alike.
  for (const double probability : {0.3, 0.01}) {
    changed = points(2);
    for (PixelFeature& feature : changed) {
      feature.values[3] = std::get<std::string>(feature.values[2]) == "b" ? probability : 0.25;
    }
    const std::string numbers = probability == 0.3 ? "6.666666667 pixels, and the strata up to it 14.66666667"
                                                   : "200 pixels, and the strata up to it 208";
    CHECK(refused(changed) ==
          ": by its inclusion probabilities stratum 'b' has " + numbers +
              "; these are whole numbers and at most the 100 of the map: probabilities were changed, or points without "
              "a label were removed");
  }
  changed = points(2);
  changed[3] = changed[2];
  CHECK(refused(changed) == ": order 3 occurs twice; a point was doubled");
  changed[3].values[0] = std::int64_t{4};
  CHECK(refused(changed) == ": point 4 lies in the pixel of another point; a point was doubled");
  changed.pop_back();
  changed.erase(changed.begin());
  CHECK(refused(changed) ==
        " has 2 points and one with order 3: points were removed, and a sample keeps those without "
        "a label, too");
  changed = points(2);
  changed[3].values[1] = std::string("oak");
  CHECK(refused(changed) ==
        ": point 4 has a label and point 3 before it has none; points are labelled in their order, as "
        "each beginning is a random sample");
  changed = points(2);
  changed[1].values[5] = std::int64_t{10};
  CHECK(refused(changed) == ": point 2 lies in row 10, column 1, outside of the map");
  CHECK(refused(points(0)) == " has no label in the field 'class'; the first point has none yet");
  changed = points(2);
  for (PixelFeature& feature : changed) {
    feature.values[7] = std::string("other");
  }
  CHECK(refused(changed) == " is no sample of 'parsimap sample': it has no field with its plan");
}

TEST_CASE("labelled points that were moved or added are refused") {
  DrawnSample sample{
      .file = "plan.gpkg", .design = SamplingDesign::simple, .aims = {}, .strata = {"all"}, .points = {}};
  sample.points = {{5, 0, 0, 0.1}, {25, 0, 0, 0.1}};
  sample.labelled = 2;
  LabelledPixels labels;
  labels.pixels = {{5, 0, 0}, {25, 0, 0}};
  CHECK_NOTHROW(check_places(sample, labels, kWidth));
  labels.pixels[1].pixel = 26;
  CHECK(message_of([&] {
          check_places(sample, labels, kWidth);
        }).starts_with("plan.gpkg: point 2 does not lie in row 2, column 5, where it was drawn: it was moved"));
  // Two labels of one pixel, which then belongs to no class.
  sample.points = {{5, 0, 1, 0.1}, {25, 0, 1, 0.1}, {25, 0, 2, 0.1}, {25, 0, 3, 0.1}};
  sample.labelled = 4;
  labels.pixels = {{5, 0, 0}};
  labels.conflicting = 1;
  CHECK(message_of([&] { check_places(sample, labels, kWidth); }) ==
        "plan.gpkg: points 2 and 3 and 4 lie in the same pixel and have labels of different classes; a pixel has one "
        "class");
  sample.points.resize(2);
  sample.labelled = 2;
  labels.pixels = {{5, 0, 0}, {25, 0, 0}, {40, 0, 0}};
  CHECK(message_of([&] { check_places(sample, labels, kWidth); }) ==
        "plan.gpkg has labels in 3 pixels, of which 2 were drawn: points were moved or added");
}

}  // namespace parsimap::test
