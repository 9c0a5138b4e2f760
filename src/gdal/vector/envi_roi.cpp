#include "envi_roi.hpp"

#include <cpl_minixml.h>
#include <cpl_string.h>
#include <ogr_geometry.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_table.hpp"
#include "parsimap/samples/class_colours.hpp"

#include "../raster/dataset.hpp"
#include "envi_roi_text.hpp"
#include "rasterise.hpp"

namespace parsimap {

constexpr std::size_t kBeginning = 1024;  // bytes by which a file is known
constexpr std::string_view kTextTitle = "; ENVI Output of ROIs";
constexpr std::string_view kRoot = "<RegionsOfInterest";
constexpr std::int64_t kLargestFile = std::int64_t{1} << 30;

// Files are recognised by their contents, since regions of interest have usual extensions such as .txt and .xml. Empty
// for what is no file: that is not a failure here.
static std::string beginning_of(const std::string& path) {
  const ErrorCollector ignored;
  return !special_file(path).empty() || is_folder(path) ? "" : first_bytes(path, kBeginning);
}

bool is_envi_roi(const std::string& path) {
  const std::string beginning = decoded_text(beginning_of(path)).text;
  return beginning.starts_with(kTextTitle) ||
         (trimmed(beginning).starts_with('<') && beginning.find(kRoot) != std::string::npos);
}

// Whether regions refer to columns and rows of the image on `grid`, rather than to map coordinates. Text files always
// list columns and rows: they are those of this grid if the image on which the regions were drawn has its size.
bool envi_roi_names_pixels(const std::string& path, const RasterGrid& grid) {
  const std::string text = whole_file(path, kLargestFile);
  if (!text.starts_with(kTextTitle)) {
    // Coordinates of XML have a coordinate system, unless they are those of an image.
    // Only the first definition is examined: all of a file are assumed to be of the same kind.
    constexpr std::string_view kSystem = "<CoordSysStr>";
    const std::size_t at = text.find(kSystem);
    const std::string_view system = at == std::string::npos ? "" : trimmed(text.substr(at + kSystem.size(), 5));
    return system.empty() || system.starts_with("none") || system.starts_with('<');
  }
  constexpr std::string_view kSize = "File Dimension:";
  const std::size_t at = text.find(kSize);
  const std::string size = std::to_string(grid.width) + " x " + std::to_string(grid.height);
  return at == std::string::npos ||
         trimmed(std::string_view(text).substr(at + kSize.size(), text.find('\n', at) - at - kSize.size())) == size;
}

VectorClaims read_envi_roi(const std::string& path, std::optional<int> epsg, const RasterGrid& grid,
                           const std::string& grid_name) {
  const std::string text = whole_file(path, kLargestFile);
  return text.starts_with(kTextTitle) ? read_roi_text(path, text, epsg, grid, grid_name)
                                      : read_roi_xml(path, text, epsg, grid, grid_name);
}

namespace {

constexpr std::size_t kFewestCorners = 3;

// Reads the document of regions that ENVI writes since version 5: regions with a name and a colour, in each of them
// geometries with a coordinate system, as <Polygon>, <LineString>, <Point> or <MultiPoint>. A region of ENVI is a class
// here, and each of its geometries a region.
class RoiReader {
 public:
  RoiReader(const std::string& path, std::optional<int> epsg, const RasterGrid& grid, const std::string& grid_name)
      : path_(path),
        epsg_(epsg),
        grid_(grid),
        grid_name_(grid_name),
        on_map_(grid),
        on_image_({grid.width, grid.height, std::nullopt, ""}) {
    claims_.named_by_text = true;
  }

