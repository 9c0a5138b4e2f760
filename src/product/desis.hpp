// Products of DESIS, an imaging spectrometer on the International Space Station with 235 bands from 400 to 1000 nm.
#pragma once

#include "described_product.hpp"
#include "xml_file.hpp"

namespace parsimap {

// DataError: metadata that lack something.
ProductDescription read_desis_metadata(const XmlFile& metadata, const MetadataSource& source);

}  // namespace parsimap
