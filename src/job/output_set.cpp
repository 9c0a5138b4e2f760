#include "parsimap/job/output_set.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <functional>
#include <set>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/system.hpp"
#include "parsimap/core/types.hpp"

#include "publication.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// GDAL cuts paths of more than 2047 characters, and the names of temporary folders and side files are added.
constexpr std::size_t kLongestPath = 1900;

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

std::string without_extension(const std::string& path) { return fs::path(path).replace_extension().string(); }

bool same_file(const std::string& first, const std::string& second) {
  std::error_code failure;
  // equivalent() compares the inodes of files that exist, which also finds hard and symbolic links. Files that do not
  // exist yet are the same if they have one name in folders that are the same when they are resolved.
  const auto resolved = [&](const auto& path) { return fs::weakly_canonical(fs::absolute(path, failure), failure); };
  return first == second || (fs::equivalent(first, second, failure) && !failure) ||
         (fs::path(first).filename() == fs::path(second).filename() && resolved(first) == resolved(second) && !failure);
}

// The folder that is an input as a whole, as a product or a store: the input itself, or one that it lies in.
fs::path whole_folder(const std::string& input) {
  const std::string path = fs::absolute(input).string() + "/";
  const std::size_t end = std::min(path.find(".SAFE/"), path.find(".zarr/"));
  return end == std::string::npos ? path : path.substr(0, end + std::string(".SAFE").size());
}

// Whether GDAL or SQLite read `file` by its name beside `input`, also where it is not there yet: the journal of a
// database would become part of it.
bool is_read_beside(const std::string& file, const std::string& input) {
  return std::ranges::any_of(std::array{".aux.xml", ".ovr", ".msk", "-wal", "-shm", "-journal"},
                             [&](const std::string_view end) {
                               return file.ends_with(end) && same_file(file.substr(0, file.size() - end.size()), input);
                             });
}

std::string named(const StagedOutput& output) { return "output file '" + output.target + "'"; }

// The names of what was written beside `output.path`, and the output itself, last.
std::vector<fs::path> written_names(const StagedOutput& output) {
  const fs::path main = output.path;
  std::vector<fs::path> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(main.parent_path())) {
    if (entry.path() != main) {
      names.push_back(entry.path().filename());
    }
  }
  // Side files are put in place before the output itself: a reader that sees the new raster finds its new side files
  // beside it.
  std::ranges::sort(names);
  names.push_back(main.filename());
  return names;
}

void append_moves(const StagedOutput& output, const StagingFolder& folder, std::vector<FileMove>& moves) {
  const fs::path parent = fs::absolute(folder_of(output.target));
  const auto kept = [&] { return fs::absolute(folder.path()) / ("kept-" + std::to_string(moves.size())); };
  std::set<fs::path> targets;
  const std::vector<fs::path> names = written_names(output);
  for (const fs::path& name : names) {
    targets.insert(parent / name);
  }
  // A map of an earlier run may have side files, such as .aux.xml, that the new one does not write. Left in place they
  // would be read together with the new raster, so that they are removed: a move with an empty source.
  for (const std::string& file : output.files) {
    const fs::path target = parent / fs::path(file).filename();
    if (targets.insert(target).second && is_there(target)) {
      moves.push_back({{}, target, kept(), true});
    }
  }
  for (const fs::path& name : names) {
    const fs::path target = parent / name;
    moves.push_back({fs::absolute(fs::path(output.path).parent_path()) / name, target, kept(), is_there(target)});
  }
}

// The layer beside a new output that an existing side file, a style or a header, may be of; empty where there is none.
fs::path other_layer(const StagedOutput& output, const fs::path& file) {
  const fs::path main = output.files.front();
  for (const char* end : {".img", ".dat", ".bil", ".bip", ".bsq", ".raw", ".gpkg", ".shp", ".geojson"}) {
    const fs::path other = fs::path(file).replace_extension(end);
    if (file.stem() == main.stem() && is_there(other) && !is_there(main)) {
      return other;
    }
  }
  return {};
}

