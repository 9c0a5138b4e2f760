// The files of an experiment in its output folder: the journal, from which a killed run continues, and the results.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/commands/experiments/experiment.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/parallel_for.hpp"
#include "parsimap/experiment/experiment_record.hpp"
#include "parsimap/experiment/experiment_spec.hpp"
#include "parsimap/job/output_set.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// What an experiment was begun with: the first line of its journal.
struct JournalHeader {
  std::string version;                        // of the program
  std::string configuration;                  // resolved, JSON text
  std::optional<Shard> shard = std::nullopt;  // whose runs the journal is of; unset: all
};

// The line of it, without its seal.
std::string header_object(const JournalHeader& header);

struct JournalContent {
  JournalHeader header;
  std::vector<ExperimentRun> runs;  // in the order in which they finished
  std::vector<DataDescription> descriptions;
  std::string checksum;   // of the last whole line
  std::size_t whole = 0;  // bytes of the whole lines
};

// Both take the content of the file at `path`, which has a whole line at least. DataError: the line is damaged, or does
// not say of which experiment it is; it names the journal and the line.
JournalHeader journal_header(const std::string& path, const std::string& content);
// DataError also: a line is damaged that another one follows, or is no run. What a kill left of the last line is passed
// over.
JournalContent parse_journal(const std::string& path, const std::string& content);

// What differs between two headers, as in "with another configuration (/seed differs)"; empty when nothing does.
std::string difference(const JournalHeader& begun, const JournalHeader& wanted);

// The journal of an unfinished experiment, from which a killed run continues: JSON lines, the resolved configuration
// and the program's version first, then every finished run. The journal of a shard also says which one it is, and
// describes the data sets whose first runs it has. Every line has a checksum that continues that of the line
// before (json/json_text.hpp), so that no damage goes unnoticed. A line is on the disk before the next one begins,
// and what a kill left of the last one is dropped.

struct JournalUse {
  bool resume = false;     // take over what a journal has
  bool overwrite = false;  // without resume: drop what it has
};

class ExperimentJournal {
 public:
  // Opens or begins the journal at `path` for an experiment. ConfigError: there is an unfinished experiment and neither
  // is wanted, or one of another configuration, version or shard is to be resumed, or another process has the journal
  // in use. DataError: a line that another one follows is damaged or no run. IoError: the file cannot be opened, read
  // or written.
  ExperimentJournal(std::string path, const JournalHeader& header, const JournalUse& use);
  // Removes a journal without runs: there is nothing to continue.
  ~ExperimentJournal();
  ExperimentJournal(const ExperimentJournal&) = delete;
  ExperimentJournal& operator=(const ExperimentJournal&) = delete;

  // Whether an experiment was begun at `path` and neither finished nor given up.
  static bool begun(const std::string& path);
  // Those of the journal as it was opened, in the order in which they finished.
  [[nodiscard]] const std::vector<ExperimentRun>& finished() const { return finished_; }
  [[nodiscard]] const std::vector<DataDescription>& descriptions() const { return descriptions_; }
  // Runs that the journal has now.
  [[nodiscard]] Index size() const { return size_; }
  // IoError when the line cannot be written.
  void append(const ExperimentRun& run);
  void append(const DataDescription& description);
  // The experiment is done and its outputs are in place.
  void remove();

 private:
  void begin(const JournalHeader& header);
  void resume(const std::string& content, const JournalHeader& header);
  void write(const std::string& text);
  // Cuts the file to so many bytes, behind which the next line is written.
  void cut(std::size_t size);
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  FileDescriptor file_;
  std::string checksum_;  // of the last line
  std::vector<ExperimentRun> finished_;
  std::vector<DataDescription> descriptions_;
  Index size_ = 0;
};

// The files of an experiment in its output folder: results.json, results.csv and report.html, written together or not
// at all, and the journals from which it continues.

// journal.jsonl in the folder; that of a shard is journal-3-of-64.jsonl.
std::string journal_path(const std::string& folder, const std::optional<Shard>& shard = std::nullopt);

// The files with the data of an experiment.
std::vector<NamedFile> data_inputs(const ExperimentOptions& options, const ExperimentSpec& spec);

// The journal is written and removed in its place, not published. The rules of outputs hold for it all the same:
// ConfigError where it is one of the inputs, or cannot be written.
void check_journal(const std::vector<NamedFile>& inputs, const std::string& journal);

class ExperimentOutputs {
 public:
  // Makes the folder where only its parent exists. ConfigError as OutputSet::stage().
  ExperimentOutputs(OutputSet& outputs, const std::string& folder);
  // Writes everything and puts it in place. IoError when that fails.
  ExperimentResult publish(ExperimentRecord record);

 private:
  OutputSet& set_;
  const StagedOutput* results_ = nullptr;
  const StagedOutput* table_ = nullptr;
  const StagedOutput* report_ = nullptr;
};

}  // namespace parsimap
