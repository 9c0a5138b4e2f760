#include "report_file.hpp"

#include "parsimap/core/error.hpp"

namespace parsimap {

OptionSyntax report_option() {
  return {.name = "report",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help = "Also write a report as one page of HTML, with figures, that opens without a network"};
}

void check_report(const std::optional<std::string>& report, const std::vector<NamedPath>& inputs,
                  const std::vector<NamedPath>& outputs, bool overwrite) {
  if (!report) {
    return;
  }
  check_target(*report, overwrite);
  check_outputs_distinct(inputs, {{"--report", *report}});
  for (const NamedPath& output : outputs) {
    check_different({"--report", *report}, output);
  }
}

std::unique_ptr<StagedFile> stage_report(const std::string& report, const std::string& html, bool overwrite) {
  auto file = std::make_unique<StagedFile>(report, overwrite);
  file->stream() << html << std::flush;
  return file;
}

}  // namespace parsimap
