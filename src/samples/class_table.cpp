#include "parsimap/samples/class_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

std::vector<std::string> class_names(const ClassTable& classes) {
  std::vector<std::string> names;
  std::transform(classes.begin(), classes.end(), std::back_inserter(names),
                 [](const ClassEntry& entry) { return entry.name; });
  return names;
}

std::optional<int> code_of_text(const std::string& text) {
  const std::optional<int> code = parse_number<int>(text);
  return code && *code <= kLargestCode && std::to_string(*code) == text && *code >= 0 ? code : std::nullopt;
}

namespace {

bool is_named(const ClassEntry& entry) { return entry.name != std::to_string(entry.code); }

int index_of(const ClassTable& classes, const std::function<bool(const ClassEntry&)>& wanted) {
  const auto found = std::find_if(classes.begin(), classes.end(), wanted);
  return found == classes.end() ? -1 : static_cast<int>(found - classes.begin());
}

int index_of_name(const ClassTable& classes, const std::string& text) {
  return index_of(classes, [name = class_name(text)](const ClassEntry& entry) {
    return entry.name == name || class_name(entry.name) == name;
  });
}

int index_of_code(const ClassTable& classes, int code) {
  return index_of(classes, [code](const ClassEntry& entry) { return entry.code == code; });
}

}  // namespace

bool has_names(const ClassTable& classes) { return std::any_of(classes.begin(), classes.end(), is_named); }

int find_class(const ClassTable& classes, const std::string& text, bool named_by_text) {
  const int named = index_of_name(classes, text);
  const std::optional<int> code = named_by_text ? std::nullopt : code_of_text(text);
  return named >= 0 || !code ? named : index_of_code(classes, *code);
}

namespace {

// The index of every class by its name.
std::map<std::string, int> indices_by_name(const ClassTable& classes) {
  std::map<std::string, int> index;
  for (const ClassEntry& entry : classes) {
    index.emplace(class_name(entry.name), static_cast<int>(index.size()));
  }
  return index;
}

int looked_up(const std::map<std::string, int>& indices, const std::string& name) {
  const auto found = indices.find(name);
  return found == indices.end() ? -1 : found->second;
}

void refuse_case(const std::string& name, const std::string& source, const std::string& other,
                 const std::string& other_source) {
  if (name != other) {
    throw DataError("the classes '" + name + "' of " + source + " and '" + other + "' of " + other_source +
                    " differ only in upper and lower case; --classes FILE merges or renames them");
  }
}

}  // namespace

ClassPairs pair_classes(const ClassList& from, const ClassList& to) {
  const std::map<std::string, int> names = indices_by_name(to.classes);
  const std::map<std::string, int> own = indices_by_name(from.classes);
  std::map<std::string, std::string> folded;
  for (const auto& [name, index] : names) {
    folded.emplace(case_folded(name), name);
  }
  const bool texts = from.named_by_text || to.named_by_text;
  const bool from_names = has_names(from.classes);
  const bool to_names = has_names(to.classes);
  ClassPairs pairs;
  // Codes that were given to texts depend on which texts there are. A model of texts that are numbers, such as "10"
  // with the code 2, has names that equal those of labels with codes.
  pairs.by_name = texts || (from_names && to_names) ||
                  ((from_names || to_names) &&
                   std::any_of(own.begin(), own.end(), [&](const auto& entry) { return names.contains(entry.first); }));
  for (const ClassEntry& entry : from.classes) {
    int index = pairs.by_name ? looked_up(names, class_name(entry.name)) : index_of_code(to.classes, entry.code);
    if (index < 0 && pairs.by_name && !texts && !is_named(entry)) {
      // The class of the same code, unless its name is that of another class or a number of its own.
      const int coded = index_of_code(to.classes, entry.code);
      const std::string name = coded < 0 ? "" : to.classes[static_cast<std::size_t>(coded)].name;
      index = code_of_text(name) || own.contains(name) ? -1 : coded;
    }
    if (index < 0 && pairs.by_name) {
      const auto other = folded.find(case_folded(entry.name));
      refuse_case(entry.name, from.source, other == folded.end() ? entry.name : other->second, to.source);
    }
    pairs.index.push_back(index);
  }
  return pairs;
}

