// Products in HDF5 whose bytes are damaged give sentences, or values, but nothing else.
#include <doctest/doctest.h>

#include <algorithm>

#include "parsimap/core/error.hpp"
#include "parsimap/core/random.hpp"
#include "parsimap/product/product.hpp"

#include "support/emit_file.hpp"
#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {
namespace {

// True where the product is read, false where it is refused.
bool is_read(const std::string& path) {
  try {
    const std::optional<OpenScene> scene = open_product(path);
    if (!scene) {
      return false;
    }
    const RasterGrid& grid = scene->source->grid();
    const Index rows = std::min<Index>(grid.height, 50);
    const Index columns = std::min<Index>(grid.width, 50);
    Spectra values;
    scene->source->read({0, 0, columns, rows}, {0}, values);
    std::vector<std::int64_t> pixels;
    if (scene->geometry != nullptr) {
      scene->geometry->read({0, 0, 2, 2}, pixels);
    }
    return true;
  } catch (const DataError&) {
    return false;
  } catch (const IoError&) {
    return false;
  }
}

}  // namespace

TEST_CASE("damaged bytes of a file of EMIT end in a sentence") {
  const TemporaryFolder folder;
  const std::string path = folder.file("EMIT_L2A_RFL_001_a_b_c.nc");
  EmitFile::write(path, {false, true, {8, 8, 6}});
  CHECK(is_read(path));
  const std::string content = file_content(path);
  Random random(7);
  int refused = 0;
  for (int i = 0; i < 150; ++i) {
    std::string damaged = content;
    for (int k = 0; k < 12; ++k) {
      const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(content.size()));
      damaged[std::min(at, content.size() - 1)] = static_cast<char>(random.uniform() * 256);
    }
    write_file(path, damaged);
    refused += is_read(path) ? 0 : 1;
  }
  CHECK(refused > 0);
  for (std::size_t part = 1; part < 12; ++part) {
    write_file(path, content.substr(0, content.size() * part / 12));
    CHECK_FALSE(is_read(path));
  }
}

}  // namespace parsimap::test
