#include "argument_kinds.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/gdal/raster/files.hpp"
#include "parsimap/json/model_file.hpp"

namespace parsimap {
namespace {

struct ArgumentText {
  std::vector<FileKind> kinds;  // that belong here, beside models
  bool model = false;           // a model belongs here
  std::string text;
};

ArgumentText text_of(Argument argument) {
  switch (argument) {
    case Argument::scene:
      return {{FileKind::raster}, false, "SCENE, the first argument, is the image with the spectra"};
    case Argument::labels:
      return {{FileKind::raster, FileKind::vector}, false, "labels are a class raster or a vector file"};
    case Argument::map:
      return {{FileKind::raster}, false, "MAP, the first argument, is a class raster; REFERENCE comes after it"};
    case Argument::model:
      return {
          {}, true, "MODEL, the second argument, is the file that 'parsimap train' has written; MAP comes after it"};
    case Argument::model_to_write:
      return {{}, true, "MODEL, the third argument, is the model file to write; SCENE and LABELS come before it"};
  }
  return {};
}

std::string name_of(FileKind kind) { return kind == FileKind::raster ? "a raster" : "a vector file"; }

}  // namespace

void refuse_other_kind(const std::string& path, Argument argument) {
  const ArgumentText wanted = text_of(argument);
  std::error_code failure;
  if (argument == Argument::model_to_write && !std::filesystem::is_regular_file(path, failure)) {
    return;
  }
  const bool model = is_model_file(path);
  const FileKind kind = model ? FileKind::unknown : file_kind(path);
  const bool belongs = model ? wanted.model
                             : kind == FileKind::unknown ||
                                   std::find(wanted.kinds.begin(), wanted.kinds.end(), kind) != wanted.kinds.end();
  if (belongs) {
    return;
  }
  const std::string sentence = path + " is " + (model ? "a model of parsimap" : name_of(kind)) + ": " + wanted.text;
  if (argument == Argument::model_to_write) {
    throw ConfigError(sentence);
  }
  throw DataError(sentence);
}

}  // namespace parsimap
