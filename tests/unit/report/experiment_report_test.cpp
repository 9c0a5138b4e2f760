#include "parsimap/report/experiment_report.hpp"

#include <doctest/doctest.h>

#include <regex>

#include "support/example_experiment.hpp"
#include "support/page_sections.hpp"
#include "unit/core/temporary_folder.hpp"

using namespace parsimap;
using test::contains;
using test::count_of;

namespace {

// One method that reached 84.2 % and T = 1369.24 where 84.1 % and 1370 are published.
ExperimentRecord small_record() {
  const MethodName method = {"hdda", "radius-margin", "scree:0.2"};
  ExperimentRecord record;
  record.title = "Madelon";
  record.version = "0.1.0";
  record.data = {{"madelon", 500, {}, 2000, {}}};
  ExperimentRun run{"madelon", method, 0, 1, {{"test", 600, 0.8, 0.842, {}}}, {}};
  ClassRun trained;
  trained.name = "1";
  trained.criterion_value = 1369.24;
  trained.stop_reason = "converged";
  trained.binary_accuracy = {0.842};
  run.classes = {trained};
  record.runs = {run};
  record.summary = {{"madelon", method, "test", 1, 0.8, {}, 0.842, {}, 80.8}};
  record.published = {{"paper", "binary_accuracy", "madelon", "", "1", method, 0.841},
                      {"paper", "criterion_value", "madelon", "", "1", method, 1370}};
  return record;
}

ClassRun class_run(const std::string& name, double criterion, bool trivial) {
  ClassRun trained;
  trained.name = name;
  trained.criterion_value = criterion;
  trained.trivial = trivial;
  return trained;
}

ExperimentRecord two_methods() {
  const MethodName hdda = {"hdda", "radius-margin", "scree:0.1"};
  const MethodName gaussian = {"gaussian", "leave-one-out", ""};
  ExperimentRecord result;
  result.title = "A title";
  result.data = {{"toy", 7, {}, 90, {}}};
  for (Index repeat = 0; repeat < 2; ++repeat) {
    ExperimentRun run{"toy", hdda, repeat, 1, {{"first", 5, 0.5, 0.5, std::nullopt}}, {}};
    run.classes = {class_run("a", 10 + 4.0 * static_cast<double>(repeat), false), class_run("b", 20, true)};
    result.runs.push_back(run);
    run.method = gaussian;
    run.classes = {class_run("a", 0.25, false)};
    result.runs.push_back(run);
  }
  result.summary = {{"toy", hdda, "first", 2, 0.841, 0.005, 0.75, 0.01, 3.5},
                    {"toy", hdda, "second", 2, 0.111, 0.005, 0.75, 0.01, 3.5},
                    {"toy", gaussian, "first", 2, std::nullopt, std::nullopt, 0.7, std::nullopt, 0.125}};
  return result;
}

}  // namespace

TEST_CASE("one row per method, of the first test set") {
  CHECK(experiment_text(two_methods()) ==
        "A title\n"
        "\n"
        "toy: 90 training samples, 7 features; test set 'first'\n"
        "\n"
        "  kernel    criterion      dimension   overall %  class against rest %  criterion  seconds\n"
        "  hdda      radius-margin  scree:0.1  84.1 ± 0.5            75.0 ± 1.0         16     3.50\n"
        "  gaussian  leave-one-out  -                   -                  70.0       0.25     0.12\n"
        "\n"
        "Classifiers that ended on the trivial plateau of the criterion: 2\n");
}

TEST_CASE("without data there is a title") {
  ExperimentRecord empty;
  empty.title = "Shapes";
  CHECK(experiment_text(empty) == "Shapes\n");
}

TEST_CASE("published, measured and difference stand below each other, with signed differences") {
  ExperimentRecord record = small_record();
  std::string page = experiment_html(record, "{}");
  CHECK(contains(page, "madelon: Accuracy of each class against the rest (%). Published: paper."));
  CHECK(contains(page, R"(<td>published</td><td class="number">84.1</td>)"));
  CHECK(contains(page, R"(<td>measured</td><td class="number">84.2</td>)"));
  CHECK(contains(page, R"(<td>difference</td><td class="number">+0.1</td>)"));
  CHECK(contains(page, R"(<td>difference</td><td class="number">−0.8</td>)"));
  record.published.push_back(record.published[0]);
  record.published.back().class_name = "2";
  page = experiment_html(record, "{}");
  CHECK(contains(page, R"(<td>difference</td><td class="number">+0.1</td><td class="number">–</td>)"));
}

