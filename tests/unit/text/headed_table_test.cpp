
#include "text/headed_table.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/text/text_tables.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using namespace parsimap::test;

TEST_CASE("a table is read by the names of its columns, with the lines of its rows") {
  const TemporaryFolder folder;
  write_file(folder.file("t.csv"), "\na;\"b;c\"\n\n1; \"2\"\"\" ;3\n");
  const HeadedTable table = read_headed_table(folder.file("t.csv"), {"a"}, "a", {}, "has no row");
  CHECK(table.column("a") == std::size_t{0});
  CHECK(table.column("b;c") == std::size_t{1});
  CHECK_FALSE(table.column("d"));
  REQUIRE(table.rows.size() == 1);
  CHECK(table.rows[0].line == 4);
  CHECK(table.rows[0].fields == std::vector<std::string>{"1", "2\"", "3"});
  CHECK(message_of([&] {
          read_headed_table(folder.file("t.csv"), {"a", "x", "y"}, "a;x;y", {}, "has no row");
        }) ==
        folder.file("t.csv") + ": line 2: 'a;\"b;c\"' must be a header with the columns a, x and y, as in 'a;x;y'");
}

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
  // By other names, labels and masks were left aside without a word.
  CHECK(refusal("scene,labels,masks\na.tif,,m.tif\n") == ": the column 'masks' must be called 'mask'");
  CHECK(refusal("Scene;Label\na.tif;a.gpkg\n") == ": the column 'Label' must be called 'labels'");
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

namespace parsimap::test {
namespace {

std::map<std::string, std::string> read_text(const std::string& text) {
  const TemporaryFolder folder;
  write_file(folder.file("classes.csv"), text);
  return read_library_classes(folder.file("classes.csv"));
}

}  // namespace

TEST_CASE("the class of a spectrum is named by a table") {
  const std::map<std::string, std::string> expected = {{"oak 1", "tree"}, {"sand", "soil"}};
  CHECK(read_text("class;name;note\ntree;oak 1;\nsoil;sand;x\ntree;oak 1;again\n") == expected);
}

TEST_CASE("tables of classes that are none are refused with their line") {
  const auto message = [](const std::string& text) { return message_of([&] { read_text(text); }); };
  CHECK(message("name,level\noak,1\n").find("columns name and class") != std::string::npos);
  CHECK(message("name,class\noak,\n").find("line 2: 'oak,' must be the name of a spectrum") != std::string::npos);
  CHECK(message("name,class\noak,tree\noak,soil\n").find("line 3: spectrum 'oak' has the class 'tree'") !=
        std::string::npos);
  CHECK(message("name,class\n").find("no line below its header") != std::string::npos);
}

}  // namespace parsimap::test
