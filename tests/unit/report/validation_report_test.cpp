#include "parsimap/report/validation_report.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "parsimap/report/training_report.hpp"

#include "unit/classifier/small_model.hpp"

using namespace parsimap;

TEST_CASE("scores: pooled, and mean and deviation over the folds that have them") {
  const ValidationScores scores = validation_scores(small_validation(), small_model().classes);
  CountMatrix pooled(2, 2);
  pooled << 20, 5, 1, 19;
  CHECK(scores.pooled.counts() == pooled);
  CHECK(*scores.pooled.overall_accuracy() == doctest::Approx(39.0 / 45.0));
  // Folds: 18/20, 5/5 and 16/20 right.
  CHECK(*scores.over_folds[0].mean == doctest::Approx(0.9));
  CHECK(*scores.over_folds[0].deviation == doctest::Approx(0.1));
  // kappa of the second fold, of one class, is 0/0. Of the others: (0.9 - 0.5) / 0.5 and (0.8 - 0.5) / 0.5.
  CHECK(*scores.over_folds[2].mean == doctest::Approx(0.7));
  CHECK(*scores.over_folds[2].deviation == doctest::Approx(std::sqrt(0.02)));
}

TEST_CASE("a single fold has no deviation") {
  Validation validation = small_validation();
  validation.results.resize(1);
  const ValidationScores scores = validation_scores(validation, small_model().classes);
  CHECK(scores.over_folds[0].mean == doctest::Approx(0.9));
  CHECK_FALSE(scores.over_folds[0].deviation);
}

TEST_CASE("the title says what stayed together") {
  Validation validation = small_validation();
  CHECK(validation_title(validation) == "2 folds of 9 whole regions, 2 repeats");
  validation.repeats = 1;
  validation.grouping = "field plot";
  CHECK(validation_title(validation) == "2 folds of 9 whole groups (field plot)");
  validation.grouping = "pixels";
  CHECK(validation_title(validation) == "2 folds of single pixels");
}

TEST_CASE("the text of a validation") {
  CHECK(validation_text(small_validation(), small_model().classes) ==
        "Validation by 2 folds of 9 whole regions, 2 repeats; each fold was trained anew on the others.\n"
        "Pixels nearer than 12.5 m to a test pixel were not trained on: 5 over all folds.\n"
        "Pixels of classes that a fold could not train were not tested there: 5 over all folds.\n"
        "Folds left out because nothing could be trained or tested: 1.\n"
        "Pixels, all folds together: rows are reference, columns are predicted.\n"
        "\n"
        "     reference \\ predicted     3     7  sum  producer's %\n"
        "  3  Brocoli                  20     5   25          80.0\n"
        "  7  Forêt \"dense\"             1    19   20          95.0\n"
        "     sum                      21    24   45\n"
        "     user's %               95.2  79.2\n"
        "\n"
        "                      pooled  mean of folds  deviation\n"
        "  overall accuracy %    86.7           90.0       10.0\n"
        "  average accuracy %    87.5           90.0       10.0\n"
        "  kappa               0.7353            0.7     0.1414\n");
}
