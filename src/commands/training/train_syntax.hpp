// The options of `train` as they are written on the command line and kept in models.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "parsimap/commands/training/train.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// Every option, bound to its field of `options`, in the order of the help.
std::vector<OptionSyntax> train_syntax(TrainOptions& options);

// Without a scene among the arguments, scenes and their labels are in --scene and --scenes.
std::function<bool()> has_scene_argument(const TrainOptions& options);

// The side of the blocks of --test-by, in metres or pixels; 0 for polygons and groups of a field. ConfigError: none of
// these.
double test_block_size(const std::string& text);

}  // namespace parsimap
