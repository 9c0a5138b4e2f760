#include "parsimap/samples/class_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

std::vector<std::string> class_names(const ClassTable& classes) {
  std::vector<std::string> names;
  std::transform(classes.begin(), classes.end(), std::back_inserter(names),
                 [](const ClassEntry& entry) { return entry.name; });
  return names;
}

std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules) {
  // A rule means the class with its name, or if there is none the class with its code. Rules by name are applied first,
  // and a rule by code does not replace a colour that was given by name. Rules for no class are returned.
  std::vector<std::string> without_class;
  std::set<int> named;
  std::vector<const ColourRule*> by_code;
  for (const ColourRule& rule : rules) {
    const auto entry =
        std::find_if(classes.begin(), classes.end(), [&](const auto& one) { return one.name == rule.name; });
    if (entry == classes.end()) {
      by_code.push_back(&rule);
      continue;
    }
    entry->colour = rule.colour;
    named.insert(entry->code);
  }
  for (const ColourRule* rule : by_code) {
    const auto entry =
        std::find_if(classes.begin(), classes.end(), [&](const auto& one) { return one.code == rule->code; });
    if (entry == classes.end()) {
      without_class.push_back(rule->name.empty() ? std::to_string(*rule->code) : rule->name);
    } else if (!named.contains(entry->code)) {
      entry->colour = rule->colour;
    }
  }
  return without_class;
}

namespace {

// Seven colours of Okabe and Ito (2008), then nine of the scheme "muted" of Tol (2021).
constexpr std::array<Colour, 16> kListed{{{230, 159, 0},
                                          {86, 180, 233},
                                          {0, 158, 115},
                                          {240, 228, 66},
                                          {0, 114, 178},
                                          {213, 94, 0},
                                          {204, 121, 167},
                                          {51, 34, 136},
                                          {136, 204, 238},
                                          {68, 170, 153},
                                          {17, 119, 51},
                                          {153, 153, 51},
                                          {221, 204, 119},
                                          {204, 102, 119},
                                          {136, 34, 85},
                                          {170, 68, 153}}};

// Hue, saturation and value in [0, 1] to red, green, blue.
Colour from_hsv(double hue, double saturation, double value) {
  // A channel is v - v s max(0, min(k, 4 - k, 1)) with k = (n + 6 hue) mod 6, where n is 5 for red, 3 for green and 1
  // for blue.
  const auto channel = [&](double offset) {
    const double k = std::fmod(offset + hue * 6, 6);
    const double level = value - value * saturation * std::clamp(std::min(k, 4 - k), 0.0, 1.0);
    return static_cast<std::uint8_t>(std::lround(level * 255));
  };
  return {channel(5), channel(3), channel(1)};
}

Colour numbered(std::size_t number) {
  if (number < kListed.size()) {
    return kListed[number];
  }
  // Beyond the list, hues at steps of the golden ratio fill the colour circle evenly, however many there are; value
  // and saturation alternate, so that neighbouring hues differ in these as well.
  const std::size_t step = number - kListed.size();
  constexpr double kGoldenRatio = 0.61803398874989485;
  constexpr std::array<double, 3> kValues{0.95, 0.7, 0.45};
  constexpr std::array<double, 2> kSaturations{0.85, 0.5};
  const double hue = static_cast<double>(step) * kGoldenRatio;
  return from_hsv(hue - std::floor(hue), kSaturations[step / kValues.size() % kSaturations.size()],
                  kValues[step % kValues.size()]);
}

}  // namespace

std::vector<Colour> class_colours(const ClassTable& classes) {
  // Colours of the list that a class has already are passed over, so that no two classes look the same.
  std::set<Colour> taken;
  for (const ClassEntry& entry : classes) {
    if (entry.colour) {
      taken.insert(*entry.colour);
    }
  }
  std::vector<Colour> colours;
  std::size_t next = 0;
  for (const ClassEntry& entry : classes) {
    if (entry.colour) {
      colours.push_back(*entry.colour);
      continue;
    }
    while (next < kListed.size() && taken.contains(numbered(next))) {
      ++next;
    }
    colours.push_back(numbered(next++));
  }
  return colours;
}

namespace {

std::optional<int> code_of(const std::string& text) {
  const std::optional<int> code = parse_number<int>(text);
  return code && *code >= 1 && *code <= kLargestCode ? code : std::nullopt;
}

class Renaming {
 public:
  Renaming(const ClassTable& classes, const ClassRules& rules, bool named_by_text, const std::string& labels)
      : classes_(classes), rules_(rules), named_by_text_(named_by_text), labels_(labels) {}

  // First the name of the class that each old class becomes, then the table of these classes, and finally the index in
  // it of every old class, -1 for unlabelled.
  RenamedClasses run() {
    for (const ClassEntry& entry : classes_) {
      targets_.push_back(target_of(entry));
    }
    RenamedClasses renamed;
    renamed.notes = unused_rules();
    build(renamed.classes);
    renamed.label_of = labels(renamed.classes);
    return renamed;
  }

