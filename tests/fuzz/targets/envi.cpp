// An ENVI scene and class map: the input is the header up to a byte of zero, and the data behind it.
#include <string>

#include "parsimap/gdal/raster/scene.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"ENVI"});
  const std::size_t end = std::min(input.find('\0'), input.size());
  const VirtualFile header("/vsimem/scene.hdr", input.substr(0, end));
  const VirtualFile data("/vsimem/scene.img", input.substr(std::min(end + 1, input.size())));
  accepted([&] { check_scene(*open_scene(data.path()).source); });
  accepted([&] {
    const auto map = open_class_map(data.path());
    std::vector<std::uint16_t> codes;
    map->read({0, 0, map->grid().width, 1}, codes);
  });
}

}  // namespace parsimap::fuzz
