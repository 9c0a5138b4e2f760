#include "gdal/memory_file.hpp"

#include <cpl_vsi.h>
#include <doctest/doctest.h>

#include "unit/core/temporary_folder.hpp"

using namespace parsimap;

TEST_CASE("a file in memory is copied to disk, and goes with its object") {
  const TemporaryFolder folder;
  std::string name;
  {
    const MemoryFile file;
    const MemoryFile other;
    name = file.name();
    CHECK(name != other.name());
    CHECK_FALSE(file.copy_to(folder.file("missing")));
    VSILFILE* opened = VSIFOpenL(name.c_str(), "wb");
    VSIFWriteL("abc", 1, 3, opened);
    VSIFCloseL(opened);
    CHECK(file.copy_to(folder.file("copy")));
    CHECK_FALSE(file.copy_to(folder.file("no/such/folder")));
  }
  CHECK(file_content(folder.file("copy")) == "abc");
  VSIStatBufL status;
  CHECK(VSIStatL(name.c_str(), &status) != 0);
}
