#include "cli/output_folder.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a folder is made, and stays when something is in it or it was there before") {
  const TemporaryFolder parent;
  { const OutputFolder empty(parent.file("empty")); }
  {
    const OutputFolder filled(parent.file("filled"));
    CHECK(std::filesystem::is_directory(parent.file("filled")));
    write_file(parent.file("filled/x"), "x");
  }
  std::filesystem::create_directory(parent.file("old"));
  { const OutputFolder old(parent.file("old")); }
  CHECK(parent.names() == std::vector<std::string>{"filled", "old"});
}

TEST_CASE("a folder that cannot be made is named with the reason") {
  const TemporaryFolder parent;
  CHECK_THROWS_WITH_AS(
      OutputFolder(parent.file("no/folder")),
      ("output folder '" + parent.file("no/folder") + "' cannot be made: No such file or directory").c_str(),
      ConfigError);
  write_file(parent.file("file"), "x");
  CHECK_THROWS_AS(OutputFolder(parent.file("file")), ConfigError);
}
