#include "desis.hpp"

#include "band_metadata.hpp"

namespace parsimap {
namespace {

constexpr BandElements kDesisBand{"band",       "bandNumber",  "wavelengthCenterOfBand", "wavelengthWidthOfBand",
                                  "gainOfBand", "offsetOfBand"};
constexpr double kBackground = -32768;

// The bands of the quality raster, of which the last two, aerosol and water vapour, are no marks.
std::vector<QualityMeaning> quality_layers() {
  const auto layer = [](const std::string& name, const std::string& meaning, Index band) {
    return QualityMeaning{name, meaning + ", band " + std::to_string(band + 1) + " of QL_QUALITY-2", band, {1}};
  };
  return {layer("cloud", "over land", 5), layer("cloud", "over water", 6), layer("shadow", "any", 0),
          layer("haze", "over land", 3),  layer("haze", "over water", 4),  layer("snow", "any", 2),
          layer("land", "clear land", 1), layer("water", "clear water", 7)};
}

}  // namespace

ProductDescription read_desis_metadata(const XmlFile& metadata, const MetadataSource& source) {
  const std::string level =
      product_level(metadata, {text_at(metadata.root(), "base.level"), metadata.text_anywhere("processingLevel"),
                               name_of(metadata.path()), metadata.text_anywhere("productType")});
  const bool reflectance = level == "L2A";
  ProductDescription description;
  description.product = "DESIS " + level;
  description.quantity = reflectance ? "reflectance" : "radiance, mW/(cm2 sr um)";
  description.bands = {read_bands(metadata, kDesisBand),
                       metadata.number_anywhere("backgroundValue").value_or(kBackground)};
  description.image = {source.prefix + kImageEnding};
  if (reflectance) {
    description.quality = {{{source.prefix + "-QL_QUALITY-2"}, quality_layers()}};
  }
  return description;
}

}  // namespace parsimap
