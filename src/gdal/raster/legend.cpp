#include "legend.hpp"

#include <cpl_conv.h>
#include <cpl_minixml.h>
#include <cpl_string.h>
#include <ogrsf_frmts.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include "parsimap/core/error.hpp"

#include "dataset.hpp"

namespace parsimap {

static std::uint8_t channel(int value) { return static_cast<std::uint8_t>(std::clamp(value, 0, 255)); }

// The column of a usage. Many programs leave the usage open (generic): the column is then found by its name, in the
// order of `spellings`, in lower case and without blanks, points, hyphens and underscores; texts are no codes or
// colours.
static int column_of(const GDALRasterAttributeTable& table, GDALRATFieldUsage usage,
                     std::initializer_list<const char*> spellings) {
  const int found = table.GetColOfUsage(usage);
  if (found >= 0) {
    return found;
  }
  for (const std::string spelling : spellings) {
    for (int column = 0; column < table.GetColumnCount(); ++column) {
      std::string name = lower_case(table.GetNameOfCol(column));
      std::erase_if(name, [](char letter) { return std::string_view(" .-_").find(letter) != std::string_view::npos; });
      if (name == spelling && (table.GetTypeOfCol(column) == GFT_String) == (usage == GFU_Name)) {
        return column;
      }
    }
  }
  return -1;
}

// The column of the names: where none is called so, the only one of texts.
static int name_column(const GDALRasterAttributeTable& table) {
  const int named = column_of(table, GFU_Name,
                              {"classname", "classnames", "class", "name", "names", "label", "labels", "category",
                               "landcover", "landuse", "lulc", "legend", "title", "type", "description"});
  const Indices texts =
      indices_where(table.GetColumnCount(), [&](int column) { return table.GetTypeOfCol(column) == GFT_String; });
  return named < 0 && texts.size() == 1 ? static_cast<int>(texts.front()) : named;
}

static void read_attribute_table(const GDALRasterAttributeTable& table, ClassNameReader& names, Legend& legend) {
  // The column of the codes is one of single values, or else one of the lower ends of ranges.
  int value = table.GetColOfUsage(GFU_MinMax);
  const int end = value < 0 && table.GetColOfUsage(GFU_Min) >= 0 ? table.GetColOfUsage(GFU_Max) : -1;
  value = value < 0 ? column_of(table, GFU_Min,
                                {"value", "values", "code", "classcode", "classid", "classvalue", "gridcode",
                                 "pixelvalue", "dn", "class", "id"})
                    : value;
  const int name = name_column(table);
  const int red = column_of(table, GFU_Red, {"red", "r"});
  const int green = column_of(table, GFU_Green, {"green", "g"});
  const int blue = column_of(table, GFU_Blue, {"blue", "b"});
  for (int row = 0; value >= 0 && row < table.GetRowCount(); ++row) {
    // A value below 0, such as that of missing data, is no code; a range may begin there.
    const double lower = table.GetValueAsDouble(row, value);
    const double first = std::clamp(std::ceil(lower), 0.0, kLargestCode + 1.0);
    const double last = end < 0 ? lower : table.GetValueAsDouble(row, end);
    const std::string whole = name < 0 ? "" : names.read(trimmed(table.GetValueAsString(row, name)));
    for (int code = static_cast<int>(first); code <= std::min<double>(last, kLargestCode); ++code) {
      if (!whole.empty()) {
        const auto [entry, added] = legend.names.emplace(code, whole);
        // Headers of ENVI cannot contain some characters: a category that is the name as they hold it is replaced.
        if (!added && entry->second == envi_text(whole)) {
          entry->second = whole;
        }
      }
      if (red >= 0 && green >= 0 && blue >= 0) {
        const auto part = [&](int column) { return channel(table.GetValueAsInt(row, column)); };
        legend.colours.emplace(code, Colour{part(red), part(green), part(blue)});
      }
    }
  }
}

// The table that programs of ESRI write beside a raster, RASTER.vat.dbf, which drivers of GDAL do not read.
static void read_table_beside(GDALRasterBand& band, ClassNameReader& names, Legend& legend) {
  const std::string path = std::string(band.GetDataset()->GetDescription()) + ".vat.dbf";
  const ErrorCollector ignored;
  const DatasetPtr file(exists(path) ? GDALDataset::Open(path.c_str(), GDAL_OF_VECTOR | GDAL_OF_READONLY, nullptr)
                                     : nullptr);
  OGRLayer* layer = file == nullptr || file->GetLayerCount() == 0 ? nullptr : file->GetLayer(0);
  if (layer == nullptr) {
    return;
  }
  GDALDefaultRasterAttributeTable table;
  OGRFeatureDefn& fields = *layer->GetLayerDefn();
  for (int column = 0; column < fields.GetFieldCount(); ++column) {
    OGRFieldDefn& field = *fields.GetFieldDefn(column);
    table.CreateColumn(field.GetNameRef(), field.GetType() == OFTString ? GFT_String : GFT_Real, GFU_Generic);
  }
  for (int row = 0; const OGRFeatureUniquePtr feature{layer->GetNextFeature()}; ++row) {
    for (int column = 0; column < table.GetColumnCount(); ++column) {
      table.SetValue(row, column, feature->GetFieldAsString(column));
    }
  }
  read_attribute_table(table, names, legend);
}

// flag_values "{1,2,4}" or "1" and flag_meanings "bare_soil water". Values with masks are no codes.
static void read_flags(GDALRasterBand& band, ClassNameReader& names, Legend& legend) {
  const char* values = band.GetMetadataItem("flag_values");
  const char* meanings = band.GetMetadataItem("flag_meanings");
  if (values == nullptr || meanings == nullptr || band.GetMetadataItem("flag_masks") != nullptr) {
    return;
  }
  const CPLStringList codes(CSLTokenizeString2(values, "{}, ", 0));
  const CPLStringList words(CSLTokenizeString2(meanings, " \t\n", 0));
  for (int i = 0; codes.size() == words.size() && i < codes.size(); ++i) {
    if (const auto code = parse_number<int>(codes[i]); code && *code >= 0 && *code <= kLargestCode) {
      legend.names.emplace(*code, names.read(words[i]));
    }
  }
}

static CPLXMLNode* add_element(CPLXMLNode* parent, const char* name,
                               const std::vector<std::pair<const char*, std::string>>& attributes) {
  CPLXMLNode* element = CPLCreateXMLNode(parent, CXT_Element, name);
  for (const auto& [key, value] : attributes) {
    CPLAddXMLAttributeAndValue(element, key, value.c_str());
  }
  return element;
}

// Appends to a list of children by its end, which GDAL itself looks for from the first with every child.
static void append(CPLXMLNode**& end, CPLXMLNode* child) { end = &(*end = child)->psNext; }

Legend read_legend(GDALRasterBand& band, ClassNameReader& names) {
  // Names and colours come from three places, and the first to give one for a code is kept: the categories of the band
  // and its palette, then the attribute table.
  Legend legend;
  char** categories = band.GetCategoryNames();
  for (int code = 0; code < CSLCount(categories); ++code) {
    // Headers pad their lists of names with blanks.
    if (const std::string name = names.read(trimmed(categories[code])); !name.empty()) {
      legend.names.emplace(code, name);
    }
  }
  if (const GDALColorTable* colours = band.GetColorTable()) {
    for (int code = 1; code < colours->GetColorEntryCount(); ++code) {
      const GDALColorEntry* entry = colours->GetColorEntry(code);
      legend.colours.emplace(code, Colour{channel(entry->c1), channel(entry->c2), channel(entry->c3)});
    }
  }
  if (const GDALRasterAttributeTable* table = band.GetDefaultRAT()) {
    read_attribute_table(*table, names, legend);
  } else if (band.GetDataset() != nullptr) {
    read_table_beside(band, names, legend);
  }
  if (legend.names.empty()) {
    read_flags(band, names, legend);
  }
  return legend;
}

void write_flags(const std::string& file, const std::string& name, const GDALRasterAttributeTable& table) {
  const ErrorCollector errors;
  std::vector<double> codes;
  std::string words;
  for (int row = 0; row < table.GetRowCount(); ++row) {
    codes.push_back(table.GetValueAsDouble(row, table.GetColOfUsage(GFU_MinMax)));
    std::string word(trimmed(table.GetValueAsString(row, table.GetColOfUsage(GFU_Name))));
    // Bytes of letters beyond ASCII stay.
    std::ranges::replace_if(
        word,
        [](char c) { return static_cast<signed char>(c) >= 0 && std::isalnum(c) == 0 && !std::strchr("_-.+@", c); },
        '_');
    words += (row > 0 ? " " : "") + word;
  }
  const DatasetPtr dataset(GDALDataset::Open(file.c_str(), GDAL_OF_MULTIDIM_RASTER | GDAL_OF_UPDATE));
  const auto variable = dataset != nullptr ? dataset->GetRootGroup()->OpenMDArray("Band1") : nullptr;
  const auto write = [&](const GDALExtendedDataType& type) {
    const auto values = variable->CreateAttribute("flag_values", {codes.size()}, type);
    return values != nullptr && values->Write(codes.data(), codes.size());
  };
  // Classic files have no attributes of unsigned bytes.
  const bool written =
      variable != nullptr && (write(variable->GetDataType()) || write(GDALExtendedDataType::Create(GDT_Int16)));
  const auto meanings =
      written ? variable->CreateAttribute("flag_meanings", {}, GDALExtendedDataType::CreateString()) : nullptr;
  if (meanings == nullptr || !meanings->Write(words.c_str())) {
    throw IoError(name + ": its flags cannot be written: " + errors.text());
  }
}

// Lists in a header of ENVI are enclosed in braces and separated by commas, and a line ends an entry.
std::string envi_text(std::string text) {
  static constexpr std::pair<char, char> kSubstitutes[] = {
      {',', ';'}, {'{', '('}, {'}', ')'}, {'\n', ' '}, {'\r', ' '}};
  for (const auto& [ending, substitute] : kSubstitutes) {
    std::ranges::replace(text, ending, substitute);
  }
  return text;
}

GDALDataType class_code_type(const ClassTable& classes) {
  constexpr int kLargestByte = 255;
  return !classes.empty() && classes.back().code > kLargestByte ? GDT_UInt16 : GDT_Byte;
}

void write_legend(GDALRasterBand& band, const ClassTable& classes, const std::vector<Colour>& colours, bool envi,
                  bool with_palette) {
  // Palettes and lists of categories are indexed by code, from 0 to the largest one.
  const auto entries = classes.empty() ? std::size_t{1} : static_cast<std::size_t>(classes.back().code) + 1;
  std::vector<std::string> names(entries);
  GDALColorTable palette;
  // Every code below the largest needs an entry, which may not be empty in ENVI.
  for (std::size_t code = 0; code < entries; ++code) {
    names[code] = code == 0 ? "Unclassified" : "unused " + std::to_string(code);
    // Unclassified pixels are transparent, unused codes black.
    const GDALColorEntry black{0, 0, 0, static_cast<short>(code == 0 ? 0 : 255)};
    palette.SetColorEntry(static_cast<int>(code), &black);
  }
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& [red, green, blue] = colours[i];
    const GDALColorEntry entry{red, green, blue, 255};
    names[static_cast<std::size_t>(classes[i].code)] = envi ? envi_text(classes[i].name) : classes[i].name;
    palette.SetColorEntry(classes[i].code, &entry);
  }
  band.SetNoDataValue(0);
  band.SetColorTable(with_palette ? &palette : nullptr);
  band.SetCategoryNames(string_list(names).List());
}

