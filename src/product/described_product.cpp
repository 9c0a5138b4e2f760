#include "described_product.hpp"

#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {
namespace {

// The first of these names under which the folder has a raster.
std::optional<std::string> raster_of(const FolderContent& folder, const Stems& stems) {
  for (const std::string& stem : stems) {
    if (auto path = raster_called(folder, stem)) {
      return path;
    }
  }
  return std::nullopt;
}

std::string image_of(const MetadataSource& source, const ProductDescription& description) {
  if (source.image) {
    return *source.image;
  }
  if (const auto path = raster_of(source.folder, description.image)) {
    return *path;
  }
  const auto found =
      filtered(source.folder.files, [](const std::string& file) { return !ends_in(file, kMetadataEnding); });
  throw DataError(source.metadata + " is of a product (" + description.product +
                  ") whose image is not beside it: looked for " + description.image.front() +
                  " with the extension .tif, .bsq, .bil, .bip or .jp2, found " + some_of(found));
}

// A missing file of quality layers is only noted, because a product can be used without it. One that cannot be read is
// an error, for pixels that it marks would be used without a word. Opens the layers of one file.
void add_quality(const std::string& path, const QualityFile& file, OpenScene& scene) {
  const std::string use = "it is the quality layer '" + file.layers.front().name +
                          "' of a product, which can be used without this file, but not with a damaged one";
  std::shared_ptr<SceneSource> source;
  try {
    source = open_scene(path).source;
  } catch (const DataError& error) {
    throw DataError(std::string(error.what()) + "; " + use);
  }
  for (const QualityLayer& layer : file.layers) {
    if (layer.band >= static_cast<Index>(source->bands().size())) {
      throw DataError(path + " has " + std::to_string(source->bands().size()) + " bands, but band " +
                      std::to_string(layer.band + 1) + " should be there; " + use);
    }
    scene.quality.push_back({layer.name, layer.meaning, source, layer.band, layer.marks});
  }
}

// A sentence about the layers that are not there; empty where all are.
std::string missing_text(const MetadataSource& source, const std::vector<QualityFile>& missing) {
  std::vector<std::string> names;
  std::vector<std::string> files;
  for (const QualityFile& file : missing) {
    files.push_back(file.stems.back().substr(source.prefix.size()));
    for (const QualityLayer& layer : file.layers) {
      add_new(names, layer.name);
    }
  }
  return names.empty() ? ""
                       : source.asked + " lacks files of quality layers (names that end in " + some_of(files) +
                             "), so that these pixels cannot be left out: " + separated(names, ", ");
}

void list_files(const MetadataSource& source, const std::vector<std::string>& quality, SceneDescription& description) {
  // All files of the product count as inputs, also those that are not read, so that no output can replace them: an
  // archive as a whole, else the files whose names begin with the prefix of the product.
  std::vector<std::string> files = std::exchange(description.files, {});
  if (const std::string archive = archive_of(source.metadata); !archive.empty()) {
    files = {archive};
  } else {
    add_new(files, source.metadata);
    for (const std::string& file : quality) {
      add_new(files, file);
    }
    const std::string beginning = source.prefix + "-";
    for (const std::string& file : source.folder.files) {
      if (ends_in(file.substr(0, beginning.size()), beginning)) {
        add_new(files, in_folder(source.folder.path, file));
      }
    }
  }
  description.bytes = 0;
  for (const std::string& file : files) {
    add_file(file, description);
  }
}

void append_sentence(const std::string& sentence, std::string& note) {
  note += (note.empty() || sentence.empty() ? "" : "; ") + sentence;
}

}  // namespace

OpenScene open_described_product(const MetadataSource& source, const ProductDescription& description) {
  OpenScene scene = open_scene(image_of(source, description), description.bands, source.asked);
  scene.description.misfit_bad_band_entries.reset();
  scene.description.product = description.product;
  scene.description.quantity = description.quantity;
  std::vector<std::string> files;
  std::vector<QualityFile> missing;
  for (const QualityFile& file : description.quality) {
    if (const auto path = raster_of(source.folder, file.stems)) {
      add_quality(*path, file, scene);
      files.push_back(*path);
    } else {
      missing.push_back(file);
    }
  }
  append_sentence(missing_text(source, missing), scene.description.note);
  list_files(source, files, scene.description);
  return scene;
}

}  // namespace parsimap
