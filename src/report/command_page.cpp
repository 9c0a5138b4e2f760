#include "parsimap/report/command_page.hpp"

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

#include "parsimap/report/text_table.hpp"

#include "page_parts.hpp"

namespace parsimap {
namespace {

namespace mustache = kainjow::mustache;

mustache::list cells_of(const std::vector<std::string>& texts, std::size_t text_columns) {
  mustache::list cells;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    cells.push_back(mustache::object{{"text", texts[i]}, {"number", i >= text_columns}});
  }
  return cells;
}

mustache::data table_data(const PageTable& table) {
  mustache::list rows;
  for (const std::vector<std::string>& row : table.rows) {
    rows.push_back(mustache::object{{"cells", cells_of(row, table.text_columns)}});
  }
  return mustache::object{
      {"caption", table.caption}, {"columns", cells_of(table.columns, table.text_columns)}, {"rows", rows}};
}

// The width in which a picture is shown: pictures of few pixels are enlarged by a whole factor.
Index shown_width(const PagePicture& picture) {
  constexpr Index kLeast = 400;
  const Index longest = std::max<Index>(1, std::max(picture.width, picture.height));
  return picture.width * std::max<Index>(1, kLeast / longest);
}

mustache::data picture_data(const PagePicture& picture) {
  mustache::list legend;
  for (const LegendEntry& entry : picture.legend) {
    legend.push_back(
        mustache::object{{"name", entry.name}, {"colour", css_colour(entry.colour)}, {"text", entry.text}});
  }
  return mustache::object{{"id", picture.id},           {"title", picture.title},
                          {"caption", picture.caption}, {"source", picture.source},
                          {"legend", legend},           {"width", std::to_string(shown_width(picture))}};
}

mustache::data section_data(const PageSection& section) {
  mustache::list paragraphs;
  for (const std::string& text : section.paragraphs) {
    paragraphs.push_back(mustache::object{{"text", text}});
  }
  mustache::list pictures;
  for (const PagePicture& picture : section.pictures) {
    pictures.push_back(picture_data(picture));
  }
  mustache::list tables;
  for (const PageTable& table : section.tables) {
    tables.push_back(table_data(table));
  }
  mustache::list figures;
  for (const std::string& name : section.figures) {
    figures.push_back(mustache::object{{"name", name}});
  }
  return mustache::object{{"id", section.id},     {"heading", section.title}, {"paragraphs", paragraphs},
                          {"pictures", pictures}, {"tables", tables},         {"figures", figures}};
}

}  // namespace

std::string command_html(const CommandPage& page, const std::string& data) {
  const PageParts parts = page_parts();
  mustache::list sections;
  for (const PageSection& section : page.sections) {
    sections.push_back(section_data(section));
  }
  mustache::data content;
  content["title"] = page.title;
  content["lead"] = page.lead;
  content["origin"] = std::string("parsimap ") + PARSIMAP_VERSION + ".";
  content["sections"] = sections;
  content["results"] = json_in_html(data);
  content["licences"] = std::string(parts.licences);
  content["style"] = std::string(parts.style);
  content["script"] = std::string(parts.script);
  mustache::mustache html{std::string(parts.command)};
  return html.render(content);
}

PageTable option_table(const std::string& caption, const std::vector<std::pair<std::string, std::string>>& options) {
  PageTable table{caption, {"option", "value"}, {}, 2};
  for (const auto& [name, value] : options) {
    table.rows.push_back({name, value});
  }
  return table;
}

PageTable stage_table(double seconds, const StageSeconds& stages, std::optional<std::int64_t> peak_bytes) {
  PageTable table{"Time and memory; stages may overlap", {"stage", "used"}, {}, 1};
  for (const auto& [name, duration] : stages) {
    table.rows.push_back({name, seconds_text(duration)});
  }
  table.rows.push_back({"all", seconds_text(seconds)});
  if (peak_bytes) {
    table.rows.push_back({"peak memory", short_number(static_cast<double>(*peak_bytes >> 20U)) + " MB"});
  }
  return table;
}

std::string css_colour(const Colour& colour) {
  std::array<char, 8> text{};
  std::snprintf(text.data(), text.size(), "#%02x%02x%02x", colour[0], colour[1], colour[2]);
  return text.data();
}

std::string json_in_html(const std::string& json) {
  std::string text;
  text.reserve(json.size());
  for (const char character : json) {
    if (character == '<') {
      text += "\\u003c";
    } else {
      text += character;
    }
  }
  return text;
}

}  // namespace parsimap
