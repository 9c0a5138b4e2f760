#include "envi_roi_text.hpp"

#include <ogr_spatialref.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <regex>
#include <string_view>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"
#include "parsimap/gdal/raster/georeference.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "rasterise.hpp"

namespace parsimap {
namespace {

// Coordinates are written with few digits: so far off, in pixels, they still mean a corner of pixels.
constexpr double kCornerNoise = 0.1;

struct RoiPoint {
  double x = 0;
  double y = 0;
  Index line = 0;  // in the file, from 1
};

struct Roi {
  std::string name;
  std::optional<Colour> colour;
  Index expected = 0;  // pixels
  std::vector<RoiPoint> points;
};

// What the two columns are that say where a pixel is.
enum class Kind { pixels, map, degrees };

struct Columns {
  Kind kind = Kind::pixels;
  std::size_t x = 0;  // number of the column, from 0
  std::size_t y = 0;
};

// Words are separated by blanks, tabs or single commas: versions of ENVI differ.
constexpr std::string_view kSeparators = " \t,";

// "ID X Y Map X Map Y Lat Lon B1", where a name may be of two words.
std::vector<std::string> column_names(std::string_view line) {
  return parts_of(std::regex_replace(std::string(line), std::regex("Map[ \t,]+"), "Map_"), kSeparators);
}

// Reads the text that classic ENVI writes: comments (beginning with a semicolon) with the size of the image, and the
// name, colour and number of pixels of each region, then a comment with the names of the columns, then one line for
// each pixel, region after region.
class TextReader {
 public:
  TextReader(const std::string& path, std::string_view text, const RasterGrid& grid, const std::string& grid_name)
      : path_(path), grid_(grid), grid_name_(grid_name) {
    for (Index number = 1; !text.empty(); ++number) {
      line_ = number;
      read_line(trimmed(take_line(text)));
    }
    check();
  }

  [[nodiscard]] const std::vector<Roi>& rois() const { return rois_; }
  [[nodiscard]] Kind kind() const { return columns_->kind; }
  [[nodiscard]] std::vector<std::string> notes() const { return names_.notes(path_); }

 private:
  void read_line(std::string_view line) {
    if (line.starts_with(";")) {
      read_comment(trimmed(line.substr(1)));
    } else if (!line.empty()) {
      read_point(line);
    }
  }

  void read_comment(std::string_view text) {
    const std::size_t colon = text.find(':');
    const std::string_view key = trimmed(text.substr(0, colon));
    const std::string_view value = colon == std::string_view::npos ? "" : trimmed(text.substr(colon + 1));
    if (key == "ROI name") {
      rois_.push_back({names_.read(value), std::nullopt, 0, {}});
      if (rois_.back().name.empty()) {
        refuse("a region of interest has no name");
      }
    } else if (key == "ROI rgb value" && !rois_.empty()) {
      rois_.back().colour = parse_colour(value);
    } else if (key == "ROI npts" && !rois_.empty()) {
      rois_.back().expected = whole_number(value);
    } else if (key == "File Dimension") {
      read_size(value);
    } else if (colon == std::string_view::npos && !text.empty() && line_ > 1) {
      // The comment without a colon, after the title in the first line, names the columns.
      choose_columns(column_names(text));
    }
  }

  void read_size(std::string_view value) {
    const std::vector<std::string> words = parts_of(value, kSeparators);
    if (words.size() != 3 || words[1] != "x") {
      refuse("the dimension of the image is '" + std::string(value) + "', not columns x rows");
    }
    size_ = std::pair(whole_number(words[0]), whole_number(words[2]));
  }

  [[nodiscard]] Index whole_number(std::string_view text) const {
    const std::optional<Index> number = parse_number<Index>(text);
    if (!number || *number < 0) {
      refuse("'" + std::string(text) + "' is not a number of pixels");
    }
    return *number;
  }

  void choose_columns(const std::vector<std::string>& names) {
    // Of the columns that the file has, the most direct are used: columns and rows, if the image of the regions has the
    // size of the scene, else map coordinates, else longitudes and latitudes. The first pair found is kept.
    const auto find = [&](const char* x, const char* y, Kind kind) {
      const auto place = [&](const char* name) {
        return static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
      };
      if (!columns_ && place(x) < names.size() && place(y) < names.size()) {
        columns_ = Columns{kind, place(x), place(y)};
      }
    };
    columns_.reset();
    if (!size_ || *size_ == std::pair(grid_.width, grid_.height)) {
      find("X", "Y", Kind::pixels);
    }
    if (grid_.geotransform) {
      find("Map_X", "Map_Y", Kind::map);
    }
    if (grid_.geotransform && !grid_.crs.empty()) {
      find("Lon", "Lat", Kind::degrees);
    }
    if (!columns_) {
      refuse("no columns say where the pixels lie in " + grid_name_ + ", which has " + std::to_string(grid_.width) +
             " x " + std::to_string(grid_.height) + " pixels" +
             (size_ ? " (the image of the regions has " + std::to_string(size_->first) + " x " +
                          std::to_string(size_->second) + ")"
                    : "") +
             "; export X and Y of an image of this size, or Map X and Map Y");
    }
  }

