#include "parsimap/scene/field_histogram.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "parsimap/scene/memory_scene.hpp"

using namespace parsimap;

TEST_CASE("values are counted in equal bins and passed on") {
  RasterGrid grid;
  grid.width = 3;
  grid.height = 2;
  MemoryFieldSink target(grid, 1);
  FieldHistogram histogram(&target);
  Spectra values(6, 1);
  values << 0, 0.049F, 0.05F, 0.999F, 1, std::numeric_limits<float>::quiet_NaN();
  histogram.write({0, 0, 3, 2}, values);
  histogram.close();
  REQUIRE(histogram.counts().size() == 20);
  CHECK(histogram.counts()[0] == 2);
  CHECK(histogram.counts()[1] == 1);
  CHECK(histogram.counts()[19] == 2);
  CHECK(target.closed());
  CHECK(target.values()(3, 0) == 0.999F);
}

TEST_CASE("without a target it only counts") {
  FieldHistogram histogram(nullptr);
  histogram.write({0, 0, 1, 1}, Spectra::Constant(1, 1, 0.5F));
  histogram.close();
  CHECK(histogram.counts()[10] == 1);
}
