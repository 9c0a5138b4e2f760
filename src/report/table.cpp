#include "parsimap/report/table.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>

#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"

namespace parsimap {

constexpr std::size_t widest_cell = 48;

// A byte that is not UTF-8 counts as a character of one column, so that a damaged text is still printed.
static Character character_at(const std::string& text, std::size_t position) {
  const Character character = first_character(std::string_view(text).substr(position));
  return {std::max<std::size_t>(character.bytes, 1), character.columns};
}

// A name from a file must not break the lines of a report, nor steer the terminal.
static std::string printable(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return c < 0x20U || c == 0x7FU; }, ' ');
  return text;
}

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t position = 0; position < text.size();) {
    const Character character = character_at(text, position);
    width += character.columns;
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
    taken += character.columns;
    if (taken > width - 1) {
      return text.substr(0, position) + "…";
    }
    position += character.bytes;
  }
}

Table without_dashes(Table table) {
  std::string alignment;
  std::vector<bool> shown;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    shown.push_back(table.rows.empty() || std::ranges::any_of(table.rows, [c](const auto& row) {
                      return row.at(c) != "-" && row.at(c) != "–";
                    }));
    alignment += shown.back() ? std::string(1, table.alignment[std::min(c, table.alignment.size() - 1)]) : "";
  }
  const auto leave_out = [&](std::vector<std::string>& cells) {
    std::size_t c = 0;
    std::erase_if(cells, [&](const std::string&) { return !shown[c++]; });
  };
  leave_out(table.columns);
  std::ranges::for_each(table.rows, leave_out);
  table.alignment = alignment.empty() ? table.alignment : alignment;
  return table;
}

std::string table_text(const Table& whole, Titles titles) {
  const Table table = without_dashes(whole);
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
  const auto columns = largest<std::size_t>(rows, [](const auto& row) { return row.size(); });
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    for (std::size_t c = 0; c < columns; ++c) {
      text += (c == 0 ? "" : ",") + (c < row.size() ? csv_field(row[c]) : "");
    }
    text += "\r\n";
  }
  return text;
}

std::string csv_number(std::optional<double> value) { return value ? number_text(*value) : std::string(); }

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
  std::array<char, 400> text{};  // DBL_MAX has 309 digits
  return {text.data(),
          std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr};
}

std::string percent(std::optional<double> fraction) {
  return fraction && !std::isnan(*fraction) ? fixed(100 * *fraction, 1) : "-";
}

std::string percent_interval(const std::optional<Interval>& fractions) {
  return fractions ? interval_text(percent(fractions->low), percent(fractions->high), *fractions) : "";
}

std::string interval_text(const std::string& low, const std::string& high, const Interval& interval) {
  const double regions = interval.regions.value_or(kEnoughRegions);
  return "(" + low + " to " + high + ")" + (regions < kFewestRegions ? "**" : regions < kEnoughRegions ? "*" : "");
}

std::string short_number(double value) { return number_text(value, 6); }

std::string part_text(double share, double whole) {
  return fixed(share * whole, static_cast<int>(std::clamp(4 - std::floor(std::log10(whole)), 0.0, 12.0)));
}

std::string four_decimals(std::optional<double> value) {
  return value ? short_number(std::round(*value * 1e4) / 1e4) : "-";
}

std::string long_number(double value) { return number_text(value, 10); }

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

std::string time_text(const RunCost& cost) {
  constexpr std::int64_t kMegabyte = std::int64_t{1} << 20U;
  const std::string details =
      separated(cost.stages, ", ", [](const auto& stage) { return stage.first + " " + seconds_text(stage.second); });
  // Memory is rounded up, so that the printed size is enough for a limit of memory.
  const std::optional<std::int64_t>& peak = cost.peak_memory_bytes;
  return "Time: " + seconds_text(cost.seconds) + (details.empty() ? "\n" : " (" + details + ")\n") +
         (peak ? "Peak memory: " + std::to_string((*peak + kMegabyte - 1) / kMegabyte) + " MB\n" : "");
}

}  // namespace parsimap
