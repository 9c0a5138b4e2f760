#include "parsimap/core/staged_file.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>

#include "parsimap/core/error.hpp"

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
namespace fs = std::filesystem;

TEST_CASE("a committed file holds what was written and nothing else is left") {
  const TemporaryFolder folder;
  const std::string text("line\r\nzero\0byte", 14);
  {
    StagedFile file(folder.file("out.txt"), false);
    file.stream() << text;
    CHECK_FALSE(fs::exists(folder.file("out.txt")));
    file.commit();
  }
  CHECK(file_content(folder.file("out.txt")) == text);
  CHECK(folder.names() == std::vector<std::string>{"out.txt"});
}

TEST_CASE("permissions follow the umask like those of any new file") {
  const TemporaryFolder folder;
  write_file(folder.file("plain"), "");
  StagedFile file(folder.file("staged"), false);
  file.commit();
  CHECK(fs::status(folder.file("staged")).permissions() == fs::status(folder.file("plain")).permissions());
}

TEST_CASE("a file that is not committed leaves nothing, and an old target as it was") {
  const TemporaryFolder folder;
  write_file(folder.file("old"), "old content");
  {
    StagedFile first(folder.file("new"), false);
    StagedFile second(folder.file("old"), true);
    first.stream() << "half";
    second.stream() << "half";
  }
  CHECK(folder.names() == std::vector<std::string>{"old"});
  CHECK(file_content(folder.file("old")) == "old content");
}

TEST_CASE("an existing target is replaced only with overwrite") {
  const TemporaryFolder folder;
  const std::string path = folder.file("model");
  write_file(path, "old");
  CHECK_THROWS_AS(StagedFile(path, false), ConfigError);
  CHECK(message_of([&] { check_target(path, false); }) ==
        "output file '" + path + "' exists; use --overwrite to replace it");
  StagedFile file(path, true);
  file.stream() << "new";
  file.commit();
  CHECK(file_content(path) == "new");
}

TEST_CASE("a target that appears meanwhile is kept") {
  const TemporaryFolder folder;
  const std::string path = folder.file("map");
  {
    StagedFile file(path, false);
    write_file(path, "somebody else's");
    CHECK_THROWS_AS(file.commit(), ConfigError);
  }
  CHECK(file_content(path) == "somebody else's");
  CHECK(folder.names().size() == 1);
}

TEST_CASE("targets that cannot be written are configuration errors before anything is computed") {
  const TemporaryFolder folder;
  CHECK(message_of([&] { check_target(folder.file("absent/x"), false); }) ==
        "output file '" + folder.file("absent/x") + "' cannot be written: folder '" + folder.file("absent") +
            "' does not exist");
  CHECK_THROWS_AS(check_target(folder.file("absent/x"), true), ConfigError);
  CHECK_THROWS_AS(check_target("", false), ConfigError);
  CHECK_THROWS_AS(check_target(folder.file(""), false), ConfigError);
  // A folder or a device must not be renamed over, even with overwrite.
  fs::create_directory(folder.file("folder"));
  CHECK_THROWS_AS(check_target(folder.file("folder"), true), ConfigError);
  CHECK_THROWS_AS(check_target("/dev/null", true), ConfigError);
  // A file in the place of the folder.
  write_file(folder.file("plain"), "");
  CHECK_THROWS_AS(check_target(folder.file("plain/x"), false), ConfigError);
  CHECK_NOTHROW(check_target(folder.file("free"), false));
}

TEST_CASE("a folder without write permission is a configuration error") {
  const TemporaryFolder folder;
  const std::string path = folder.file("locked/x");
  fs::create_directory(folder.file("locked"));
  chmod(folder.file("").c_str(), 0755);
  chmod(folder.file("locked").c_str(), 0555);
  // The superuser may write everywhere, so an ordinary user tries, in a child.
  const pid_t child = fork();
  if (child == 0) {
    const bool ordinary = geteuid() != 0 || setuid(65534) == 0;
    const std::string expected = "output file '" + path + "' cannot be written: folder '" + folder.file("locked") +
                                 "' is not writable: Permission denied";
    _exit(ordinary && message_of([&] { check_target(path, false); }) == expected ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  chmod(folder.file("locked").c_str(), 0755);
}

TEST_CASE("a full disk is an error with the system's message and leaves no file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("big");
  // Small writes fail when the buffer is flushed, one large write fails at once.
  for (const std::size_t piece : {std::size_t{100}, std::size_t{1} << 20U}) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      const rlimit limit{4096, 4096};
      setrlimit(RLIMIT_FSIZE, &limit);
      const std::string message = message_of([&] {
        StagedFile file(path, false);
        for (std::size_t written = 0; written < (std::size_t{1} << 20U); written += piece) {
          file.stream() << std::string(piece, 'x');
        }
        file.commit();
      });
      _exit(message == "output file '" + path + "' cannot be written: File too large" ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(status == 0);
    CHECK(folder.names().empty());
  }
}

TEST_CASE("a failed write smaller than the buffer is noticed at commit") {
  const TemporaryFolder folder;
  const std::string path = folder.file("small");
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{0, 0};
    setrlimit(RLIMIT_FSIZE, &limit);
    bool refused = false;
    try {
      StagedFile file(path, false);
      file.stream() << "a few bytes";
      file.commit();
    } catch (const IoError&) {
      refused = true;
    }
    _exit(refused ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(status == 0);
  CHECK(folder.names().empty());
}
