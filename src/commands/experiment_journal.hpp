// The journal of an unfinished experiment, from which a killed run continues: JSON lines, the resolved configuration
// and the program's version first, then every finished run. The journal of a shard also says which one it is, and
// describes the data sets whose first runs it has. Every line has a checksum that continues that of the line
// before (json/sealed_line.hpp), so that no damage goes unnoticed. A line is on the disk before the next one begins,
// and what a kill left of the last one is dropped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parsimap/experiment/experiment_record.hpp"

#include "journal_content.hpp"

namespace parsimap {

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

  std::string path_;
  int file_ = -1;
  std::string checksum_;  // of the last line
  std::vector<ExperimentRun> finished_;
  std::vector<DataDescription> descriptions_;
  Index size_ = 0;
};

}  // namespace parsimap
