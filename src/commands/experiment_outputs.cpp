#include "experiment_outputs.hpp"

#include <filesystem>

#include "parsimap/json/experiment_results.hpp"
#include "parsimap/report/accuracy_report.hpp"
#include "parsimap/report/experiment_report.hpp"

#include "experiment_data.hpp"
#include "job_frame.hpp"

namespace parsimap {
namespace {

std::string in_folder(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

}  // namespace

std::string journal_path(const std::string& folder, const std::optional<Shard>& shard) {
  if (!shard) {
    return in_folder(folder, "journal.jsonl");
  }
  return in_folder(folder,
                   "journal-" + std::to_string(shard->number) + "-of-" + std::to_string(shard->count) + ".jsonl");
}

std::vector<NamedFile> experiment_inputs(const ExperimentOptions& options, const ExperimentSpec& spec) {
  ExperimentOptions copy = options;
  std::vector<NamedFile> inputs = input_files(work_syntax(copy));
  for (const DataSpec& data : spec.data) {
    for (const std::string& file : experiment_files(data, options.data_folder)) {
      inputs.push_back({"data file", file, {}});
    }
  }
  return inputs;
}

void check_journal(const std::vector<NamedFile>& inputs, const std::string& journal) {
  OutputSet only_journal(true);
  add_inputs(only_journal, inputs);
  only_journal.stage("journal", journal);
}

ExperimentOutputs::ExperimentOutputs(const std::string& folder, bool overwrite, const std::vector<NamedFile>& inputs)
    : set_(overwrite) {
  add_inputs(set_, inputs);
  set_.make_folder(folder);
  const auto stage = [&](const char* name) { return &set_.stage("output", in_folder(folder, name)); };
  report_ = stage("report.html");
  table_ = stage("results.csv");
  results_ = stage("results.json");
}

ExperimentResult ExperimentOutputs::publish(ExperimentRecord record) {
  std::string results = results_json(record);
  write_text(*results_, results);
  write_text(*table_, experiment_csv(record));
  write_text(*report_, experiment_html(record, results));
  set_.publish();
  return {std::move(record), std::move(results), report_->target};
}

}  // namespace parsimap
