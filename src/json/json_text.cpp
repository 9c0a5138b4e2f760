#include "parsimap/json/json_text.hpp"

#include <boost/crc.hpp>

#include <array>
#include <charconv>
#include <cstdio>
#include <set>
#include <string_view>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "json_fields.hpp"

namespace parsimap {

constexpr std::string_view kBefore = ",\"checksum\":\"";
constexpr std::string_view kAfter = "\"}\n";
constexpr std::size_t kDigits = 8;
constexpr std::size_t kTail = kBefore.size() + kDigits + kAfter.size();

static std::string checksum(const std::string& previous, std::string_view text) {
  boost::crc_32_type crc;
  crc.process_bytes(previous.data(), previous.size());
  crc.process_bytes(text.data(), text.size());
  // CRC-32 over the checksum of the line before and the text of this line. It detects damage by a crash or an editor,
  // not by intention.
  std::array<char, kDigits + 1> digits{};
  std::snprintf(digits.data(), digits.size(), "%08x", crc.checksum());
  return digits.data();
}

static std::optional<int> code_of(const std::string& key) {
  int code = 0;
  const auto [end, failure] = std::from_chars(key.data(), key.data() + key.size(), code);
  // A key that is a positive integer is a code; other keys are names. 0 is the unclassified pixel and has no colour.
  const bool whole = failure == std::errc{} && end == key.data() + key.size();
  return whole && code > 0 ? std::optional(code) : std::nullopt;
}

std::string read_json_text(const std::string& path, const std::string& role) {
  std::string text;
  try {
    text = read_text_file(path, kLargestConfiguration);
  } catch (const DataError& error) {
    // Its text begins with the path.
    throw ConfigError(role + " '" + path + "'" + std::string(error.what()).substr(path.size()));
  }
  if (text.empty()) {
    throw ConfigError(role + " '" + path + "' is empty");
  }
  return text;
}

void check_json_form(const std::string& text) {
  // Functions that work on documents call themselves for every level of nesting and would exhaust the stack. Depth is
  // counted outside of strings, in which a backslash protects the next character; the text need not be valid otherwise.
  constexpr std::size_t kDeepest = 100;
  std::vector<std::set<std::string_view>> keys;  // of what is open, innermost last
  std::string_view last;                         // of the strings
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t begin = i + 1;
      while (++i < text.size() && text[i] != '"') {
        if (text.compare(i, 6, "\\u0000") == 0) {
          throw ConfigError("a text has the character U+0000, which names of files, fields and classes cannot have");
        }
        i += text[i] == '\\' ? 1 : 0;
      }
      last = std::string_view(text).substr(begin, i - begin);
    } else if (c == ':' && !keys.empty()) {
      if (!keys.back().insert(last).second) {
        if (!Json::accept(text)) {
          return;  // whoever reads the text says why it is no JSON
        }
        throw ConfigError("key '" + std::string(last) + "' is there twice");
      }
    } else if (c == '[' || c == '{') {
      keys.emplace_back();
      if (keys.size() > kDeepest) {
        throw ConfigError("not valid JSON for this program: lists and objects are nested more than " +
                          std::to_string(kDeepest) + " deep");
      }
    } else if ((c == ']' || c == '}') && !keys.empty()) {
      keys.pop_back();
    }
  }
}

std::string document_text(const FieldList& list) { return text_of(written_fields(list, Form::record)); }

std::string line_text(const FieldList& list) { return line_of(written_fields(list, Form::record)); }

std::string entries_text(const FieldList& list) {
  const Json json = written_fields(list, Form::record);
  std::string text;
  // One entry of each list on a line, so that long documents remain readable and differences of two versions are small.
  for (const auto& [key, value] : json.items()) {
    text += (text.empty() ? "{\n\"" : ",\n\"") + key + "\": ";
    if (!value.is_array() || value.empty()) {
      text += line_of(value);
      continue;
    }
    for (std::size_t i = 0; i < value.size(); ++i) {
      text += (i == 0 ? "[\n  " : ",\n  ") + line_of(value[i]);
    }
    text += "\n]";
  }
  return text + "\n}\n";
}

void read_document(const std::string& text, const FieldList& list, const ReadRules& rules) {
  const Json document = parse_json(text);
  read_fields(Node(document), Form::record, list, rules);
}

std::string sealed_line(const std::string& object, std::string& previous) {
  // The closing brace of the object is replaced by the field of the checksum and a brace, so that the line stays one
  // JSON object.
  const std::string text = object.substr(0, object.size() - 1);
  previous = checksum(previous, text);
  return text + std::string(kBefore) + previous + std::string(kAfter);
}

std::optional<std::string> opened_line(const std::string& line, std::string& previous) {
  if (line.size() < kTail) {
    return std::nullopt;
  }
  const std::string text = line.substr(0, line.size() - kTail);
  // The line is sealed again and compared as a whole, which tests the form of its end as well. `previous` changes only
  // if the line is valid.
  std::string chain = previous;
  if (sealed_line(text + "}", chain) != line) {
    return std::nullopt;
  }
  previous = chain;
  return text + "}";
}

std::vector<ColourRule> read_colour_file(const std::string& path) {
  const std::string text = read_json_text(path, "colour file");
  return naming<ConfigError>(path + ": ", [&] {
    const Json document = parse_json(text);
    if (!document.is_object() || document.empty()) {
      throw ConfigError("it must be an object of class names or codes and colours");
    }
    std::vector<ColourRule> rules;
    for (const auto& [key, value] : document.items()) {
      const std::string colour_text = value.is_string() ? value.get<std::string>() : "";
      const std::optional<Colour> colour = colour_text.starts_with('#') ? parse_colour(colour_text) : std::nullopt;
      if (!colour) {
        throw ConfigError("the colour of '" + key + "' is " + line_of(value) + "; it must be of the form \"#rrggbb\"");
      }
      rules.push_back({key, code_of(key), *colour});
    }
    return rules;
  });
}

}  // namespace parsimap
