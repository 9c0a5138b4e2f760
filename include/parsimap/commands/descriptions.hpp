// The options of the commands, described and bound to the fields of their structs.
#pragma once

#include "parsimap/commands/assess.hpp"
#include "parsimap/commands/combined_report.hpp"
#include "parsimap/commands/experiment.hpp"
#include "parsimap/commands/inspect.hpp"
#include "parsimap/commands/map_scenes.hpp"
#include "parsimap/commands/merge_map.hpp"
#include "parsimap/commands/simulate.hpp"
#include "parsimap/commands/suggest.hpp"
#include "parsimap/commands/train.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// The largest number that --threads takes.
inline constexpr int kMostThreads = 1024;

// Each refers to the fields of `options`, which must outlive what is returned.
CommandSyntax describe(TrainOptions& options);
CommandSyntax describe(MapOptions& options);  // of one scene
CommandSyntax describe(ClassifyOptions& options);
CommandSyntax describe(MergeOptions& options);
CommandSyntax describe(AssessOptions& options);
CommandSyntax describe(InspectOptions& options);
CommandSyntax describe(SuggestOptions& options);
CommandSyntax describe(ReportOptions& options);
CommandSyntax describe(ExperimentOptions& options);
CommandSyntax describe(SimulateOptions& options);

}  // namespace parsimap
