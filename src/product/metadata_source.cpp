#include "metadata_source.hpp"

#include <utility>

#include "parsimap/core/error.hpp"

namespace parsimap {
namespace {

// An archive has a product in a folder of its name, and that may be in the folder of an order.
constexpr int kDeepest = 3;
constexpr std::size_t kMostFolders = 200;

std::string without_ending(const std::string& text, std::size_t characters) {
  return text.substr(0, text.size() - characters);
}

MetadataSource source_of(const std::string& asked, const std::string& metadata) {
  return {asked, metadata, without_ending(name_of(metadata), std::string(kMetadataEnding).size()),
          content_of_folder(folder_of(metadata))};
}

// The paths of the metadata in a folder; where it has none, of those in the folders below it.
std::vector<std::string> metadata_in(const FolderContent& folder, int depth, std::size_t& folders) {
  std::vector<std::string> found;
  for (const std::string& file : folder.files) {
    if (ends_in(file, kMetadataEnding)) {
      found.push_back(in_folder(folder.path, file));
    }
  }
  if (!found.empty() || depth == kDeepest) {
    return found;
  }
  for (const std::string& name : folder.folders) {
    if (++folders > kMostFolders) {
      break;
    }
    const FolderContent below = content_of_folder(in_folder(folder.path, name));
    for (const std::string& file : metadata_in(below, depth + 1, folders)) {
      found.push_back(file);
    }
  }
  return found;
}

std::optional<MetadataSource> source_in_folder(const std::string& asked, const std::string& folder) {
  std::size_t folders = 0;
  const std::vector<std::string> found = metadata_in(content_of_folder(folder), 0, folders);
  if (found.size() > 1) {
    throw DataError(asked + " holds " + std::to_string(found.size()) +
                    " products; name one of them by its metadata: " + some_of(found));
  }
  return found.empty() ? std::nullopt : std::optional(source_of(asked, found.front()));
}

std::optional<MetadataSource> source_of_image(const std::string& path, const std::string& prefix) {
  const FolderContent folder = content_of_folder(folder_of(path));
  const std::optional<std::string> metadata = file_called(folder, prefix + kMetadataEnding);
  if (!metadata) {
    return std::nullopt;
  }
  MetadataSource source = source_of(path, *metadata);
  // A header stands for the raster that lies beside it.
  source.image = ends_in(path, ".hdr") ? raster_called(folder, without_extension(name_of(path))) : std::optional(path);
  return source;
}

}  // namespace

std::optional<std::string> prefix_of_image(const std::string& name) {
  const std::string stem = without_extension(name);
  for (const std::string& ending : {std::string(kImageEnding), std::string(kImageEnding) + "_COG"}) {
    if (ends_in(stem, ending)) {
      return without_ending(stem, ending.size());
    }
  }
  return std::nullopt;
}

std::optional<MetadataSource> find_metadata_source(const std::string& path) {
  if (const auto folder = as_folder(path)) {
    return source_in_folder(path, *folder);
  }
  if (ends_in(path, kMetadataEnding)) {
    return source_of(path, path);
  }
  const auto prefix = prefix_of_image(name_of(path));
  return prefix ? source_of_image(path, *prefix) : std::nullopt;
}

}  // namespace parsimap
