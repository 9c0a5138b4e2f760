// Labels as GeoJSON.
#include "fuzz/document_mutator.hpp"
#include "fuzz/vector_check.hpp"
#include "fuzz/virtual_files.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  [[maybe_unused]] static const bool ready = keep_drivers({"GeoJSON", "MEM"});
  const VirtualFile file("/vsimem/labels.geojson", input);
  check_vector_labels(file.path());
}

}  // namespace parsimap::fuzz
