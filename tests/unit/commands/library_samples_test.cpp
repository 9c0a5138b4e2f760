#include "commands/library_samples.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "parsimap/core/error.hpp"

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
  RecordingListener listener;
  return read_labelled_libraries(input, listener);
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
  CHECK(library.labelled.group_of(pixels[0].region) == library.labelled.group_of(pixels[2].region));
  CHECK(library.labelled.group_of(pixels[0].region) != library.labelled.group_of(pixels[1].region));
}

TEST_CASE("a table names the classes, and leaves out what it does not name") {
  const TemporaryFolder folder;
  write_file(folder.file("classes.csv"), "name,class\noak,wood\nsand,soil\n");
  LibraryInput input{{small_table(folder)}};
  input.classes = folder.file("classes.csv");
  RecordingListener listener;
  const LabelledLibrary library = read_labelled_libraries(input, listener);
  CHECK(labels_of(library) == std::vector<int>{1, 0});
  CHECK(listener.said("spectra left out because"));
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

TEST_CASE("a library without classes is refused with the attributes that it has") {
  const TemporaryFolder folder;
  const std::string path = small_table(folder);
  CHECK(contains(message_of([&] { libraries_of({{path}}); }), "it has 'level', 'code', 'plot'"));
  CHECK(contains(message_of([&] { libraries_of({{path}, "species"}); }), "--class-field species is no attribute"));
  CHECK(contains(message_of([&] { libraries_of({{path}, "level", "site"}); }), "--group-field site is no attribute"));
  write_file(folder.file("bare.csv"), "450,550\n1,2\n");
  CHECK(contains(message_of([&] { libraries_of({{folder.file("bare.csv")}}); }), "it has no attributes"));
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
  const InputScene scene = library_scene(library);
  CHECK(scene.source->bands().size() == 4);
  const ChosenBands all = choose_library_bands(library, scene, {});
  CHECK(all.bands == Indices{0, 2});
  CHECK(all.dropped == library.origin->dropped);
  const ChosenBands one = choose_library_bands(library, scene, {{"1-2"}, {}});
  CHECK(one.bands == Indices{0});
  REQUIRE(one.dropped.size() == 3);
  CHECK(one.dropped[0].reason == "constant");
  CHECK_THROWS_AS(choose_library_bands(library, scene, {{"2"}, {}}), ConfigError);
}

}  // namespace parsimap::test
