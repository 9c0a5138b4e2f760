#include "simulation_document.hpp"

namespace parsimap {
namespace {

SimulatedClassSpec class_spec(const Json& object) {
  SimulatedClassSpec spec;
  read_field(object, "name", spec.name);
  read_field(object, "dimension", spec.dimension);
  read_field(object, "variances", spec.variances);
  read_field(object, "largest_variance", spec.largest_variance);
  read_field(object, "decay", spec.decay);
  read_field(object, "noise_variance", spec.noise_variance);
  read_field(object, "weight", spec.weight);
  read_field(object, "mean", spec.mean);
  read_field(object, "colour", spec.colour);
  return spec;
}

LayoutSpec layout_spec(const Json& object) {
  LayoutSpec spec;
  read_field(object, "kind", spec.kind);
  read_field(object, "sites", spec.sites);
  read_field(object, "stripe_width", spec.stripe_width);
  read_field(object, "block_size", spec.block_size);
  read_field(object, "map", spec.map);
  read_field(object, "gap", spec.gap);
  return spec;
}

MixingSpec mixing_spec(const Json& object) {
  MixingSpec spec;
  read_field(object, "fraction", spec.fraction);
  read_field(object, "strength", spec.strength);
  read_field(object, "reach", spec.reach);
  return spec;
}

PolygonSpec polygon_spec(const Json& object) {
  PolygonSpec spec;
  read_field(object, "per_class", spec.per_class);
  read_field(object, "smallest_radius", spec.smallest_radius);
  read_field(object, "largest_radius", spec.largest_radius);
  read_field(object, "train_fraction", spec.train_fraction);
  return spec;
}

}  // namespace

SimulationSpec simulation_of(const Json& object) {
  SimulationSpec spec;
  read_field(object, "width", spec.width);
  read_field(object, "height", spec.height);
  read_field(object, "bands", spec.bands);
  read_field(object, "first_wavelength", spec.first_wavelength);
  read_field(object, "last_wavelength", spec.last_wavelength);
  read_field(object, "pixel_size", spec.pixel_size);
  read_field(object, "origin", spec.origin);
  read_field(object, "epsg", spec.epsg);
  read_field(object, "seed", spec.seed);
  read_field(object, "separation", spec.separation);
  read_field(object, "subspace", spec.subspace);
  read_field(object, "snr", spec.snr);
  read_field(object, "epsilon", spec.epsilon);
  read_field(object, "scale", spec.scale);
  spec.layout = layout_spec(object.value("layout", Json::object()));
  spec.mixing = mixing_spec(object.value("mixing", Json::object()));
  spec.polygons = polygon_spec(object.value("polygons", Json::object()));
  for (const Json& entry : object.at("classes")) {
    spec.classes.push_back(class_spec(entry));
  }
  return spec;
}

namespace {

Json class_document(const SimulatedClassSpec& spec) {
  Json json = {{"name", spec.name},           {"dimension", spec.dimension},
               {"variances", spec.variances}, {"largest_variance", spec.largest_variance},
               {"decay", spec.decay},         {"noise_variance", spec.noise_variance},
               {"weight", spec.weight},       {"mean", spec.mean}};
  if (spec.colour) {
    json["colour"] = *spec.colour;
  }
  return json;
}

Json layout_document(const LayoutSpec& spec) {
  return {
      {"kind", spec.kind}, {"sites", spec.sites}, {"stripe_width", spec.stripe_width}, {"block_size", spec.block_size},
      {"map", spec.map},   {"gap", spec.gap}};
}

Json polygon_document(const PolygonSpec& spec) {
  return {{"per_class", spec.per_class},
          {"smallest_radius", spec.smallest_radius},
          {"largest_radius", spec.largest_radius},
          {"train_fraction", spec.train_fraction}};
}

}  // namespace

Json simulation_document(const SimulationSpec& spec) {
  Json json = {{"width", spec.width},
               {"height", spec.height},
               {"bands", spec.bands},
               {"first_wavelength", spec.first_wavelength},
               {"last_wavelength", spec.last_wavelength},
               {"pixel_size", spec.pixel_size},
               {"origin", spec.origin},
               {"epsg", spec.epsg},
               {"seed", spec.seed},
               {"layout", layout_document(spec.layout)}};
  Json classes = Json::array();
  for (const SimulatedClassSpec& entry : spec.classes) {
    classes.push_back(class_document(entry));
  }
  json["classes"] = classes;
  json["separation"] = spec.separation;
  json["subspace"] = spec.subspace;
  json["mixing"] = {
      {"fraction", spec.mixing.fraction}, {"strength", spec.mixing.strength}, {"reach", spec.mixing.reach}};
  if (spec.snr) {
    json["snr"] = *spec.snr;
  }
  json["epsilon"] = spec.epsilon;
  json["scale"] = spec.scale;
  json["polygons"] = polygon_document(spec.polygons);
  return json;
}

}  // namespace parsimap