std::unique_ptr<GDALRasterAttributeTable> attribute_table(const ClassTable& classes, const std::vector<Colour>& colours,
                                                          const std::vector<std::int64_t>& counts) {
  // The integers of GDAL's tables have 32 bits.
  const bool large =
      std::ranges::any_of(counts, [](std::int64_t count) { return count > std::numeric_limits<int>::max(); });
  auto table = std::make_unique<GDALDefaultRasterAttributeTable>();
  table->CreateColumn("Value", GFT_Integer, GFU_MinMax);
  table->CreateColumn("Count", large ? GFT_Real : GFT_Integer, GFU_PixelCount);
  table->CreateColumn("Class", GFT_String, GFU_Name);
  table->CreateColumn("Red", GFT_Integer, GFU_Red);
  table->CreateColumn("Green", GFT_Integer, GFU_Green);
  table->CreateColumn("Blue", GFT_Integer, GFU_Blue);
  table->SetTableType(GRTT_THEMATIC);
  table->SetRowCount(static_cast<int>(classes.size()));
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto row = static_cast<int>(i);
    table->SetValue(row, 0, classes[i].code);
    table->SetValue(row, 1, static_cast<double>(counts[static_cast<std::size_t>(classes[i].code)]));
    table->SetValue(row, 2, classes[i].name.c_str());
    for (std::size_t channel = 0; channel < colours[i].size(); ++channel) {
      table->SetValue(row, 3 + static_cast<int>(channel), colours[i][channel]);
    }
  }
  return table;
}

