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
  // The first columns of a table are texts and are aligned to the left; all further ones are numbers.
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
  // A whole factor keeps every pixel a square of equal size. The browser does not interpolate them (image-rendering in
  // page.css).
  constexpr Index kLeast = 640;
  const Index longest = std::max<Index>(1, std::max(picture.width, picture.height));
  return picture.width * std::max<Index>(1, kLeast / longest);
}

mustache::data picture_data(const PagePicture& picture) {
  mustache::list legend;
  for (const LegendEntry& entry : picture.legend) {
    legend.push_back(
        mustache::object{{"name", entry.name}, {"colour", css_colour(entry.colour)}, {"text", entry.text}});
  }
  mustache::list images;
  for (const PageImage& image : picture.images) {
    images.push_back(mustache::object{{"name", image.name}, {"source", image.source}});
  }
  return mustache::object{{"id", picture.id},
                          {"title", picture.title},
                          {"caption", picture.caption},
                          {"images", images},
                          {"two", picture.images.size() == 2},
                          {"beside", picture.beside},
                          {"legend", legend},
                          {"width", std::to_string(shown_width(picture))}};
}

mustache::list texts_of(const std::vector<std::string>& sentences) {
  mustache::list texts;
  for (const std::string& text : sentences) {
    texts.push_back(mustache::object{{"text", text}});
  }
  return texts;
}

mustache::data section_data(const PageSection& section) {
  mustache::list pictures;
  for (const PagePicture& picture : section.pictures) {
    pictures.push_back(picture_data(picture));
  }
  mustache::list tables;
  for (const PageTable& table : section.tables) {
    // Empty tables are left out, so that callers need not ask whether there is anything to show.
    if (!table.rows.empty()) {
      tables.push_back(table_data(table));
    }
  }
  mustache::list figures;
  for (const std::string& name : section.figures) {
    figures.push_back(mustache::object{{"name", name}});
  }
  return mustache::object{{"id", section.id},         {"heading", section.title},
                          {"folded", section.folded}, {"paragraphs", texts_of(section.paragraphs)},
                          {"pictures", pictures},     {"tables", tables},
                          {"figures", figures}};
}

PageTable files_in_table(const std::string& caption, const PageFacts& facts, bool main) {
  // Inputs have a role, such as "scene"; the further files of an input have none. The condition selects one of both
  // kinds.
  PageTable table{caption, {"what", "file", "SHA-256", "bytes"}, {}, 3};
  for (const PageInput& input : facts.inputs) {
    if (input.role.empty() != main) {
      table.rows.push_back({input.role, input.path, input.sum, input.bytes});
    }
  }
  return table;
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
  content["judged"] = !page.verdict.empty();
  content["verdict"] = texts_of(page.verdict);
  content["lead"] = page.lead;
  content["origin"] = std::string("parsimap ") + PARSIMAP_VERSION + (page.date.empty() ? "" : ", " + page.date);
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

PageTable grid_table(const PageFacts& facts) {
  PageTable table{"Raster", {"", ""}, {}, 2};
  if (facts.width == 0) {
    return table;
  }
  table.rows = {{"size", std::to_string(facts.width) + " x " + std::to_string(facts.height) + " pixels"},
                {"reference system", facts.crs},
                {"pixel", facts.pixel_size.empty() ? "size unknown" : facts.pixel_size}};
  return table;
}

PageTable input_table(const PageFacts& facts) {
  return files_in_table("Files that were read, with the checksums of their bytes", facts, true);
}

PageTable side_file_table(const PageFacts& facts) {
  return files_in_table("Further files of these, such as headers and the sources of a mosaic", facts, false);
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

std::vector<std::string> resampling_sentences(const std::optional<ResamplingFacts>& facts) {
  return facts ? std::vector<std::string>{resampling_text(*facts) + "."} : std::vector<std::string>{};
}

std::string hectares(std::int64_t pixels, const std::optional<double>& pixel_area) {
  constexpr double kSquareMetres = 1e4;
  if (!pixel_area) {
    return "-";
  }
  // Below 10 ha three decimals are written: 0.001 ha is 10 square metres.
  const double area = static_cast<double>(pixels) * *pixel_area / kSquareMetres;
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), area < 10 ? "%.3f" : "%.1f", area);
  return text.data();
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
    // Inside of a script element only "</script" and "<!--" have a meaning to HTML. Both begin with "<", which JSON
    // contains in texts only, where its escape sequence means the same.
    if (character == '<') {
      text += "\\u003c";
    } else {
      text += character;
    }
  }
  return text;
}

}  // namespace parsimap