  void read_point(std::string_view line) {
    if (!columns_) {
      refuse("a pixel comes before the names of the columns");
    }
    // Pixels come region after region, as many for each as its comment announced.
    while (current_ < rois_.size() && static_cast<Index>(rois_[current_].points.size()) >= rois_[current_].expected) {
      ++current_;
    }
    if (current_ == rois_.size()) {
      refuse("there are more pixels than the regions of interest say (ROI npts)");
    }
    const std::vector<std::string> words = parts_of(line, kSeparators);
    rois_[current_].points.push_back({coordinate(words, columns_->x), coordinate(words, columns_->y), line_});
  }

  [[nodiscard]] double coordinate(const std::vector<std::string>& words, std::size_t column) const {
    if (column >= words.size()) {
      refuse("the line has " + std::to_string(words.size()) + " columns, too few");
    }
    if (const std::optional<double> number = parse_number<double>(words[column])) {
      return *number;
    }
    refuse("'" + words[column] + "' is not a coordinate");
  }

  // ENVI announces the number of pixels of each region: fewer show that the file is cut off.
  void check() const {
    for (const Roi& roi : rois_) {
      if (static_cast<Index>(roi.points.size()) < roi.expected) {
        throw DataError(path_ + " is cut short: the region of interest '" + roi.name + "' has " +
                        std::to_string(roi.points.size()) + " pixels, and " + std::to_string(roi.expected) +
                        " are announced");
      }
    }
    if (std::ranges::all_of(rois_, [](const Roi& roi) { return roi.points.empty(); })) {
      throw DataError(path_ + " has no region of interest with a pixel");
    }
  }

  [[noreturn]] void refuse(const std::string& reason) const {
    throw DataError(path_ + ": line " + std::to_string(line_) + ": " + reason);
  }

  const std::string& path_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  Index line_ = 0;  // that is read
  std::vector<Roi> rois_;
  std::size_t current_ = 0;                      // region of interest whose pixels are read
  std::optional<std::pair<Index, Index>> size_;  // of the image, columns and rows
  std::optional<Columns> columns_;
  ClassNameReader names_;
};

// From what stands in the columns to pixels of the grid.
class PixelFinder {
 public:
  PixelFinder(const std::string& path, Kind kind, std::optional<int> epsg, const RasterGrid& grid,
              const std::string& grid_name, std::vector<std::string>& messages)
      : path_(path), kind_(kind), grid_(grid), on_grid_(grid, grid_name) {
    // Longitudes and latitudes are those of WGS 84; --crs applies to map coordinates only, whose system the file does
    // not name.
    if (kind != Kind::pixels) {
      const std::string own = kind == Kind::degrees ? crs_from_epsg(kDegrees) : "";
      const std::string crs =
          crs_of_labels(path, own, kind == Kind::map ? epsg : std::nullopt, grid, grid_name, messages);
      transformation_ = transformation_between(crs, grid.crs, path);
    }
  }

  // The pixels of all points that lie on the grid, in their order.
  [[nodiscard]] std::vector<std::int64_t> pixels_of(const std::vector<RoiPoint>& points) const {
    std::vector<std::int64_t> pixels;
    const auto places = mapped<std::array<double, 2>>(
        points, [&](const RoiPoint& point) { return kind_ == Kind::pixels ? whole_place(point) : place(point); });
    // ENVI writes the upper left corners of pixels, other programs their middle.
    // Corners are recognised by coordinates that are whole numbers of pixels, all of them. Half a pixel is added to
    // these, so that noise does not move a corner to the pixel before it; floor then gives the pixel in both cases.
    const double shift = are_corners(places) ? 0.5 : 0;
    for (const auto& [column, row] : places) {
      // Points beside the scene are left out.
      const double c = std::floor(column + shift);
      const double r = std::floor(row + shift);
      if (c >= 0 && r >= 0 && c < static_cast<double>(grid_.width) && r < static_cast<double>(grid_.height)) {
        pixels.push_back(static_cast<std::int64_t>(r) * grid_.width + static_cast<std::int64_t>(c));
      }
    }
    return pixels;
  }

