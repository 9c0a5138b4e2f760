#include "parsimap/options/option.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"

namespace parsimap {

// The least number of letters to insert, remove, replace or exchange with a neighbour (optimal string alignment).
static std::size_t edit_distance(const std::string& a, const std::string& b) {
  // table[i][j] is the distance of the first i letters of a from the first j letters of b: the minimum over removing
  // the last letter of a, inserting the last of b, replacing one by the other, and exchanging the last two. The words
  // are names of options, so that the quadratic time does not matter.
  std::vector<std::vector<std::size_t>> table(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        table[i][j] = i + j;
        continue;
      }
      const std::size_t substitution = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      table[i][j] = std::min({table[i - 1][j] + 1, table[i][j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        table[i][j] = std::min(table[i][j], table[i - 2][j - 2] + 1);
      }
    }
  }
  return table[a.size()][b.size()];
}

static void add_files(const std::string& role, const FileSyntax& syntax, const std::optional<OptionValue>& value,
                      const std::function<std::vector<std::string>()>& listed, std::vector<NamedFile>& files) {
  if (!value || (syntax.contents.empty() && !listed)) {
    return;
  }
  // Some values name files within a text, such as "byclass:FILE" or "SCENE,LABELS". Their option lists the files
  // itself. They count as inputs like those of an option whose value is a file.
  FileSyntax shown = syntax;
  if (listed) {
    // Files inside of a value may be of any kind; those of an option that names files are all that there are.
    shown.contents = syntax.contents.empty() ? std::vector{FileContent::raster} : std::vector{FileContent::document};
  }
  for (const std::string& path : listed ? listed() : value_texts(*value)) {
    files.push_back({role, path, shown});
  }
}

std::vector<std::string> value_texts(const OptionValue& value) {
  if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
    return *list;
  }
  if (const bool* flag = std::get_if<bool>(&value)) {
    return {*flag ? "true" : "false"};
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return {std::to_string(*integer)};
  }
  const double* number = std::get_if<double>(&value);
  return {number != nullptr ? number_text(*number) : std::get<std::string>(value)};
}

bool NumberRange::contains(double value) const {
  return std::isfinite(value) && (above ? value > least : value >= least) && value <= most;
}

std::string NumberRange::text() const {
  // An infinite bound is no restriction and is not mentioned.
  std::string words = "a number";
  if (std::isfinite(least)) {
    words += (above ? " above " : " of at least ") + number_text(least);
  }
  return std::isfinite(most) ? words + " and at most " + number_text(most) : words;
}

// Of a flag, text or list, which is unset where it is false or empty.
template <typename Value>
static Field unset_if_empty(OptionKind kind, Value& target) {
  Field field = held_as<Value>(kind, target, std::identity(), std::identity());
  field.value = [&target] { return target == Value() ? std::nullopt : std::optional<OptionValue>(target); };
  field.optional = target == Value();
  return field;
}

Field bound(bool& flag) { return unset_if_empty(OptionKind::flag, flag); }
Field bound(std::string& text) { return unset_if_empty(OptionKind::text, text); }
Field bound(std::optional<std::string>& text) {
  return held_as<std::string>(OptionKind::text, text, std::identity(), std::identity());
}

Field bound(std::vector<std::string>& list, std::function<void(const std::string&)> check) {
  Field field = unset_if_empty(OptionKind::list, list);
  field.check = std::move(check);
  return field;
}

Field bound(std::optional<double>& number, const NumberRange& range) {
  Field field = held_as<double>(OptionKind::number, number, std::identity(), std::identity());
  field.range = range;
  return field;
}

std::vector<OptionSyntax> grouped(const std::string& group, std::vector<OptionSyntax> options) {
  for (OptionSyntax& option : options) {
    option.group = group;
  }
  return options;
}

std::vector<OptionSyntax> listed(std::vector<OptionSyntax> options) {
  std::erase_if(options, [](const OptionSyntax& option) { return !option.former.empty(); });
  return options;
}

std::vector<OptionSyntax> joined(std::vector<OptionSyntax> first, const std::vector<OptionSyntax>& second) {
  add_all(first, second);
  return first;
}

std::vector<OptionSyntax> all_options(const CommandSyntax& syntax) { return joined(syntax.options, syntax.common); }

std::string name_in_words(const std::string& name) {
  std::string words;
  for (const char character : name) {
    const bool gap = character == '-' || character == '_';
    const auto code = static_cast<unsigned char>(character);
    words += gap ? ' ' : static_cast<char>(words.empty() ? std::toupper(code) : std::tolower(code));
  }
  return words;
}

std::string value_name(const OptionSyntax& option) {
  const std::vector<FileContent>& contents = option.file.contents;
  return !option.value_name.empty() || option.field.kind == OptionKind::flag ? option.value_name
         : option.field.kind == OptionKind::integer                          ? "N"
         : contents.empty()                                                  ? ""
         : contents.front() == FileContent::folder                           ? "DIR"
                                                                             : "FILE";
}

