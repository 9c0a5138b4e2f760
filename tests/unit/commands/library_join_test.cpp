#include "commands/library_join.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/scene/memory_scene.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {
namespace {

const BandTable kBands = {{.wavelength = 450}, {.wavelength = 500}, {.wavelength = 550}};

// Two samples of the classes 'soil' (code 2) and 'tree' (code 5), in the first and last band of the scene.
TrainingSamples two_samples(bool named_by_text) {
  TrainingSamples data;
  data.labelled.named_by_text = named_by_text;
  data.extraction.bands = {0, 2};
  SampleSet& samples = data.extraction.samples;
  samples.spectra = (Matrix(2, 2) << 1, 2, 3, 4).finished();
  samples.labels = {1, 0};
  samples.classes = {{2, "soil", {}}, {5, "tree", {}}};
  samples.pixels = {10, 11};
  samples.regions = {7, 8};
  samples.groups = {7, -1};
  return data;
}

LabelledLibrary library_of(const ClassTable& classes, bool named_by_text, const Spectra& spectra) {
  LabelledLibrary result;
  result.library.path = "lib.sli";
  result.library.bands = kBands;
  result.library.spectra = spectra;
  result.labelled.classes = classes;
  result.labelled.named_by_text = named_by_text;
  result.labelled.region_groups = {{2, -1}};
  for (Index i = 0; i < spectra.rows(); ++i) {
    result.labelled.pixels.push_back({i, static_cast<int>(i % static_cast<Index>(classes.size())), i + 1});
  }
  return result;
}

const Spectra kTwo = (Spectra(2, 3) << 1, 9, 2, 3, 9, 5).finished();

void join(const LabelledLibrary& library, TrainingSamples& data) {
  const MemoryScene scene("scene", {2, 1, std::nullopt, ""}, kBands, Spectra::Zero(2, 3));
  Listener deaf;
  join_library(library, scene, data, deaf);
}

std::vector<std::string> names_of_labels(const SampleSet& samples) {
  std::vector<std::string> names;
  for (const int label : samples.labels) {
    names.push_back(samples.classes[static_cast<std::size_t>(label)].name);
  }
  return names;
}

}  // namespace

TEST_CASE("spectra of a library join in the bands that are used, as regions and groups of their own") {
  TrainingSamples data = two_samples(false);
  join(library_of({{1, "rock", {}}, {2, "tree", {}}}, true, kTwo), data);
  const SampleSet& samples = data.extraction.samples;
  CHECK(samples.spectra == (Matrix(4, 2) << 1, 2, 3, 4, 1, 2, 3, 5).finished());
  CHECK(names_of_labels(samples) == std::vector<std::string>{"tree", "soil", "rock", "tree"});
  CHECK(samples.classes.front().code == 1);
  CHECK(samples.pixels == std::vector<std::int64_t>{10, 11, -1, -1});
  CHECK(samples.regions == std::vector<std::int64_t>{7, 8, 10, 11});
  CHECK(samples.groups == std::vector<std::int64_t>{7, -1, 10, -2});
}

TEST_CASE("classes are the same by name, or by code, and further ones get a code") {
  TrainingSamples by_code = two_samples(false);
  join(library_of({{5, "5", {}}, {9, "9", {}}}, false, kTwo), by_code);
  CHECK(names_of_labels(by_code.extraction.samples) == std::vector<std::string>{"tree", "soil", "tree", "9"});
  CHECK(by_code.extraction.samples.classes.back().code == 9);
  TrainingSamples by_text = two_samples(true);
  join(library_of({{1, "rock", {}}, {2, "water", {}}}, true, kTwo), by_text);
  const ClassTable& classes = by_text.extraction.samples.classes;
  REQUIRE(classes.size() == 4);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    CHECK(classes[c].code == static_cast<int>(c) + 1);
  }
  CHECK(names_of_labels(by_text.extraction.samples) == std::vector<std::string>{"tree", "soil", "rock", "water"});
}

TEST_CASE("spectra without a value, or in another unit, are not mixed in") {
  TrainingSamples data = two_samples(false);
  Spectra missing = kTwo;
  missing(1, 2) = std::nanf("");
  join(library_of({{1, "rock", {}}}, true, missing), data);
  CHECK(data.extraction.samples.size() == 3);
  TrainingSamples other = two_samples(false);
  CHECK(contains(message_of([&] {
                   join(library_of({{1, "rock", {}}}, true, 100 * kTwo), other);
                 }),
                 "bring both to the same unit"));
  CHECK(contains(message_of([&] {
                   join(library_of({{1, "rock", {}}}, true, Spectra::Constant(1, 3, std::nanf(""))), other);
                 }),
                 "no spectrum has a value in every band"));
}

}  // namespace parsimap::test
