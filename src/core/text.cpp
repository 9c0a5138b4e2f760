#include "parsimap/core/text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

namespace parsimap {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// The bytes of the character that `text` begins with, 0 where it is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  // The first byte gives the length of a character (RFC 3629): below 0x80 it is the character itself, 0x80 to 0xBF are
  // bytes inside of one, and 0xC0 and 0xC1 could only begin overlong forms. 0xF5 and above would be code points beyond
  // U+10FFFF, the last one.
  const unsigned first = byte(0);
  const std::size_t count = first < 0x80   ? 1
                            : first < 0xC2 ? 0
                            : first < 0xE0 ? 2
                            : first < 0xF0 ? 3
                            : first < 0xF5 ? 4
                                           : 0;
  if (count == 0 || count > text.size() || !std::all_of(text.begin() + 1, text.begin() + count, continues)) {
    return 0;
  }
  // The second byte decides about four more errors: overlong forms of three and of four bytes (after 0xE0 and 0xF0),
  // the surrogates U+D800 to U+DFFF (after 0xED), and code points beyond U+10FFFF (after 0xF4).
  const bool wrong = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) > 0x9F) ||
                     (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) > 0x8F);
  return wrong ? 0 : count;
}

bool unwritable(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

// A blank for every space of Unicode, and for what is not seen at all: a space of no width and a byte order mark.
utf8proc_int32_t plain_space(utf8proc_int32_t character, void*) {
  const utf8proc_category_t category = utf8proc_category(character);
  const bool space = category == UTF8PROC_CATEGORY_ZS || category == UTF8PROC_CATEGORY_ZL ||
                     category == UTF8PROC_CATEGORY_ZP || character == 0x200B || character == 0xFEFF;
  return space ? ' ' : character;
}

// The text, which is UTF-8, in composed form (NFC), and further changed by the options and the function.
std::string composed(std::string_view text, int options, utf8proc_custom_func change) {
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

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t count = character_bytes(text);
    if (count == 0) {
      return false;
    }
    text.remove_prefix(count);
  }
  return true;
}

std::string utf8_of_latin1(std::string_view text) {
  std::string result;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    // The number of a Latin-1 byte is its Unicode code point. From 0x80 on UTF-8 has two bytes for it: 110000xx with
    // the two highest bits, and 10xxxxxx with the other six.
    if (code < 0x80) {
      result += c;
    } else {
      result += static_cast<char>(0xC0U | code >> 6U);
      result += static_cast<char>(0x80U | (code & 0x3FU));
    }
  }
  return result;
}

std::string quoted_names(const std::set<std::string>& names) {
  constexpr std::size_t kShown = 3;
  std::string text;
  std::size_t shown = 0;
  for (const std::string& name : names) {
    if (shown == kShown) {
      return text + " and " + std::to_string(names.size() - kShown) + " more";
    }
    text += (shown++ == 0 ? "'" : ", '") + name + "'";
  }
  return text;
}

std::string class_name(std::string_view text) {
  std::string name = is_utf8(text) ? std::string(text) : utf8_of_latin1(text);
  std::replace_if(name.begin(), name.end(), unwritable, ' ');
  // Most names are ASCII, which has one form.
  const bool ascii = std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return std::string(trimmed(ascii ? name : composed(name, 0, &plain_space)));
}

std::string case_folded(const std::string& name) { return composed(name, UTF8PROC_CASEFOLD, nullptr); }

std::string ClassNameReader::read(std::string_view name) {
  const bool foreign = !is_utf8(name);
  const std::string result = class_name(name);
  if (foreign) {
    recoded_.insert(result);
  } else if (result != name && !result.empty()) {
    (composed(name, 0, nullptr) == result ? composed_ : cleaned_).insert(result);
  }
  return result;
}

std::vector<std::string> ClassNameReader::notes(const std::string& path) const {
  std::vector<std::string> notes;
  if (!recoded_.empty()) {
    notes.push_back(path +
                    ": class names that are not UTF-8 were read as Latin-1 (ISO-8859-1): " + quoted_names(recoded_));
  }
  if (!cleaned_.empty()) {
    notes.push_back(path + ": class names were read without the white space around them and without control " +
                    "characters: " + quoted_names(cleaned_));
  }
  if (!composed_.empty()) {
    notes.push_back(path + ": class names were read in the composed form of Unicode (NFC): " + quoted_names(composed_));
  }
  return notes;
}

}  // namespace parsimap
