// The classes of a problem: their codes and names, the colours in which they are shown, and merging and renaming them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace parsimap {

// Red, green and blue, 0 to 255 each.
using Colour = std::array<std::uint8_t, 3>;

// Of a class: maps store codes in two bytes.
constexpr int kLargestCode = 65535;

struct ClassEntry {
  int code = 0;  // the value in maps, 1 .. 65535; 0 always means unlabelled or unclassified
  std::string name;
  std::optional<Colour> colour;  // where the labels carry one
  bool operator==(const ClassEntry&) const = default;
};

// In ascending order of code; codes and names are unique.
using ClassTable = std::vector<ClassEntry>;

// The names of the classes, in their order.
std::vector<std::string> class_names(const ClassTable& classes);

// A colour that a user chooses for a class. The class meant is the one of that name, or where there is none the one of
// that code.
struct ColourRule {
  std::string name;         // may be empty
  std::optional<int> code;  // 1 .. 65535
  Colour colour{};
};

// Colours the classes; where several rules mean one class, a name counts more than a code and otherwise the last.
// Returns the names, or else the codes, of rules without a class.
std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules);

// One colour per class: its own where it has one, otherwise from a list that people with colour blindness can
// distinguish (Okabe and Ito 2008, then Tol 2021 "muted"), and for still more classes hues at golden-ratio steps. The
// same table always gets the same colours; a colour of the list that a class already has is passed over.
std::vector<Colour> class_colours(const ClassTable& classes);

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
