#include "parsimap/mapping/map_reach.hpp"

#include "parsimap/core/error.hpp"
#include "parsimap/morphology/extended_profile.hpp"

namespace parsimap {

Index map_reach(const Model& model, const Regularisation& regularisation, std::optional<double> pixel_metres) {
  if (regularisation.method == RegularisationMethod::automatic) {
    throw ConfigError(
        "regularisation 'auto' is chosen from the whole scene, and cannot be for pieces of it; name one, such as "
        "'neighbours:1'");
  }
  Index reach = 0;
  if (model.profile) {
    const Indices radii = pixel_radii(*model.profile, pixel_metres ? &*pixel_metres : nullptr);
    reach = profile_reach(radii, model.profile->steps);
  }
  if (regularisation.method != RegularisationMethod::none) {
    reach += gaussian_reach(regularisation.sigma);
  }
  return reach;
}

}  // namespace parsimap
