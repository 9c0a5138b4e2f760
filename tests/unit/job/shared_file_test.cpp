#include "parsimap/job/shared_file.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

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
