// Options that several commands have, and what they stand for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/app/input_files.hpp"
#include "parsimap/io/text/text_tables.hpp"

#include "command_line.hpp"

namespace parsimap {

// --variable, --mask, --quality and --orthorectify, of commands with the argument SCENE.
OptionSyntax variable_option();
OptionSyntax mask_option();
OptionSyntax quality_option();
OptionSyntax orthorectify_option();
OptionSyntax verbose_option();
// --resample, of commands that apply a model to a scene.
OptionSyntax resample_option();
SceneInput scene_input(const OptionValues& values);
// The same of another scene than the argument.
SceneInput scene_input(const OptionValues& values, const std::string& path);

// --class-field, --where, --label-variable, --x, --y, --crs and --classes.
std::vector<OptionSyntax> label_option_syntax();
// What they say about the labels in `files`; `warn` is that of the reader of the table of classes. ConfigError: --x
// without --y. DataError as read_class_rules().
LabelInput label_input(const OptionValues& values, const std::vector<std::string>& files, const Warn& warn = {});

// --colours FILE: JSON by its extension, otherwise lines of text. ConfigError as read_colour_file() and
// read_colour_list(); the listener is warned of a file that is not UTF-8.
OptionSyntax colour_option();
// The files that other options were read from.
std::vector<OptionFile> option_files(const OptionValues& values);
std::vector<ColourRule> colour_rules(const OptionValues& values, Listener& listener);

// --report FILE.
OptionSyntax report_option();

// --ram MB, 64 or more; `help` says for what, and which default there is.
OptionSyntax ram_option(const std::string& help);
// Its value in bytes; unset without the option.
std::optional<std::int64_t> ram_bytes(const OptionValues& values);
// Gives GDAL's block cache a quarter of the memory that the option allows (512 MB where it is unset); the rest, in
// bytes, is for the work itself.
std::int64_t share_memory(const OptionValues& values);

// The number of threads that --threads asks for; where it is not given, that of the environment variable
// SLURM_CPUS_PER_TASK, which Slurm sets in the jobs of `sbatch --cpus-per-task N`. ConfigError: the variable is no
// number of threads.
int thread_count(const OptionValues& values);

// --config: settings of GDAL, for the whole process.
void apply_settings(const OptionValues& values);

// All options of both lists, in their order.
std::vector<OptionSyntax> joined(std::vector<OptionSyntax> first, const std::vector<OptionSyntax>& second);

}  // namespace parsimap