 private:
  [[nodiscard]] bool means(const std::string& text, const ClassEntry& entry) const {
    return text == entry.name || (!named_by_text_ && text == std::to_string(entry.code));
  }

  // The name of the class that `entry` becomes; empty for unlabelled.
  std::string target_of(const ClassEntry& entry) {
    std::optional<std::string> target;
    for (const ClassRule& rule : rules_.rules) {
      if (!means(rule.from, entry)) {
        continue;
      }
      used_.insert(rule.from);
      // An empty target means unlabelled. A target that names a class of the table, or has its code, stands for the
      // name of that class.
      const std::string name = rule.to.empty() ? "" : existing(rule.to).value_or(ClassEntry{0, rule.to, {}}).name;
      if (target && *target != name) {
        throw DataError(rules_.file + ": two rules mean the class '" + entry.name + "' (code " +
                        std::to_string(entry.code) + "), to '" + *target + "' and to '" + name + "'");
      }
      target = name;
    }
    return target.value_or(entry.name);
  }

  // The class of the old table that `text` means, by its name before its code.
  [[nodiscard]] std::optional<ClassEntry> existing(const std::string& text) const {
    for (const bool by_name : {true, false}) {
      for (const ClassEntry& entry : classes_) {
        if (by_name ? entry.name == text : means(text, entry)) {
          return entry;
        }
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::vector<std::string> unused_rules() const {
    // A rule that means no class is most likely a slip of the pen: it is reported, and refused where no rule means any
    // class.
    std::set<std::string> unused;
    for (const ClassRule& rule : rules_.rules) {
      if (!used_.contains(rule.from)) {
        unused.insert(rule.from);
      }
    }
    if (unused.empty()) {
      return {};
    }
    const std::vector<std::string> names = class_names(classes_);
    const std::string sentence = rules_.file + ": no class of " + labels_ + " is called " + quoted_names(unused) +
                                 "; they are called " + quoted_names({names.begin(), names.end()});
    if (used_.empty()) {
      throw DataError(sentence);
    }
    return {sentence};
  }

  void build(ClassTable& table) const {
    // Old classes with the same new name are merged. The first of them gives code and colour; the colour of a later one
    // is used if the first has none.
    std::map<std::string, ClassEntry> merged;  // by name
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      if (targets_[c].empty()) {
        continue;
      }
      const auto [place, added] = merged.emplace(targets_[c], entry_of(targets_[c], classes_[c]));
      if (!added && !place->second.colour) {
        place->second.colour = classes_[c].colour;
      }
    }
    if (merged.empty()) {
      throw DataError(rules_.file + " leaves no class of " + labels_);
    }
    for (const auto& [name, entry] : merged) {
      table.push_back(entry);
    }
    give_codes(table);
  }

  [[nodiscard]] ClassEntry entry_of(const std::string& name, const ClassEntry& first) const {
    // A class of the old table keeps its code and colour. A new class takes the code that its name states, if that is a
    // number and codes have a meaning, or else the code of the first class merged into it.
    if (const std::optional<ClassEntry> own = existing(name)) {
      return *own;
    }
    return {named_by_text_ ? first.code : code_of(name).value_or(first.code), name, first.colour};
  }

  // Codes must be unique, and the table in their order.
  void give_codes(ClassTable& table) const {
    if (named_by_text_) {
      for (std::size_t c = 0; c < table.size(); ++c) {
        table[c].code = static_cast<int>(c) + 1;
      }
      return;
    }
    // Codes that the user states or that a class has kept come first, because a code that was taken over from a merged
    // class may give way. If a code is taken, the class gets the smallest free one.
    std::stable_partition(table.begin(), table.end(), [&](const ClassEntry& entry) {
      return code_of(entry.name).has_value() || existing(entry.name).has_value();
    });
    std::set<int> taken;
    for (ClassEntry& entry : table) {
      for (int code = 1; taken.contains(entry.code); ++code) {
        entry.code = code;
      }
      taken.insert(entry.code);
    }
    std::sort(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
  }

  // The place in the new table of every old class, -1 for classes that become unlabelled.
  [[nodiscard]] std::vector<int> labels(const ClassTable& table) const {
    std::vector<int> label_of;
    for (const std::string& target : targets_) {
      const auto found =
          std::find_if(table.begin(), table.end(), [&](const auto& entry) { return entry.name == target; });
      label_of.push_back(target.empty() ? -1 : static_cast<int>(found - table.begin()));
    }
    return label_of;
  }

  const ClassTable& classes_;
  const ClassRules& rules_;
  bool named_by_text_;
  const std::string& labels_;
  std::vector<std::string> targets_;  // by index of the old class
  std::set<std::string> used_;        // `from` of rules that mean a class
};

}  // namespace

RenamedClasses rename_classes(const ClassTable& classes, const ClassRules& rules, bool named_by_text,
                              const std::string& labels) {
  return Renaming(classes, rules, named_by_text, labels).run();
}

}  // namespace parsimap
