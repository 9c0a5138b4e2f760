// Descriptions of options that several commands have.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parsimap/commands/input_files.hpp"
#include "parsimap/commands/job.hpp"
#include "parsimap/options/option.hpp"

namespace parsimap {

// The largest number that --threads takes.
inline constexpr int kMostThreads = 1024;

// --ram MB, 64 or more; `help` says for what, and which default there is.
OptionSyntax ram_option(JobOptions& job, const std::string& help);
OptionSyntax verbose_option(bool& verbose);
// --dry-run.
OptionSyntax dry_run_option(JobOptions& job);
// --report FILE.
OptionSyntax report_option(std::optional<std::string>& report);
// --colours FILE.
OptionSyntax colour_option(std::optional<std::string>& colours);
// --resample, of commands that apply a model to a scene.
OptionSyntax resample_option(bool& resample);

// The argument SCENE; `bands` is what its help says of them, or empty.
ArgumentSyntax scene_argument(std::string& path, const std::string& bands = {});
ArgumentSyntax model_argument(std::string& path, const std::string& help = "Model file of 'parsimap train'");
ArgumentSyntax map_argument(std::string& path,
                            const std::string& help = "Class map, such as one of 'parsimap classify'");
// --earlier and --compare.
OptionSyntax map_option(const std::string& name, std::optional<std::string>& path, const std::string& label,
                        const std::string& help);

// --mask, --quality, --orthorectify and --variable.
std::vector<OptionSyntax> scene_options(SceneInput& scene);
// --region, whose help begins with `help`.
OptionSyntax region_option(SceneInput& scene, const std::string& help);
OptionSyntax variable_option(std::optional<std::string>& variable);
OptionSyntax orthorectify_option(SceneInput& scene);
OptionSyntax lookup_option(SceneInput& scene);

// LABELS, and --labels: further files of labels. The argument is the first of the files; without it, which only
// `train` allows, all are those of --labels: `has_argument` says which.
ArgumentSyntax labels_argument(LabelInput& labels, const std::function<bool()>& has_argument);
OptionSyntax further_labels_option(LabelInput& labels, const std::function<bool()>& has_argument,
                                   const std::string& help);
// --class-field, --where, --label-variable, --x, --y, --crs and --classes.
std::vector<OptionSyntax> label_options(LabelInput& labels);
// The field of --test-out with the units that `train` kept apart, by which `assess` groups the reference.
inline constexpr const char* kTestUnitField = "test_unit";
inline constexpr const char* kMapZero = "the 0 of a map is a class if another nodata value, such as 255, is declared";
OptionSyntax group_field_option(LabelInput& labels, const std::string& help);

// --seed; `help` says of what.
OptionSyntax seed_option(std::uint64_t& seed, const std::string& help);

// "folds:5", "METRES" and the like: distances of 0 or more.
inline const NumberRange kDistances{.least = 0};
// Probabilities above 0.
inline const NumberRange kShares{.least = 0, .most = 1, .above = true};

}  // namespace parsimap
