// Names and colours of the classes in a raster band: what is read from label rasters and written to maps.
#pragma once

#include <gdal_priv.h>
#include <gdal_rat.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "parsimap/core/text.hpp"
#include "parsimap/samples/class_table.hpp"

namespace parsimap {

// As far as a file gives them, by code.
struct Legend {
  std::map<int, std::string> names;
  std::map<int, Colour> colours;
};

// From the band's categories and colour table, which GDAL's ENVI driver makes of `class names` and `class lookup`, and
// from its attribute table, which has a name whole where ENVI's header cannot hold its characters; without these from
// the flags of a netCDF variable, which the CF conventions describe. `names` reads the names.
Legend read_legend(GDALRasterBand& band, ClassNameReader& names);

// A name as it can stand in an ENVI header, where a comma, a brace or a new line would end it.
std::string envi_text(std::string text);

// The type that holds the codes of the classes: GDT_Byte, or GDT_UInt16 for codes above 255.
GDALDataType class_code_type(const ClassTable& classes);

// Sets nodata 0, a palette and category names. Codes between those of the classes are black and called "unused N", 0 is
// transparent and called "Unclassified". `colours` has one for each class; `with_palette`: not in a PNG of 16 bits.
void write_legend(GDALRasterBand& band, const ClassTable& classes, const std::vector<Colour>& colours, bool envi,
                  bool with_palette = true);

// One row for each class: Value, Count, Class, Red, Green, Blue. `counts` are of the codes, from 0 to the largest.
std::unique_ptr<GDALRasterAttributeTable> attribute_table(const ClassTable& classes, const std::vector<Colour>& colours,
                                                          const std::vector<std::int64_t>& counts);

// Writes the names of such a table as flags into a netCDF file of one band: words as CF has them, of letters, digits
// and _-.+@, where others become _. The numbers are of the type of the codes if the format has attributes of it.
// IoError, about the file by this name.
void write_flags(const std::string& file, const std::string& name, const GDALRasterAttributeTable& table);

// What GDAL keeps beside a raster (.aux.xml): names and palette of the band, the table, and items of metadata.
std::string sidecar_text(GDALRasterBand& band, const GDALRasterAttributeTable& table,
                         const std::vector<std::pair<std::string, std::string>>& metadata);

// A layer style of QGIS (.qml) that draws the classes, and nothing else, in their colours.
std::string style_text(const ClassTable& classes, const std::vector<Colour>& colours);

}  // namespace parsimap