// The file on the disk in which GDAL finds a path of its virtual file systems, such as /vsizip/{a.zip}/b.tif or
// /vsisubfile/0_9,a.tif; the path itself where there is none, as in memory.
std::string file_behind(const std::string& path) {
  std::string rest = path;
  std::erase_if(rest, [](char letter) { return letter == '{' || letter == '}'; });
  while (rest.starts_with("/vsi")) {
    const std::size_t end = rest.find(rest.starts_with("/vsisubfile/") ? ',' : '/', 1);
    rest.erase(0, end == std::string::npos ? end : end + 1);
  }
  fs::path file = rest;
  std::error_code ignored;
  while (file.has_relative_path() && !fs::is_regular_file(file, ignored)) {
    file = file.parent_path();
  }
  return file.has_relative_path() ? file.string() : path;
}

std::string reason_of(const fs::filesystem_error& error) { return error.code().message(); }

// IoError where the file system refuses what `write` does to `what`.
void write_to(const std::string& what, const std::function<void()>& write) {
  try {
    write();
  } catch (const fs::filesystem_error& error) {
    throw IoError(what + " cannot be written: " + reason_of(error));
  }
}

}  // namespace

struct OutputSet::Staging {
  // The temporary folder beside the target of an output; each folder of targets has one.
  StagingFolder& beside(const std::string& target) {
    const fs::path parent = folder_of(target);
    const auto found = std::ranges::find_if(
        folders, [&](const StagingFolder& folder) { return folder.path().parent_path() == parent; });
    return found != folders.end() ? *found : folders.emplace_back(parent);
  }

  std::deque<StagingFolder> folders;
};

OutputSet::OutputSet(bool overwrite, bool dry)
    : overwrite_(overwrite), dry_(dry), staging_(std::make_unique<Staging>()) {}

OutputSet::~OutputSet() {
  staging_.reset();
  for (const std::string& folder : made_folders_) {
    std::error_code not_empty;
    fs::remove(folder, not_empty);
  }
}

void OutputSet::add_input(const std::string& role, const std::string& path) {
  inputs_.push_back({role, path.starts_with("/vsi") ? file_behind(path) : path});
}

void OutputSet::make_folder(const std::string& folder) {
  std::error_code failure;
  if (fs::create_directory(folder, failure)) {
    made_folders_.push_back(folder);
  }
  if (!fs::is_directory(folder)) {
    throw ConfigError("output folder '" + folder + "' cannot be made" +
                      (failure ? ": " + failure.message() : "; there is a file of that name"));
  }
}

const StagedOutput& OutputSet::stage(const std::string& role, const std::string& target,
                                     std::vector<std::string> files) {
  if (files.empty()) {
    files.push_back(target);
  }
  StagedOutput output{role, target, {}, std::move(files)};
  check_inputs(output);
  check_other_outputs(output);
  check_existing(output);
  output.path = new_place(output);
  outputs_.push_back(std::move(output));
  return outputs_.back();
}

// Where an output is written meanwhile: under its own name, in a folder of its own.
std::string OutputSet::new_place(const StagedOutput& output) {
  const fs::path main = output.files.front();
  try {
    if (dry_) {
      if (access(folder_of(main).c_str(), W_OK | X_OK) != 0) {
        throw fs::filesystem_error("", std::error_code(errno, std::generic_category()));
      }
      return dry_folder() + "/" + std::to_string(outputs_.size()) + "/" + main.filename().string();
    }
    const fs::path folder = staging_->beside(main).path() / std::to_string(outputs_.size());
    fs::create_directory(folder);
    return folder / main.filename();
  } catch (const fs::filesystem_error& error) {
    throw ConfigError(named(output) + " cannot be written: folder '" + folder_of(main).string() +
                      "' is not writable: " + reason_of(error));
  }
}

std::string OutputSet::dry_folder() const {
  return "/vsimem/parsimap-outputs-" + std::to_string(reinterpret_cast<std::uintptr_t>(this));
}

std::string OutputSet::scratch_folder(const StagedOutput& output) {
  const fs::path folder = fs::path(output.path).parent_path().concat("-scratch");
  write_to(named(output), [&] { fs::create_directory(folder); });
  return folder;
}

