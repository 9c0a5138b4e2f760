#include "parsimap/classifier/classifier_design.hpp"

namespace parsimap {

ClassifierDesign design_of(const Model& model, std::optional<DimensionRule> dimension) {
  ClassifierDesign design;
  design.combination = model.combination;
  design.class_weights = model.class_weights;
  design.dimension = dimension;
  for (const BinaryClassifier& classifier : model.classifiers) {
    design.learnt.push_back(classifier.metric);
    design.C.push_back(classifier.C);
  }
  // The width goes with the shape that selection has chosen; with profiles it is the one that was chosen together
  // with them.
  for (const ShapeScore& score : model.scan) {
    if (score.shape == model.shape) {
      design.shape = model.shape;
      design.width =
          profile_features(model) > 0 && model.profile_score ? model.profile_score->point.width : score.point.width;
    }
  }
  return design;
}

}  // namespace parsimap
