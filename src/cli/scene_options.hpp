// The options of commands that read a scene.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "parsimap/scene/band_choice.hpp"
#include "parsimap/scene/open_scene.hpp"

#include "command_line.hpp"
#include "console.hpp"

namespace parsimap {

// --variable: the array of a MATLAB scene.
OptionSyntax variable_option();
// --mask.
OptionSyntax mask_option();
// --bands and --exclude-bands.
std::vector<OptionSyntax> band_option_syntax();

BandChoice band_choice(const OptionValues& values);

// The scene at `path`, behind the mask where there is one. Errors as open_scene_file() and check_same_grid();
// DataError: a mask of several bands.
OpenScene open_masked_scene(const std::string& path, const std::optional<std::string>& variable,
                            const std::optional<std::string>& mask);

// choose_bands() of a scene, which says on the console which bad bands are left out or used all the same.
// DataError: the scene has a list of bad bands that does not fit its bands, and no band is named.
ChosenBands chosen_bands(const SceneSource& scene, const std::optional<Index>& misfit_bad_band_entries,
                         const BandChoice& choice, Console& console);

}  // namespace parsimap
