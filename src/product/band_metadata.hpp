// What EnMAP and DESIS say of a band, in elements of almost the same names.
#pragma once

#include <string>
#include <vector>

#include "parsimap/samples/band.hpp"

#include "xml_file.hpp"

namespace parsimap {

// The names of the elements below that of a band. The number counts bands from 1.
struct BandElements {
  const char* band;
  const char* number;
  const char* wavelength;
  const char* fwhm;
  const char* gain;
  const char* offset;
};

// The bands that are described in "specific.bandCharacterisation", by number: wavelength and width in nanometres, and
// gain and offset as scale. DataError: there are none, a number is missing or repeated, or a text is not the number
// that it should be.
BandTable read_bands(const XmlFile& metadata, const BandElements& names);

// The first of these that says one of the levels "L1B", "L1C" and "L2A", anywhere in it. DataError naming the metadata
// where none does.
std::string product_level(const XmlFile& metadata, const std::vector<std::string>& texts);

}  // namespace parsimap
