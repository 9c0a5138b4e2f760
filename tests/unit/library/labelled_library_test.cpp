#include "parsimap/library/labelled_library.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

#include "support/memory_scene.hpp"
#include "support/small_scene.hpp"

namespace parsimap::test {

namespace {

// Four spectra of two bands.
std::string small_table(const TemporaryFolder& folder) {
  const std::string path = folder.file("lib.csv");
  write_file(path,
             "name,level,code,plot,450,550\noak,tree,7,a,1,2\nbeech,tree,7,b,2,3\nsand,soil,3,a,5,6\nmud,,0,,7,8\n");
  return path;
}

std::vector<int> labels_of(const LabelledLibrary& library) {
  std::vector<int> labels;
  for (const LabelledPixel& pixel : library.labelled.pixels) {
    labels.push_back(pixel.label);
  }
  return labels;
}

LabelledLibrary libraries_of(const LibraryInput& input) {
  return read_labelled_libraries(input, [](const std::string&) {});
}

}  // namespace

TEST_CASE("an attribute names the classes, by text or by code") {
  const TemporaryFolder folder;
  const std::string path = small_table(folder);
  const LabelledLibrary by_text = libraries_of({{path}, "level"});
  CHECK(by_text.labelled.named_by_text);
  REQUIRE(by_text.labelled.classes.size() == 2);
  CHECK(by_text.labelled.classes[0].name == "soil");
  CHECK(labels_of(by_text) == std::vector<int>{1, 1, 0});
  const LabelledLibrary by_code = libraries_of({{path}, "code"});
  CHECK_FALSE(by_code.labelled.named_by_text);
  CHECK(by_code.labelled.classes[0].code == 3);
  CHECK(by_code.labelled.classes[1].name == "7");
  CHECK(labels_of(by_code) == std::vector<int>{1, 1, 0});
}

TEST_CASE("every spectrum is a region of its own, and groups are those of an attribute") {
  const TemporaryFolder folder;
  const LabelledLibrary library = libraries_of({{small_table(folder)}, "level", "plot"});
  const std::vector<LabelledPixel>& pixels = library.labelled.pixels;
  REQUIRE(pixels.size() == 3);
  CHECK(pixels[0].region != pixels[1].region);
  CHECK(library.labelled.unit_of(pixels[0].region) == library.labelled.unit_of(pixels[2].region));
  CHECK(library.labelled.unit_of(pixels[0].region) != library.labelled.unit_of(pixels[1].region));
}

TEST_CASE("a table names the classes, and leaves out what it does not name") {
  const TemporaryFolder folder;
  write_file(folder.file("classes.csv"), "name,class\noak,wood\nsand,soil\n");
  LibraryInput input{{small_table(folder)}};
  input.classes = folder.file("classes.csv");
  std::string said;
  const LabelledLibrary library = read_labelled_libraries(input, [&](const std::string& text) { said += text; });
  CHECK(labels_of(library) == std::vector<int>{1, 0});
  CHECK(contains(said, "spectra left out because"));
}

TEST_CASE("spectra of the class 0 and without a class are left out with their numbers, unless 0 is a class") {
  const TemporaryFolder folder;
  write_file(folder.file("codes.csv"), "class,450,550\n0,1,2\n1,2,1\n0,1,3\n,4,4\n2,3,1\n");
  LibraryInput input{{folder.file("codes.csv")}};
  std::string said;
  const auto say = [&](const std::string& text) { said += text + '\n'; };
  CHECK(labels_of(read_labelled_libraries(input, say)) == std::vector<int>{0, 1});
  CHECK(contains(said, "spectra of the class 0 that count as unlabelled: 2; --zero-class makes a class of them"));
  CHECK(contains(said, "spectra left out because they have no class: 1"));
  input.zero_class = true;
  said.clear();
  const LabelledLibrary with_zero = read_labelled_libraries(input, say);
  CHECK(labels_of(with_zero) == std::vector<int>{2, 0, 2, 1});
  CHECK(with_zero.labelled.classes.back().code == 3);
  CHECK(with_zero.labelled.classes.back().name == "0");
  CHECK_FALSE(contains(said, "class 0"));
}

TEST_CASE("several libraries are one, and rules merge their classes") {
  const TemporaryFolder folder;
  const std::string path = small_table(folder);
  write_file(folder.file("more.csv"), "name,level,450,550\nwater,water,0,0\n");
  const LabelledLibrary both = libraries_of({{path, folder.file("more.csv")}, "level"});
  CHECK(both.labelled.classes.size() == 3);
  CHECK(both.library.size() == 5);
  LibraryInput merged{{path, folder.file("more.csv")}, "level"};
  merged.rules = ClassRules{"rules.csv", {{"tree", "land"}, {"soil", "land"}}};
  CHECK(libraries_of(merged).labelled.classes.size() == 2);
  merged.rules = ClassRules{"rules.csv", {{"wheat", "land"}}};
  CHECK_THROWS_AS(libraries_of(merged), DataError);
  merged.beside_scene = true;
  CHECK(libraries_of(merged).labelled.classes.size() == 3);
}

TEST_CASE("a feature that is the code of the class under another name is told") {
  const TemporaryFolder folder;
  const auto said_of = [&](const std::string& text) {
    write_file(folder.file("features.csv"), text);
    std::string said;
    read_labelled_libraries({{folder.file("features.csv")}}, [&](const std::string& line) { said += line; });
    return said;
  };
  CHECK(contains(said_of("class,f,kind\noak,0.5,20\nash,1.5,10\noak,2,20\n"),
                 "the feature 'kind' has one whole number for each class, as codes of classes have; --exclude-bands"));
  CHECK_FALSE(contains(said_of("class,f,kind\noak,0.5,20\nash,1.5,20\noak,2,20\n"), "one whole number"));
  CHECK_FALSE(contains(said_of("class,f,kind\noak,0.5,0.2\nash,1.5,0.1\noak,2,0.2\n"), "one whole number"));
  CHECK_FALSE(contains(said_of("class,450,550\noak,0.5,20\nash,1.5,10\noak,2,20\n"), "one whole number"));
}

TEST_CASE("a library without classes is refused with the attributes that it has") {
  const TemporaryFolder folder;
  const std::string path = small_table(folder);
  CHECK(contains(message_of([&] { libraries_of({{path}}); }), "it has 'level', 'code', 'plot'"));
  CHECK(contains(message_of([&] { libraries_of({{path}, "species"}); }), "--class-field species is no attribute"));
  CHECK(contains(message_of([&] { libraries_of({{path}, "level", "site"}); }), "--group-field site is no attribute"));
  write_file(folder.file("bare.csv"), "450,550\n1,2\n");
  CHECK(contains(message_of([&] { libraries_of({{folder.file("bare.csv")}}); }), "it has no attributes"));
  LibraryInput named_otherwise{{path}};
  write_file(folder.file("names.csv"), "name,class\nnobody,oak\n");
  named_otherwise.classes = folder.file("names.csv");
  CHECK(contains(message_of([&] { libraries_of(named_otherwise); }), "spectra has a class"));
  write_file(folder.file("kept.csv"), "class,code,region,group,450,550\noak,x,1,1,1,2\n");
  CHECK(
      contains(message_of([&] { libraries_of({{folder.file("kept.csv")}}); }), "codes of classes are from 1 to 65535"));
  write_file(folder.file("kept.csv"), "class,code,region,group,450,550\noak,1,1,1,1,2\nash,1,2,2,1,2\n");
  CHECK(contains(message_of([&] { libraries_of({{folder.file("kept.csv")}}); }), "have the same code 1"));
  write_file(folder.file("kept.csv"), "class,code,region,group,450,550\noak,1,1,1,1,2\noak,2,2,2,1,2\n");
  CHECK(contains(message_of([&] { libraries_of({{folder.file("kept.csv")}}); }), "two codes"));
}

TEST_CASE("kept spectra stand in the bands of their scene") {
  SpectralLibrary library;
  library.path = "kept";
  library.spectra.resize(1, 2);
  library.spectra << 1, 2;
  library.bands = {{.wavelength = 450, .bad = true}, {.wavelength = 650}};
  library.origin = BandOrigin{4, {0, 2}, {{1, "constant"}, {3, "no data"}}};
  const std::unique_ptr<SceneSource> scene = library_scene(library);
  CHECK(scene->bands().size() == 4);
  const ChosenBands all = choose_library_bands(library, *scene, {});
  CHECK(all.bands == Indices{0, 2});
  CHECK(all.dropped == library.origin->dropped);
  const ChosenBands one = choose_library_bands(library, *scene, {{"1-2"}, {}});
  CHECK(one.bands == Indices{0});
  REQUIRE(one.dropped.size() == 3);
  CHECK(one.dropped[0].reason == "constant");
  CHECK_THROWS_AS(choose_library_bands(library, *scene, {{"2"}, {}}), ConfigError);
}

namespace {

const BandTable kBands = {{.wavelength = 450}, {.wavelength = 500}, {.wavelength = 550}};

// Two samples of the classes 'soil' (code 2) and 'tree' (code 5), in the first and last band of the scene.
struct SceneSamples {
  bool named_by_text = false;
  Extraction extraction;
};

SceneSamples two_samples(bool named_by_text) {
  SceneSamples data;
  data.named_by_text = named_by_text;
  data.extraction.bands = {0, 2};
  SampleSet& samples = data.extraction.samples;
  samples.spectra = (Matrix(2, 2) << 1, 2, 3, 4).finished();
  samples.labels = {1, 0};
  samples.classes = {{2, "soil", {}}, {5, "tree", {}}};
  samples.places = {{10, 7, {7}}, {11, 8, {0, SampleUnit::Reason::group}}};
  return data;
}

LabelledLibrary library_of(const ClassTable& classes, bool named_by_text, const Spectra& spectra) {
  LabelledLibrary result;
  result.library.path = "lib.sli";
  result.library.bands = kBands;
  result.library.spectra = spectra;
  result.labelled.classes = classes;
  result.labelled.named_by_text = named_by_text;
  result.labelled.region_units = {{2, {0, SampleUnit::Reason::group}}};
  for (Index i = 0; i < spectra.rows(); ++i) {
    result.labelled.pixels.push_back({i, static_cast<int>(i % static_cast<Index>(classes.size())), i + 1});
  }
  return result;
}

const Spectra kTwo = (Spectra(2, 3) << 1, 9, 2, 3, 9, 5).finished();

void join(const LabelledLibrary& library, SceneSamples& data) {
  const MemoryScene scene("scene", {2, 1, std::nullopt, ""}, kBands, Spectra::Zero(2, 3));
  join_library(library, scene, data.named_by_text, data.extraction, [](const std::string&) {});
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
  SceneSamples data = two_samples(false);
  join(library_of({{1, "rock", {}}, {2, "tree", {}}}, true, kTwo), data);
  const SampleSet& samples = data.extraction.samples;
  CHECK(samples.spectra == (Matrix(4, 2) << 1, 2, 3, 4, 1, 2, 3, 5).finished());
  CHECK(names_of_labels(samples) == std::vector<std::string>{"tree", "soil", "rock", "tree"});
  CHECK(samples.classes.front().code == 1);
  constexpr std::int64_t kNone = SamplePlace::kNoPixel;
  CHECK(samples.places == std::vector<SamplePlace>{{10, 7, {7}},
                                                   {11, 8, {0, SampleUnit::Reason::group}},
                                                   {kNone, 10, {10}},
                                                   {kNone, 11, {1, SampleUnit::Reason::group}}});
}

TEST_CASE("names on one side and codes alone on the other are refused, with both lists") {
  SceneSamples by_text = two_samples(true);
  CHECK(message_of([&] {
          join(library_of({{1, "1", {}}, {2, "2", {}}}, false, kTwo), by_text);
        }) ==
        "the classes of scene have names and those of lib.sli codes alone; --classes FILE gives names to codes\n"
        "  scene  lib.sli\n  soil   1\n  tree   2");
  SceneSamples by_code = two_samples(false);
  by_code.extraction.samples.classes = {{2, "2", {}}, {5, "5", {}}};
  CHECK(contains(message_of([&] {
                   join(library_of({{1, "rock", {}}}, true, kTwo), by_code);
                 }),
                 "the classes of lib.sli have names and those of scene codes alone"));
}

TEST_CASE("the text 0 means unlabelled, beside names and beside codes") {
  const TemporaryFolder folder;
  for (const char* other : {"oak", "7"}) {
    write_file(folder.file("a.csv"), "name,class,450,500\na,0,1,2\nb," + std::string(other) + ",2,3\nc,12,2,4\n");
    const LabelledLibrary library = libraries_of({{folder.file("a.csv")}, "class"});
    CHECK(library.labelled.classes.size() == 2);
    CHECK(library.labelled.pixels.size() == 2);
  }
}

TEST_CASE("classes are the same by name, or by code, and further ones get a code") {
  SceneSamples by_code = two_samples(false);
  join(library_of({{5, "5", {}}, {9, "9", {}}}, false, kTwo), by_code);
  CHECK(names_of_labels(by_code.extraction.samples) == std::vector<std::string>{"tree", "soil", "tree", "9"});
  CHECK(by_code.extraction.samples.classes.back().code == 9);
  SceneSamples by_text = two_samples(true);
  join(library_of({{1, "rock", {}}, {2, "water", {}}}, true, kTwo), by_text);
  const ClassTable& classes = by_text.extraction.samples.classes;
  REQUIRE(classes.size() == 4);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    CHECK(classes[c].code == static_cast<int>(c) + 1);
  }
  CHECK(names_of_labels(by_text.extraction.samples) == std::vector<std::string>{"tree", "soil", "rock", "water"});
}

TEST_CASE("spectra without a value, or in another unit, are not mixed in") {
  SceneSamples data = two_samples(false);
  Spectra missing = kTwo;
  missing(1, 2) = std::nanf("");
  join(library_of({{1, "rock", {}}}, true, missing), data);
  CHECK(data.extraction.samples.size() == 3);
  SceneSamples other = two_samples(false);
  CHECK(contains(message_of([&] {
                   join(library_of({{1, "rock", {}}}, true, 100 * kTwo), other);
                 }),
                 "which are different units"));
  CHECK(contains(message_of([&] {
                   join(library_of({{1, "rock", {}}}, true, Spectra::Constant(1, 3, std::nanf(""))), other);
                 }),
                 "no spectrum has a value in every band"));
}

}  // namespace parsimap::test