static std::string text_of(const CPLXMLTreeCloser& tree) {
  const std::unique_ptr<char, void (*)(void*)> text(CPLSerializeXMLTree(tree.get()), VSIFree);
  return text.get();
}

std::string sidecar_text(GDALRasterBand& band, const GDALRasterAttributeTable& table,
                         const std::vector<std::pair<std::string, std::string>>& metadata) {
  CPLXMLNode* root = CPLCreateXMLNode(nullptr, CXT_Element, "PAMDataset");
  CPLXMLNode* items = CPLCreateXMLNode(root, CXT_Element, "Metadata");
  for (const auto& [name, value] : metadata) {
    CPLCreateXMLNode(add_element(items, "MDI", {{"key", name}}), CXT_Text, value.c_str());
  }
  CPLXMLNode* described = add_element(root, "PAMRasterBand", {{"band", "1"}});
  CPLXMLNode** names = &CPLCreateXMLNode(described, CXT_Element, "CategoryNames")->psChild;
  for (char** name = band.GetCategoryNames(); name != nullptr && *name != nullptr; ++name) {
    append(names, CPLCreateXMLElementAndValue(nullptr, "Category", *name));
  }
  CPLXMLNode** palette = &CPLCreateXMLNode(described, CXT_Element, "ColorTable")->psChild;
  const GDALColorTable* colours = band.GetColorTable();
  for (int code = 0; colours != nullptr && code < colours->GetColorEntryCount(); ++code) {
    const GDALColorEntry& entry = *colours->GetColorEntry(code);
    append(palette, add_element(nullptr, "Entry",
                                {{"c1", std::to_string(entry.c1)},
                                 {"c2", std::to_string(entry.c2)},
                                 {"c3", std::to_string(entry.c3)},
                                 {"c4", std::to_string(entry.c4)}}));
  }
  CPLAddXMLChild(described, table.Serialize());
  return text_of(CPLXMLTreeCloser(root));
}

