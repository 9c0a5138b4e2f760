#include "parsimap/core/text.hpp"

#include <utf8proc.h>

#include <array>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#include "parsimap/core/text_table.hpp"

namespace parsimap {

static bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20; }

// A blank for every space of Unicode, and for what is not seen at all: a space of no width and a byte order mark.
static utf8proc_int32_t plain_space(utf8proc_int32_t character, void*) {
  const utf8proc_category_t category = utf8proc_category(character);
  const bool space = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                     category == UTF8PROC_CATEGORY_ZP || character == 0x200B || character == 0xFEFF;
  return space ? ' ' : character;
}

// The text, which is UTF-8, in composed form (NFC), and further changed by the options and the function.
static std::string composed(std::string_view text, int options, utf8proc_custom_func change) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  utf8proc_uint8_t* result = nullptr;
  const utf8proc_ssize_t size = utf8proc_map_custom(
      bytes, static_cast<utf8proc_ssize_t>(text.size()), &result,
      static_cast<utf8proc_option_t>(options | UTF8PROC_COMPOSE | UTF8PROC_STABLE), change, nullptr);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owner(result, &std::free);
  if (size < 0) {
    throw std::bad_alloc();  // the only failure that is left for UTF-8
  }
  return {reinterpret_cast<const char*>(result), static_cast<std::size_t>(size)};
}

std::vector<std::string> parts_of(std::string_view text, std::string_view separators) {
  std::vector<std::string> parts;
  for (text = trimmed(text); !text.empty(); text = trimmed(text)) {
    const std::string_view part = text.substr(0, text.find_first_of(separators));
    parts.emplace_back(trimmed(part));
    text.remove_prefix(std::min(part.size() + 1, text.size()));
  }
  return parts;
}

Character first_character(std::string_view text) {
  utf8proc_int32_t code = 0;
  const utf8proc_ssize_t bytes = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                                  static_cast<utf8proc_ssize_t>(text.size()), &code);
  return bytes > 0 ? Character{static_cast<std::size_t>(bytes), static_cast<std::size_t>(utf8proc_charwidth(code))}
                   : Character{};
}

bool is_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  return utf8proc_decompose(bytes, static_cast<utf8proc_ssize_t>(text.size()), nullptr, 0, utf8proc_option_t{}) >= 0;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string result;
  // The number of a Latin-1 byte is its Unicode code point.
  std::ranges::for_each(text, [&](char c) { append_character(result, static_cast<unsigned char>(c)); });
  return result;
}

std::string quoted_names(const std::set<std::string>& names) {
  return shortened(names, 3, [](const std::string& name) { return "'" + name + "'"; });
}

std::string class_name(std::string_view text) {
  std::string name = is_utf8(text) ? std::string(text) : utf8_of_latin1(text);
  std::replace_if(name.begin(), name.end(), is_control, ' ');
  // Most names are ASCII, which has one form.
  const bool ascii = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return std::string(trimmed(ascii ? name : composed(name, 0, &plain_space)));
}

std::string case_folded(const std::string& name) {
  return composed(name, UTF8PROC_CASEFOLD, [](utf8proc_int32_t code, void*) { return code == '_' ? ' ' : code; });
}

std::string ClassNameReader::read(std::string_view name) {
  const std::string result = class_name(name);
  if (!is_utf8(name)) {
    recoded_.insert(result);
  } else if (result != name && !result.empty()) {
    (composed(name, 0, nullptr) == result ? composed_ : cleaned_).insert(result);
  }
  return result;
}

std::vector<std::string> ClassNameReader::notes(const std::string& path) const {
  std::vector<std::string> notes;
  const auto add = [&](const std::set<std::string>& names, const std::string& how) {
    if (!names.empty()) {
      notes.push_back(path + ": class names " + how + ": " + quoted_names(names));
    }
  };
  add(recoded_, "that are not UTF-8 were read as Latin-1 (ISO-8859-1)");
  add(cleaned_, "were read without the white space around them and without control characters");
  add(composed_, "were read in the composed form of Unicode (NFC)");
  return notes;
}

// Of what std::to_chars() makes of the arguments.
template <typename... Arguments>
static std::string characters(Arguments... arguments) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), arguments...).ptr};
}

std::string number_text(double value) { return characters(value); }
std::string number_text(float value) { return characters(value); }
std::string number_text(double value, int digits) { return characters(value, std::chars_format::general, digits); }

}  // namespace parsimap
