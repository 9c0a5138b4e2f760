#include "io/output/text_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a text returns as it was written, whatever is in it") {
  const TemporaryFolder folder;
  for (const std::string& text : {std::string(), std::string("line\r\n\0end", 10), std::string(200000, 'x')}) {
    write_text(std::filesystem::path(folder.file("text")), text);
    CHECK(read_text(folder.file("text")) == text);
  }
}

TEST_CASE("failures are errors with the system's reason") {
  CHECK(message_of([] { read_text("/no/such/file"); }).find("No such file") != std::string::npos);
  CHECK(message_of([] { read_text("/"); }).find("Is a directory") != std::string::npos);
  CHECK(message_of([] { write_text(std::filesystem::path("/dev/full"), "text"); }).find("No space left") !=
        std::string::npos);
  CHECK(message_of([] { write_text(std::filesystem::path("/no/such/file"), ""); }).find("No such file") !=
        std::string::npos);
}
