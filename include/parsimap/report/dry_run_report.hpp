// What `train --dry-run` and `classify --dry-run` have found, as text and document.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/types.hpp"
#include "parsimap/report/run_record.hpp"

namespace parsimap {

// A file that would be read or written.
struct PlannedFile {
  std::string role;  // as in "SCENE" or "--confidence"
  std::string file;
  std::optional<std::int64_t> bytes;  // of an input on the disk, of an output before compression; unset: not known
};

// What the work would be, and about what it would take; reading a scene and computing a map overlap.
struct DryRunRecord : RunCost {
  std::vector<PlannedFile> inputs;
  std::vector<PlannedFile> outputs;
  Index columns = 0;  // of what is read of the scene
  Index rows = 0;
  Index bands = 0;                   // that are read
  std::int64_t pixels = 0;           // that would be trained on, or mapped
  std::vector<ClassPixels> classes;  // of a training, with these
  Index windows = 0;                 // of a map
  Index window_pixels = 0;           // of the largest
  int threads = 0;
  std::int64_t memory_bytes = 0;  // about, of the whole process
};

std::string dry_run_text(const DryRunRecord& record);
// docs/formats.md lists the keys.
std::string dry_run_json(const DryRunRecord& record);

}  // namespace parsimap