// A style file of QGIS (.qml) with the colour and the name of each class. QGIS loads it with the raster of the same
// name.
std::string style_text(const ClassTable& classes, const std::vector<Colour>& colours) {
  CPLXMLNode* style = add_element(nullptr, "qgis", {{"version", "3.22.0"}, {"styleCategories", "Symbology"}});
  CPLXMLNode* renderer =
      add_element(CPLCreateXMLNode(style, CXT_Element, "pipe"), "rasterrenderer",
                  {{"type", "paletted"}, {"band", "1"}, {"opacity", "1"}, {"alphaBand", "-1"}, {"nodataColor", ""}});
  CPLXMLNode** palette = &CPLCreateXMLNode(renderer, CXT_Element, "colorPalette")->psChild;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const auto& [red, green, blue] = colours[i];
    append(palette, add_element(nullptr, "paletteEntry",
                                {{"value", std::to_string(classes[i].code)},
                                 {"color", CPLSPrintf("#%02x%02x%02x", red, green, blue)},
                                 {"alpha", "255"},
                                 {"label", classes[i].name}}));
  }
  return "<!DOCTYPE qgis PUBLIC 'http://mrcc.com/qgis.dtd' 'SYSTEM'>\n" + text_of(CPLXMLTreeCloser(style));
}

}  // namespace parsimap
