// What a map is made of: by it, a process knows whether the work of another one belongs to its own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "parsimap/commands/map_scene.hpp"

namespace parsimap {

using MapFacts = std::vector<std::pair<std::string, std::string>>;

// Names and values of all that decides what is in the map and its layers: the version of the program, the number of
// parts, digests of the scene, of its mask and of the model, which has the colours that are wanted, and options.
// Neither the names of these files nor threads and memory are among them. IoError where a file cannot be read.
MapFacts map_facts(const MapOptions& options, Index parts, const InputScene& scene, const Model& model);

}  // namespace parsimap
