#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

#include "parsimap/core/error.hpp"
#include "parsimap/job/output_set.hpp"

#include "job/publication.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

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

TEST_CASE("the first text stays, unless it is written anew") {
  const TemporaryFolder folder;
  write_if_absent(folder.file("a"), "first");
  write_if_absent(folder.file("a"), "second");
  CHECK(file_content(folder.file("a")) == "first");
  write_anew(folder.file("a"), "third");
  CHECK(file_content(folder.file("a")) == "third");
  CHECK(folder.names() == std::vector<std::string>{"a"});
}

TEST_CASE("of many processes one is the first, and all see its text whole") {
  const TemporaryFolder folder;
  const auto text = [](int i) { return std::string(100000, static_cast<char>('a' + i)); };
  std::vector<pid_t> children;
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      write_if_absent(folder.file("plan"), text(i));
      write_file(folder.file("seen" + std::to_string(i)), file_content(folder.file("plan")));
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
  }
  std::set<std::string> seen;
  for (int i = 0; i < 8; ++i) {
    seen.insert(file_content(folder.file("seen" + std::to_string(i))));
  }
  CHECK(seen.size() == 1);
  CHECK(seen.begin()->size() == 100000);
}

TEST_CASE("a folder that is not there is an error with its reason") {
  const TemporaryFolder folder;
  CHECK_THROWS_WITH_AS(write_if_absent(folder.file("no/plan"), "x"),
                       ("'" + folder.file("no/plan") + "' cannot be written: No such file or directory").c_str(),
                       IoError);
  CHECK_THROWS_AS(write_anew(folder.file("no/plan"), "x"), IoError);
}

}  // namespace parsimap::test
