// What a command did as one page of HTML that opens from disk: pictures, tables, figures with their numbers in tables,
// and the charting library are inside, and it loads nothing else.
#pragma once

#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/report/run_record.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

struct PageTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // as many cells as columns
  std::size_t text_columns = 1;                // the leading ones, aligned left; the others are numbers
};

struct LegendEntry {
  std::string name;
  Colour colour{};
  std::string text;  // beside the name
};

struct PagePicture {
  std::string id;
  std::string title;
  std::string caption;
  std::string source;  // a data URI
  Index width = 0;     // pixels of the picture
  Index height = 0;
  std::vector<LegendEntry> legend;
};

struct PageSection {
  std::string id;
  std::string title;
  std::vector<std::string> paragraphs;
  std::vector<PagePicture> pictures;
  std::vector<PageTable> tables;
  std::vector<std::string> figures;  // by their names in html/command.js; those without data are left out
};

struct CommandPage {
  std::string title;
  std::string lead;
  std::vector<PageSection> sections;
};

// `data` is the JSON text that the figures are drawn from (io/json/page_data.hpp).
std::string command_html(const CommandPage& page, const std::string& data);

// A table of names and values, such as resolved options.
PageTable option_table(const std::string& caption, const std::vector<std::pair<std::string, std::string>>& options);
// Stages of a run, its time and its peak memory.
PageTable stage_table(double seconds, const StageSeconds& stages, std::optional<std::int64_t> peak_bytes);

// "#rrggbb".
std::string css_colour(const Colour& colour);

// JSON as the text of a script element. Every "<" is escaped, which in JSON stands inside of strings alone: so no text
// of the user's can end the element.
std::string json_in_html(const std::string& json);

}  // namespace parsimap