void check_agreement(const ClassList& from, const ClassList& to, const std::string& remedy) {
  const ClassPairs pairs = pair_classes(from, to);
  const auto agreeing =
      static_cast<std::size_t>(std::count_if(pairs.index.begin(), pairs.index.end(), [](int i) { return i >= 0; }));
  if (2 * agreeing < from.classes.size()) {
    throw DataError(from.source + ": " + std::to_string(agreeing) + " of its " + std::to_string(from.classes.size()) +
                    " classes are classes of " + to.source + " by " + (pairs.by_name ? "name" : "code") + "; " +
                    remedy + side_by_side(from, to));
  }
}

void check_case(const ClassTable& classes, const std::string& source) {
  std::map<std::string, std::string> known;  // names by their folded forms
  for (const ClassEntry& entry : classes) {
    refuse_case(known.emplace(case_folded(entry.name), entry.name).first->second, source, entry.name, source);
  }
}

std::string side_by_side(const ClassList& left, const ClassList& right) {
  constexpr std::size_t kMostShown = 30;
  // The source, then the classes as far as they are shown.
  const auto cells = [](const ClassList& list) {
    std::vector<std::string> texts = {list.source};
    for (const ClassEntry& entry : list.classes) {
      texts.push_back(list.named_by_text ? entry.name
                                         : std::to_string(entry.code) + (is_named(entry) ? " " + entry.name : ""));
    }
    if (texts.size() > kMostShown) {
      texts.resize(kMostShown);
      texts.emplace_back("...");
    }
    return texts;
  };
  std::vector<std::string> first = cells(left);
  std::vector<std::string> second = cells(right);
  first.resize(std::max(first.size(), second.size()));
  second.resize(first.size());
  std::size_t width = 0;
  for (const std::string& cell : first) {
    width = std::max(width, cell.size());
  }
  std::string text;
  for (std::size_t i = 0; i < first.size(); ++i) {
    text += "\n  " + first[i] + std::string(width - first[i].size() + 2, ' ') + second[i];
  }
  return text;
}

std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules) {
  // A rule means the class with its name, or if there is none the class with its code. Rules by name are applied first,
  // and a rule by code does not replace a colour that was given by name. Rules for no class are returned.
  std::vector<std::string> without_class;
  std::set<int> named;
  std::vector<const ColourRule*> by_code;
  for (const ColourRule& rule : rules) {
    const int index = index_of_name(classes, rule.name);
    if (index < 0) {
      by_code.push_back(&rule);
      continue;
    }
    ClassEntry& entry = classes[static_cast<std::size_t>(index)];
    entry.colour = rule.colour;
    named.insert(entry.code);
  }
  for (const ColourRule* rule : by_code) {
    const int index = rule->code ? index_of_code(classes, *rule->code) : -1;
    if (index < 0) {
      without_class.push_back(rule->name.empty() ? std::to_string(*rule->code) : rule->name);
    } else if (!named.contains(*rule->code)) {
      classes[static_cast<std::size_t>(index)].colour = rule->colour;
    }
  }
  return without_class;
}

