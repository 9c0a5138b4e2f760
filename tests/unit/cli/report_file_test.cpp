#include "cli/report_file.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap {

TEST_CASE("a report must be a file of its own, but may differ from a map in its extension alone") {
  const TemporaryFolder folder;
  const std::string map = folder.file("map.tif");
  CHECK_NOTHROW(check_report(folder.file("map.html"), {{"SCENE", folder.file("scene.tif")}}, {{"MAP", map}}, false));
  CHECK_NOTHROW(check_report(std::nullopt, {}, {{"MAP", map}}, false));
  CHECK(message_of([&] {
          check_report(map, {}, {{"MAP", map}}, false);
        }) == "--report '" + map + "' is the same file as MAP");
  CHECK(message_of([&] {
          check_report(map, {{"SCENE", map}}, {}, false);
        }) == "--report '" + map + "' is the same file as SCENE '" + map + "'; an input cannot be replaced");
  write_file(folder.file("there.html"), "x");
  CHECK_THROWS_AS(check_report(folder.file("there.html"), {}, {}, false), ConfigError);
  CHECK_NOTHROW(check_report(folder.file("there.html"), {}, {}, true));
  CHECK_THROWS_AS(check_report(folder.file("no/report.html"), {}, {}, true), ConfigError);
}

TEST_CASE("a staged report appears with its commit") {
  const TemporaryFolder folder;
  const std::string path = folder.file("report.html");
  stage_report(path, "<p>lost</p>", false);
  CHECK(folder.names().empty());
  stage_report(path, "<p>kept</p>", false)->commit();
  CHECK(file_content(path) == "<p>kept</p>");
}

}  // namespace parsimap
