// Files of libraries as their documented layouts have them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "parsimap/library/library_file.hpp"

#include "unit/core/temporary_folder.hpp"

namespace parsimap::test {

// The library in a file of this name and content.
inline SpectralLibrary read_content(const std::string& name, const std::string& content) {
  const TemporaryFolder folder;
  write_file(folder.file(name), content);
  return read_library(folder.file(name));
}

template <typename Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

template <typename Number>
void put(std::string& bytes, std::size_t place, Number value) {
  std::memcpy(bytes.data() + place, &value, sizeof value);
}

// The header of a file of an ASD spectrometer for wavelengths from 350 nm in steps of 1 nm.
inline std::string asd_header(const std::string& version, int data_type, int format, std::uint16_t channels) {
  std::string header(484, '\0');
  header.replace(0, 3, version);
  header[186] = static_cast<char>(data_type);
  put(header, 191, 350.0F);
  put(header, 195, 1.0F);
  header[199] = static_cast<char>(format);
  put(header, 204, channels);
  return header;
}

// What is between the spectrum and the reference.
inline std::string asd_reference_header(const std::string& description) {
  std::string header(20, '\0');
  put(header, 0, std::uint16_t{0xFFFF});
  put(header, 18, static_cast<std::uint16_t>(description.size()));
  return header + description;
}

inline const char* const kEnviHeader = R"(ENVI
description = {two
  lines}
; a comment = 3
samples = 3
lines = 2
bands = 1
header offset = 0
file type = ENVI Spectral Library
data type = 4
interleave = bsq
byte order = 0
wavelength units = Micrometers
spectra names = {
 old oak, wet
 sand}
wavelength = {0.45, 0.55,
 0.65}
fwhm = {0.01, 0.02, 0.01}
bbl = {1, 0, 1}
)";

}  // namespace parsimap::test
