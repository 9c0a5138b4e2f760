// Lists of scenes: which scenes belong together, and the labels and the mask of each.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/text/text_tables.hpp"

namespace parsimap {

struct SceneListEntry {
  std::string scene;
  std::optional<std::string> labels;  // of this scene
  std::optional<std::string> mask;

  bool operator==(const SceneListEntry&) const = default;
};

// The scenes of a table (.csv) in its order: a header names the column `scene` and, where wanted, `labels` and `mask`,
// in any order and among others. Fields are separated by commas, semicolons or tabs, and may be in double quotes; an
// empty one counts as not given, and so does one that a short line lacks. Names are relative to the folder of the list;
// those that begin with / or with a driver or protocol and a colon, as NETCDF:"a.nc":b, are taken as they stand.
// DataError, which names the line: no column `scene`, a line without a scene, a scene twice; also a file that cannot be
// read or names no scene.
std::vector<SceneListEntry> read_scene_list(const std::string& path, const Warn& warn = {});

// The fields "SCENE,LABELS" or "SCENE,LABELS,MASK" of a text, which is a line of such a list without a header; names
// are taken as they stand, and may be in double quotes. DataError: no scene, or more than three fields.
SceneListEntry parse_scene_entry(const std::string& text);

}  // namespace parsimap
