#include "parsimap/samples/class_table.hpp"

#include <algorithm>
#include <functional>
#include <map>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

std::vector<std::string> class_names(const ClassTable& classes) {
  return mapped<std::string>(classes, &ClassEntry::name);
}

void refuse_code(double value, const std::string& place) {
  throw DataError(place + " is " + number_text(value) + "; codes of classes are whole numbers from 1 to " +
                  std::to_string(kLargestCode) + ", 0 for unlabelled");
}

std::optional<int> code_of_text(const std::string& text) {
  const std::optional<double> number = parse_number<double>(text);
  const std::optional<int> code = number ? code_of_number(*number) : std::nullopt;
  // What follows the digits of a real number that is a code is a point and zeros.
  const std::string digits = code ? std::to_string(*code) : "";
  const std::string_view rest = std::string_view(text).substr(std::min(digits.size(), text.size()));
  const bool whole = rest.empty() || (rest.front() == '.' && rest.find_first_not_of('0', 1) == std::string_view::npos);
  return code && text.starts_with(digits) && whole ? code : std::nullopt;
}

void check_codes(const std::set<std::string>& texts, const std::string& what) {
  const auto is_number = [](const std::string& text) { return text.empty() || parse_number<double>(text); };
  const auto odd = std::ranges::find_if(texts, [](const std::string& text) {
    const std::optional<double> number = parse_number<double>(text);
    return number && !code_of_number(*number);  // digits behind zeros, as 01, are names
  });
  if (odd != texts.end() && std::ranges::all_of(texts, is_number)) {
    throw DataError(what + " has the value " + *odd + "; codes of classes are whole numbers from 1 to " +
                    std::to_string(kLargestCode) + ", 0 for unlabelled, and names are no numbers");
  }
}

static bool is_named(const ClassEntry& entry) { return entry.name != std::to_string(entry.code); }

static int index_of(const ClassTable& classes, const std::function<bool(const ClassEntry&)>& wanted) {
  const auto found = std::ranges::find_if(classes, wanted);
  return found == classes.end() ? -1 : static_cast<int>(found - classes.begin());
}

static int index_of_name(const ClassTable& classes, const std::string& text) {
  return index_of(classes, [name = class_name(text)](const ClassEntry& entry) {
    return entry.name == name || class_name(entry.name) == name;
  });
}

static int index_of_code(const ClassTable& classes, int code) {
  return index_of(classes, [code](const ClassEntry& entry) { return entry.code == code; });
}

// A table that is looked up by code; the largest code is that of the last class.
Indices index_of_codes(const ClassTable& classes) {
  Indices index(classes.empty() ? 1 : static_cast<std::size_t>(classes.back().code) + 1, -1);
  for (std::size_t i = 0; i < classes.size(); ++i) {
    index[static_cast<std::size_t>(classes[i].code)] = static_cast<Index>(i);
  }
  return index;
}

bool has_names(const ClassTable& classes) { return std::ranges::any_of(classes, is_named); }

int find_class(const ClassTable& classes, const std::string& text, bool named_by_text) {
  const int named = index_of_name(classes, text);
  const std::optional<int> code = named_by_text ? std::nullopt : code_of_text(text);
  return named >= 0 || !code ? named : index_of_code(classes, *code);
}

// The index of every class by its name.
static std::map<std::string, int> indices_by_name(const ClassTable& classes) {
  std::map<std::string, int> index;
  for (const ClassEntry& entry : classes) {
    index.emplace(class_name(entry.name), static_cast<int>(index.size()));
  }
  return index;
}

static void refuse_case(const std::string& name, const std::string& source, const std::string& other,
                        const std::string& other_source) {
  if (name != other) {
    throw DataError("the classes '" + name + "'" + (source == other_source ? "" : " of " + source) + " and '" + other +
                    "' of " + other_source + " differ only in " +
                    (name.find('_') == other.find('_') ? "upper and lower case" : "blanks and underscores") +
                    "; --classes FILE merges or renames them");
  }
}

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
                   std::ranges::any_of(own, [&](const auto& entry) { return names.contains(entry.first); }));
  for (const ClassEntry& entry : from.classes) {
    int index = pairs.by_name ? -1 : index_of_code(to.classes, entry.code);
    if (const auto same = names.find(class_name(entry.name)); pairs.by_name && same != names.end()) {
      index = same->second;
    }
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
  const auto agreeing = static_cast<std::size_t>(std::ranges::count_if(pairs.index, [](int i) { return i >= 0; }));
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
  const auto width = largest<std::size_t>(first, [](const std::string& cell) { return cell.size(); });
  std::string text;
  for (std::size_t i = 0; i < first.size(); ++i) {
    text += "\n  " + first[i] + std::string(width - first[i].size() + 2, ' ') + second[i];
  }
  return text;
}

std::vector<std::string> colour_classes(ClassTable& classes, const std::vector<ColourRule>& rules) {
  // A rule means the class with its name, or if there is none the class with its code. A rule by code does not replace
  // a colour that was given by name. Rules for no class are returned.
  std::vector<std::string> without_class;
  std::set<int> named;  // indices
  for (const ColourRule& rule : rules) {
    const int by_name = index_of_name(classes, rule.name);
    const int index = by_name < 0 && rule.code ? index_of_code(classes, *rule.code) : by_name;
    if (index < 0) {
      without_class.push_back(rule.name.empty() ? std::to_string(*rule.code) : rule.name);
    } else if (by_name >= 0 || !named.contains(index)) {
      classes[static_cast<std::size_t>(index)].colour = rule.colour;
    }
    if (by_name >= 0) {
      named.insert(by_name);
    }
  }
  return without_class;
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
    const auto targets = mapped<std::string>(classes_, [&](const ClassEntry& entry) { return target_of(entry); });
    renamed.notes = unused_rules();
    renamed.classes = table_of(targets);
    renamed.label_of = mapped<int>(targets, [&](const std::string& target) {
      return target.empty() ? -1 : find_class(renamed.classes, target, true);
    });
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
      const std::optional<ClassEntry> known = rule.to.empty() ? ClassEntry{} : existing(rule.to);
      const std::optional<double> number = parse_number<double>(rule.to);
      if (!known && number && code_of_number(*number).value_or(0) == 0) {
        throw DataError(rules_.file + ": '" + rule.from + "' becomes '" + rule.to +
                        "'; codes of classes are whole numbers from 1 to " + std::to_string(kLargestCode) +
                        ", and nothing in place of 0 means unlabelled");
      }
      const std::string name = known ? known->name : class_name(rule.to);
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
    const auto from = mapped<std::string>(rules_.rules, &ClassRule::from);
    std::set<std::string> unused(from.begin(), from.end());
    std::erase_if(unused, [&](const std::string& name) { return used_.contains(name); });
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
    ClassTable table = mapped<ClassEntry>(merged, [](const auto& one) { return one.second; });
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
    std::ranges::sort(table, [](const auto& a, const auto& b) { return a.code < b.code; });
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
