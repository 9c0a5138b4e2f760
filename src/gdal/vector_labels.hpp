// What the features of a vector file, or the regions of interest of ENVI, claim: pixels for their classes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsimap/gdal/labels.hpp"

namespace parsimap {

// A class as features name it: by a code, or by a text, whose code is 0. Codes are in the order of numbers, texts in
// that of their bytes.
struct ClassKey {
  int code = 0;
  std::string text;
  auto operator<=>(const ClassKey&) const = default;
};

// The pixels that a region, which is a feature or a part of one, claims for its class.
struct RegionClaim {
  ClassKey key;
  std::int64_t region = 0;                   // number in its file
  std::optional<std::string> group;          // what the group field says
  std::optional<std::int64_t> feature = {};  // of which the region is a part
  std::vector<std::int64_t> pixels;          // may be none
};

struct VectorClaims {
  bool named_by_text = false;
  std::set<ClassKey> classes;  // those that lie on the grid, even where they claim no pixel
  std::vector<RegionClaim> regions;
  std::int64_t outside = 0;  // features that claim no pixel
  std::map<ClassKey, Colour> colours = {};
  std::vector<std::string> notes = {};     // as those of LabelledPixels
  std::vector<std::string> messages = {};  // likewise
};

// Reads the files at `paths`, which must agree in the type of their class field. Errors as read_labels().
std::vector<VectorClaims> read_vector_claims(const std::vector<std::string>& paths, const LabelOptions& options,
                                             const RasterGrid& grid, const std::string& grid_name);

}  // namespace parsimap
