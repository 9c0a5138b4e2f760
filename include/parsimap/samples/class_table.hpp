// The classes of a problem: their codes and names, the colours in which they are shown, and merging and renaming them.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"

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

// The index in the table of every code up to the largest, -1 for codes without a class.
Indices index_of_codes(const ClassTable& classes);

// The code that a number stands for, whatever type it is stored in: 0, which is unlabelled, for NaN and for 0, else a
// whole number up to 65535; nothing for another one.
inline std::optional<int> code_of_number(double value) {
  if (std::isnan(value)) {
    return 0;
  }
  const bool is_code = value >= 0 && value <= kLargestCode && value == std::floor(value);
  return is_code ? std::optional(static_cast<int>(value)) : std::nullopt;
}

// DataError for such another one: `place`, the value, and what codes are.
[[noreturn]] void refuse_code(double value, const std::string& place);

// The code that a text stands for: a whole number from 0, which is unlabelled, to 65535, without a sign or leading
// zeros, and also as programs write it that have only real numbers (1.0). Where all texts of a list of labels are such,
// they are codes; otherwise all of them are names.
std::optional<int> code_of_text(const std::string& text);

// DataError where all texts are numbers but some are no codes, as 1.5; `what` begins the sentence. Empty ones do not
// count.
void check_codes(const std::set<std::string>& texts, const std::string& what);

// Whether a class has a name that is more than its code.
bool has_names(const ClassTable& classes);

// The index of the class that a user means by `text`: that of this name, or else, where classes have codes of their
// own, that of this code; -1 for none.
int find_class(const ClassTable& classes, const std::string& text, bool named_by_text = false);

// Classes and what they are of.
struct ClassList {
  const ClassTable& classes;
  bool named_by_text = false;  // their codes follow from the order of their names, and mean nothing elsewhere
  std::string source;          // a file, for messages
};

struct ClassPairs {
  std::vector<int> index;  // by class of the first list: the class of the second that is the same, -1 for none
  bool by_name = false;
};

// Finds the classes that are the same in both. Names decide where both have names, where those of one came from text,
// or where they have a name in common; a class without a name among others with names is then the class of its code,
// unless a name leads there. Otherwise codes decide. DataError where a name of one and of the other differ only in
// case.
ClassPairs pair_classes(const ClassList& from, const ClassList& to);

// DataError, which lists both and ends with `remedy`, where fewer than half of the classes of the first list are in the
// second.
void check_agreement(const ClassList& from, const ClassList& to, const std::string& remedy);

// DataError, which names both, where two names of a list differ only in upper and lower case.
void check_case(const ClassTable& classes, const std::string& source);

// Both lists in two columns, for an error that asks which classes are the same; begins with the end of a line.
std::string side_by_side(const ClassList& left, const ClassList& right);

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