  VectorClaims read(const CPLXMLNode& root) {
    const std::vector<const CPLXMLNode*> regions = elements_in(&root, "Region");
    std::ranges::for_each(regions, [&](const CPLXMLNode* region) { read_region(*region); });
    if (claims_.regions.empty()) {
      throw DataError(path_ + " has no region of interest with a polygon, line or point");
    }
    // Regions beside the scene are common in files of several images, and are only counted. If all of them are, the
    // file belongs to another scene.
    if (claims_.outside == static_cast<std::int64_t>(claims_.regions.size())) {
      throw DataError(path_ + ": no region of interest owns a pixel of " + grid_name_);
    }
    claims_.messages.push_back(path_ + ": read as regions of interest of ENVI, " + std::to_string(regions.size()) +
                               " with " + std::to_string(claims_.regions.size()) + " polygons, lines and points");
    add_all(claims_.notes, names_.notes(path_));
    return std::move(claims_);
  }

 private:
  void read_region(const CPLXMLNode& region) {
    name_ = names_.read(CPLGetXMLValue(&region, "name", ""));
    if (name_.empty()) {
      throw DataError(path_ + ": a region of interest has no name; names are those of the classes");
    }
    const ClassKey key{0, name_};
    if (const auto colour = parse_colour(CPLGetXMLValue(&region, "color", ""))) {
      claims_.colours.emplace(key, *colour);
    }
    // Other descriptions of a region, such as thresholds of bands, are reported and left out.
    for (const CPLXMLNode* child : elements_in(&region)) {
      if (EQUAL(child->pszValue, "GeometryDef")) {
        read_definition(*child, key);
      } else {
        claims_.notes.push_back(about() + " has a <" + child->pszValue + ">, which is not read; only geometries are");
      }
    }
  }

  void read_definition(const CPLXMLNode& definition, const ClassKey& key) {
    place(std::string(trimmed(CPLGetXMLValue(&definition, "CoordSysStr", ""))));
    for (const CPLXMLNode* child : elements_in(&definition)) {
      if (EQUAL(child->pszValue, "CoordSysStr")) {
        continue;
      }
      // Every polygon, line and point is a region of its own, in the order of the document.
      std::ranges::for_each(shapes_of(*child), [&](auto& shape) { add(std::move(shape), key); });
    }
  }

  // Sets what brings the coordinates of a definition to the scene.
  void place(const std::string& text) {
    // Coordinates without a system are columns and rows of the image, unless the user names a system. Definitions of a
    // file mostly have the same system, for which the transformation is made once.
    const bool none = text.empty() || EQUAL(text.c_str(), "none");
    if (text == system_) {
      return;
    }
    system_ = text;
    by_image_ = none && !epsg_;
    std::string own;
    if (!none) {
      OGRSpatialReference reference;
      const ErrorCollector errors;
      if (reference.importFromWkt(text.c_str()) != OGRERR_NONE) {
        throw DataError(about() + " has a coordinate system that cannot be understood, '" + text.substr(0, 40) +
                        "': " + errors.text());
      }
      own = wkt_of(&reference);
    }
    if (by_image_) {
      claims_.messages.push_back(path_ +
                                 " names no coordinate system: its coordinates are taken for columns and rows " +
                                 "of " + grid_name_ + "; --crs EPSG:n names one");
      transformation_ = nullptr;
      return;
    }
    const std::string crs = crs_of_labels(path_, own, epsg_, grid_, grid_name_, claims_.messages);
    transformation_ = transformation_between(crs, grid_.crs, path_);
  }

  std::vector<std::unique_ptr<OGRGeometry>> shapes_of(const CPLXMLNode& node) const {
    std::vector<std::unique_ptr<OGRGeometry>> shapes;
    if (EQUAL(node.pszValue, "Polygon")) {
      shapes.push_back(polygon_of(node));
    } else if (EQUAL(node.pszValue, "LineString")) {
      auto line = std::make_unique<OGRLineString>();
      add_points(node, *line);
      shapes.push_back(std::move(line));
    } else if (EQUAL(node.pszValue, "Point") || EQUAL(node.pszValue, "MultiPoint")) {
      // Every point of several is a region of its own.
      OGRLineString points;
      add_points(node, points);
      for (int i = 0; i < points.getNumPoints(); ++i) {
        shapes.push_back(std::make_unique<OGRPoint>(points.getX(i), points.getY(i)));
      }
    } else {
      throw DataError(about() + " has a <" + node.pszValue + ">; polygons, lines and points can be read");
    }
    return shapes;
  }

