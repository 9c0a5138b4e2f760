// Maps in two stages: a few of the support spectra decide most pixels, and all of them the others (docs/method.md, "Two
// stages").
//
// A map takes a kernel value for every support vector of every pixel, although most pixels are far from the boundary
// between their class and the next one. There an approximation of the decision values suffices, and how far is far
// enough can be measured on pixels of the scene without labels, because the values that are approximated are known.
#pragma once

#include <optional>
#include <string>

#include "parsimap/classifier/model.hpp"
#include "parsimap/core/types.hpp"

namespace parsimap {

enum class SupportRule {
  reduced,  // a first stage where it makes maps at least twice as fast
  all       // none
};

// "reduced", "all" and back; another text is a ConfigError that lists them.
SupportRule parse_support_rule(const std::string& text);
std::string to_string(SupportRule rule);

// Fewer pixels do not show how far from the boundary the first stage can be trusted.
inline constexpr Index kFewestStagePixels = 4000;

// The first stage of a model, from pixels of its scene (n x (d + q), as Predictor takes them) and their decision values
// (n x K, those of Predictor): its coefficients are fitted to them, and compared on each half of them where they are
// fitted to the other half. Nothing where maps would not be twice as fast, and for fewer than kFewestStagePixels
// pixels.
std::optional<FirstStage> first_stage(const Model& model, const Spectra& pixels, const Spectra& decisions, int threads);

// A model whose decision values are those of the first stage of `model`, which has one; without what they do not depend
// on.
Model first_stage_model(const Model& model);

// The difference of the two largest values of a row.
double lead(const Eigen::Ref<const Eigen::RowVectorXd, 0, Eigen::InnerStride<>>& values);

}  // namespace parsimap