 private:
  // Columns and rows of ENVI count from 1. The image has the size of the scene, so that a pixel outside is an error.
  [[nodiscard]] std::array<double, 2> whole_place(const RoiPoint& point) const {
    if (point.x != std::floor(point.x) || point.y != std::floor(point.y) || point.x < 1 || point.y < 1 ||
        point.x > static_cast<double>(grid_.width) || point.y > static_cast<double>(grid_.height)) {
      throw DataError(path_ + ": line " + std::to_string(point.line) + ": the pixel lies outside of the image, whose " +
                      "columns are 1 to " + std::to_string(grid_.width) + " and rows 1 to " +
                      std::to_string(grid_.height));
    }
    return {point.x - 1, point.y - 1};
  }

  [[nodiscard]] std::array<double, 2> place(RoiPoint point) const {
    const ErrorCollector ignored;
    if (transformation_ != nullptr && transformation_->Transform(1, &point.x, &point.y) == 0) {
      return {-1e9, -1e9};  // outside of the scene
    }
    return on_grid_.place_of(point.x, point.y);
  }

  static bool are_corners(const std::vector<std::array<double, 2>>& places) {
    const auto is_whole = [](double value) { return std::abs(value - std::round(value)) < kCornerNoise; };
    return std::ranges::all_of(places, [&](const auto& place) { return is_whole(place[0]) && is_whole(place[1]); });
  }

  const std::string& path_;
  Kind kind_;
  const RasterGrid& grid_;
  Rasteriser on_grid_;
  std::unique_ptr<OGRCoordinateTransformation> transformation_;
};

// The pixels of a region of interest as claims of its connected areas.
void add_areas(const ClassKey& key, const std::vector<std::int64_t>& pixels, Index width, VectorClaims& claims) {
  // A pixel that is listed several times counts once, and find_regions() needs ascending pixels. One class for all, so
  // that only the position decides about connections.
  LabelledPixels areas;
  areas.pixels = mapped<LabelledPixel>(distinct(pixels), [](std::int64_t pixel) { return LabelledPixel{pixel, 0, 0}; });
  // Pixels that touch each other along an edge are one region, numbered from 1.
  find_regions(areas, width);
  const auto first = static_cast<std::int64_t>(claims.regions.size());
  for (const LabelledPixel& pixel : areas.pixels) {
    // Areas are numbered in the order of their first pixels: a new number is at most one above the largest so far.
    while (static_cast<std::int64_t>(claims.regions.size()) < first + pixel.region) {
      claims.regions.push_back({key, static_cast<std::int64_t>(claims.regions.size()) + 1, std::nullopt, {}, {}});
    }
    claims.regions[static_cast<std::size_t>(first + pixel.region) - 1].pixels.push_back(pixel.pixel);
  }
}

}  // namespace

VectorClaims read_roi_text(const std::string& path, const std::string& text, std::optional<int> epsg,
                           const RasterGrid& grid, const std::string& grid_name) {
  const TextReader reader(path, text, grid, grid_name);
  VectorClaims claims;
  claims.named_by_text = true;
  claims.notes = reader.notes();
  const PixelFinder finder(path, reader.kind(), epsg, grid, grid_name, claims.messages);
  // Every connected area becomes a region that is never divided between training and test: ENVI lists pixels without
  // the polygons that they were drawn with.
  std::size_t points = 0;
  for (const Roi& roi : reader.rois()) {
    const ClassKey key{0, roi.name};
    if (roi.colour) {
      claims.colours.emplace(key, *roi.colour);
    }
    const std::vector<std::int64_t> pixels = finder.pixels_of(roi.points);
    points += roi.points.size();
    // A region without any pixel in the file is empty, but not outside of the scene.
    claims.outside += pixels.empty() && !roi.points.empty() ? 1 : 0;
    if (!pixels.empty()) {
      claims.classes.insert(key);
      add_areas(key, pixels, grid.width, claims);
    }
  }
  if (claims.regions.empty()) {
    throw DataError(path + ": no region of interest has a pixel in " + grid_name);
  }
  static constexpr std::array<const char*, 3> kPlaces{"columns and rows", "map coordinates",
                                                      "longitudes and latitudes"};
  claims.messages.push_back(path + ": read as regions of interest of ENVI, " + std::to_string(reader.rois().size()) +
                            " with " + std::to_string(points) + " pixels in " + std::to_string(claims.regions.size()) +
                            " connected areas, by their " + kPlaces[static_cast<std::size_t>(reader.kind())]);
  return claims;
}

}  // namespace parsimap
