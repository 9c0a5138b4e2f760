#include "parsimap/report/table.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "parsimap/core/text_table.hpp"

namespace parsimap {
namespace {

constexpr std::size_t widest_cell = 48;

// Code points of a UTF-8 text with the number of bytes each takes; a byte that is not UTF-8 counts as one character.
struct Character {
  char32_t code = 0;
  std::size_t bytes = 1;
};

Character character_at(const std::string& text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[position + i]); };
  // The number of leading ones of the first byte is the length of the sequence: 110xxxxx two, 1110xxxx three, 11110xxx
  // four bytes (RFC 3629). Each further byte is 10xxxxxx and contributes six bits. Anything else is taken as a single
  // character, so that a damaged text is still printed.
  const unsigned char lead = byte(0);
  const std::size_t bytes = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : lead >= 0xC0U ? 2 : 1;
  if (bytes == 1 || lead >= 0xF8U || position + bytes > text.size()) {
    return {lead, 1};
  }
  char32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) {
      return {lead, 1};
    }
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  return {code, bytes};
}

std::size_t character_width(char32_t code) {
  if ((code >= 0x300 && code <= 0x36F) || (code >= 0x200B && code <= 0x200F) || (code >= 0xFE00 && code <= 0xFE0F)) {
    return 0;  // combining marks, zero-width characters, variation selectors
  }
  // Ranges of East Asian wide and full-width characters and of pictographs, which terminals draw in two columns
  // (Unicode Standard Annex 11).
  constexpr std::array<std::pair<char32_t, char32_t>, 8> wide = {{{0x1100, 0x115F},
                                                                  {0x2E80, 0xA4CF},
                                                                  {0xAC00, 0xD7A3},
                                                                  {0xF900, 0xFAFF},
                                                                  {0xFE30, 0xFE6F},
                                                                  {0xFF00, 0xFF60},
                                                                  {0x1F300, 0x1FAFF},
                                                                  {0x20000, 0x3FFFD}}};
  const bool is_wide =
      std::ranges::any_of(wide, [&](auto range) { return code >= range.first && code <= range.second; });
  return is_wide ? 2 : 1;
}

// A name from a file must not break the lines of a report, nor steer the terminal.
std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20U || c == 0x7FU; }, ' ');
  return text;
}

std::string formatted(const char* format, double value) {
  std::array<char, 400> buffer{};  // DBL_MAX has 309 digits
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

}  // namespace

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t position = 0; position < text.size();) {
    const Character character = character_at(text, position);
    width += character_width(character.code);
    position += character.bytes;
  }
  return width;
}

std::string shortened(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) {
    return text;
  }
  // The text is cut where the characters and the ellipsis together would exceed the width. A wide character that does
  // not fit is left out as a whole, so that the result may be one column narrower.
  std::size_t taken = 0;
  std::size_t position = 0;
  while (true) {
    const Character character = character_at(text, position);
    taken += character_width(character.code);
    if (taken > width - 1) {
      return text.substr(0, position) + "…";
    }
    position += character.bytes;
  }
}

std::string table_text(const Table& table, Titles titles) {
  TableRows rows = table.rows;
  if (titles == Titles::shown) {
    rows.insert(rows.begin(), table.columns);
  }
  // Columns are as wide as their widest cell on the screen, which differs from the number of bytes. Blanks at the end
  // of a line are removed, so that texts can be compared and copied.
  std::vector<std::size_t> widths(table.columns.size(), 0);
  for (std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] = shortened(printable(std::move(row[c])), widest_cell);
      widths[c] = std::max(widths[c], display_width(row[c]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string padding(widths[c] - display_width(row[c]), ' ');
      line += "  " + (table.has_alignment(c, 'r') ? padding + row[c] : row[c] + padding);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return text;
}

std::string csv_text(const TableRows& rows) {
  std::size_t columns = 0;
  for (const std::vector<std::string>& row : rows) {
    columns = std::max(columns, row.size());
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      text += (c == 0 ? "" : ",") + (c < row.size() ? csv_field(row[c]) : "");
    }
    text += "\r\n";
  }
  return text;
}

std::string csv_number(std::optional<double> value) {
  if (!value) {
    return {};
  }
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), *value).ptr};
}

