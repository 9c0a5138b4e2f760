#include "job/staging_folder.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

namespace fs = std::filesystem;

TEST_CASE("a staging folder goes with all that is in it, unless it is to stay") {
  const TemporaryFolder folder;
  {
    const StagingFolder first(folder.file(""));
    const StagingFolder second(folder.file(""));
    CHECK(first.path() != second.path());
    fs::create_directory(first.path() / "inside");
    write_file(first.path() / "inside/file", "text");
    CHECK(staging_folders_in(folder.file("")).size() == 2);
  }
  CHECK(folder.names().empty());
  {
    StagingFolder kept(folder.file(""));
    kept.keep();
  }
  CHECK(folder.names().size() == 1);
}

TEST_CASE("a folder is adopted when its process is dead, and by one process only") {
  const TemporaryFolder folder;
  const StagingFolder own(folder.file(""));
  CHECK(StagingFolder::adopt(own.path()) == nullptr);

  const pid_t child = fork();
  if (child == 0) {
    const StagingFolder left(folder.file(""));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const std::vector<fs::path> folders = staging_folders_in(folder.file(""));
  REQUIRE(folders.size() == 2);
  const fs::path left = folders[0] == own.path() ? folders[1] : folders[0];
  {
    const auto adopted = StagingFolder::adopt(left);
    REQUIRE(adopted != nullptr);
    CHECK(StagingFolder::adopt(left) == nullptr);
  }
  CHECK_FALSE(fs::exists(left));
  CHECK(StagingFolder::adopt(left) == nullptr);
}

TEST_CASE("a folder without a lock, a link and a plain file of such a name") {
  const TemporaryFolder folder;
  fs::create_directory(folder.file(".parsimap-1-1"));
  CHECK(StagingFolder::adopt(folder.file(".parsimap-1-1")) != nullptr);
  fs::create_directory(folder.file("other"));
  fs::create_symlink(folder.file("other"), folder.file(".parsimap-1-2"));
  CHECK(StagingFolder::adopt(folder.file(".parsimap-1-2")) == nullptr);
  write_file(folder.file(".parsimap-1-3"), "text");
  CHECK(StagingFolder::adopt(folder.file(".parsimap-1-3")) == nullptr);
  CHECK(file_content(folder.file(".parsimap-1-3")) == "text");
}

TEST_CASE("where no folder can be made, the reason is told") {
  CHECK_THROWS_AS(StagingFolder("/proc"), fs::filesystem_error);
  CHECK_THROWS_AS(StagingFolder("/no/such/folder"), fs::filesystem_error);
}
