// A MATLAB file, as a scene and as labels.
#include <algorithm>
#include <string>

#include "parsimap/matlab/matlab_file.hpp"

#include "fuzz/scene_check.hpp"
#include "fuzz/target.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  static MemoryFile file;
  const std::string& path = file.hold(input);
  accepted([&] { check_scene(*open_matlab_scene(path, {}).source); });
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  accepted([&] { check_labels(read_matlab_labels(path, {}, grid, "scene"), grid); });
}

}  // namespace parsimap::fuzz
