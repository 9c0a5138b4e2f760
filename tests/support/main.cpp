#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#ifdef PARSIMAP_SANITIZED
// HDF5 itself loses memory over damaged files.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5_serial"; }
#endif
