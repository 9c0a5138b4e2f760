// The files of an experiment in its output folder: results.json, results.csv and report.html, written together or not
// at all, and the journals from which it continues.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/experiment.hpp"
#include "parsimap/core/shard.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// journal.jsonl in the folder; that of a shard is journal-3-of-64.jsonl.
std::string journal_path(const std::string& folder, const std::optional<Shard>& shard = std::nullopt);

// The files that an experiment reads, with what they are.
std::vector<NamedFile> experiment_inputs(const ExperimentOptions& options, const ExperimentSpec& spec);

// The journal is written and removed in its place, not published. The rules of outputs hold for it all the same:
// ConfigError where it is one of the inputs, or cannot be written.
void check_journal(const std::vector<NamedFile>& inputs, const std::string& journal);

class ExperimentOutputs {
 public:
  // Makes the folder where only its parent exists. ConfigError as OutputSet::stage().
  ExperimentOutputs(const std::string& folder, bool overwrite, const std::vector<NamedFile>& inputs);
  // Writes everything and puts it in place. IoError when that fails.
  ExperimentResult publish(ExperimentRecord record);

 private:
  OutputSet set_;
  const StagedOutput* results_ = nullptr;
  const StagedOutput* table_ = nullptr;
  const StagedOutput* report_ = nullptr;
};

}  // namespace parsimap
