#include "parsimap/text/library_classes.hpp"

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "unit/core/temporary_folder.hpp"

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
