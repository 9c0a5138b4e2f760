// Products that are rasters beside a file of metadata, <prefix>-METADATA.XML: those of EnMAP, the German imaging
// spectrometer with 224 bands from 420 to 2450 nm, and of DESIS, one on the International Space Station with 235 bands
// from 400 to 1000 nm.
#include "metadata_product.hpp"

#include <cpl_error.h>
#include <cpl_string.h>
#include <cpl_vsi.h>

#include <set>

#include "parsimap/core/error.hpp"
#include "parsimap/core/file.hpp"
#include "parsimap/core/text.hpp"
#include "parsimap/gdal/raster/scene.hpp"
#include "parsimap/gdal/raster/settings.hpp"

#include "described_product.hpp"

namespace parsimap {

constexpr BandElements kEnmapBand{"bandID",     "number",     "wavelengthCenterOfBand",
                                  "FWHMOfBand", "GainOfBand", "OffsetOfBand"};
// The statistics of a band without values.
constexpr double kMeanOfNothing = -1e6;

// The numbers of a list such as "1,2,3"; what is none, as in an empty list, is passed over.
static std::set<std::size_t> numbers_at(const XmlFile& metadata, const char* place) {
  std::set<std::size_t> numbers;
  for (const std::string& part : parts_of(text_at(metadata.root(), place), ",")) {
    if (const auto number = parse_number<std::size_t>(part)) {
      numbers.insert(*number);
    }
  }
  return numbers;
}

// Names bands by the instrument that they are of: both see the range from 900 to 1000 nm.
static void name_bands(const XmlFile& metadata, BandTable& bands) {
  for (const auto& [name, place] : {std::pair("VNIR", "specific.vnirProductQuality.expectedChannelsList"),
                                    std::pair("SWIR", "specific.swirProductQuality.expectedChannelsList")}) {
    for (const std::size_t number : numbers_at(metadata, place)) {
      if (number >= 1 && number <= bands.size()) {
        bands[number - 1].name = std::string(name) + " " + std::to_string(number);
      }
    }
  }
}

// Marks the bands that the product lacks: they are in the image, without a value.
static void mark_bad_bands(const XmlFile& metadata, BandTable& bands) {
  std::set<std::size_t> missing = numbers_at(metadata, "specific.vnirProductQuality.missingChannelsList");
  missing.merge(numbers_at(metadata, "specific.swirProductQuality.missingChannelsList"));
  for (const CPLXMLNode* node : elements_in(CPLGetXMLNode(&metadata.root(), "product.bandStatistics"), "bandID")) {
    const auto number = parse_number<std::size_t>(text_at(*node, "number"));
    if (number && parse_number<double>(text_at(*node, "mean")) == kMeanOfNothing) {
      missing.insert(*number);
    }
  }
  for (std::size_t i = 0; i < bands.size(); ++i) {
    bands[i].bad = missing.contains(i + 1);
  }
}

// The names without extension of the file whose name in the metadata ends in `ending`, and that it has by the name of
// the metadata.
static Stems stems_of(const std::vector<std::string>& named, const std::string& prefix, const std::string& ending) {
  Stems stems;
  for (const std::string& name : named) {
    if (ends_in(without_extension(name), ending)) {
      stems.push_back(without_extension(name));
    }
  }
  stems.push_back(prefix + ending);
  return stems;
}

static std::vector<std::string> names_of_files(const XmlFile& metadata) {
  return mapped<std::string>(elements_in(CPLGetXMLNode(&metadata.root(), "product.productFileInformation"), "file"),
                             [](const CPLXMLNode* file) { return text_at(*file, "name"); });
}

// A raster of test flags, whose values are not those of kinds of pixels, and one of defective pixels by band are not
// read.
static std::vector<QualityFile> quality_files(const std::vector<std::string>& named, const std::string& prefix) {
  const auto file = [&](const std::string& ending, std::vector<QualityLayer> layers) {
    for (QualityLayer& layer : layers) {
      layer.meaning += (layer.meaning.empty() ? "" : ", ") + ending;
    }
    return QualityFile{stems_of(named, prefix, "-" + ending), std::move(layers)};
  };
  return {file("QL_QUALITY_CLOUD", {{"cloud", "", nullptr, 0, {1}}}),
          file("QL_QUALITY_CLOUDSHADOW", {{"shadow", "of clouds", nullptr, 0, {1}}}),
          file("QL_QUALITY_CIRRUS", {{"cirrus", "thin, medium or thick", nullptr, 0, {1, 2, 3}}}),
          file("QL_QUALITY_HAZE", {{"haze", "", nullptr, 0, {1}}}),
          file("QL_QUALITY_SNOW", {{"snow", "", nullptr, 0, {1}}}),
          file("QL_QUALITY_CLASSES", {{"land", "", nullptr, 0, {1}}, {"water", "", nullptr, 0, {2}}})};
}

constexpr BandElements kDesisBand{"band",       "bandNumber",  "wavelengthCenterOfBand", "wavelengthWidthOfBand",
                                  "gainOfBand", "offsetOfBand"};
constexpr double kBackground = -32768;

// The bands of the quality raster, of which the last two, aerosol and water vapour, are no marks.
static std::vector<QualityLayer> quality_layers() {
  const auto layer = [](const std::string& name, const std::string& meaning, Index band) {
    return QualityLayer{name, meaning + ", band " + std::to_string(band + 1) + " of QL_QUALITY-2", nullptr, band, {1}};
  };
  return {layer("cloud", "over land", 5), layer("cloud", "over water", 6), layer("shadow", "any", 0),
          layer("haze", "over land", 3),  layer("haze", "over water", 4),  layer("snow", "any", 2),
          layer("land", "clear land", 1), layer("water", "clear water", 7)};
}

// An image that has lost its metadata, as parts that somebody has cut out have.
static std::optional<OpenScene> open_image_alone(const std::string& path) {
  const std::optional<std::string> prefix = prefix_of_image(name_of(path));
  if (!prefix || ends_in(path, ".hdr") || !is_file(path)) {
    return std::nullopt;
  }
  OpenScene scene = open_scene(path);
  scene.description.note += (scene.description.note.empty() ? "" : "; ") + path +
                            " is called like the image of a product, but " + *prefix + kMetadataEnding +
                            " is not beside it: what that says of bands, scale and quality stays unknown";
  return scene;
}

// Levels L1C (radiance at the sensor on a map) and L2A (reflectance of the surface). DataError: another level, whose
// images do not lie on one grid, or metadata that lack something.
static ProductDescription read_enmap_metadata(const XmlFile& metadata, const MetadataSource& source) {
  const std::string level = product_level(metadata, {text_at(metadata.root(), "metadata.schema.processingLevel"),
                                                     text_at(metadata.root(), "base.level"), name_of(metadata.path())});
  if (level == "L1B") {
    throw DataError(source.asked +
                    " is an EnMAP product of level L1B, whose two images (VNIR and SWIR) do not lie on " +
                    "one grid; parsimap reads levels L1C and L2A");
  }
  // The level decides between the reflectance of the surface and the radiance at the sensor; gain and offset of each
  // band convert the stored integers.
  const bool reflectance = level == "L2A";
  ProductDescription description;
  description.product = "EnMAP " + level;
  description.quantity = reflectance ? "reflectance" : "radiance, W/(m2 sr nm)";
  description.bands.bands = read_bands(metadata, kEnmapBand);
  name_bands(metadata, description.bands.bands);
  mark_bad_bands(metadata, description.bands.bands);
  description.bands.nodata = metadata.number_anywhere("backgroundValue").value_or(reflectance ? -32768 : 0);
  std::vector<std::string> named = names_of_files(metadata);
  named.insert(named.begin(), text_at(metadata.root(), "product.image.merge.name"));
  description.image = stems_of(named, source.prefix, kImageEnding);
  description.quality = quality_files(named, source.prefix);
  return description;
}

static ProductDescription read_desis_metadata(const XmlFile& metadata, const MetadataSource& source) {
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

std::optional<OpenScene> open_metadata_product(const std::string& path) {
  initialise_gdal();
  const std::optional<MetadataSource> source = find_metadata_source(path);
  if (!source) {
    return open_image_alone(path);
  }
  const XmlFile metadata(source->metadata);
  const std::string mission = metadata.text_anywhere("mission");
  if (EQUAL(mission.c_str(), "EnMAP")) {
    return open_described_product(*source, read_enmap_metadata(metadata, *source));
  }
  if (EQUAL(mission.c_str(), "DESIS")) {
    return open_described_product(*source, read_desis_metadata(metadata, *source));
  }
  return std::nullopt;
}

namespace {

// Metadata have some megabytes. A tree takes up to twenty times the room of its text.
constexpr std::uintmax_t kLargestMetadata = std::uintmax_t{16} << 20U;

std::string content_of(const std::string& path) {
  refuse_special_file(path);
  VSIStatBufL status;
  if (VSIStatL(path.c_str(), &status) != 0) {
    throw DataError(path + " does not exist");
  }
  if (static_cast<std::uintmax_t>(status.st_size) > kLargestMetadata) {
    throw DataError(path + " has " + std::to_string(status.st_size) +
                    " bytes, which is more than metadata of a product are (" + std::to_string(kLargestMetadata) + ")");
  }
  return whole_file(path);
}

// The root is the first element that is no declaration, such as <?xml ...?>.
const CPLXMLNode* root_of(const CPLXMLNode* tree) {
  for (const CPLXMLNode* node = tree; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && node->pszValue[0] != '?') {
      return node;
    }
  }
  return nullptr;
}

constexpr std::size_t kLongestQuote = 40;

// Reads the elements of one band.
class BandReader {
 public:
  BandReader(const XmlFile& metadata, const CPLXMLNode& node, std::string about)
      : metadata_(metadata), node_(node), about_(std::move(about)) {}

  template <typename Number = double>
  [[nodiscard]] Number number(const char* name, const char* rule = "a number") const {
    const std::string text = text_at(node_, name);
    const auto value = parse_number<Number>(text);
    if (!value) {
      refuse(name, text, rule);
    }
    return *value;
  }

  [[noreturn]] void refuse(const char* name, const std::string& text, const std::string& rule) const {
    throw DataError(metadata_.path() + ": " + name + " of " + about_ + " is '" + text.substr(0, kLongestQuote) +
                    "'; it must be " + rule);
  }

 private:
  const XmlFile& metadata_;
  const CPLXMLNode& node_;
  std::string about_;
};

Band band_of(const BandReader& reader, const BandElements& names) {
  Band band;
  const double wavelength = reader.number(names.wavelength);
  if (wavelength <= 0) {
    reader.refuse(names.wavelength, std::to_string(wavelength), "above 0");
  }
  band.wavelength = wavelength;
  const double fwhm = reader.number(names.fwhm);
  if (fwhm > 0) {
    band.fwhm = fwhm;
  }
  band.scale = reader.number(names.gain);
  if (band.scale == 0) {
    reader.refuse(names.gain, "0", "another number, for all values would be the same");
  }
  band.offset = reader.number(names.offset);
  return band;
}

}  // namespace

XmlFile::XmlFile(const std::string& path) : path_(path), tree_(nullptr) {
  initialise_gdal();
  const std::string content = content_of(path);
  CPLErrorReset();
  tree_.reset(CPLParseXMLString(content.c_str()));
  root_ = root_of(tree_.get());
  if (root_ == nullptr) {
    const std::string reason = CPLGetLastErrorMsg();
    throw DataError(path + " is no XML that can be read: " + (reason.empty() ? "no reason is given" : reason));
  }
}

std::string XmlFile::text_anywhere(const char* name) const {
  const CPLXMLNode* node = CPLSearchXMLNode(root_, name);
  return node == nullptr ? "" : text_at(*node, "");
}

std::optional<double> XmlFile::number_anywhere(const char* name) const {
  const std::string text = text_anywhere(name);
  if (text.empty()) {
    return std::nullopt;
  }
  const auto number = parse_number<double>(text);
  if (!number) {
    throw DataError(path_ + ": <" + name + "> is '" + text.substr(0, 40) + "', which is not a number");
  }
  return number;
}

std::string text_at(const CPLXMLNode& node, const char* place) {
  return std::string(trimmed(CPLGetXMLValue(&node, *place == '\0' ? nullptr : place, "")));
}

BandTable read_bands(const XmlFile& metadata, const BandElements& names) {
  const std::vector<const CPLXMLNode*> nodes =
      elements_in(CPLGetXMLNode(&metadata.root(), "specific.bandCharacterisation"), names.band);
  if (nodes.empty()) {
    throw DataError(metadata.path() + " describes no band: it has no <" + names.band +
                    "> in <specific>, <bandCharacterisation>");
  }
  // Each number from 1 to the number of bands must occur once, in any order.
  std::vector<std::optional<Band>> found(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const BandReader reader(metadata, *nodes[i], "the band at place " + std::to_string(i + 1));
    // A number is used as the place of its band; a gap or a repetition would shift wavelengths against the bands of the
    // image.
    const auto number = reader.number<std::size_t>(names.number, "the number of a band");
    if (number < 1 || number > found.size() || found[number - 1]) {
      reader.refuse(names.number, std::to_string(number),
                    "from 1 to " + std::to_string(found.size()) + ", each number once");
    }
    found[number - 1] = band_of(reader, names);
  }
  return mapped<Band>(found, [](const std::optional<Band>& band) { return *band; });
}

std::string product_level(const XmlFile& metadata, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    for (const char* level : {"L1B", "L1C", "L2A"}) {
      // The texts are in order of their reliability, and may contain more than the level.
      if (text.find(level) != std::string::npos) {
        return level;
      }
    }
  }
  throw DataError(metadata.path() + " does not say the level of the product (L1B, L1C or L2A)");
}

}  // namespace parsimap
