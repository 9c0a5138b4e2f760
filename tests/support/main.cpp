#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "support/source_folder.hpp"

#ifdef PARSIMAP_SANITIZED
// HDF5 itself loses memory over damaged files.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial"; }
#endif

namespace parsimap::test {

std::string source_folder() { return PARSIMAP_SOURCE_DIR; }

}  // namespace parsimap::test
