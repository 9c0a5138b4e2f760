#include "parsimap/report/command_page.hpp"

#include <kainjow/mustache.hpp>

#include <algorithm>
#include <array>
#include <cstdio>

#include "page_parts.hpp"

namespace parsimap {
namespace {

namespace mustache = kainjow::mustache;

// A list with an object for each item.
template <typename Items, typename Make>
mustache::list list_of(const Items& items, const Make& make) {
  mustache::list list;
  for (const auto& item : items) {
    list.push_back(make(item));
  }
  return list;
}

mustache::list texts_of(const std::vector<std::string>& sentences) {
  return list_of(sentences, [](const std::string& text) { return mustache::object{{"text", text}}; });
}

mustache::list cells_of(const Table& table, const std::vector<std::string>& texts) {
  mustache::list cells;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    cells.push_back(mustache::object{
        {"text", texts[i]}, {"number", table.has_alignment(i, 'r')}, {"interval", table.has_alignment(i, 'i')}});
  }
  return cells;
}

mustache::data table_data(const Table& table) {
  return mustache::object{{"caption", table.caption},
                          {"columns", cells_of(table, table.columns)},
                          {"rows", list_of(table.rows, [&](const std::vector<std::string>& row) {
                             return mustache::object{{"cells", cells_of(table, row)}};
                           })}};
}

// The width in which a picture is shown: pictures of few pixels are enlarged by a whole factor.
Index shown_width(const Figure& picture) {
  // A whole factor keeps every pixel a square of equal size. The browser does not interpolate them (image-rendering in
  // page.css).
  constexpr Index kLeast = 640;
  const Index longest = std::max<Index>(1, std::max(picture.width, picture.height));
  return picture.width * std::max<Index>(1, kLeast / longest);
}

mustache::data picture_data(const Figure& picture) {
  const mustache::list legend = list_of(picture.legend, [](const LegendEntry& entry) {
    return mustache::object{{"name", entry.name}, {"colour", css_colour(entry.colour)}, {"text", entry.text}};
  });
  const mustache::list images = list_of(picture.images, [](const PageImage& image) {
    return mustache::object{{"name", image.name}, {"source", image.source}};
  });
  return mustache::object{{"id", picture.id},
                          {"title", picture.title},
                          {"caption", picture.caption},
                          {"images", images},
                          {"two", picture.images.size() == 2},
                          {"beside", picture.beside},
                          {"legend", legend},
                          {"width", std::to_string(shown_width(picture))}};
}

mustache::data section_data(const Section& section) {
  // Empty tables are left out, so that callers need not ask whether there is anything to show.
  std::vector<Table> tables = section.tables;
  std::erase_if(tables, [](const Table& table) { return table.rows.empty(); });
  const auto named = [](const std::string& name) { return mustache::object{{"name", name}}; };
  return mustache::object{{"id", section.id},
                          {"heading", section.title},
                          {"folded", section.folded},
                          {"paragraphs", texts_of(section.paragraphs)},
                          {"pictures", list_of(section.pictures, picture_data)},
                          {"tables", list_of(tables, table_data)},
                          {"figures", list_of(section.figures, named)},
                          {"listed", !section.listing.empty()},
                          {"listing", section.listing}};
}

Table files_in_table(const std::string& caption, const PageFacts& facts, bool main) {
  // Inputs have a role, such as "scene"; the further files of an input have none. The condition selects one of both
  // kinds.
  Table table{caption, {"what", "file", "SHA-256", "bytes"}, {}, "lllr"};
  for (const PageInput& input : facts.inputs) {
    if (input.role.empty() != main) {
      table.rows.push_back({input.role, input.path, input.sum, input.bytes});
    }
  }
  return table;
}

Table grid_table(const PageFacts& facts) {
  Table table{"Raster", {"", ""}, {}, "l"};
  if (facts.width > 0) {
    table.rows = {{"size", std::to_string(facts.width) + " x " + std::to_string(facts.height) + " pixels"},
                  {"reference system", facts.crs},
                  {"pixel", facts.pixel_size.empty() ? "size unknown" : facts.pixel_size}};
  }
  return table;
}

}  // namespace

std::string command_html(const CommandPage& page, const std::string& data) {
  const PageParts parts = page_parts();
  mustache::data content;
  content["title"] = page.title;
  content["judged"] = !page.verdict.empty();
  content["verdict"] = texts_of(page.verdict);
  content["lead"] = page.lead;
  content["origin"] = std::string("parsimap ") + PARSIMAP_VERSION + (page.date.empty() ? "" : ", " + page.date);
  content["sections"] = list_of(page.sections, section_data);
  content["results"] = json_in_html(data);
  content["licences"] = std::string(parts.licences);
  content["style"] = std::string(parts.style);
  content["script"] = std::string(parts.script);
  mustache::mustache html{std::string(parts.page)};
  return html.render(content);
}

Figure figure_of(const RasterPictures& pictures, const std::string& id, const std::string& title,
                 const std::string& caption) {
  const std::string scene = pictures.scene_bands.empty() ? ""
                                                         : " The scene: " + pictures.scene_bands +
                                                               ", each stretched between its 2nd and 98th percentile.";
  return {id,
          title,
          pictures.shown + caption + scene,
          pictures.images,
          pictures.width,
          pictures.height,
          pictures.legend,
          pictures.sheet};
}

void add_origin(CommandPage& page, const PageFacts& facts, const PageOrigin& origin) {
  Section inputs{.id = "inputs",
                 .title = "Where it comes from",
                 .tables = {grid_table(facts),
                            files_in_table("Files that were read, with the checksums of their bytes", facts, true)}};
  if (origin.resampled) {
    inputs.paragraphs = {resampling_text(*origin.resampled) + "."};
  }
  inputs.tables.insert(inputs.tables.end(), origin.tables.begin(), origin.tables.end());
  Table options{"Options as resolved", {"option", "value"}, {}, "l"};
  for (const auto& [name, value] : origin.options) {
    options.rows.push_back({name, value});
  }
  Section run{
      .id = "run",
      .title = origin.options_title,
      .tables = {std::move(options),
                 files_in_table("Further files of these, such as headers and the sources of a mosaic", facts, false),
                 origin.stages.value_or(Table{})},
      .folded = true};
  for (Section* section : {&inputs, &run}) {
    if (!section->paragraphs.empty() || std::any_of(section->tables.begin(), section->tables.end(),
                                                    [](const Table& table) { return !table.rows.empty(); })) {
      page.sections.push_back(std::move(*section));
    }
  }
  page.date = facts.date;
}

Table stage_table(double seconds, const StageSeconds& stages, std::optional<std::int64_t> peak_bytes) {
  Table table{"Time and memory; stages may overlap", {"stage", "used"}, {}};
  for (const auto& [name, duration] : stages) {
    table.rows.push_back({name, seconds_text(duration)});
  }
  table.rows.push_back({"all", seconds_text(seconds)});
  if (peak_bytes) {
    table.rows.push_back({"peak memory", short_number(static_cast<double>(*peak_bytes >> 20U)) + " MB"});
  }
  return table;
}

std::string hectares(std::int64_t pixels, const std::optional<double>& pixel_area) {
  constexpr double kSquareMetres = 1e4;
  if (!pixel_area) {
    return "-";
  }
  // Below 10 ha three decimals are written: 0.001 ha is 10 square metres.
  const double area = static_cast<double>(pixels) * *pixel_area / kSquareMetres;
  return fixed(area, area < 10 ? 3 : 1);
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
