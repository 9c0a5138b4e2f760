#include "scene_options.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/io/gdal/same_grid.hpp"
#include "parsimap/scene/masked_scene.hpp"

#include "input_files.hpp"

namespace parsimap {

OptionSyntax variable_option() {
  return {.name = "variable",
          .kind = OptionKind::text,
          .value_name = "NAME",
          .help = "Array of a MATLAB scene (.mat), where its shape does not tell which"};
}

OptionSyntax mask_option() {
  return {.name = "mask",
          .kind = OptionKind::text,
          .value_name = "FILE",
          .help = "Raster of one band on the scene's grid; pixels where it is 0 or nodata are left out"};
}

std::vector<OptionSyntax> band_option_syntax() {
  return {{.name = "bands",
           .kind = OptionKind::list,
           .value_name = "LIST",
           .help = "Use these bands, bad ones too: 7,10-25 or 1350-1450nm or names; unset: all that are not bad"},
          {.name = "exclude-bands", .kind = OptionKind::list, .value_name = "LIST", .help = "Do not use these bands"}};
}

BandChoice band_choice(const OptionValues& values) { return {values.list("bands"), values.list("exclude-bands")}; }

OpenScene open_masked_scene(const std::string& path, const std::optional<std::string>& variable,
                            const std::optional<std::string>& mask) {
  OpenScene scene = open_scene_file(path, {.variable = variable});
  if (!mask) {
    return scene;
  }
  std::unique_ptr<SceneSource> raster = open_scene(*mask).source;
  check_same_grid(raster->grid(), raster->name(), scene.source->grid(), scene.source->name(),
                  "a mask must lie on the scene's grid");
  scene.source = mask_scene(std::move(scene.source), std::move(raster));
  return scene;
}

ChosenBands chosen_bands(const SceneSource& scene, const std::optional<Index>& misfit_bad_band_entries,
                         const BandChoice& choice, Console& console) {
  if (misfit_bad_band_entries && choice.use.empty()) {
    throw DataError(scene.name() + ": its list of bad bands has " + std::to_string(*misfit_bad_band_entries) +
                    " entries for " + std::to_string(scene.bands().size()) +
                    " bands; correct the list, or name the bands to use (--bands)");
  }
  ChosenBands chosen = choose_bands(scene.bands(), choice, scene.name());
  for (const auto& [reason, bands] : bands_by_reason(chosen.dropped)) {
    if (reason == "marked as bad") {
      console.message("bands left out because the scene marks them as bad: " + band_list(bands));
    }
  }
  if (!chosen.bad.empty()) {
    console.warning("bands used because --bands names them, though the scene marks them as bad: " +
                    band_list(chosen.bad));
  }
  return chosen;
}

}  // namespace parsimap
