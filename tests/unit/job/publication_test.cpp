#include "job/publication.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "parsimap/job/output_set.hpp"

#include "system_calls.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

namespace {

namespace fs = std::filesystem;

using Contents = std::map<std::string, std::string>;

// All files in two folders of outputs, hidden ones too.
Contents contents_of(const TemporaryFolder& folder) {
  Contents contents;
  for (const auto& entry : fs::recursive_directory_iterator(folder.file(""))) {
    if (entry.is_regular_file()) {
      contents[fs::relative(entry.path(), folder.file(""))] = file_content(entry.path());
    }
  }
  return contents;
}

// A map with side files and a second output in another folder. Some replace an earlier file, one is new, and one
// earlier side file has no successor.
const Contents kOld = {{"a/map.tif", "old map"}, {"a/map.qml", "old style"}, {"b/layer.tif", "old layer"}};
const Contents kNew = {
    {"a/map.tif", "new map"}, {"a/map.tif.aux.xml", "new side file"}, {"b/layer.tif", "new layer"}, {"b/page", "new"}};

void write_old(const TemporaryFolder& folder) {
  fs::create_directories(folder.file("a"));
  fs::create_directories(folder.file("b"));
  for (const auto& [name, content] : kOld) {
    write_file(folder.file(name), content);
  }
}

void replace(const TemporaryFolder& folder) {
  OutputSet outputs(true);
  const auto file = [&](const char* name) { return folder.file(name); };
  const StagedOutput& map =
      outputs.stage("MAP", file("a/map.tif"), {file("a/map.tif"), file("a/map.qml"), file("a/map.tif.aux.xml")});
  const StagedOutput& layer = outputs.stage("--confidence", file("b/layer.tif"));
  const StagedOutput& page = outputs.stage("--report", file("b/page"));
  write_text(map, "new map");
  write_file(map.path + ".aux.xml", "new side file");
  write_text(layer, "new layer");
  write_text(page, "new");
  outputs.publish();
}

// The exit code of a child process that replaces the old outputs with a fault: 0 done, 1 an error, 9 killed.
int replace_with_fault(const TemporaryFolder& folder, Fault fault, int number, int* calls = nullptr) {
  int channel[2];
  REQUIRE(pipe(channel) == 0);
  const pid_t child = fork();
  if (child == 0) {
    order_fault(fault, number);
    int code = 0;
    try {
      replace(folder);
    } catch (const std::exception&) {
      code = 1;
    }
    const int count = calls_so_far();
    _exit(write(channel[1], &count, sizeof count) == sizeof count ? code : 2);
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(channel[1]);
  int count = 0;
  if (read(channel[0], &count, sizeof count) == sizeof count && calls != nullptr) {
    *calls = count;
  }
  close(channel[0]);
  return WEXITSTATUS(status);
}

int number_of_calls() {
  const TemporaryFolder folder;
  write_old(folder);
  int calls = 0;
  REQUIRE(replace_with_fault(folder, Fault::none, 0, &calls) == 0);
  CHECK(contents_of(folder) == kNew);
  return calls;
}

}  // namespace

TEST_CASE("a call fails when a fault is ordered for it, and otherwise does what it does") {
  order_fault(Fault::fails_once, 2);
  CHECK(unlink("/no/such/file") == -1);
  CHECK(errno == ENOENT);
  CHECK(unlink("/no/such/file") == -1);
  CHECK(errno == EIO);
  CHECK(rename("/no/such/file", "/no/such/name") == -1);
  CHECK(errno == ENOENT);
  CHECK(calls_so_far() == 3);
  order_fault(Fault::none, 0);
}

TEST_CASE("a kill at any change of a name leaves the old files or the new ones once the folders are used again") {
  const int calls = number_of_calls();
  REQUIRE(calls > 20);
  int old_sets = 0;
  int new_sets = 0;
  for (int number = 1; number <= calls; ++number) {
    CAPTURE(number);
    const TemporaryFolder folder;
    write_old(folder);
    CHECK(replace_with_fault(folder, Fault::kills, number) == 9);
    repair_outputs({folder.file("a/x"), folder.file("b/x")});
    const Contents contents = contents_of(folder);
    CHECK((contents == kOld || contents == kNew));
    ++(contents == kOld ? old_sets : new_sets);
  }
  CHECK(old_sets > 0);
  CHECK(new_sets > 0);
}

TEST_CASE("a repair that is killed itself can be repeated") {
  const int calls = number_of_calls();
  for (int number = 1; number <= calls; ++number) {
    for (int second = 1; second <= 8; ++second) {
      CAPTURE(number);
      CAPTURE(second);
      const TemporaryFolder folder;
      write_old(folder);
      CHECK(replace_with_fault(folder, Fault::kills, number) == 9);
      const pid_t child = fork();
      if (child == 0) {
        order_fault(Fault::kills, second);
        repair_outputs({folder.file("b/x"), folder.file("a/x")});
        _exit(0);
      }
      waitpid(child, nullptr, 0);
      repair_outputs({folder.file("a/x"), folder.file("b/x")});
      const Contents contents = contents_of(folder);
      CHECK((contents == kOld || contents == kNew));
    }
  }
}

TEST_CASE("an error at any change of a name leaves the old files, at once or once the folders are used again") {
  const int calls = number_of_calls();
  for (const Fault fault : {Fault::fails_once, Fault::fails_from_then_on}) {
    for (int number = 1; number <= calls; ++number) {
      CAPTURE(number);
      const TemporaryFolder folder;
      write_old(folder);
      const int code = replace_with_fault(folder, fault, number);
      if (code == 1 && fault == Fault::fails_once) {
        CHECK(contents_of(folder)["a/map.tif"] == "old map");
        CHECK(contents_of(folder)["b/layer.tif"] == "old layer");
      }
      repair_outputs({folder.file("a/x"), folder.file("b/x")});
      CHECK(contents_of(folder) == (code == 0 ? kNew : kOld));
    }
  }
}

TEST_CASE("a file in the place of a folder is no folder that was left") {
  const TemporaryFolder folder;
  write_file(folder.file("plain"), "a file");
  CHECK(repair_outputs({folder.file("plain/x")}).empty());
}

TEST_CASE("the folders of a living process are left alone") {
  const TemporaryFolder folder;
  const StagingFolder staging(folder.file(""));
  write_file(staging.path() / "file", "in the making");
  CHECK(repair_outputs({folder.file("x")}).empty());
  CHECK(file_content(staging.path() / "file") == "in the making");
}

TEST_CASE("what was put back is reported, and a record that is none is an error that names it") {
  const TemporaryFolder folder;
  fs::create_directories(folder.file(".parsimap-1-0"));
  write_file(folder.file("map"), "new");
  write_file(folder.file(".parsimap-1-0/kept-0"), "old");
  const std::string zero(1, '\0');
  const std::string record = "moves of parsimap, form 1" + zero + folder.file(".parsimap-1-0/0/map") + zero +
                             folder.file("map") + zero + folder.file(".parsimap-1-0/kept-0") + zero + "1" + zero;
  write_file(folder.file(".parsimap-1-0/record"), record);
  CHECK(repair_outputs({folder.file("x")}) == std::vector<std::string>{folder.file("map")});
  CHECK(file_content(folder.file("map")) == "old");
  CHECK(folder.names() == std::vector<std::string>{"map"});

  fs::create_directories(folder.file(".parsimap-1-0"));
  write_file(folder.file(".parsimap-1-0/record"), "something else");
  CHECK(message_of([&] { repair_outputs({folder.file("x")}); }).find(".parsimap-1-0/record") != std::string::npos);
}

TEST_CASE("a new file never replaces one that has appeared, and two processes that race do not both succeed") {
  for (int round = 0; round < 20; ++round) {
    const TemporaryFolder folder;
    int channel[2];
    REQUIRE(pipe(channel) == 0);
    std::vector<pid_t> children;
    for (const char* content : {"first", "second"}) {
      const pid_t child = fork();
      if (child == 0) {
        try {
          OutputSet outputs(false);
          write_text(outputs.stage("MAP", folder.file("map")), content);
          char go = 0;
          const bool begun = read(channel[0], &go, 1) == 1;
          outputs.publish();
          _exit(begun ? 0 : 2);
        } catch (const std::exception&) {
          _exit(1);
        }
      }
      children.push_back(child);
    }
    REQUIRE(write(channel[1], "go", 2) == 2);
    int succeeded = 0;
    for (const pid_t child : children) {
      int status = 0;
      waitpid(child, &status, 0);
      succeeded += WEXITSTATUS(status) == 0 ? 1 : 0;
    }
    close(channel[0]);
    close(channel[1]);
    CHECK(succeeded == 1);
    CHECK(folder.names() == std::vector<std::string>{"map"});
  }
}

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

TEST_CASE("where no folder can be made, the reason is given") {
  CHECK_THROWS_AS(StagingFolder("/proc"), fs::filesystem_error);
  CHECK_THROWS_AS(StagingFolder("/no/such/folder"), fs::filesystem_error);
}

}  // namespace parsimap::test