void OutputSet::check_inputs(const StagedOutput& output) const {
  for (const Input& input : inputs_) {
    for (const std::string& file : output.files) {
      if (is_read_beside(file, input.path) || same_file(file, input.path)) {
        const bool same = same_file(output.files.front(), input.path);
        throw ConfigError(output.role + " '" + output.target + "' " +
                          (same ? "is the same file as " : "would replace a side file of ") + input.role + " '" +
                          input.path + "'; an input cannot be replaced");
      }
    }
  }
  for (const Input& input : inputs_) {
    std::error_code failure;
    const fs::path way = fs::relative(fs::absolute(output.files.front()), whole_folder(input.path), failure);
    if (!way.empty() && *way.begin() != "..") {
      throw ConfigError(output.role + " '" + output.target + "' lies in the folder of " + input.role + " '" +
                        input.path + "' and would become a part of it; name a file elsewhere");
    }
  }
}

void OutputSet::check_other_outputs(const StagedOutput& output) const {
  for (const StagedOutput& other : outputs_) {
    if (same_file(output.files.front(), other.files.front())) {
      throw ConfigError(output.role + " '" + output.target + "' is the same file as " + other.role);
    }
    // Formats add or replace extensions for their side files: map.tif and map.img both write map.hdr or map.aux.xml in
    // some formats. Any file in common is refused, also if the main files differ.
    if (std::ranges::find_first_of(output.files, other.files, same_file) != output.files.end()) {
      const bool alike = same_file(without_extension(output.target), without_extension(other.target));
      throw ConfigError(output.role + " '" + output.target + "' and " + other.role + " '" + other.target + "'" +
                        (alike ? " differ in their extension alone;" : " have side files of the same name;") +
                        " their side files would replace each other");
    }
  }
}

void OutputSet::check_existing(const StagedOutput& output) const {
  const std::string& main = output.files.front();
  const fs::path parent = folder_of(main);
  if (output.target.empty() || !fs::path(main).has_filename()) {
    throw ConfigError(named(output) + " names no file");
  }
  if (main.starts_with("/vsi") || main.find("://") != std::string::npos) {
    throw ConfigError(named(output) + " is in a virtual file system of GDAL or on a server; outputs are local files");
  }
  if (main.size() > kLongestPath) {
    throw ConfigError(named(output) + " has a name of " + std::to_string(main.size()) + " characters; at most " +
                      std::to_string(kLongestPath) + " can be written");
  }
  std::error_code failure;
  if (!fs::is_directory(parent, failure)) {
    throw ConfigError(named(output) + " cannot be written: folder '" + parent.string() + "' " +
                      (fs::exists(parent, failure) ? "is no folder" : "does not exist"));
  }
  for (const std::string& file : output.files) {
    check_file(output, file);
  }
}

// Renaming onto a device, a folder or a link would destroy it, or fail after the work is done.
void OutputSet::check_file(const StagedOutput& output, const std::string& file) const {
  const std::string which = named(output) + (file == output.target ? "" : " has the side file '" + file + "', which");
  try {
    const fs::file_status status = fs::symlink_status(file);
    if (fs::is_symlink(status)) {
      throw ConfigError(which + " is a symbolic link to '" + fs::read_symlink(file).string() +
                        "'; name the file itself");
    }
    if (!fs::exists(status)) {
      return;
    }
    if (!fs::is_regular_file(status)) {
      throw ConfigError(which + " is not a regular file; name a file that can be replaced");
    }
    if (!overwrite_) {
      throw ConfigError(which + " exists; use --overwrite to replace it");
    }
    if (const fs::path other = other_layer(output, file); !other.empty()) {
      throw ConfigError(which + " may be that of '" + other.string() + "'; another name of the output keeps both");
    }
    // A new file could be renamed onto one that nobody may write; who has protected it does not want that.
    constexpr fs::perms kWritable = fs::perms::owner_write | fs::perms::group_write | fs::perms::others_write;
    if ((status.permissions() & kWritable) == fs::perms::none) {
      throw ConfigError(which + " is write-protected");
    }
  } catch (const fs::filesystem_error& error) {
    throw ConfigError(which + " cannot be written: " + reason_of(error));
  }
}

void OutputSet::check_appeared() const {
  for (const StagedOutput& output : outputs_) {
    for (const fs::path& name : written_names(output)) {
      const fs::path target = folder_of(output.target) / name;
      const fs::file_status status = fs::symlink_status(target);
      // As stage() does, and once more under the locks: hours may lie between both.
      if (fs::exists(status) && !(overwrite_ && fs::is_regular_file(status))) {
        throw IoError("output file '" + target.lexically_normal().string() +
                      "' exists and is not replaced: it appeared during the work, or the format writes it, too");
      }
    }
  }
}

