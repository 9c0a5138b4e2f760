#include "parsimap/report/experiment_report.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <tuple>
#include <utility>

#include "parsimap/report/command_page.hpp"
#include "parsimap/report/table.hpp"

namespace parsimap {

// "84.1 ± 0.5"
static std::string accuracy_text(std::optional<double> mean, std::optional<double> deviation) {
  return percent(mean) + (deviation ? " ± " + percent(deviation) : "");
}

// Calls visit(class run) for all of a method on a data set.
template <typename Visit>
static void each_class(const ExperimentRecord& record, const MethodSummary& summary, const Visit& visit) {
  for (const ExperimentRun& run : record.runs) {
    if (run.data == summary.data && run.method == summary.method) {
      std::ranges::for_each(run.classes, visit);
    }
  }
}

static std::string mean_criterion(const ExperimentRecord& record, const MethodSummary& summary) {
  // Mean of the criterion over all classes of all repeats. Only values of the same criterion are comparable.
  double sum = 0;
  Index count = 0;
  each_class(record, summary, [&](const ClassRun& trained) {
    sum += trained.criterion_value;
    ++count;
  });
  return count == 0 ? "-" : short_number(sum / static_cast<double>(count));
}

static std::string first_test(const ExperimentRecord& record, const std::string& data) {
  const auto run = std::ranges::find(record.runs, data, &ExperimentRun::data);
  return run == record.runs.end() || run->tests.empty() ? std::string() : run->tests.front().name;
}

static std::string method_table(const ExperimentRecord& record, const std::string& data, const std::string& test) {
  Table table{"",
              {"kernel", "criterion", "dimension", "overall %", "class against rest %", "criterion", "seconds"},
              {},
              "lllr"};
  for (const MethodSummary& summary : record.summary) {
    if (summary.data == data && summary.test == test) {
      table.rows.push_back(
          {summary.method.kernel, summary.method.criterion,
           summary.method.dimension.empty() ? "-" : summary.method.dimension,
           accuracy_text(summary.mean_overall_accuracy, summary.deviation_overall_accuracy),
           accuracy_text(summary.mean_average_binary_accuracy, summary.deviation_average_binary_accuracy),
           mean_criterion(record, summary), fixed(summary.mean_seconds, 2)});
    }
  }
  return table_text(table);
}

static Index trivial_classes(const ExperimentRecord& record, const std::string& data) {
  Index count = 0;
  for (const ExperimentRun& run : record.runs) {
    if (run.data == data) {
      count += std::ranges::count_if(run.classes, [](const ClassRun& trained) { return trained.trivial; });
    }
  }
  return count;
}

constexpr const char* kNone = "–";

static bool is_accuracy(const std::string& quantity) { return quantity.ends_with("_accuracy"); }

// A number with as many decimals as tables of papers have; `typical` is a value of the same table.
static std::string value_text(double value, const std::string& quantity, double typical) {
  if (is_accuracy(quantity)) {
    return fixed(100 * value, 1);
  }
  // The number of decimals follows the size of the published value, not of the measured one: all numbers of a row then
  // have the precision that the paper prints.
  const double size = std::abs(typical);
  return fixed(value, quantity == "dimension" || size >= 100 ? 1 : size >= 1 ? 2 : 4);
}

static std::string difference_text(double difference, const std::string& quantity, double typical) {
  // The sign is written by hand, as the typographic minus. A difference that rounds to 0 at the precision of the table
  // has no sign, because a "-0.0" would suggest a direction.
  const std::string size = value_text(std::abs(difference), quantity, typical);
  const bool is_zero = size.find_first_not_of("0.") == std::string::npos;
  return is_zero ? size : (difference < 0 ? "−" : "+") + size;
}

static std::string caption_of(const ComparedTable& table) {
  const std::map<std::string, std::string> quantities = {
      {"binary_accuracy", "Accuracy of each class against the rest (%)"},
      {"overall_accuracy", "Overall accuracy (%)"},
      {"criterion_value", "Criterion at the selected hyperparameters"},
      {"dimension", "Dimension p of the signal subspace"},
      {"seconds", "Processor time (s)"}};
  const auto known = quantities.find(table.quantity);
  return table.data + ": " + (known == quantities.end() ? table.quantity : known->second) +
         (table.test.empty() ? "" : ", test set " + table.test) + ". Published: " + table.source + ".";
}

// Tables in the form of the paper: three rows for each method, and a column for each class or test set.
static std::vector<Table> published_tables(const ExperimentRecord& record) {
  std::vector<Table> tables;
  for (const ComparedTable& compared : compare_published(record)) {
    Table table{caption_of(compared), {"method", ""}, {}, "llr"};
    add_all(table.columns, compared.columns);
    for (const ComparedRow& row : compared.rows) {
      std::vector<std::string> published = {to_string(row.method), "published"};
      std::vector<std::string> measured = {"", "measured"};
      std::vector<std::string> differences = {"", "difference"};
      for (const ComparedValue& value : row.values) {
        const double typical = value.published.value_or(0);
        const auto text = [&](std::optional<double> number) {
          return number ? value_text(*number, compared.quantity, typical) : kNone;
        };
        published.push_back(text(value.published));
        measured.push_back(text(value.measured));
        // A published value may belong to a method or class that was not run, and has no difference then.
        differences.push_back(value.published && value.measured
                                  ? difference_text(*value.measured - *value.published, compared.quantity, typical)
                                  : kNone);
      }
      table.rows.insert(table.rows.end(), {std::move(published), std::move(measured), std::move(differences)});
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

static std::string mean_text(std::optional<double> mean, std::optional<double> deviation) {
  if (!mean) {
    return kNone;
  }
  return fixed(100 * *mean, 2) + (deviation ? " ± " + fixed(100 * *deviation, 2) : "");
}

static std::vector<Table> summary_tables(const ExperimentRecord& record) {
  std::vector<Table> tables;
  for (const DataDescription& description : record.data) {
    Table table{description.name,
                {"method", "test set", "repeats", "overall accuracy (%)", "binary accuracy (%)", "time (s)"},
                {},
                "llr"};
    for (const MethodSummary& summary : record.summary) {
      if (summary.data == description.name) {
        table.rows.push_back(
            {to_string(summary.method), summary.test, std::to_string(summary.repeats),
             mean_text(summary.mean_overall_accuracy, summary.deviation_overall_accuracy),
             mean_text(summary.mean_average_binary_accuracy, summary.deviation_average_binary_accuracy),
             value_text(summary.mean_seconds, "seconds", summary.mean_seconds)});
      }
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

// A run ends on the trivial plateau where the radius-margin bound is that of C = 0 (docs/method.md, "The radius-margin
// bound"): its hyperparameters do not depend on the data. Such runs are counted for each class of each method.
static Table plateau_table(const ExperimentRecord& record) {
  struct Count {
    Index trivial = 0;
    Index all = 0;
  };
  std::map<std::tuple<std::string, std::string, std::string>, Count> counts;
  for (const ExperimentRun& run : record.runs) {
    for (const ClassRun& trained : run.classes) {
      Count& count = counts[{run.data, to_string(run.method), trained.name}];
      ++count.all;
      count.trivial += trained.trivial ? 1 : 0;
    }
  }
  Table table{"", {"data", "method", "class", "runs"}, {}, "lll"};
  for (const auto& [key, count] : counts) {
    if (count.trivial > 0) {
      const auto& [data, method, name] = key;
      table.rows.push_back({data, method, name, std::to_string(count.trivial) + " of " + std::to_string(count.all)});
    }
  }
  return table;
}

// The figures that html/page.js draws from the results of an experiment. Those without data are left out there.
static std::vector<Section> figure_sections() {
  std::vector<Section> sections;
  for (const auto& [name, title] :
       std::initializer_list<std::pair<std::string, std::string>>{{"accuracy", "Accuracy"},
                                                                  {"dimension", "Estimated dimension"},
                                                                  {"sweep", "Accuracy against dimension"},
                                                                  {"spectra", "Spectra"},
                                                                  {"scree", "Scree tests"},
                                                                  {"criterion", "Criterion against evaluation"},
                                                                  {"weights", "Weights"},
                                                                  {"confusion", "Confusion matrices"},
                                                                  {"seconds", "Processing time"},
                                                                  {"kernels", "Kernel values"}}) {
    sections.push_back({.id = "figures-" + name, .title = title, .figures = {name}});
  }
  return sections;
}

std::string experiment_text(const ExperimentRecord& record) {
  std::string text = record.title + "\n";
  for (const DataDescription& data : record.data) {
    // The text shows the first test set of each data set; all of them are in the documents and on the page.
    const std::string test = first_test(record, data.name);
    text += "\n" + data.name + ": " + std::to_string(data.training_samples) + " training samples, " +
            std::to_string(data.bands) + " features; test set '" + test + "'\n\n" +
            method_table(record, data.name, test);
    if (const Index trivial = trivial_classes(record, data.name); trivial > 0) {
      text += "\nClassifiers that ended on the trivial plateau of the criterion: " + std::to_string(trivial) + "\n";
    }
  }
  return text;
}

std::string experiment_shard_text(const ExperimentShard& done) {
  const std::string shard = "Shard " + to_string(done.shard);
  if (done.runs == 0) {
    return shard + " has no runs.\n";
  }
  return shard + " has " + std::to_string(done.runs) + (done.runs == 1 ? " run, of which " : " runs, of which ") +
         std::to_string(done.resumed) + " done before.\nJournal: " + done.journal + "\n";
}

std::string experiment_html(const ExperimentRecord& record, const std::string& results) {
  CommandPage page;
  page.title = record.title;
  const std::string runs =
      counted(std::ssize(record.runs), "run") + " on " + counted(std::ssize(record.data), "data set") + ".";
  page.lead = record.description + (record.description.empty() ? "" : " ") + (record.data.empty() ? "" : runs);
  Table plateaus = plateau_table(record);
  if (!plateaus.rows.empty()) {
    page.sections.push_back(
        {.id = "plateau",
         .title = "Runs on the trivial plateau",
         .paragraphs = {"These runs ended where the radius-margin bound is T = n − 1 (n is the number of training "
                        "samples), which C → 0 gives for any kernel: their hyperparameters were not selected by the "
                        "data."},
         .tables = {std::move(plateaus)}});
  }
  if (std::vector<Table> tables = published_tables(record); !tables.empty()) {
    page.sections.push_back({.id = "published", .title = "Published and measured", .tables = std::move(tables)});
  }
  if (!record.summary.empty()) {
    page.sections.push_back(
        {.id = "summary",
         .title = "Summary",
         .paragraphs = {"Means, and standard deviations where there are several repeats. Overall accuracy is that of "
                        "the class with the largest decision value; binary accuracy is that of each class against the "
                        "rest, averaged over the classes. Seconds are processor time of selecting hyperparameters and "
                        "training, of all classes together."},
         .tables = summary_tables(record)});
  }
  std::ranges::move(figure_sections(), std::back_inserter(page.sections));
  page.sections.push_back(
      {.id = "configuration", .title = "Configuration as resolved", .listing = record.configuration, .folded = true});
  return command_html(page, results);
}

std::string experiment_csv(const ExperimentRecord& record) {
  const std::string titles =
      "data,kernel,criterion,dimension,repeat,seed,test,samples,overall_accuracy,average_binary_accuracy,class,"
      "class_dimension,criterion_value,C,support_vectors,evaluations,stop_reason,seconds,binary_accuracy,rest_"
      "weight\r\n";
  TableRows rows;
  // Long format: one line for each class of each test set of each run, with the facts of the run repeated, so that the
  // table can be filtered and grouped without joining others.
  for (const ExperimentRun& run : record.runs) {
    for (std::size_t t = 0; t < run.tests.size(); ++t) {
      const TestRun& test = run.tests[t];
      for (const ClassRun& trained : run.classes) {
        rows.push_back({run.data,
                        run.method.kernel,
                        run.method.criterion,
                        run.method.dimension,
                        std::to_string(run.repeat),
                        std::to_string(run.seed),
                        test.name,
                        std::to_string(test.samples),
                        csv_number(test.overall_accuracy),
                        csv_number(test.average_binary_accuracy),
                        trained.name,
                        std::to_string(trained.dimension),
                        csv_number(trained.criterion_value),
                        csv_number(trained.C),
                        std::to_string(trained.support_vectors),
                        std::to_string(trained.evaluations),
                        trained.stop_reason,
                        csv_number(trained.seconds),
                        t < trained.binary_accuracy.size() ? csv_number(trained.binary_accuracy[t]) : "",
                        csv_number(trained.rest_weight)});
      }
    }
  }
  return titles + csv_text(rows);
}

}  // namespace parsimap
