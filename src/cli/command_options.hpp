// What a command line says, as the options of the work: for callers that want its result rather than its document.
#pragma once

#include "parsimap/app/map_scene.hpp"
#include "parsimap/app/train.hpp"

#include "command_line.hpp"
#include "command_listener.hpp"

namespace parsimap {

// Of `parsimap train`. The listener is told of files of options that are read strangely. ConfigError: options that
// contradict each other, files of options that cannot be used. DataError as read_scene_list() and read_class_rules().
TrainOptions train_options(const OptionValues& values, CommandListener& listener);

// Of `parsimap classify` for the one scene that the argument names. Errors likewise.
MapOptions classify_options(const OptionValues& values, CommandListener& listener);

}  // namespace parsimap
