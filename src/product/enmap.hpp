// Products of EnMAP, the German imaging spectrometer with 224 bands from 420 to 2450 nm.
#pragma once

#include "described_product.hpp"
#include "xml_file.hpp"

namespace parsimap {

// Of levels L1C (radiance at the sensor on a map) and L2A (reflectance of the surface). DataError: another level, whose
// images do not lie on one grid, or metadata that lack something.
ProductDescription read_enmap_metadata(const XmlFile& metadata, const MetadataSource& source);

}  // namespace parsimap
