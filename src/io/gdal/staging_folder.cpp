#include "staging_folder.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"

namespace parsimap::gdal {

namespace {

std::string folder_of(const std::string& path) {
  const std::string folder = CPLGetPath(path.c_str());
  return folder.empty() ? "." : folder;
}

// Makes a new folder of its own in `parent`; empty when that fails, with the reason in errno.
std::string make_folder(const std::string& parent) {
  static std::atomic<int> counter{0};
  constexpr int attempts = 1000;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const std::string name = ".parsimap-" + std::to_string(getpid()) + "-" + std::to_string(counter++);
    const std::string folder = CPLFormFilename(parent.c_str(), name.c_str(), nullptr);
    if (exists(folder)) {
      continue;
    }
    errno = 0;
    constexpr long mode = 0755;
    if (VSIMkdir(folder.c_str(), mode) == 0) {
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

}  // namespace

void check_target(const std::string& target, const std::vector<std::string>& files, bool overwrite) {
  const std::string parent = folder_of(target);
  if (!exists(parent)) {
    throw ConfigError(target + ": the folder " + parent + " does not exist.");
  }
  if (!is_folder(parent)) {
    throw ConfigError(target + ": " + parent + " is not a folder.");
  }
  for (const std::string& file : files) {
    if (is_folder(file)) {
      throw ConfigError(target + ": " + file + " is a folder; an output needs a file name.");
    }
    if (exists(file) && !overwrite) {
      throw ConfigError(target + ": " + (file == target ? "" : file + " ") +
                        "exists already; it is replaced only with --overwrite.");
    }
  }
  // Trying is the only test that holds for every file system and user.
  const std::string probe = make_folder(parent);
  if (probe.empty()) {
    throw ConfigError(target + ": the folder " + parent + " is not writable: " + std::strerror(errno) + ".");
  }
  VSIRmdir(probe.c_str());
}

StagingFolder::StagingFolder(const std::string& target) : parent_(folder_of(target)), folder_(make_folder(parent_)) {
  if (folder_.empty()) {
    throw IoError(target + ": no temporary folder can be made in " + parent_ + ": " + std::strerror(errno) + ".");
  }
}

StagingFolder::~StagingFolder() { VSIRmdirRecursive(folder_.c_str()); }

std::string StagingFolder::path_of(const std::string& name) const {
  return CPLFormFilename(folder_.c_str(), name.c_str(), nullptr);
}

void StagingFolder::publish(const std::string& main, const std::vector<std::string>& stale, bool overwrite) {
  const CPLStringList listing(VSIReadDir(folder_.c_str()));
  std::vector<std::string> names;
  for (int i = 0; i < listing.size(); ++i) {
    const std::string name = listing[i];
    if (name != "." && name != ".." && name != main) {
      names.push_back(name);
    }
  }
  names.push_back(main);
  const auto target_of = [&](const std::string& name) -> std::string {
    return parent_ == "." ? name : CPLFormFilename(parent_.c_str(), name.c_str(), nullptr);
  };
  for (const std::string& name : names) {
    if (!overwrite && exists(target_of(name))) {
      throw IoError(target_of(name) + ": has appeared while the output was made; it is not replaced.");
    }
  }
  for (const std::string& file : stale) {
    const bool replaced =
        std::any_of(names.begin(), names.end(), [&](const std::string& name) { return target_of(name) == file; });
    if (overwrite && !replaced && exists(file)) {
      VSIUnlink(file.c_str());
    }
  }
  for (const std::string& name : names) {
    const std::string target = target_of(name);
    errno = 0;
    if (VSIRename(path_of(name).c_str(), target.c_str()) != 0) {
      const std::string reason = std::strerror(errno);
      for (const std::string& moved : names) {
        if (moved == name) {
          break;
        }
        VSIUnlink(target_of(moved).c_str());
      }
      throw IoError(target + ": cannot be put in place: " + reason + ".");
    }
  }
}

}  // namespace parsimap::gdal
