// The page that `--report` asks for: an output like others, whole or not at all.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "parsimap/core/staged_file.hpp"

#include "command_line.hpp"
#include "paths.hpp"

namespace parsimap {

// --report.
OptionSyntax report_option();

// ConfigError as check_target(), and when the report is the same file as one of the inputs or other outputs.
void check_report(const std::optional<std::string>& report, const std::vector<NamedPath>& inputs,
                  const std::vector<NamedPath>& outputs, bool overwrite);

// The page under a temporary name, complete: only its commit() is left to do.
std::unique_ptr<StagedFile> stage_report(const std::string& report, const std::string& html, bool overwrite);

}  // namespace parsimap
