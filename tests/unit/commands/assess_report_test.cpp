#include "commands/assess_report.hpp"

#include <doctest/doctest.h>

#include "parsimap/core/sha256.hpp"

#include "support/small_scene.hpp"

namespace parsimap::test {

TEST_CASE("the page of an assessment has verdict, errors on the map, and the files") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  AssessOptions options;
  options.map = small.map();
  options.reference = {{small.reference()}, {}};
  options.report = folder.file("page.html");
  Listener deaf;
  const AssessResult result = assess_map(options, deaf);
  CHECK(result.files == std::vector<std::string>{*options.report});
  const std::string page = file_content(*options.report);
  CHECK(contains(page, "<h1>Accuracy of map.tif</h1>"));
  CHECK(contains(page, "on 720 reference pixels of 2 classes"));
  CHECK(contains(page, "<figure id=\"picture-errors\">"));
  const std::int64_t right = result.assessment.confusion.counts().diagonal().sum();
  CHECK(contains(page, "right<small>" + std::to_string(right) + " reference pixels</small>"));
  CHECK(contains(page, sha256_of_file(small.map())));
  CHECK(contains(page, sha256_of_file(small.reference())));
}

}  // namespace parsimap::test