  std::unique_ptr<OGRGeometry> polygon_of(const CPLXMLNode& node) const {
    auto polygon = std::make_unique<OGRPolygon>();
    // The first ring of a polygon is its boundary, further ones are holes.
    for (const char* part : {"Exterior", "Interior"}) {
      for (const CPLXMLNode* boundary : elements_in(&node, part)) {
        for (const CPLXMLNode* line : elements_in(boundary, "LinearRing")) {
          // The last corner need not repeat the first one.
          auto ring = std::make_unique<OGRLinearRing>();
          add_points(*line, *ring);
          if (static_cast<std::size_t>(ring->getNumPoints()) < kFewestCorners) {
            throw DataError(about() + " has a polygon of " + std::to_string(ring->getNumPoints()) +
                            " corners; it needs three");
          }
          ring->closeRings();
          polygon->addRingDirectly(ring.release());
        }
      }
    }
    return polygon;
  }

  // The numbers of all <Coordinates> below the node.
  void add_points(const CPLXMLNode& node, OGRSimpleCurve& curve) const {
    std::vector<double> numbers;
    // ENVI writes all coordinates of a ring into one element, other programs a pair into each.
    for (const CPLXMLNode* list : elements_in(&node, "Coordinates")) {
      const CPLStringList words(CSLTokenizeString2(CPLGetXMLValue(list, nullptr, ""), " ,\t\r\n", 0));
      for (int i = 0; i < words.size(); ++i) {
        const std::optional<double> number = parse_number<double>(words[i]);
        if (!number) {
          throw DataError(about() + " has the coordinate '" + words[i] + "', which is not a number");
        }
        numbers.push_back(*number);
      }
    }
    if (numbers.size() % 2 != 0) {
      throw DataError(about() + " has " + std::to_string(numbers.size()) + " coordinates; they are pairs of x and y");
    }
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
      curve.addPoint(numbers[i], numbers[i + 1]);
    }
  }

  void add(std::unique_ptr<OGRGeometry> shape, const ClassKey& key) {
    // A geometry that cannot be brought to the scene's system, or owns no pixel, remains as an empty claim: the numbers
    // of regions are places in the document. A class is known if one of its geometries meets the scene.
    shape = placed_geometry(std::move(shape), transformation_.get());
    const Rasteriser& rasteriser = by_image_ ? on_image_ : on_map_;
    RegionClaim claim{key, static_cast<std::int64_t>(claims_.regions.size()) + 1, std::nullopt, {}, {}};
    if (shape != nullptr) {
      claim.pixels = rasteriser.pixels_of(*shape);
      if (rasteriser.touches(*shape)) {
        claims_.classes.insert(key);
      }
    }
    claims_.outside += claim.pixels.empty() ? 1 : 0;
    claims_.regions.push_back(std::move(claim));
  }

  [[nodiscard]] std::string about() const { return path_ + ": the region of interest '" + name_ + "'"; }

  const std::string& path_;
  std::optional<int> epsg_;
  const RasterGrid& grid_;
  const std::string& grid_name_;
  Rasteriser on_map_;
  Rasteriser on_image_;
  std::string name_;                   // of the region that is read
  std::optional<std::string> system_;  // of its coordinates
  bool by_image_ = false;              // they are columns and rows
  std::unique_ptr<OGRCoordinateTransformation> transformation_;
  ClassNameReader names_;
  VectorClaims claims_;
};

}  // namespace

VectorClaims read_roi_xml(const std::string& path, const std::string& text, std::optional<int> epsg,
                          const RasterGrid& grid, const std::string& grid_name) {
  const ErrorCollector errors;
  const CPLXMLTreeCloser tree(CPLParseXMLString(text.c_str()));
  const CPLXMLNode* root = tree.get() == nullptr ? nullptr : CPLGetXMLNode(tree.get(), "=RegionsOfInterest");
  if (root == nullptr) {
    throw DataError(path + " is no document of regions of interest that can be read: " + errors.text());
  }
  return RoiReader(path, epsg, grid, grid_name).read(*root);
}

}  // namespace parsimap