TEST_CASE("a difference that rounds to nought has no sign") {
  ExperimentRecord record = small_record();
  record.published = {record.published[0]};
  record.published[0].value = 0.8421;
  CHECK(contains(experiment_html(record, "{}"), R"(<td>difference</td><td class="number">0.0</td>)"));
}

TEST_CASE("a summary has deviations where there are repeats") {
  ExperimentRecord record = small_record();
  CHECK(contains(experiment_html(record, "{}"), R"(<td class="number">84.20</td>)"));
  record.summary[0].deviation_average_binary_accuracy = 0.0123;
  CHECK(contains(experiment_html(record, "{}"), R"(<td class="number">84.20 ± 1.23</td>)"));
  // A column without any number is left out; a dash stands where another method has one.
  record.summary[0].mean_overall_accuracy.reset();
  CHECK_FALSE(contains(experiment_html(record, "{}"), ">overall accuracy (%)<"));
  record.summary.push_back(small_record().summary[0]);
  CHECK(contains(experiment_html(record, "{}"), ">overall accuracy (%)<"));
  CHECK(contains(experiment_html(record, "{}"), R"(<td class="number">–</td>)"));
}

TEST_CASE("runs on the trivial plateau are called out, by method and class") {
  CHECK(!contains(experiment_html(small_record(), "{}"), "id=\"plateau\""));
  const std::string page = experiment_html(test::example_experiment(), "{}");
  CHECK(contains(page, "id=\"plateau\""));
  CHECK(contains(page, R"(<tr><td>hills</td><td>gaussian, radius-margin</td><td>roof &lt;b&gt;&amp;amp;</td>)"
                       R"(<td>6 of 6</td></tr>)"));
}

TEST_CASE("parts without data are left out") {
  ExperimentRecord record;
  record.title = "Nothing";
  const std::string page = experiment_html(record, "{}");
  for (const std::string part : {"plateau", "published", "summary"}) {
    CHECK(!contains(page, "<section id=\"" + part + "\">"));
  }
}

TEST_CASE("no text of the user's becomes markup") {
  const std::string script = "{\"name\": \"</script><!--\"}";
  const std::string page = experiment_html(test::example_experiment(), script);
  CHECK(contains(page, "<title>Hills &amp; &lt;valleys&gt;</title>"));
  CHECK(contains(page, "An experiment that never ran &lt;/script&gt;."));
  CHECK(contains(page, R"({"name": "\u003c/script>\u003c!--"}</script>)"));
  CHECK(count_of(page, "</script") == 2);
  CHECK(!contains(page, "roof <b>"));
}

TEST_CASE("the page holds what it needs, with its licences, and names no file to load") {
  const std::string page = experiment_html(small_record(), "{}");
  CHECK(contains(page, "define(\"vega-view\""));
  CHECK(contains(page, "University of Washington Interactive Data Lab"));
  CHECK(!std::regex_search(page.substr(0, page.find("<script>")), std::regex(R"re((src|href)=|@import|url\()re")));
  CHECK(!contains(page, "sourceMappingURL"));
}

TEST_CASE("what a shard has done is said in two lines, or one where there was nothing to do") {
  CHECK(experiment_shard_text({{3, 8}, 5, 2, "out/journal-3-of-8.jsonl"}) ==
        "Shard 3/8 has 5 runs, of which 2 done before.\nJournal: out/journal-3-of-8.jsonl\n");
  CHECK(experiment_shard_text({{8, 8}, 0, 0, "out/journal-8-of-8.jsonl"}) == "Shard 8/8 has no runs.\n");
}

TEST_CASE("an experiment of nothing, of no runs, and of runs without a test or a class has its texts") {
  ExperimentRecord record;
  for (int stage = 0; stage < 3; ++stage) {
    CHECK_FALSE(experiment_text(record).empty());
    CHECK(contains(experiment_csv(record), "binary_accuracy"));
    CHECK(contains(experiment_html(record, "{}"), "</html>"));
    record.data.resize(1);
    record.summary.resize(1);
    if (stage == 1) {
      record.runs.resize(1);
      record.runs[0].classes.resize(1);
    }
  }
}
