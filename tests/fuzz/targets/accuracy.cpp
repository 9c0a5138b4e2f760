// The document of an assessment, as `report` reads it.
#include <optional>

#include "parsimap/report/accuracy_report.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"

PARSIMAP_FUZZ_DOCUMENTS(json)

namespace parsimap::fuzz {

void run_input(std::string_view input) {
  static MemoryFile file;
  std::optional<Assessment> assessment;
  if (!accepted([&] { assessment = read_accuracy(file.hold(input)); })) {
    return;
  }
  assessment->areas.reset();  // areas are divided by their total, which rounds them
  const std::string written = accuracy_json(*assessment, {}, 0);
  require(accuracy_json(read_accuracy(file.hold(written)), {}, 0) == written, "an assessment reads back the same");
  assessment = read_accuracy(file.hold(input));
  require(!accuracy_text(*assessment).empty(), "an assessment has a text");
  require(!accuracy_sections(*assessment, {}).empty(), "an assessment has a page");
}

}  // namespace parsimap::fuzz
