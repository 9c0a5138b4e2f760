#include "product_place.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <algorithm>
#include <array>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/settings.hpp"
#include "parsimap/gdal/raster/source_name.hpp"
#include "parsimap/product/product.hpp"

#include "emit.hpp"
#include "envi_with_lookup.hpp"
#include "metadata_product.hpp"
#include "prisma.hpp"

namespace parsimap {

// A folder of a product has some dozen files. One of so many entries is something else, of which not all is looked at.
constexpr int kMostEntries = 10000;
constexpr std::size_t kMostNamed = 5;

static bool same_name(const std::string& a, const std::string& b) { return EQUAL(a.c_str(), b.c_str()); }

// An archive has a product in a folder of its name, and that may be in the folder of an order.
constexpr int kDeepest = 3;
constexpr std::size_t kMostFolders = 200;

static std::string without_ending(const std::string& text, std::size_t characters) {
  return text.substr(0, text.size() - characters);
}

static MetadataSource source_of(const std::string& asked, const std::string& metadata) {
  return {asked, metadata, without_ending(name_of(metadata), std::string(kMetadataEnding).size()),
          content_of_folder(folder_of(metadata))};
}

// Looks for metadata level by level. The number of folders is limited, so that the name of a large folder, such as a
// home folder, is answered at once.
// The paths of the metadata in a folder; where it has none, of those in the folders below it.
static std::vector<std::string> metadata_in(const FolderContent& folder, int depth, std::size_t& folders) {
  const auto metadata = filtered(folder.files, [](const std::string& file) { return ends_in(file, kMetadataEnding); });
  auto found = mapped<std::string>(metadata, [&](const std::string& file) { return in_folder(folder.path, file); });
  // A folder with metadata is a product itself, and folders below it are not searched.
  if (!found.empty() || depth == kDeepest) {
    return found;
  }
  for (const std::string& name : folder.folders) {
    if (++folders > kMostFolders) {
      break;
    }
    const FolderContent below = content_of_folder(in_folder(folder.path, name));
    add_all(found, metadata_in(below, depth + 1, folders));
  }
  return found;
}

static std::optional<MetadataSource> source_in_folder(const std::string& asked, const std::string& folder) {
  std::size_t folders = 0;
  const std::vector<std::string> found = metadata_in(content_of_folder(folder), 0, folders);
  // Which of several products is meant cannot be guessed.
  if (found.size() > 1) {
    throw DataError(asked + " holds " + std::to_string(found.size()) +
                    " products; name one of them by its metadata: " + some_of(found));
  }
  return found.empty() ? std::nullopt : std::optional(source_of(asked, found.front()));
}

static std::optional<MetadataSource> source_of_image(const std::string& path, const std::string& prefix) {
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

bool ends_in(const std::string& text, const std::string& ending) {
  return text.size() >= ending.size() && same_name(text.substr(text.size() - ending.size()), ending);
}

// GDAL's file system for what the name of an archive ends in; empty for other names.
static std::string archive_system(const std::string& path) {
  const bool tar = ends_in(path, ".tar") || ends_in(path, ".tgz") || ends_in(path, ".tar.gz");
  return ends_in(path, ".zip") ? "/vsizip/" : tar ? "/vsitar/" : "";
}

std::optional<std::string> as_folder(const std::string& path) {
  if (is_folder(path)) {
    std::string folder = path;
    while (folder.size() > 1 && folder.back() == '/') {
      folder.pop_back();
    }
    return folder;
  }
  // GDAL takes what is between the braces as the name of the archive, whatever its extension is.
  const std::string system = archive_system(path);
  const std::string inside = system + "{" + path + "}";
  // An archive of a single file counts as that file for GDAL.
  const bool archive = !system.empty() && is_file(path);
  return archive && CPLStringList(VSIReadDirEx(inside.c_str(), 1)).size() > 0 ? std::optional(inside) : std::nullopt;
}

// GDAL writes paths in archives as /vsizip/{a.zip}/b or /vsizip/a.zip/b, and /vsitar/ likewise. Without braces, the
// archive ends at the first part of the path whose name ends as that of one.
std::string archive_of(const std::string& path) {
  constexpr std::size_t kSystem = std::string_view("/vsizip/").size();
  if (!path.starts_with("/vsizip/") && !path.starts_with("/vsitar/")) {
    return {};
  }
  const std::string inside = path.substr(kSystem);
  if (!inside.empty() && inside.front() == '{') {
    return inside.substr(1, inside.find('}') - 1);
  }
  // Each pass extends the candidate to the next slash, and the last one to the end of the path.
  for (std::size_t end = inside.find('/', 1);; end = inside.find('/', end + 1)) {
    const std::string archive = inside.substr(0, end);
    if (!archive_system(archive).empty()) {
      return archive;
    }
    if (end == std::string::npos) {
      return {};
    }
  }
}

FolderContent content_of_folder(const std::string& path) {
  FolderContent content{path, {}, {}};
  const CPLStringList names(VSIReadDirEx(path.c_str(), kMostEntries));
  for (int i = 0; i < names.size(); ++i) {
    const std::string name = names[i];
    if (name != "." && name != "..") {
      (is_folder(in_folder(path, name)) ? content.folders : content.files).push_back(name);
    }
  }
  std::ranges::sort(content.files);
  std::ranges::sort(content.folders);
  return content;
}

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

std::string name_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string in_folder(const std::string& folder, const std::string& name) {
  return folder == "." ? name : folder + (folder.ends_with('/') ? "" : "/") + name;
}

std::string without_extension(const std::string& name) { return name.substr(0, name.rfind('.')); }

std::optional<std::string> file_called(const FolderContent& folder, const std::string& name) {
  for (const std::string& file : folder.files) {
    if (same_name(file, name)) {
      return in_folder(folder.path, file);
    }
  }
  return std::nullopt;
}

// Products are delivered as GeoTIFF, BSQ, BIL, BIP or JPEG2000, by the choice of who orders them; .img and .dat are
// names of ENVI.
std::optional<std::string> raster_called(const FolderContent& folder, const std::string& stem) {
  static constexpr std::array<const char*, 8> kExtensions{"tif", "tiff", "bsq", "bil", "bip", "jp2", "img", "dat"};
  // A delivery as cloud-optimised GeoTIFF adds _COG to the name; the plain name has precedence.
  for (const char* copy : {"", "_COG"}) {
    for (const char* extension : kExtensions) {
      if (auto path = file_called(folder, stem + copy + "." + extension)) {
        return path;
      }
    }
  }
  return std::nullopt;
}

void add_file(const std::string& path, SceneDescription& description) {
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) == 0) {
    description.bytes += static_cast<std::int64_t>(status.st_size);
  }
  description.files.push_back(path);
}

