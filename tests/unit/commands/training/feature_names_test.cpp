#include "commands/training/feature_names.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/small_scene.hpp"

namespace parsimap::test {

namespace {

// Origins of four support spectra, the last of which comes from two regions in equal shares.
SupportOrigins origins_of(const Indices& regions) {
  SupportOrigins origins;
  origins.files = {""};
  origins.number = regions;
  origins.file.assign(regions.size(), 0);
  origins.part.assign(regions.size(), 1);
  origins.label = {0, 1, 1};
  origins.support = {0, 1, 2, 3, 3};
  origins.origin = {0, 1, 2, 1, 2};
  origins.share = Vector::Ones(5);
  origins.share.tail(2).setConstant(0.5);
  return origins;
}

TrainOptions scene_options(const std::vector<std::string>& labels) {
  TrainOptions options;
  options.scene.path = "s.tif";
  options.labels.files = labels;
  return options;
}

}  // namespace

TEST_CASE("features are counted within their file, and parts of one within the feature") {
  LabelledPixels labelled;
  labelled.region_files = {{0, "b.gpkg"}, {5, "a.gpkg"}};
  labelled.region_features = {{6, 3}, {7, 3}};
  SupportOrigins origins = origins_of({2, 6, 7});
  name_features(scene_options({"b.gpkg", "a.gpkg"}), labelled, {}, RecordingListener(), origins);
  CHECK(origins.files == std::vector<std::string>{"a.gpkg", "b.gpkg"});
  CHECK(origins.file == Indices{0, 0, 1});
  CHECK(origins.number == Indices{3, 3, 2});
  CHECK(origins.part == Indices{1, 2, 1});
  CHECK(origins.label == Indices{1, 1, 0});
  CHECK(origins.support == Indices{0, 1, 2, 3, 3});
  CHECK(origins.origin == Indices{2, 0, 1, 0, 1});
  CHECK(origins.share(3) == 0.5);
}

TEST_CASE("a feature that two scenes show is one") {
  LabelledPixels labelled;
  labelled.region_files = {{0, "a.gpkg"}, {10, "a.gpkg"}};
  SupportOrigins origins = origins_of({2, 4, 14});
  name_features(scene_options({"a.gpkg"}), labelled, {}, RecordingListener(), origins);
  CHECK(origins.features() == 2);
  CHECK(origins.number == Indices{2, 4});
  CHECK(origins.origin == Indices{0, 1, 1, 1, 1});
}

TEST_CASE("spectra of libraries are counted behind the regions of the scene, or by themselves") {
  SampleSet samples;
  samples.places = {{.pixel = 7, .region = 0}, {.pixel = 9, .region = 3}, {.region = 4}, {.region = 6}};
  TrainOptions options = scene_options({"labels.tif"});
  options.library.files = {"l.csv"};
  SupportOrigins origins = origins_of({3, 4, 6});
  name_features(options, {}, samples, RecordingListener(), origins);
  CHECK(origins.files == std::vector<std::string>{"l.csv", "labels.tif"});
  CHECK(origins.file == Indices{0, 0, 1});
  CHECK(origins.number == Indices{0, 2, 3});

  TrainOptions alone;
  alone.library.files = {"k.csv", "l.csv"};
  origins = origins_of({0, 1, 2});
  name_features(alone, {}, samples, RecordingListener(), origins);
  CHECK(origins.files == std::vector<std::string>{"k.csv, l.csv"});
  CHECK(origins.number == Indices{0, 1, 2});
}

}  // namespace parsimap::test