std::string fact_line(const std::string& label, const std::string& value) {
  constexpr std::size_t kWidth = 15;
  return label + ":" + std::string(label.size() < kWidth ? kWidth - label.size() : 1, ' ') + value + "\n";
}

std::string files_text(const NamedFiles& files) {
  std::string text;
  for (auto [name, file] : files) {
    if (file) {
      name[0] = static_cast<char>(std::toupper(name[0]));
      text += name + ": " + *file + "\n";
    }
  }
  return text;
}

Table files_table(const NamedFiles& files) {
  Table table{"Files that were written", {"what", "file"}, {}, "l"};
  for (const auto& [name, file] : files) {
    if (file) {
      table.rows.push_back({name, *file});
    }
  }
  return table;
}

std::string resampled_line(const std::optional<ResamplingFacts>& facts) {
  return facts ? "Resampled: " + resampling_text(*facts) + "\n" : "";
}

std::string fixed(double value, int decimals) {
  return formatted(("%." + std::to_string(decimals) + "f").c_str(), value);
}

std::string percent(std::optional<double> fraction) { return fraction ? fixed(100 * *fraction, 1) : "-"; }

std::string percent_interval(const std::optional<Interval>& fractions) {
  return fractions ? interval_text(percent(fractions->low), percent(fractions->high), *fractions) : "";
}

std::string interval_text(const std::string& low, const std::string& high, const Interval& interval) {
  const double regions = interval.regions.value_or(kEnoughRegions);
  return "(" + low + " to " + high + ")" + (regions < kFewestRegions ? "**" : regions < kEnoughRegions ? "*" : "");
}

std::string short_number(double value) { return formatted("%.6g", value); }

std::string four_decimals(std::optional<double> value) {
  return value ? short_number(std::round(*value * 1e4) / 1e4) : "-";
}

std::string long_number(double value) { return formatted("%.10g", value); }

std::string coordinate(double value) {
  // A thousandth of a metre, and the ten millionth part of a degree, which is a hundredth of a metre. What is small may
  // be either.
  constexpr double kLargestDegree = 360;
  std::string text = fixed(value, std::abs(value) <= kLargestDegree ? 7 : 3);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) {
    text.pop_back();
  }
  return text;
}

std::string grouped(std::int64_t number) {
  std::string text = std::to_string(number);
  // From the right, a comma before every third digit, but none directly behind a minus sign.
  for (std::size_t i = text.size(); i > 3 + (number < 0 ? 1U : 0U); i -= 3) {
    text.insert(i - 3, ",");
  }
  return text;
}

std::string counted(std::int64_t number, const std::string& one) {
  const bool sibilant = one.ends_with("s");
  return grouped(number) + " " + one + (number == 1 ? "" : sibilant ? "es" : "s");
}

std::optional<double> quotient(double part, double whole) {
  return whole > 0 ? std::optional(part / whole) : std::nullopt;
}

std::string base_name(const std::string& path) {
  std::filesystem::path file(path);
  if (file.filename().empty()) {  // a folder, whose name ends in a separator
    file = file.parent_path();
  }
  const std::string name = file.filename().string();
  return name.empty() ? path : name;
}

std::string seconds_text(double seconds) { return fixed(seconds, seconds < 10 ? 2 : seconds < 100 ? 1 : 0) + " s"; }

std::string time_text(double seconds, const StageSeconds& stages, std::optional<std::int64_t> peak_bytes) {
  constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;
  std::string details;
  for (const auto& [name, duration] : stages) {
    details += (details.empty() ? " (" : ", ") + name + " " + seconds_text(duration);
  }
  // Memory is rounded up, so that the printed size is enough for a limit of memory.
  return "Time: " + seconds_text(seconds) + details + (details.empty() ? "\n" : ")\n") +
         (peak_bytes ? "Peak memory: " + std::to_string((*peak_bytes + kMegabyte - 1) / kMegabyte) + " MB\n" : "");
}

}  // namespace parsimap