namespace {

// Seven colours of Okabe and Ito (2008), then nine of the scheme "muted" of Tol (2021), as 0xRRGGBB.
constexpr std::array<std::uint32_t, 16> kListed{0xE69F00, 0x56B4E9, 0x009E73, 0xF0E442, 0x0072B2, 0xD55E00,
                                                0xCC79A7, 0x332288, 0x88CCEE, 0x44AA99, 0x117733, 0x999933,
                                                0xDDCC77, 0xCC6677, 0x882255, 0xAA4499};

Colour colour_of(std::uint32_t number) {
  return {static_cast<std::uint8_t>(number >> 16U), static_cast<std::uint8_t>(number >> 8U & 0xFFU),
          static_cast<std::uint8_t>(number & 0xFFU)};
}

// Colours as points of CIELAB for normal sight, protanopia and deuteranopia.
using Appearance = std::array<std::array<double, 3>, 3>;

Appearance appearance_of(const Colour& colour) {
  // Linear sRGB, the matrices of Machado, Oliveira and Fernandes (2009) for the complete absence of a type of cones,
  // and CIELAB for the white of D65.
  using Rows = std::array<std::array<double, 3>, 3>;
  constexpr std::array<Rows, 3> kSights = {
      {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
       {{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
       {{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}}}};
  constexpr Rows kToXyz = {{{0.4339, 0.3762, 0.1899}, {0.2126, 0.7152, 0.0722}, {0.0177, 0.1095, 0.8728}}};
  const auto product = [](const Rows& rows, const std::array<double, 3>& values) {
    std::array<double, 3> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] = std::clamp(rows[i][0] * values[0] + rows[i][1] * values[1] + rows[i][2] * values[2], 0.0, 1.0);
    }
    return result;
  };
  std::array<double, 3> linear{};
  std::transform(colour.begin(), colour.end(), linear.begin(), [](std::uint8_t level) {
    const double value = level / 255.0;
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  });
  Appearance appearance{};
  std::transform(kSights.begin(), kSights.end(), appearance.begin(), [&](const Rows& sight) {
    std::array<double, 3> xyz = product(kToXyz, product(sight, linear));
    for (double& value : xyz) {
      value = value > 0.008856 ? std::cbrt(value) : 7.787 * value + 16.0 / 116;
    }
    return std::array<double, 3>{116 * xyz[1] - 16, 500 * (xyz[0] - xyz[1]), 200 * (xyz[1] - xyz[2])};
  });
  return appearance;
}

// The difference of two colours to the reader who sees least of it.
double difference(const Appearance& a, const Appearance& b) {
  double least = 1000;
  for (std::size_t sight = 0; sight < a.size(); ++sight) {
    least =
        std::min(least, std::hypot(a[sight][0] - b[sight][0], a[sight][1] - b[sight][1], a[sight][2] - b[sight][2]));
  }
  return least;
}

// Words in names of classes, and the colours that maps commonly give to what they mean: the first is used that differs
// from those of all other classes.
struct CustomaryColours {
  std::vector<std::string> words;
  std::vector<Colour> colours;
};

const std::vector<CustomaryColours>& customary_colours() {
  // "street" must come before "tree", which it contains.
  static const std::vector<CustomaryColours> all = {
      {{"wetland", "marsh", "swamp", "reed"}, {{66, 197, 203}}},
      {{"water", "lake", "river", "pond", "ocean"}, {{40, 75, 165}, {86, 180, 233}}},
      {{"road", "street", "asphalt", "pavement", "parking"}, {{90, 90, 90}, {153, 153, 153}}},
      {{"built", "urban", "building", "roof", "house", "residential", "impervious"}, {{240, 95, 140}, {136, 34, 85}}},
      {{"grass", "meadow", "pasture", "lawn"}, {{145, 180, 90}, {68, 170, 153}}},
      {{"forest", "tree", "wood", "conifer"}, {{10, 70, 10}, {0, 120, 80}}},
      {{"sand", "beach"}, {{242, 218, 179}}},
      {{"soil", "bare", "fallow"}, {{130, 98, 60}, {213, 94, 0}}},
      {{"crop", "wheat", "barley", "maize", "corn", "sunflower", "cereal", "arable", "rapeseed", "soybean", "oats"},
       {{250, 235, 130}, {249, 173, 11}, {153, 153, 51}}}};
  return all;
}

// Gives classes their colours one by one.
class Palette {
 public:
  // White and black are left to the ground of pictures, magenta to errors on maps. Readers who take magenta for blue
  // see errors on a grey ground.
  Palette() {
    taken_ = {appearance_of({255, 255, 255}), appearance_of({0, 0, 0}), appearance_of({230, 0, 230})};
    taken_[2][1].fill(1000);
    taken_[2][2].fill(1000);
    for (const std::uint32_t colour : kListed) {
      listed_.push_back(colour_of(colour));
    }
    for (int code = 0; code < 216; ++code) {
      const auto level = [&](int divisor) { return static_cast<std::uint8_t>(code / divisor % 6 * 51); };
      grid_.push_back({level(36), level(6), level(1)});
    }
    std::transform(grid_.begin(), grid_.end(), std::back_inserter(seen_), appearance_of);
  }