std::string some_of(const std::vector<std::string>& names) {
  return names.empty() ? "nothing" : shortened(names, kMostNamed);
}

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

using OpenProduct = std::optional<OpenScene> (*)(const std::string& path);

// Each gives nothing for what is not its kind of product.
constexpr std::array<OpenProduct, 4> kKinds{open_metadata_product, open_emit, open_prisma, open_envi_with_lookup};

// A folder or archive that nobody can read, for which GDAL would only say that it is none of its formats.
static void refuse_unknown_folder(const std::string& path) {
  const std::optional<std::string> folder = as_folder(path);
  if (!folder || file_kind(path) != FileKind::unknown) {
    return;
  }
  FolderContent content = content_of_folder(*folder);
  add_all(content.files, mapped<std::string>(content.folders, [](const std::string& name) { return name + "/"; }));
  const std::string members = archive_members(path);
  throw DataError(path + " is " + (archive_of(*folder).empty() ? "a folder" : "an archive") +
                  " without a product that can be read: looked for a file *-METADATA.XML (EnMAP, DESIS) or, in an "
                  "archive, *.he5 (PRISMA), found " +
                  some_of(content.files) + (members.empty() ? "" : "; of several files name one: " + members) +
                  (std::ssize(content.files) < 2 ? "" : "; gdalbuildvrt -separate makes one scene of files of bands"));
}

std::optional<OpenScene> open_product(const std::string& path) {
  for (const OpenProduct open : kKinds) {
    if (std::optional<OpenScene> scene = open(path)) {
      return scene;
    }
  }
  refuse_unknown_folder(path);
  return std::nullopt;
}

}  // namespace parsimap