void OutputSet::publish() {
  if (outputs_.empty()) {
    return;
  }
  check_memory();
  try {
    // The folders of all targets are locked while files are put in place, so that two commands with the same target
    // follow each other, and repaired if a killed process has left them half replaced. Outputs move in reverse order of
    // their staging, the main output, which is usually staged first, as the last.
    const auto parents =
        mapped<fs::path>(outputs_, [](const StagedOutput& output) { return fs::canonical(folder_of(output.target)); });
    const std::vector<FileDescriptor> locks = lock_folders(parents);
    // Another process may have been killed in the middle of it since stage().
    std::ranges::for_each(parents, [](const fs::path& parent) { repair(parent); });
    check_appeared();
    std::vector<FileMove> moves;
    std::for_each(outputs_.rbegin(), outputs_.rend(),
                  [&](const StagedOutput& output) { append_moves(output, staging_->beside(output.target), moves); });
    publish_files(moves, staging_->folders);
  } catch (const fs::filesystem_error& error) {
    throw IoError("output file '" + error.path1().string() + "' cannot be put in place: " + reason_of(error));
  }
  staging_->folders.clear();
}

std::vector<std::string> repair_outputs(const std::vector<std::string>& files) {
  std::error_code failure;
  std::vector<std::string> restored;
  const auto parent_of = [&](const std::string& file) { return fs::canonical(folder_of(file), failure); };
  for (const fs::path& parent : distinct(mapped<fs::path>(files, parent_of))) {
    try {
      if (fs::is_directory(parent, failure)) {
        add_all(restored, repair(parent));
      }
    } catch (const fs::filesystem_error& error) {
      throw IoError("a command that was killed has left '" + error.path1().string() +
                    "' half replaced, and it cannot be put back: " + reason_of(error));
    }
  }
  return restored;
}

void write_text(const StagedOutput& output, const std::string& text) {
  write_to(named(output), [&] { write_text(fs::path(output.path), text); });
}

namespace {

// A name that no other process uses, on this computer or another.
fs::path name_beside(const fs::path& path) {
  // The process number is unique on one computer; the name of the computer makes it unique in a folder shared over a
  // network.
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  return path.parent_path() / ("." + path.filename().string() + "-" + host.data() + "-" + std::to_string(getpid()));
}

// The text in a file of its own, complete and on the disk, which goes with this object.
class WrittenBeside {
 public:
  WrittenBeside(const fs::path& path, const std::string& text) : name_(name_beside(path)) {
    try {
      write_text(name_, text);
      sync_to_disk(name_);
    } catch (...) {
      unlink(name_.c_str());
      throw;
    }
  }
  ~WrittenBeside() { unlink(name_.c_str()); }
  WrittenBeside(const WrittenBeside&) = delete;
  WrittenBeside& operator=(const WrittenBeside&) = delete;

  // The new name is part of the folder, which has to be on the disk as well.
  void rename_to(const fs::path& path) const {
    fs::rename(name_, path);
    sync_to_disk(fs::absolute(path).parent_path());
  }
  // Leaves a file of that name that is there already.
  void link_to(const fs::path& path) const {
    // link() fails if the name exists, in one step also on network file systems, where opening with O_EXCL is not
    // reliable on old ones. The file therefore appears complete, and of several processes exactly one succeeds.
    if (link(name_.c_str(), path.c_str()) == 0) {
      sync_to_disk(fs::absolute(path).parent_path());
    } else if (errno == EPERM || errno == ENOTSUP || errno == ENOSYS || errno == EMLINK) {
      // A file system without links: of two that come at the same time the last one counts, which is as good.
      if (!is_there(path)) {
        rename_to(path);
      }
    } else if (errno != EEXIST) {
      fail_with_errno("cannot be made", path);
    }
  }

 private:
  fs::path name_;
};

}  // namespace

void write_if_absent(const std::string& path, const std::string& text) {
  write_to("'" + path + "'", [&] {
    if (!is_there(path)) {
      WrittenBeside(path, text).link_to(path);
    }
  });
}

void write_anew(const std::string& path, const std::string& text) {
  write_to("'" + path + "'", [&] { WrittenBeside(path, text).rename_to(path); });
}

}  // namespace parsimap