  void take(const Colour& colour) {
    used_.insert(colour);
    taken_.push_back(appearance_of(colour));
  }

  // The first of the colours that differs well from all that are taken.
  template <typename Colours>
  std::optional<Colour> first_of(const Colours& colours) {
    constexpr double kApart = 15;  // units of CIELAB, of which 2 are just seen side by side
    const auto found = std::find_if(colours.begin(), colours.end(),
                                    [&](const Colour& colour) { return distance(appearance_of(colour)) >= kApart; });
    if (found == colours.end()) {
      return std::nullopt;
    }
    take(*found);
    return *found;
  }

  // From the list; then that of the cube of 6 x 6 x 6 colours which differs most from all that are taken; and for more
  // classes than it has, any other colour.
  Colour next() {
    if (const std::optional<Colour> listed = first_of(listed_)) {
      return *listed;
    }
    // Distances to the taken colours only fall, so that each colour of the cube is compared with the new ones alone.
    nearest_.resize(grid_.size(), 1000);
    std::size_t best = 0;
    for (std::size_t i = 0; i < grid_.size(); ++i) {
      for (std::size_t t = compared_; t < taken_.size(); ++t) {
        nearest_[i] = std::min(nearest_[i], difference(seen_[i], taken_[t]));
      }
      best = nearest_[i] > nearest_[best] ? i : best;
    }
    compared_ = taken_.size();
    Colour colour = grid_[best];
    while (used_.contains(colour)) {
      // Steps of an odd number reach every one of the 2^24 colours.
      number_ = (number_ + 10368889U) & 0xFFFFFFU;
      colour = colour_of(number_);
    }
    take(colour);
    return colour;
  }

 private:
  [[nodiscard]] double distance(const Appearance& colour) const {
    double least = 1000;
    for (const Appearance& taken : taken_) {
      least = std::min(least, difference(colour, taken));
    }
    return least;
  }