std::string default_text(const OptionSyntax& option) {
  // An optional field has no default to show: unset is a state of its own.
  if (option.field.optional || !option.field.value) {
    return {};
  }
  const std::optional<OptionValue> value = option.field.value();
  return value ? value_texts(*value).front() : "";
}

std::string expectation(const OptionSyntax& option) {
  if (option.field.kind == OptionKind::number) {
    return option.field.range.text();
  }
  if (option.field.kind != OptionKind::integer) {
    return option.choices.empty() ? "a text" : "one of " + separated(option.choices, ", ");
  }
  if (option.most == std::numeric_limits<std::int64_t>::max()) {
    return "an integer of at least " + std::to_string(option.least);
  }
  return "an integer from " + std::to_string(option.least) + " to " + std::to_string(option.most);
}

bool may_be(const OptionSyntax& option, const std::string& text) {
  const std::vector<std::string>& choices = option.choices;
  return choices.empty() || std::ranges::find(choices, text) != choices.end();
}

OptionValue parse_option_value(const OptionSyntax& option, const std::string& text) {
  return parse_option_value(option, text, "--" + option.name, "'" + text + "'");
}

OptionValue parse_option_value(const OptionSyntax& option, const std::string& text, const std::string& where,
                               const std::string& shown) {
  const auto require = [&](bool holds) {
    if (!holds) {
      throw ConfigError(where + " is " + shown + "; it must be " + expectation(option));
    }
  };
  if (option.field.kind == OptionKind::integer) {
    const auto value = parse_number<std::int64_t>(text);
    require(value && *value >= option.least && *value <= option.most);
    return *value;
  }
  if (option.field.kind == OptionKind::number) {
    const auto value = parse_number<double>(text);
    require(value && option.field.range.contains(*value));
    return *value;
  }
  // A check of the field replaces the comparison with the choices, which may be beginnings such as "folds:" only.
  if (option.field.check) {
    naming<ConfigError>(where + ": ", [&] { option.field.check(text); });
  } else {
    require(may_be(option, text));
  }
  return text;
}

void store_values(const CommandSyntax& syntax, const GivenValues& values) {
  for (const OptionSyntax& option : all_options(syntax)) {
    // Options that were not given keep the value that the struct has by default.
    if (const auto given = values.options.find(option.name); given != values.options.end()) {
      option.field.store(given->second);
    }
  }
  // Arguments are stored behind options: the first file of labels is put before those of --labels.
  for (const ArgumentSyntax& argument : syntax.arguments) {
    if (const auto given = values.arguments.find(argument.name); given != values.arguments.end()) {
      argument.field.store(given->second);
    }
  }
}

Settings settings_of(const std::vector<OptionSyntax>& options, const std::function<bool(const OptionSyntax&)>& wanted) {
  Settings settings;
  for (const OptionSyntax& option : options) {
    const std::optional<OptionValue> value = option.field.value();
    if (value && (!wanted || wanted(option))) {
      for (std::string& text : value_texts(*value)) {
        settings.emplace_back(option.name, std::move(text));
      }
    }
  }
  // Sorted by name, so that stored settings do not depend on the order of the descriptions; values of a list keep their
  // order.
  std::ranges::stable_sort(settings, [](const auto& a, const auto& b) { return a.first < b.first; });
  return settings;
}

std::vector<std::string> command_words(const CommandSyntax& syntax) {
  std::vector<std::string> words{syntax.name};
  for (const OptionSyntax& option : listed(all_options(syntax))) {
    for (const std::string& text : value_texts(option.field.value().value_or(std::vector<std::string>{}))) {
      words.push_back("--" + option.name + (option.field.kind == OptionKind::flag ? "" : "=" + text));
    }
  }
  for (const ArgumentSyntax& argument : syntax.arguments) {
    add_all(words, value_texts(argument.field.value().value_or(std::vector<std::string>{})));
  }
  return words;
}

std::vector<NamedFile> named_files(const CommandSyntax& syntax) {
  std::vector<NamedFile> files;
  for (const ArgumentSyntax& argument : syntax.arguments) {
    add_files(argument.name, argument.file, argument.field.value(), {}, files);
  }
  for (const OptionSyntax& option : all_options(syntax)) {
    add_files("--" + option.name, option.file, option.field.value(), option.files, files);
  }
  return files;
}

std::optional<std::string> closest(const std::string& word, const std::vector<std::string>& candidates) {
  std::optional<std::string> best;
  std::size_t fewest = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t edits = edit_distance(word, candidate);
    // At most a third of the letters may differ; anything farther is not a mistyped name. Of equal distances the first
    // counts.
    if (3 * edits <= std::max(word.size(), candidate.size()) && (!best || edits < fewest)) {
      best = candidate;
      fewest = edits;
    }
  }
  return best;
}

}  // namespace parsimap
