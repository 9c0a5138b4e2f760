#include "parsimap/io/gdal/output_set.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

std::string folder_of(const std::string& path) {
  const std::string folder = CPLGetPath(path.c_str());
  return folder.empty() ? "." : folder;
}

std::string path_in(const std::string& folder, const std::string& name) {
  return folder == "." ? name : CPLFormFilename(folder.c_str(), name.c_str(), nullptr);
}

std::string without_extension(const std::string& path) { return fs::path(path).replace_extension().string(); }

// Virtual paths of GDAL are compared as they are written.
bool same_file(const std::string& first, const std::string& second) {
  std::error_code failure;
  if (first == second || (fs::equivalent(first, second, failure) && !failure)) {
    return true;
  }
  const fs::path a = fs::weakly_canonical(fs::absolute(first, failure), failure);
  const fs::path b = fs::weakly_canonical(fs::absolute(second, failure), failure);
  return !failure && a == b;
}

// Makes a new folder in `parent` that nothing else uses; empty when that fails, with the reason in errno.
std::string make_staging_folder(const std::string& parent) {
  static std::atomic<int> counter{0};
  constexpr int kAttempts = 1000;
  constexpr long kMode = 0755;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    const std::string name = ".parsimap-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    const std::string folder = CPLFormFilename(parent.c_str(), name.c_str(), nullptr);
    if (exists(folder)) {
      continue;
    }
    errno = 0;
    if (VSIMkdir(folder.c_str(), kMode) == 0) {
      return folder;
    }
    const int reason = errno;
    if (!exists(folder)) {  // otherwise another process was faster
      errno = reason;
      return {};
    }
  }
  return {};
}

std::string named(const StagedOutput& output) { return "output file '" + output.target + "'"; }

// The names of what was written beside `output.path`, and the output itself, last.
std::vector<std::string> written_names(const StagedOutput& output) {
  const CPLStringList listing(VSIReadDir(folder_of(output.path).c_str()));
  const std::string main = CPLGetFilename(output.path.c_str());
  std::vector<std::string> names;
  for (int i = 0; i < listing.size(); ++i) {
    const std::string name = listing[i];
    if (name != "." && name != ".." && name != main) {
      names.push_back(name);
    }
  }
  names.push_back(main);
  return names;
}

// The moves of publish(), which are taken back unless they all succeed.
class Publication {
 public:
  Publication() = default;
  Publication(const Publication&) = delete;
  Publication& operator=(const Publication&) = delete;
  ~Publication() {
    if (!complete_) {
      take_back();
    }
    // A file that could not be put back stays in its folder, which is not removed then.
    for (const std::string& folder : folders_) {
      complete_ ? VSIRmdirRecursive(folder.c_str()) : VSIRmdir(folder.c_str());
    }
  }

  // Moves all files of an output. The files that they replace, and those of an earlier output of the same name, are
  // kept in a folder beside them until the end.
  void move(const StagedOutput& output) {
    const std::string parent = folder_of(output.target);
    const std::vector<std::string> names = written_names(output);
    for (const std::string& file : output.files) {
      const bool replaced =
          std::any_of(names.begin(), names.end(), [&](const auto& name) { return path_in(parent, name) == file; });
      if (!replaced && exists(file)) {
        set_aside(output, file, false);
      }
    }
    for (const std::string& name : names) {
      const std::string target = path_in(parent, name);
      if (exists(target)) {
        set_aside(output, target, true);
      }
      rename(output, path_in(folder_of(output.path), name), target);
      placed_.push_back(target);
    }
  }

  void complete() { complete_ = true; }

 private:
  // With `leave_in_place` a second name of the file is enough, where the file system has such: the target is replaced
  // in one step then, and never absent.
  void set_aside(const StagedOutput& output, const std::string& file, bool leave_in_place) {
    if (folders_.empty() || folder_of(folders_.back()) != folder_of(output.target)) {
      const std::string folder = make_staging_folder(folder_of(output.target));
      if (folder.empty()) {
        throw IoError(named(output) + " cannot be put in place: " + std::strerror(errno));
      }
      folders_.push_back(folder);
    }
    const std::string kept = path_in(folders_.back(), std::to_string(kept_.size()));
    std::error_code failure;
    if (leave_in_place) {
      fs::create_hard_link(file, kept, failure);
    }
    if (!leave_in_place || failure) {
      rename(output, file, kept);
    }
    kept_.emplace_back(file, kept);
  }

  static void rename(const StagedOutput& output, const std::string& from, const std::string& to) {
    errno = 0;
    if (VSIRename(from.c_str(), to.c_str()) != 0) {
      throw IoError(named(output) + " cannot be put in place: " + std::strerror(errno));
    }
  }

  void take_back() {
    for (const std::string& file : placed_) {
      VSIUnlink(file.c_str());
    }
    for (const auto& [file, kept] : kept_) {
      // Renaming one name of a file to another name of it does nothing: the second name has to go by itself.
      if (VSIRename(kept.c_str(), file.c_str()) == 0) {
        VSIUnlink(kept.c_str());
      }
    }
  }

