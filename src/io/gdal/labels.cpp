#include "parsimap/io/gdal/labels.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/class_map.hpp"
#include "parsimap/io/gdal/georeference.hpp"
#include "parsimap/io/gdal/settings.hpp"

#include "dataset.hpp"
#include "vector_labels.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kMostClasses = 65535;
constexpr Index kStripPixels = Index{1} << 20;

LabelledPixels read_raster_labels(const std::string& path, const RasterGrid& grid, const std::string& grid_name) {
  const std::unique_ptr<ClassMapSource> source = open_class_map(path);
  check_same_grid(source->grid(), source->name(), grid, grid_name, "label rasters must lie on the scene's grid");
  LabelledPixels labels;
  labels.classes = source->classes();
  labels.notes = source->notes();
  std::map<int, int> label_of;
  for (const ClassEntry& entry : labels.classes) {
    label_of.emplace(entry.code, static_cast<int>(label_of.size()));
  }
  const Index rows = std::max<Index>(1, kStripPixels / grid.width);
  std::vector<std::uint16_t> codes;
  for (Index row = 0; row < grid.height; row += rows) {
    source->read({0, row, grid.width, std::min(rows, grid.height - row)}, codes);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      if (codes[i] != 0) {
        labels.pixels.push_back(
            {std::int64_t{row} * grid.width + static_cast<std::int64_t>(i), label_of.at(codes[i]), 0});
      }
    }
  }
  source->check_unchanged();
  return labels;
}

// Appends the classes that lie on the grid to the table, and returns the index of each.
std::map<ClassKey, int> build_classes(const std::vector<VectorClaims>& files, ClassTable& classes) {
  std::set<ClassKey> found;
  for (const VectorClaims& file : files) {
    found.insert(file.classes.begin(), file.classes.end());
  }
  if (files.front().named_by_text && found.size() > kMostClasses) {
    throw DataError("the labels have " + std::to_string(found.size()) + " different texts; a map holds 65535 classes");
  }
  std::map<ClassKey, int> label_of;
  for (const ClassKey& key : found) {
    const int label = static_cast<int>(label_of.size());
    label_of.emplace(key, label);
    classes.push_back(key.code == 0 ? ClassEntry{label + 1, key.text, std::nullopt}
                                    : ClassEntry{key.code, std::to_string(key.code), std::nullopt});
  }
  return label_of;
}

// Numbers the regions of all files and puts them into their groups; returns all claims, ascending by pixel. Where
// regions claim the same pixel, they stay in the order in which they were read.
std::vector<LabelledPixel> number_regions(const std::vector<VectorClaims>& files,
                                          const std::map<ClassKey, int>& label_of,
                                          std::map<std::int64_t, std::int64_t>& region_groups) {
  std::vector<LabelledPixel> claims;
  std::map<std::string, std::int64_t> groups;
  std::int64_t next = 0;
  for (const VectorClaims& file : files) {
    const std::int64_t first = next;  // the regions of a file are counted on from those of the files before
    for (const RegionClaim& claim : file.regions) {
      const std::int64_t region = first + claim.region;
      next = std::max(next, region + 1);
      if (claim.group) {
        const std::int64_t number = -1 - static_cast<std::int64_t>(groups.size());
        region_groups[region] = groups.emplace(*claim.group, number).first->second;
      }
      for (const std::int64_t pixel : claim.pixels) {
        claims.push_back({pixel, label_of.at(claim.key), region});
      }
    }
  }
  std::stable_sort(claims.begin(), claims.end(), [](const auto& a, const auto& b) { return a.pixel < b.pixel; });
  return claims;
}

// Settles who owns each pixel: one that two classes claim is dropped and counted, one that a class claims twice belongs
// to the region that was read first.
LabelledPixels settle(const std::vector<VectorClaims>& files) {
  LabelledPixels labels;
  labels.named_by_text = files.front().named_by_text;
  labels.has_regions = true;
  for (const VectorClaims& file : files) {
    labels.outside += file.outside;
    labels.notes.insert(labels.notes.end(), file.notes.begin(), file.notes.end());
  }
  const std::map<ClassKey, int> label_of = build_classes(files, labels.classes);
  const std::vector<LabelledPixel> claims = number_regions(files, label_of, labels.region_groups);
  for (auto first = claims.begin(); first != claims.end();) {
    const auto next = std::find_if(first, claims.end(), [&](const auto& claim) { return claim.pixel != first->pixel; });
    if (std::all_of(first, next, [&](const auto& claim) { return claim.label == first->label; })) {
      labels.pixels.push_back(*first);
    } else {
      ++labels.conflicting;
    }
    first = next;
  }
  return labels;
}

}  // namespace

LabelledPixels read_labels(const std::string& path, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  return read_labels(std::vector<std::string>{path}, options, grid, grid_name);
}

LabelledPixels read_labels(const std::vector<std::string>& paths, const LabelOptions& options, const RasterGrid& grid,
                           const std::string& grid_name) {
  initialise_gdal();
  const bool wants_vector = options.class_field || options.where || options.group_field;
  if (paths.size() == 1 && !wants_vector && is_raster(paths.front())) {
    return read_raster_labels(paths.front(), grid, grid_name);
  }
  return settle(read_vector_claims(paths, options, grid, grid_name));
}

}  // namespace parsimap
