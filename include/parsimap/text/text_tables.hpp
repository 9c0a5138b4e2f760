// Small tables in text files: samples and their labels, numbers of classes, colours of classes, lists of scenes. Files
// with names that are not UTF-8 are taken for ISO-8859-1, which `warn` says.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// Called with a sentence about a file that may have been meant otherwise; may be empty.
using Warn = std::function<void(const std::string&)>;

// A matrix with a row per line, as benchmark data sets are published (Madelon, Arcene). Fields are separated by spaces
// and tabs, or by one comma with or without them; lines without any field are passed over.
// DataError: the file cannot be read or holds no number, a field is not a finite number (the line and the number of the
// field in it are named, both from 1), or lines differ in their length.
Matrix read_number_table(const std::string& path);

// The lines of a file without the space around them; empty lines at its end do not count.
// DataError: the file cannot be read or holds no label, or a line between labels is empty.
std::vector<std::string> read_label_lines(const std::string& path, const Warn& warn = {});

// Name (or code) and number of every class, in the order of the file: one class per line, its number behind the last
// comma, semicolon or tab. A name may be in double quotes; lines that begin with # are passed over, and so is a first
// line without a number, which is a header.
// DataError, which names the line: no separator, no whole number, a class twice; also a file that cannot be read or has
// no class.
std::vector<std::pair<std::string, Index>> read_class_counts(const std::string& path, const Warn& warn = {});

// How classes are merged and renamed: a table with the columns `from` and `to` and a header that names them, in any
// order and among others, separated by commas, semicolons or tabs. Fields may be in double quotes. Empty lines do not
// count. DataError, which names the line: no such header, a line without `from`, a class twice; also a file that cannot
// be read or has no rule.
ClassRules read_class_rules(const std::string& path, const Warn& warn = {});

// Colours of classes as GIS programs keep them (.clr, .txt): one class per line, `code red green blue [name]`. Fields
// are separated by spaces, tabs, commas or colons; the name is the rest of the line. A whole number up to 255 behind
// blue is an opacity, which is passed over. Empty lines, comments (#) and code 0 are passed over, and so are
// INTERPOLATION: of QGIS and nv and default of GRASS.
// ConfigError: the file cannot be read or has no colour; a line without a code from 0 to 65535 and three channels from
// 0 to 255 (the file and the line are named).
std::vector<ColourRule> read_colour_list(const std::string& path, const Warn& warn = {});

// A line of a list of scenes that belong together.
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

// The classes of the spectra of a library that has none itself: the class of every name in a table with the columns
// `name` and `class` and a header that names them, in any order and among others, separated by commas, semicolons or
// tabs. DataError, which names the line: no such header, a line without a name or a class, a name twice with different
// classes; also a file that cannot be read or has no line.
std::map<std::string, std::string> read_library_classes(const std::string& path, const Warn& warn = {});

}  // namespace parsimap
