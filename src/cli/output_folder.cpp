#include "output_folder.hpp"

#include <system_error>
#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {

namespace fs = std::filesystem;

OutputFolder::OutputFolder(fs::path path) : path_(std::move(path)) {
  std::error_code failure;
  made_ = fs::create_directory(path_, failure);
  if (!fs::is_directory(path_)) {
    throw ConfigError("output folder '" + path_.string() + "' cannot be made" +
                      (failure ? ": " + failure.message() : "; there is a file of that name"));
  }
}

OutputFolder::~OutputFolder() {
  if (made_) {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
}

}  // namespace parsimap
