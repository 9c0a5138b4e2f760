// Merging and renaming classes by a table of the user.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct ClassRule {
  std::string from;  // name of a class, or its code where classes have codes of their own
  std::string to;    // name or code; empty: what is labelled so counts as unlabelled
};

struct ClassRules {
  std::string file;  // that they were read from, for messages
  std::vector<ClassRule> rules;
};

struct RenamedClasses {
  ClassTable classes;
  std::vector<int> label_of;       // by index in the old table, the index in the new one; -1 for unlabelled
  std::vector<std::string> notes;  // a sentence about rules that mean no class
};

// A class without a rule stays what it is. Classes with the same target become one: the class that is called so, where
// there is one, with its code and colour. Otherwise a target that is a whole number from 1 to 65535 is a code, and any
// other text a name, for which the smallest code of the merged classes is kept. Where `named_by_text`, classes have no
// codes of their own: rules go by names alone, and the new names get codes 1 .. K in the order of their bytes.
// `labels` names the labels in messages. DataError: no rule means any class, two rules of different targets mean the
// same one, no class is left.
RenamedClasses rename_classes(const ClassTable& classes, const ClassRules& rules, bool named_by_text,
                              const std::string& labels);

}  // namespace parsimap
