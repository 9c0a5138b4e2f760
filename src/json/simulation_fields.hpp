// The fields of a simulation in its JSON file, which config/simulation.schema.json checks: the file of a simulated
// scene, and part of the file of an experiment.
#pragma once

#include "parsimap/simulation/simulation.hpp"

#include "fields.hpp"

namespace parsimap {

template <>
inline constexpr auto fields<LayoutSpec> = [](auto& layout, const auto& field) {
  field("kind", layout.kind);
  field("sites", layout.sites);
  field("stripe_width", layout.stripe_width);
  field("block_size", layout.block_size);
  field("map", layout.map);
  field("gap", layout.gap);
};

template <>
inline constexpr auto fields<SimulatedClassSpec> = [](auto& simulated, const auto& field) {
  field("name", simulated.name);
  field("dimension", simulated.dimension);
  field("variances", simulated.variances);
  field("largest_variance", simulated.largest_variance);
  field("decay", simulated.decay);
  field("noise_variance", simulated.noise_variance);
  field("weight", simulated.weight);
  field("mean", simulated.mean);
  field("colour", simulated.colour);
};

template <>
inline constexpr auto fields<MixingSpec> = [](auto& mixing, const auto& field) {
  field("fraction", mixing.fraction);
  field("strength", mixing.strength);
  field("reach", mixing.reach);
};

template <>
inline constexpr auto fields<PolygonSpec> = [](auto& polygons, const auto& field) {
  field("per_class", polygons.per_class);
  field("smallest_radius", polygons.smallest_radius);
  field("largest_radius", polygons.largest_radius);
  field("train_fraction", polygons.train_fraction);
};

template <>
inline constexpr auto fields<SimulationSpec> = [](auto& spec, const auto& field) {
  field("width", spec.width);
  field("height", spec.height);
  field("bands", spec.bands);
  field("first_wavelength", spec.first_wavelength);
  field("last_wavelength", spec.last_wavelength);
  field("pixel_size", spec.pixel_size);
  field("origin", spec.origin);
  field("epsg", spec.epsg);
  field("seed", spec.seed);
  field("layout", spec.layout);
  field("classes", spec.classes);
  field("separation", spec.separation);
  field("subspace", spec.subspace);
  field("mixing", spec.mixing);
  field("snr", spec.snr);
  field("epsilon", spec.epsilon);
  field("scale", spec.scale);
  field("polygons", spec.polygons);
};

}  // namespace parsimap