  std::vector<std::string> placed_;
  std::vector<std::pair<std::string, std::string>> kept_;  // where a file was, and where it is kept
  std::vector<std::string> folders_;
  bool complete_ = false;
};

}  // namespace

OutputSet::OutputSet(bool overwrite) : overwrite_(overwrite) {}

OutputSet::~OutputSet() {
  remove_staging_folders();
  for (const std::string& folder : made_folders_) {
    VSIRmdir(folder.c_str());  // fails, as it should, where something is in it
  }
}

void OutputSet::remove_staging_folders() const {
  for (const StagedOutput& output : outputs_) {
    VSIRmdirRecursive(folder_of(output.path).c_str());
  }
}

void OutputSet::add_input(const std::string& role, const std::string& path) { inputs_.push_back({role, path}); }

void OutputSet::make_folder(const std::string& folder) {
  std::error_code failure;
  if (fs::create_directory(folder, failure)) {
    made_folders_.push_back(folder);
  }
  if (!is_folder(folder)) {
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
  const std::string parent = folder_of(target);
  const std::string folder = make_staging_folder(parent);
  if (folder.empty()) {
    throw ConfigError(named(output) + " cannot be written: folder '" + parent +
                      "' is not writable: " + std::strerror(errno));
  }
  output.path = path_in(folder, CPLGetFilename(output.files.front().c_str()));
  outputs_.push_back(std::move(output));
  return outputs_.back();
}

void OutputSet::check_inputs(const StagedOutput& output) const {
  for (const Input& input : inputs_) {
    for (const std::string& file : output.files) {
      if (same_file(file, input.path)) {
        const std::string what =
            file == output.files.front() ? "is the same file as " : "would replace a side file of ";
        throw ConfigError(output.role + " '" + output.target + "' " + what + input.role + " '" + input.path +
                          "'; an input cannot be replaced");
      }
    }
  }
}

void OutputSet::check_other_outputs(const StagedOutput& output) const {
  for (const StagedOutput& other : outputs_) {
    if (same_file(output.files.front(), other.files.front())) {
      throw ConfigError(output.role + " '" + output.target + "' is the same file as " + other.role);
    }
    const bool collide = std::any_of(output.files.begin(), output.files.end(), [&](const std::string& file) {
      return std::any_of(other.files.begin(), other.files.end(),
                         [&](const std::string& taken) { return same_file(file, taken); });
    });
    if (collide) {
      const bool alike = same_file(without_extension(output.target), without_extension(other.target));
      throw ConfigError(output.role + " '" + output.target + "' and " + other.role + " '" + other.target + "'" +
                        (alike ? " differ in their extension alone;" : " have side files of the same name;") +
                        " their side files would replace each other");
    }
  }
}

void OutputSet::check_existing(const StagedOutput& output) const {
  const std::string& main = output.files.front();
  const std::string parent = folder_of(main);
  if (output.target.empty() || CPLGetFilename(main.c_str())[0] == '\0') {
    throw ConfigError(named(output) + " names no file");
  }
  if (!is_folder(parent)) {
    throw ConfigError(named(output) + " cannot be written: folder '" + parent + "' " +
                      (exists(parent) ? "is no folder" : "does not exist"));
  }
  for (const std::string& file : output.files) {
    // Renaming onto a device or a folder would destroy it, or fail after the work is done.
    VSIStatBufL status;
    const bool exists = VSIStatL(file.c_str(), &status) == 0;
    const std::string which = named(output) + (file == output.target ? "" : " has the side file '" + file + "', which");
    if (exists && !VSI_ISREG(status.st_mode)) {
      throw ConfigError(which + " is not a regular file; name a file that can be replaced");
    }
    if (exists && !overwrite_) {
      throw ConfigError(which + " exists; use --overwrite to replace it");
    }
  }
}

void OutputSet::publish() {
  for (const StagedOutput& output : outputs_) {
    for (const std::string& name : written_names(output)) {
      const std::string target = path_in(folder_of(output.target), name);
      VSIStatBufL status;
      const bool found = VSIStatL(target.c_str(), &status) == 0;
      if (found && (!overwrite_ || !VSI_ISREG(status.st_mode))) {
        throw IoError("output file '" + target + "' has appeared while it was made; it is not replaced");
      }
    }
  }
  Publication publication;
  std::for_each(outputs_.rbegin(), outputs_.rend(), [&](const StagedOutput& output) { publication.move(output); });
  publication.complete();
  remove_staging_folders();
}

void write_text(const StagedOutput& output, const std::string& text) {
  errno = 0;
  VSILFILE* file = VSIFOpenL(output.path.c_str(), "wb");
  bool written = file != nullptr && VSIFWriteL(text.data(), 1, text.size(), file) == text.size();
  int reason = errno;
  if (file != nullptr && VSIFCloseL(file) != 0) {
    reason = reason != 0 ? reason : errno;
    written = false;
  }
  if (!written) {
    throw IoError("output file '" + output.target +
                  "' cannot be written: " + std::strerror(reason != 0 ? reason : EIO));
  }
}

}  // namespace parsimap