  std::set<Colour> used_;
  std::vector<Appearance> taken_;
  std::vector<Colour> listed_;
  std::vector<Colour> grid_;
  std::vector<Appearance> seen_;  // of grid_
  std::vector<double> nearest_;   // of grid_, to the first compared_ of taken_
  std::size_t compared_ = 0;
  std::uint32_t number_ = 0;
};

std::optional<Colour> customary_colour(const std::string& name, Palette& palette) {
  const std::string lower = lower_case(name);
  for (const CustomaryColours& customary : customary_colours()) {
    if (std::any_of(customary.words.begin(), customary.words.end(),
                    [&](const std::string& word) { return lower.find(word) != std::string::npos; })) {
      return palette.first_of(customary.colours);
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<Colour> class_colours(const ClassTable& classes) {
  // Colours that classes have come first, then those that their names suggest, and then the palette, so that no class
  // gets a colour that is like that of another.
  Palette palette;
  std::vector<std::optional<Colour>> colours;
  for (const ClassEntry& entry : classes) {
    colours.push_back(entry.colour);
    if (entry.colour) {
      palette.take(*entry.colour);
    }
  }
  for (std::size_t c = 0; c < classes.size(); ++c) {
    colours[c] = colours[c] ? colours[c] : customary_colour(classes[c].name, palette);
  }
  std::vector<Colour> all;
  for (const std::optional<Colour>& colour : colours) {
    all.push_back(colour ? *colour : palette.next());
  }
  return all;
}

namespace {

class Renaming {
 public:
  Renaming(const ClassTable& classes, const ClassRules& rules, bool named_by_text, const std::string& labels)
      : classes_(classes), rules_(rules), named_by_text_(named_by_text), labels_(labels) {}

  // First the name of the class that each old class becomes, then the table of these classes, and finally the index in
  // it of every old class, -1 for unlabelled.
  RenamedClasses run() {
    RenamedClasses renamed;
    std::vector<std::string> targets;
    std::transform(classes_.begin(), classes_.end(), std::back_inserter(targets),
                   [&](const ClassEntry& entry) { return target_of(entry); });
    renamed.notes = unused_rules();
    renamed.classes = table_of(targets);
    for (const std::string& target : targets) {
      renamed.label_of.push_back(target.empty() ? -1 : find_class(renamed.classes, target, true));
    }
    return renamed;
  }

 private:
  // The name of the class that `entry` becomes; empty for unlabelled.
  std::string target_of(const ClassEntry& entry) {
    std::optional<std::string> target;
    for (const ClassRule& rule : rules_.rules) {
      if (class_name(rule.from) != entry.name && (named_by_text_ || rule.from != std::to_string(entry.code))) {
        continue;
      }
      used_.insert(rule.from);
      // An empty target means unlabelled. A target that names a class of the table, or has its code, stands for the
      // name of that class.
      const std::string name =
          rule.to.empty() ? "" : existing(rule.to).value_or(ClassEntry{0, class_name(rule.to), {}}).name;
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
    const int index = find_class(classes_, text, named_by_text_);
    return index < 0 ? std::nullopt : std::optional(classes_[static_cast<std::size_t>(index)]);
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

  [[nodiscard]] ClassTable table_of(const std::vector<std::string>& targets) const {
    // Old classes with the same new name are merged. The first of them gives code and colour; the colour of a later one
    // is used if the first has none.
    std::map<std::string, ClassEntry> merged;  // by name
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      ClassEntry& entry = merged.emplace(targets[c], entry_of(targets[c], classes_[c])).first->second;
      entry.colour = entry.colour ? entry.colour : classes_[c].colour;
    }
    merged.erase("");
    if (merged.empty()) {
      throw DataError(rules_.file + " leaves no class of " + labels_);
    }
    ClassTable table;
    for (const auto& [name, entry] : merged) {
      table.push_back(entry);
    }
    // Codes must be unique, and the table in their order. Codes that the user states or that a class has kept come
    // first, because a code that was taken over from a merged class may give way. If a code is taken, the class gets
    // the smallest free one. Names alone are numbered in their order.
    std::stable_partition(table.begin(), table.end(), [&](const ClassEntry& entry) {
      return named_by_text_ || code_of_text(entry.name) || existing(entry.name);
    });
    std::set<int> taken;
    for (ClassEntry& entry : table) {
      entry.code = named_by_text_ ? static_cast<int>(taken.size()) + 1 : entry.code;
      for (int code = 1; taken.contains(entry.code); ++code) {
        entry.code = code;
      }
      taken.insert(entry.code);
    }
    std::sort(table.begin(), table.end(), [](const auto& a, const auto& b) { return a.code < b.code; });
    return table;
  }

  [[nodiscard]] ClassEntry entry_of(const std::string& name, const ClassEntry& first) const {
    // A class of the old table keeps its code and colour. A new class takes the code that its name states, if that is a
    // number and codes have a meaning, or else the code of the first class merged into it.
    if (const std::optional<ClassEntry> own = existing(name)) {
      return *own;
    }
    const int code = named_by_text_ ? 0 : code_of_text(name).value_or(0);
    return {code > 0 ? code : first.code, name, first.colour};
  }

  const ClassTable& classes_;
  const ClassRules& rules_;
  bool named_by_text_;
  const std::string& labels_;
  std::set<std::string> used_;  // `from` of rules that mean a class
};

}  // namespace

RenamedClasses rename_classes(const ClassTable& classes, const ClassRules& rules, bool named_by_text,
                              const std::string& labels) {
  return Renaming(classes, rules, named_by_text, labels).run();
}

}  // namespace parsimap
