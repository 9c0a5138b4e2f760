#include "cli/assess_report.hpp"

#include <doctest/doctest.h>

#include "unit/cli/program_runner.hpp"

namespace parsimap::test {

TEST_CASE("assess writes its report, with the confusion matrix as a figure") {
  const SmallScene& small = SmallScene::instance();
  const TemporaryFolder folder;
  const Outcome outcome =
      run({"assess", small.map(), small.reference(), "--report", folder.file("accuracy.html"), "--json"});
  REQUIRE(outcome.code == 0);
  CHECK(contains(outcome.out, folder.file("accuracy.html")));
  const std::string page = file_content(folder.file("accuracy.html"));
  CHECK(contains(page, "<h1>Accuracy of " + small.map() + "</h1>"));
  CHECK(contains(page, "\"confusion_matrix\""));
  CHECK(contains(page, "data-figure=\"confusion\""));
  const Outcome refused = run({"assess", small.map(), small.reference(), "--report", small.map(), "--overwrite"});
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "is the same file as MAP"));
}

}  // namespace parsimap::test
