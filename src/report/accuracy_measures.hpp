// The measures of a confusion matrix, from which text, CSV, JSON and pages are made, so that they cannot differ; and
// what a reader wants to know first, in sentences: how accurate, which class is weakest, what is taken for what.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/accuracy/accuracy.hpp"
#include "parsimap/accuracy/accuracy_intervals.hpp"
#include "parsimap/core/record_fields.hpp"
#include "parsimap/report/table.hpp"

namespace parsimap {

struct Measure {
  std::string key;    // in documents
  std::string title;  // in tables
  std::optional<double> value;
  std::optional<Interval> interval = {};
  bool fraction = true;  // written in percent; others have four decimals
};

// "70.0", of the measure itself or of another value of it; "-" where there is none.
std::string value_text(const Measure& measure, std::optional<double> value);
// "(56.2 to 80.9)"; nothing where there is no interval.
std::string interval_text(const Measure& measure);

// Overall accuracy, average accuracy, kappa, and then the disagreement of quantity and allocation.
constexpr std::size_t kAccuracies = 3;
std::vector<Measure> overall_measures(const ConfusionMatrix& confusion, const AccuracyIntervals& intervals = {});
// Producer's accuracy, user's accuracy and F1 of a class.
std::vector<Measure> class_measures(const ConfusionMatrix& confusion, Index c, const ClassIntervals& intervals = {});

// The values by their keys; written only.
void list_measures(Fields& field, const std::vector<Measure>& measures);
// The first kAccuracies of the overall measures, and the others.
void list_accuracies(Fields& field, const ConfusionMatrix& confusion);
void list_disagreement(Fields& field, const ConfusionMatrix& confusion);

// Classes with their codes: in tables, codes stand for the names, which would widen the columns.
struct NamedCodes {
  std::vector<std::string> names;
  std::vector<std::string> codes;
};

// What stands in the corner of a matrix.
inline constexpr const char* kCorner = "reference \\ map";

// Rows of reference classes against columns of assigned classes, with sums; `corner` names rows and columns, and
// `format` writes values and sums.
Table matrix_table(const NamedCodes& classes, const Matrix& values, const std::string& corner,
                   const std::function<std::string(double)>& format);
std::string pixel_count(double pixels);

// "Overall accuracy 91.2 % (95 % interval 89.0 to 93.0) on 1,234 reference pixels of 6 classes; weakest: oak (61.0 % of
// its 23 pixels found)." Classes without pixels of the reference do not count.
struct VerdictMeasure {
  std::string name;                       // the first words
  std::optional<double> accuracy;         // of all pixels; it may weigh the classes otherwise than the matrix does
  std::optional<Interval> interval = {};  // of it
  std::string pixel;                      // what was compared, such as "reference pixel"
};
std::string accuracy_verdict(const VerdictMeasure& measure, const ConfusionMatrix& confusion);
// "70.0 % (95 % interval 56.2 to 80.9)".
std::string accuracy_with_interval(std::optional<double> accuracy, const std::optional<Interval>& interval);

// What the left-out samples of class `c` were taken for, by a row of their confusion matrix. All are unset without
// samples; `other` is the class that most of those that were wrong were taken for (the first of equals).
struct TakenFor {
  std::optional<double> right = {};  // share of the samples
  std::optional<std::string> other = {};
  double other_share = 0;  // of all samples
};
TakenFor taken_for(const CountMatrix& confusion, Index c, const ClassTable& classes);

// The pairs of classes that are taken for each other most often, at most `most` of them, a sentence each: "Most
// confused are oak and pine: 12 of 40 pixels of oak are called pine, and 3 of 25 of pine are called oak." Empty where
// nothing is confused.
std::vector<std::string> confused_pairs(const ConfusionMatrix& confusion, std::size_t most);

}  // namespace parsimap
