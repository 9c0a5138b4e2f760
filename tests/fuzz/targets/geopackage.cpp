// Labels as GeoPackage.
#include "fuzz/vector_check.hpp"
#include "fuzz/virtual_files.hpp"

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"GPKG", "MEM"});
  const VirtualFile file("/vsimem/labels.gpkg", input);
  check_vector_labels(file.path());
}

}  // namespace parsimap::fuzz
