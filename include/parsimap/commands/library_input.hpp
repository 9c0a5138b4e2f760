// Spectral libraries as training data.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct LibraryInput {
  std::vector<std::string> files;  // libraries, or folders of single spectra
  // The attribute that holds the class. Unset: libraries that a training has kept know theirs, others have the
  // attribute `class`.
  std::optional<std::string> class_field = {};
  std::optional<std::string> group_field = {};  // attribute: spectra of equal value form a group
  // Table of names and classes, instead of `class_field`; spectra that it does not name are left out.
  std::optional<std::string> classes = {};
  std::optional<ClassRules> rules = {};  // classes that are merged, renamed or left out
  bool beside_scene = false;             // the rules are also those of the labels of a scene
};

}  // namespace parsimap
