// Signed bytes: GDAL before 3.7 has no type for them and opens them as unsigned, with a mark in the metadata.
#pragma once

#include "../dataset.hpp"

namespace parsimap {

// True where the band has the type of GDAL 3.7, or is one of unsigned bytes with the mark that they are signed.
bool has_signed_bytes(GDALRasterBand& band);

// The dataset with the marked bands as integers of 16 bits, so that whatever reads it gets the signed values. Datasets
// without such bands are returned as they are; with `all`, every band of bytes counts as marked, as in a mosaic of
// signed bytes.
DatasetPtr with_signed_bytes(DatasetPtr dataset, bool all = false);

// The bands of datasets of one size, called `names`, as those of a dataset `name`, likewise. The rest of it is that of
// the first dataset.
DatasetPtr joined_bands(std::vector<DatasetPtr> datasets, const std::vector<std::string>& names,
                        const std::string& name);
bool has_joined_bands(const GDALDataset& dataset);

}  // namespace parsimap
