#include "envi_roi.hpp"

#include <cpl_vsi.h>

#include <algorithm>
#include <array>
#include <memory>

#include "parsimap/core/error.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/core/text_file.hpp"

#include "dataset.hpp"
#include "envi_roi_text.hpp"
#include "envi_roi_xml.hpp"

namespace parsimap {
namespace {

constexpr std::size_t kBeginning = 1024;  // bytes by which a file is known
constexpr std::string_view kTextTitle = "; ENVI Output of ROIs";
constexpr std::string_view kRoot = "<RegionsOfInterest";
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
constexpr GIntBig kLargestFile = GIntBig{1} << 30;

std::string beginning_of(const std::string& path) {
  if (!special_file(path).empty()) {
    return {};
  }
  const ErrorCollector ignored;
  std::string bytes(kBeginning, '\0');
  VSILFILE* file = is_folder(path) ? nullptr : VSIFOpenL(path.c_str(), "rb");
  if (file == nullptr) {
    return {};
  }
  bytes.resize(VSIFReadL(bytes.data(), 1, bytes.size(), file));
  VSIFCloseL(file);
  return bytes;
}

bool is_roi_xml(std::string_view beginning) {
  if (beginning.starts_with(kByteOrderMark)) {
    beginning.remove_prefix(kByteOrderMark.size());
  }
  return trimmed(beginning).starts_with('<') && beginning.find(kRoot) != std::string_view::npos;
}

std::string content_of(const std::string& path) {
  const ErrorCollector errors;
  GByte* content = nullptr;
  vsi_l_offset bytes = 0;
  const bool read = VSIIngestFile(nullptr, path.c_str(), &content, &bytes, kLargestFile) != 0;
  const std::unique_ptr<GByte, decltype(&VSIFree)> owner(content, VSIFree);
  errors.check_files(path + " cannot be read:");
  if (!read) {
    throw DataError(path + " cannot be read: " + errors.text());
  }
  return {reinterpret_cast<const char*>(content), static_cast<std::size_t>(bytes)};
}

}  // namespace

bool is_envi_roi(const std::string& path) {
  const std::string beginning = beginning_of(path);
  return beginning.starts_with(kTextTitle) || is_roi_xml(beginning);
}

bool envi_roi_names_pixels(const std::string& path, const RasterGrid& grid) {
  const std::string text = content_of(path);
  if (!text.starts_with(kTextTitle)) {
    // Coordinates of XML have a coordinate system, unless they are those of an image.
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
  const std::string text = content_of(path);
  return text.starts_with(kTextTitle) ? read_roi_text(path, text, epsg, grid, grid_name)
                                      : read_roi_xml(path, text, epsg, grid, grid_name);
}

std::optional<Colour> colour_of_envi(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('{') && text.ends_with('}')) {
    text = text.substr(1, text.size() - 2);
  }
  Colour colour{};
  for (std::size_t i = 0; i < colour.size(); ++i) {
    const std::size_t comma = text.find(',');
    const std::optional<int> channel = parse_number<int>(trimmed(text.substr(0, comma)));
    const bool last = i + 1 == colour.size();
    if (!channel || *channel < 0 || *channel > 255 || (comma == std::string_view::npos) != last) {
      return std::nullopt;
    }
    colour[i] = static_cast<std::uint8_t>(*channel);
    text = last ? text : text.substr(comma + 1);
  }
  return colour;
}

}  // namespace parsimap
