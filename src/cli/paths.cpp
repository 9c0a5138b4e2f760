#include "paths.hpp"

#include <filesystem>
#include <system_error>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/scene.hpp"

namespace parsimap {
namespace {

namespace fs = std::filesystem;

// Virtual paths of GDAL are compared as they are written.
bool same_file(const std::string& first, const std::string& second) {
  std::error_code failure;
  if (fs::equivalent(first, second, failure) && !failure) {
    return true;
  }
  const fs::path a = fs::weakly_canonical(fs::absolute(first, failure), failure);
  const fs::path b = fs::weakly_canonical(fs::absolute(second, failure), failure);
  return first == second || (!failure && a == b);
}

std::string without_extension(const std::string& path) { return fs::path(path).replace_extension().string(); }

}  // namespace

void check_different(const NamedPath& output, const NamedPath& other) {
  if (same_file(output.path, other.path)) {
    throw ConfigError(output.role + " '" + output.path + "' is the same file as " + other.role);
  }
}

void check_outputs_distinct(const std::vector<NamedPath>& inputs, const std::vector<NamedPath>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedPath& output = outputs[i];
    for (const NamedPath& input : inputs) {
      if (same_file(output.path, input.path)) {
        throw ConfigError(output.role + " '" + output.path + "' is the same file as " + input.role + " '" + input.path +
                          "'; an input cannot be replaced");
      }
    }
    for (std::size_t j = 0; j < i; ++j) {
      const NamedPath& other = outputs[j];
      check_different(output, other);
      if (same_file(without_extension(output.path), without_extension(other.path))) {
        throw ConfigError(output.role + " '" + output.path + "' and " + other.role + " '" + other.path +
                          "' differ in their extension alone; their side files would replace each other");
      }
    }
  }
}

std::vector<NamedPath> scene_files(const std::string& role, const std::string& path) {
  return scene_files(role, path, raster_files(path));
}

std::vector<NamedPath> scene_files(const std::string& role, const std::string& path,
                                   const std::vector<std::string>& files) {
  std::vector<NamedPath> result = {{role, path}};
  for (const std::string& file : files) {
    result.push_back({role, file});
  }
  return result;
}

std::int64_t file_bytes(const std::string& path) {
  std::error_code failure;
  const std::uintmax_t size = fs::file_size(path, failure);
  return failure ? 0 : static_cast<std::int64_t>(size);
}

}  // namespace parsimap
