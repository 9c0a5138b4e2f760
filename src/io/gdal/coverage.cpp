#include "coverage.hpp"

#include <cpl_minixml.h>

#include <algorithm>
#include <string>
#include <utility>

namespace parsimap::gdal {

namespace {

// The target rectangles of a VRT band's sources, as text.
std::string layout_text(const CPLXMLNode* band) {
  std::string text;
  for (const CPLXMLNode* source = band->psChild; source != nullptr; source = source->psNext) {
    if (source->eType == CXT_Element && std::string(source->pszValue).ends_with("Source")) {
      text += '|';
      for (const char* key : {"DstRect.xOff", "DstRect.yOff", "DstRect.xSize", "DstRect.ySize"}) {
        text += std::string(CPLGetXMLValue(source, key, "")) + ' ';
      }
    }
  }
  return text;
}

bool vrt_bands_share_layout(GDALDataset& dataset) {
  char** documents = dataset.GetMetadata("xml:VRT");
  if (documents == nullptr || documents[0] == nullptr) {
    return false;
  }
  const CPLXMLTreeCloser tree(CPLParseXMLString(documents[0]));
  const CPLXMLNode* root = CPLGetXMLNode(tree.get(), "=VRTDataset");
  if (root == nullptr) {
    return false;
  }
  std::optional<std::string> first;
  for (const CPLXMLNode* node = root->psChild; node != nullptr; node = node->psNext) {
    if (node->eType == CXT_Element && std::string(node->pszValue) == "VRTRasterBand") {
      const std::string text = layout_text(node);
      if (first && text != *first) {
        return false;
      }
      first = text;
    }
  }
  return first.has_value();
}

}  // namespace

Coverage::Coverage(GDALDataset& dataset, std::vector<int> bands) : dataset_(dataset), bands_(std::move(bands)) {}

int Coverage::status(int band, const Window& window) const {
  return dataset_.GetRasterBand(band)->GetDataCoverageStatus(
      static_cast<int>(window.column), static_cast<int>(window.row), static_cast<int>(window.width),
      static_cast<int>(window.height), 0, nullptr);
}

// A VRT answers for one band in some ten microseconds: asking hundreds of bands would dominate the run.
bool Coverage::same_layout() const {
  if (!same_layout_) {
    same_layout_ = EQUAL(dataset_.GetDriverName(), "VRT") && vrt_bands_share_layout(dataset_);
  }
  return *same_layout_;
}

bool Coverage::empty(const Window& window) const {
  const auto is_empty = [&](int band) { return status(band, window) == GDAL_DATA_COVERAGE_STATUS_EMPTY; };
  if (!is_empty(bands_.front())) {
    return false;
  }
  return bands_.size() == 1 || same_layout() || std::all_of(bands_.begin() + 1, bands_.end(), is_empty);
}

bool Coverage::has_holes(const Window& window) const {
  return (status(bands_.front(), window) & GDAL_DATA_COVERAGE_STATUS_EMPTY) != 0;
}

}  // namespace parsimap::gdal
