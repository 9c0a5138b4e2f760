#include "parsimap/kernel/kernel_family.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/error.hpp"

using namespace parsimap;

TEST_CASE("kernel family: names go both ways, unknown ones are refused") {
  for (const KernelFamily family : {KernelFamily::hdda, KernelFamily::pca, KernelFamily::gaussian}) {
    CHECK(parse_kernel_family(to_string(family)) == family);
  }
  CHECK_THROWS_WITH_AS(parse_kernel_family("rbf"), "kernel 'rbf' is unknown; it must be hdda, pca or gaussian",
                       ConfigError);
}
