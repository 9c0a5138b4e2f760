// What the journal of an experiment holds (experiment_journal.hpp), read from its lines.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/shard.hpp"
#include "parsimap/experiment/experiment_record.hpp"

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

}  // namespace parsimap
