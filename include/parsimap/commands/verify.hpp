// Making the files of a folder again by the commands that its pages name.
#pragma once

#include <string>
#include <vector>

#include "parsimap/commands/job.hpp"

namespace parsimap {

struct VerifyOptions : JobOptions {
  std::string folder;  // of pages and of what they are about
};

// A page, and what its command wrote when it was run again.
struct VerifiedPage {
  std::string page;
  std::string command;                  // such as "classify"
  std::vector<std::string> files = {};  // of the folder, that it wrote as they are
  std::string obstacle = {};            // why it was not run, a sentence; empty where it was
};

struct Verification {
  std::vector<VerifiedPage> pages;  // in the order of commands(): training before maps, maps before their accuracy
  std::vector<std::string> unaccounted = {};  // files of the folder that no command reads or writes
};

// Runs the command of each page below the folder again, in a folder of its own with links to the inputs, and compares
// all files that it writes byte by byte; pages without their date and the times that the work took. Inputs are looked
// for where the command found them from the folder, then in the folder by their names alone. Not run are commands of
// which an input is not there, or that set options of GDAL, which a page from elsewhere may not.
// ConfigError: there is no such folder. DataError: no page in it names its command, or one names something else, or a
// file is not what its command writes: the first of them, as a sentence; that a command fails is one.
// IoError: the files cannot be made or compared.
Verification verify(const VerifyOptions& options, Listener& listener);

}  // namespace parsimap
