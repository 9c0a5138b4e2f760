#include "parsimap/job/output_set.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "parsimap/core/error.hpp"

#include "job/publication.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

using test::contains;

using Names = std::vector<std::string>;

namespace {

// What `action` throws of this kind, as text; empty where it throws nothing.
template <typename Error>
std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string refusal(OutputSet& outputs, const std::string& path, const std::vector<std::string>& files = {}) {
  return error_of<ConfigError>([&] { outputs.stage("MAP", path, files); });
}

// What `action` throws in a child process in which no file may grow beyond `bytes`; empty where it throws nothing.
bool fails_with_limit(rlim_t bytes, const std::string& expected, const std::function<void()>& action) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{bytes, bytes};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(error_of<IoError>(action) == expected ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

}  // namespace

TEST_CASE("nothing appears before publishing, everything after it, and no folder stays") {
  const TemporaryFolder folder;
  const std::string text("line\r\nzero\0byte", 14);
  {
    OutputSet outputs(false);
    const StagedOutput& main = outputs.stage("MAP", folder.file("a.txt"), {folder.file("a.txt"), folder.file("a.qml")});
    const StagedOutput& other = outputs.stage("--report", folder.file("b.html"));
    write_text(main, text);
    write_text(other, "page");
    write_file(main.path + ".aux.xml", "side");
    for (const std::string& name : folder.names()) {
      CHECK(name.starts_with(".parsimap-"));
    }
    outputs.publish();
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml", "b.html"});
  CHECK(file_content(folder.file("a.txt")) == text);
  {
    OutputSet abandoned(true);
    write_text(abandoned.stage("MAP", folder.file("a.txt")), "half");
    write_text(abandoned.stage("MODEL", folder.file("c.txt")), "half");
  }
  CHECK(folder.names() == Names{"a.txt", "a.txt.aux.xml", "b.html"});
  CHECK(file_content(folder.file("a.txt")) == text);
}

TEST_CASE("overwriting replaces the old files and removes those that belong to them") {
  const TemporaryFolder folder;
  write_file(folder.file("a.img"), "old");
  write_file(folder.file("a.hdr"), "old header");
  const std::vector<std::string> files = {folder.file("a.img"), folder.file("a.hdr")};
  OutputSet careful(false);
  CHECK(refusal(careful, files[0], files) == "output file '" + files[0] + "' exists; use --overwrite to replace it");
  OutputSet outputs(true);
  write_text(outputs.stage("MAP", files[0], files), "new");
  CHECK(folder.names().size() == 3);
  outputs.publish();
  CHECK(file_content(files[0]) == "new");
  CHECK(folder.names() == Names{"a.img"});
}

TEST_CASE("when one output cannot be put in place, all is as it was before") {
  const TemporaryFolder folder;
  write_file(folder.file("blocked"), "old map");
  write_file(folder.file("replaced"), "old");
  write_file(folder.file("replaced.aux"), "old side file");
  {
    OutputSet outputs(true);
    // What is announced first comes last: here it fails, after the others.
    const StagedOutput& blocked = outputs.stage("MAP", folder.file("blocked"));
    write_text(outputs.stage("MODEL", folder.file("fresh")), "new");
    write_text(
        outputs.stage("--report", folder.file("replaced"), {folder.file("replaced"), folder.file("replaced.aux")}),
        "new");
    write_text(blocked, "new");
    std::filesystem::remove(blocked.path);
    CHECK(contains(error_of<IoError>([&] { outputs.publish(); }),
                   "output file '" + folder.file("blocked") + "' cannot be put in place: "));
  }
  CHECK(folder.names() == Names{"blocked", "replaced", "replaced.aux"});
  CHECK(file_content(folder.file("blocked")) == "old map");
  CHECK(file_content(folder.file("replaced")) == "old");
  CHECK(file_content(folder.file("replaced.aux")) == "old side file");
}

TEST_CASE("a target that appears meanwhile is kept, and no other output appears") {
  const TemporaryFolder folder;
  {
    OutputSet outputs(false);
    write_text(outputs.stage("MAP", folder.file("map")), "map");
    write_text(outputs.stage("--report", folder.file("report")), "report");
    write_file(folder.file("map"), "somebody else's");
    CHECK(contains(error_of<IoError>([&] { outputs.publish(); }),
                   "exists and is not replaced: it appeared during the work"));
  }
  CHECK(file_content(folder.file("map")) == "somebody else's");
  CHECK(folder.names() == Names{"map"});
}

TEST_CASE("a folder that appears meanwhile is kept, also when outputs are replaced") {
  const TemporaryFolder folder;
  {
    OutputSet outputs(true);
    write_text(outputs.stage("MAP", folder.file("map")), "map");
    std::filesystem::create_directories(folder.file("map/inside"));
    CHECK(contains(error_of<IoError>([&] { outputs.publish(); }),
                   "exists and is not replaced: it appeared during the work"));
  }
  CHECK(std::filesystem::is_directory(folder.file("map/inside")));
}

TEST_CASE("a header or a style that may be another layer's is not replaced, and an output's own are") {
  const TemporaryFolder folder;
  for (const char* name : {"a.img", "a.hdr", "b.gpkg", "b.qml", "c.qml", "c.log", "d.tif", "d.img", "d.qml"}) {
    write_file(folder.file(name), "earlier");
  }
  OutputSet outputs(true);
  CHECK(refusal(outputs, folder.file("a.dat"), {folder.file("a.dat"), folder.file("a.hdr")}) ==
        "output file '" + folder.file("a.dat") + "' has the side file '" + folder.file("a.hdr") +
            "', which may be that of '" + folder.file("a.img") + "'; another name of the output keeps both");
  CHECK(contains(refusal(outputs, folder.file("b.tif"), {folder.file("b.tif"), folder.file("b.qml")}), "b.gpkg"));
  CHECK(refusal(outputs, folder.file("c.tif"), {folder.file("c.tif"), folder.file("c.qml")}).empty());
  CHECK(refusal(outputs, folder.file("d.tif"), {folder.file("d.tif"), folder.file("d.qml")}).empty());
}

TEST_CASE("inputs are never replaced, by whatever name, nor are their side files") {
  const TemporaryFolder folder;
  write_file(folder.file("scene.img"), "values");
  write_file(folder.file("scene.hdr"), "header");
  std::filesystem::create_symlink(folder.file("scene.img"), folder.file("link"));
  OutputSet outputs(true);
  outputs.add_input("SCENE", folder.file("scene.img"));
  outputs.add_input("SCENE", folder.file("scene.hdr"));
  CHECK(refusal(outputs, folder.file("scene.img")) == "MAP '" + folder.file("scene.img") +
                                                          "' is the same file as SCENE '" + folder.file("scene.img") +
                                                          "'; an input cannot be replaced");
  CHECK(contains(refusal(outputs, folder.file("link")), "is the same file as SCENE"));
  CHECK(contains(refusal(outputs, folder.file("./x/../scene.img")), "is the same file as SCENE"));
  CHECK(contains(refusal(outputs, folder.file("scene.dat"), {folder.file("scene.dat"), folder.file("scene.hdr")}),
                 "would replace a side file of SCENE"));
  // What would be read as part of an input, also where it is not there yet.
  for (const char* end : {".aux.xml", ".ovr", "-wal", "-journal"}) {
    CHECK(contains(refusal(outputs, folder.file("link") + end), "would replace a side file of SCENE"));
  }
  CHECK_NOTHROW(outputs.stage("MODEL", folder.file("scene-wal")));
}

TEST_CASE("no output is put in a folder that is an input, or in one of a product or store around an input") {
  const TemporaryFolder folder;
  for (const char* name : {"scene.zarr", "X.SAFE", "X.SAFE/IMG", "plain"}) {
    std::filesystem::create_directory(folder.file(name));
  }
  write_file(folder.file("X.SAFE/IMG/b1.jp2"), "values");
  write_file(folder.file("plain/b1.tif"), "values");
  const auto refused = [&](const std::string& input, const std::string& target) {
    OutputSet outputs(true);
    outputs.add_input("SCENE", folder.file(input));
    return contains(refusal(outputs, folder.file(target)),
                    "lies in the folder of SCENE '" + folder.file(input) +
                        "' and would become a part of it; name a file elsewhere");
  };
  CHECK(refused("scene.zarr", "scene.zarr/map.tif"));
  CHECK(refused("plain", "plain/map.tif"));
  CHECK(refused("X.SAFE/IMG/b1.jp2", "X.SAFE/map.tif"));
  CHECK(refused("X.SAFE/IMG/b1.jp2", "plain/../X.SAFE/IMG/map.tif"));
  CHECK_FALSE(refused("X.SAFE/IMG/b1.jp2", "map.tif"));
  CHECK_FALSE(refused("scene.zarr", "scene.zarr.tif"));
  CHECK_FALSE(refused("plain/b1.tif", "plain/map.tif"));
}

TEST_CASE("inputs in GDAL's virtual file systems are not replaced either") {
  const TemporaryFolder folder;
  const std::string file = folder.file("a.zip");
  write_file(file, "scenes");
  for (const std::string& path :
       {"/vsizip/" + file + "/b/scene.tif", "/vsizip/{" + file + "}/scene.tif", "/vsitar/" + file, "/vsigzip/" + file,
        "/vsisubfile/20_100," + file, "/vsizip/" + ("/vsisubfile/0," + file) + "/scene.tif",
        "/vsizip/{/vsitar/{" + file + "}/b.zip}/scene.tif"}) {
    CAPTURE(path);
    OutputSet outputs(true);
    outputs.add_input("SCENE", path);
    CHECK(contains(refusal(outputs, file), "is the same file as SCENE '" + file + "'; an input cannot be replaced"));
    CHECK(contains(refusal(outputs, file + ".ovr"), "would replace a side file of SCENE"));
    CHECK_NOTHROW(outputs.stage("MAP", folder.file("scene.tif")));
  }
  for (const char* path : {"/vsicurl/http://a.b/c.tif", "/vsizip", "/vsizip/", "/vsimem/a", "/vsisubfile/0"}) {
    OutputSet outputs(true);
    outputs.add_input("SCENE", path);
    CHECK_NOTHROW(outputs.stage("MAP", folder.file("scene.tif")));
  }
}

TEST_CASE("outputs do not share files") {
  const TemporaryFolder folder;
  OutputSet outputs(false);
  outputs.stage("MAP", folder.file("a.tif"), {folder.file("a.tif"), folder.file("a.qml")});
  CHECK(refusal(outputs, folder.file("a.tif")) == "MAP '" + folder.file("a.tif") + "' is the same file as MAP");
  CHECK(contains(refusal(outputs, folder.file("a.img"), {folder.file("a.img"), folder.file("a.qml")}),
                 "differ in their extension alone; their side files would replace each other"));
  CHECK(contains(refusal(outputs, folder.file("b.img"), {folder.file("b.img"), folder.file("a.qml")}),
                 "have side files of the same name"));
  CHECK(refusal(outputs, folder.file("a.html")).empty());
}

TEST_CASE("targets that cannot be written are configuration errors before anything is computed") {
  const TemporaryFolder folder;
  OutputSet outputs(true);
  CHECK(refusal(outputs, folder.file("absent/x")) == "output file '" + folder.file("absent/x") +
                                                         "' cannot be written: folder '" + folder.file("absent") +
                                                         "' does not exist");
  write_file(folder.file("plain"), "");
  CHECK(contains(refusal(outputs, folder.file("plain/x")), "is no folder"));
  CHECK(contains(refusal(outputs, ""), "names no file"));
  CHECK(contains(refusal(outputs, folder.file("")), "names no file"));
  // A folder or a device must not be renamed over, even with overwrite.
  CHECK(contains(refusal(outputs, "/dev/null"), "is not a regular file"));
  std::filesystem::create_directory(folder.file("folder"));
  CHECK(contains(refusal(outputs, folder.file("folder")), "is not a regular file"));
  CHECK(contains(refusal(outputs, "/proc/x"), "folder '/proc' is not writable"));
  CHECK(contains(refusal(outputs, "/vsimem/x"), "is in a virtual file system of GDAL"));
  CHECK(contains(refusal(outputs, "s3://bucket/x.tif"), "on a server; outputs are local files"));
  CHECK(contains(refusal(outputs, folder.file(std::string(300, 'x'))), "cannot be written: File name too long"));
  std::string deep = folder.file("x");
  while (deep.size() < 2100) {
    deep += "/../x";
  }
  CHECK(contains(refusal(outputs, deep), "at most 1900 can be written"));
  write_file(folder.file("protected"), "mine");
  std::filesystem::permissions(folder.file("protected"), std::filesystem::perms::owner_read);
  CHECK(contains(refusal(outputs, folder.file("protected")), "is write-protected"));
  CHECK(mkfifo(folder.file("fifo").c_str(), 0600) == 0);
  CHECK(contains(refusal(outputs, folder.file("fifo")), "is not a regular file"));
}

TEST_CASE("symbolic links are neither replaced nor followed, with or without something behind them") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink(folder.file("absent"), folder.file("dangling"));
  write_file(folder.file("file"), "old");
  std::filesystem::create_symlink(folder.file("file"), folder.file("link"));
  for (const bool overwrite : {false, true}) {
    OutputSet outputs(overwrite);
    for (const std::string name : {"dangling", "link"}) {
      CHECK(contains(refusal(outputs, folder.file(name)), "is a symbolic link to"));
    }
  }
}

TEST_CASE("a folder is made for outputs, and stays only where there are any") {
  const TemporaryFolder folder;
  write_file(folder.file("file"), "");
  {
    OutputSet outputs(false);
    outputs.make_folder(folder.file("empty"));
    outputs.stage("output", folder.file("empty/a"));
    CHECK(std::filesystem::is_directory(folder.file("empty")));
    CHECK(contains(error_of<ConfigError>([&] { outputs.make_folder(folder.file("no/x")); }), "cannot be made"));
    CHECK(contains(error_of<ConfigError>([&] { outputs.make_folder(folder.file("file")); }), "cannot be made"));
  }
  {
    OutputSet outputs(false);
    outputs.make_folder(folder.file("full"));
    write_text(outputs.stage("output", folder.file("full/a")), "a");
    outputs.publish();
  }
  CHECK(folder.names() == Names{"file", "full"});
}

TEST_CASE("permissions follow the umask like those of any new file") {
  const TemporaryFolder folder;
  write_file(folder.file("plain"), "");
  OutputSet outputs(false);
  write_text(outputs.stage("MODEL", folder.file("staged")), "");
  outputs.publish();
  CHECK(std::filesystem::status(folder.file("staged")).permissions() ==
        std::filesystem::status(folder.file("plain")).permissions());
}

TEST_CASE("a full disk is an error with the system's message and leaves no file") {
  const TemporaryFolder folder;
  const std::string path = folder.file("big");
  for (const std::size_t size : {std::size_t{10}, std::size_t{1} << 20U}) {
    CHECK(fails_with_limit(size / 2, "output file '" + path + "' cannot be written: File too large", [&] {
      OutputSet outputs(false);
      write_text(outputs.stage("MODEL", path), std::string(size, 'x'));
      outputs.publish();
    }));
    CHECK(folder.names().empty());
  }
}

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

TEST_CASE("a dry set refuses what another refuses, and makes nothing") {
  const TemporaryFolder folder;
  write_file(folder.file("there"), "x");
  const auto refusal = [&](bool dry, const std::string& target) {
    return error_of<ConfigError>([&] {
      OutputSet set(false, dry);
      set.add_input("SCENE", folder.file("scene"));
      set.stage("REPORT", folder.file("report"));
      set.stage("MAP", target);
    });
  };
  Names targets = {folder.file("there"), folder.file("scene"), folder.file("report"), folder.file("no/map")};
  std::filesystem::create_directory(folder.file("closed"));
  chmod(folder.file("closed").c_str(), S_IRUSR | S_IXUSR);
  if (geteuid() != 0) {  // root may write everywhere
    targets.push_back(folder.file("closed/map"));
  }
  for (const std::string& target : targets) {
    CAPTURE(target);
    CHECK_FALSE(refusal(true, target).empty());
    CHECK(refusal(true, target) == refusal(false, target));
  }
  OutputSet set(true, true);
  CHECK(set.stage("MAP", folder.file("there")).path.starts_with(set.dry_folder()));
  CHECK(set.staged().size() == 1);
  CHECK(folder.names() == Names{"closed", "there"});
}

}  // namespace parsimap::test
