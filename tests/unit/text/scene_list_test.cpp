#include "parsimap/text/scene_list.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

using Entries = std::vector<SceneListEntry>;

Entries entries_of(const TemporaryFolder& folder, const std::string& content) {
  write_file(folder.file("list.csv"), content);
  return read_scene_list(folder.file("list.csv"));
}

// What follows the path in the message.
std::string refusal(const std::string& content) {
  const TemporaryFolder folder;
  try {
    entries_of(folder, content);
  } catch (const DataError& error) {
    return std::string(error.what()).substr(folder.file("list.csv").size());
  }
  return "nothing was thrown";
}

}  // namespace

TEST_CASE("a list of scenes: columns in any order, among others, with any separator") {
  const TemporaryFolder folder;
  const std::string a = folder.file("a.tif");
  const std::string b = folder.file("b.tif");
  const std::string labels = folder.file("fields.gpkg");
  const std::string mask = folder.file("m.tif");
  CHECK(entries_of(folder, "scene\na.tif\nb.tif\n") == Entries{{a, {}, {}}, {b, {}, {}}});
  CHECK(entries_of(folder, "scene,labels,mask\na.tif,fields.gpkg,m.tif\nb.tif,,\n") ==
        Entries{{a, labels, mask}, {b, {}, {}}});
  CHECK(entries_of(folder, "\xef\xbb\xbfnote;mask;labels;scene\r\n\r\nx;;fields.gpkg;a.tif\r\n") ==
        Entries{{a, labels, {}}});
  CHECK(entries_of(folder, "scene\tlabels\na.tif\n") == Entries{{a, {}, {}}});
}

TEST_CASE("a list of scenes: names that are no relative paths stay as they are") {
  const TemporaryFolder folder;
  const Entries entries = entries_of(folder,
                                     "scene\n/data/a.tif\n/vsizip/b.zip/c.tif\n\"NETCDF:\"\"a.nc\"\":rad\"\n"
                                     "https://example.org/a.tif\nsub/a.tif\n../b.tif\n\"a, b.tif\"\n");
  std::vector<std::string> scenes;
  for (const SceneListEntry& entry : entries) {
    scenes.push_back(entry.scene);
  }
  CHECK(scenes == std::vector<std::string>{"/data/a.tif", "/vsizip/b.zip/c.tif", "NETCDF:\"a.nc\":rad",
                                           "https://example.org/a.tif", folder.file("sub/a.tif"),
                                           folder.file("../b.tif"), folder.file("a, b.tif")});
}

TEST_CASE("a list of scenes: what is wrong is named with its line") {
  CHECK(refusal("") == " is empty; it must be a table with the column scene");
  CHECK(refusal("a.tif,b.gpkg\n") ==
        ": line 1: 'a.tif,b.gpkg' must be a header with the column scene, as in 'scene,labels'");
  CHECK(refusal("scene,labels\n") == " names no scene below its header");
  CHECK(refusal("labels,scene\n\na.gpkg,\n") == ": line 3: 'a.gpkg,' names no scene");
  CHECK(refusal("labels,scene\na.gpkg\n") == ": line 2: 'a.gpkg' names no scene");
  CHECK(refusal("scene\n/a.tif\n/b.tif\n/a.tif\n") == ": line 4: scene '/a.tif' is already in line 2");
  CHECK_THROWS_AS(read_scene_list("/no/such/list.csv"), DataError);
}

TEST_CASE("a scene with its labels and its mask as one text") {
  CHECK(parse_scene_entry("a.tif,b.gpkg") == SceneListEntry{"a.tif", "b.gpkg", {}});
  CHECK(parse_scene_entry(" a.tif , b.gpkg, m.tif") == SceneListEntry{"a.tif", "b.gpkg", "m.tif"});
  CHECK(parse_scene_entry("\"a,b.tif\"") == SceneListEntry{"a,b.tif", {}, {}});
  for (const char* text : {"", ",b.gpkg", "a,b,c,d"}) {
    CHECK_THROWS_WITH_AS(
        parse_scene_entry(text),
        ("'" + std::string(text) + "' must be a scene, its labels and, if wanted, its mask, as in 'a.tif,a.gpkg'")
            .c_str(),
        DataError);
  }
}

}  // namespace parsimap::test
