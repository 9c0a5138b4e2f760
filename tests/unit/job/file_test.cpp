#include "job/file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a text returns as it was written, whatever is in it") {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(), std::string("line\r\n\0end", 10), std::string(200000, 'x')}) {
    write_text(std::filesystem::path(folder.file("text")), text);
    CHECK(file_content(folder.file("text")) == text);
  }
}

TEST_CASE("failures are errors with the system's reason") {
  CHECK(message_of([] { sync_to_disk("/no/such/file"); }).find("No such file") != std::string::npos);
  CHECK(message_of([] { write_text(std::filesystem::path("/dev/full"), "text"); }).find("No space left") !=
        std::string::npos);
  CHECK(message_of([] { write_text(std::filesystem::path("/no/such/file"), ""); }).find("No such file") !=
        std::string::npos);
}

TEST_CASE("links count as being there, whatever is behind them") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.file("absent"), folder.file("link"));
  CHECK(is_there(folder.file("link")));
  CHECK_FALSE(is_there(folder.file("absent")));
  CHECK_FALSE(is_there(folder.file("link/below")));
  CHECK_THROWS_AS(is_there(folder.file(std::string(300, 'x'))), std::filesystem::filesystem_error);
}
