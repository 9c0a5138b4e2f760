// The journal of an unfinished experiment, from which a killed run continues: JSON lines, the resolved configuration
// and the program's version first, then every finished run. Every line has a checksum that continues that of the line
// before (io/json/sealed_line.hpp), so that no damage goes unnoticed. A line is on the disk before the next one begins,
// and what a kill left of the last one is dropped.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "parsimap/experiment/experiment_record.hpp"

namespace parsimap {

struct JournalUse {
  bool resume = false;     // take over what a journal has
  bool overwrite = false;  // without resume: drop what it has
};

class ExperimentJournal {
 public:
  // Opens or begins the journal at `path` for an experiment with this configuration (JSON text). ConfigError: there is
  // an unfinished experiment and neither is wanted, or one of another configuration or version is to be resumed, or
  // another process has the journal in use. DataError: a line that another one follows is damaged or no run. IoError:
  // the file cannot be opened, read or written.
  ExperimentJournal(std::string path, const std::string& configuration, const std::string& version,
                    const JournalUse& use);
  // Removes a journal without runs: there is nothing to continue.
  ~ExperimentJournal();
  ExperimentJournal(const ExperimentJournal&) = delete;
  ExperimentJournal& operator=(const ExperimentJournal&) = delete;

  // Whether an experiment was begun at `path` and neither finished nor given up.
  static bool begun(const std::string& path);
  // Those of the journal as it was opened, in the order in which they finished.
  [[nodiscard]] const std::vector<ExperimentRun>& finished() const { return finished_; }
  // Runs that the journal has now.
  [[nodiscard]] Index size() const { return size_; }
  // IoError when the line cannot be written.
  void append(const ExperimentRun& run);
  // The experiment is done and its outputs are in place.
  void remove();

 private:
  void begin(const std::string& header);
  void resume(const std::vector<std::string>& lines, const std::string& header);
  [[noreturn]] void refuse_line(std::size_t number, const std::string& reason) const;
  void write(const std::string& text);

  std::string path_;
  int file_ = -1;
  std::string checksum_;  // of the last line
  std::vector<ExperimentRun> finished_;
  Index size_ = 0;
};

}  // namespace parsimap
