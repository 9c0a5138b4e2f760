// A model file: the payload, which the target puts into a file with the right head, or a whole file.
#include "parsimap/classifier/model.hpp"

#include <algorithm>
#include <string>

#include "parsimap/classifier/predictor.hpp"
#include "parsimap/json/model_file.hpp"

#include "fuzz/document_mutator.hpp"
#include "fuzz/target.hpp"
#include "json/json_fields.hpp"

PARSIMAP_FUZZ_DOCUMENTS(cbor)

namespace parsimap::fuzz {
namespace {

// A model that loads can be used.
void classify(const Model& model) {
  Spectra spectra(2, static_cast<Index>(model.bands.size()) + profile_features(model));
  spectra.row(0).setZero();
  spectra.row(1).setLinSpaced(0, 1);
  Spectra values;
  Predictor(model).decision_values(spectra, 1, values);
  require(values.rows() == 2 && values.cols() == static_cast<Index>(model.classes.size()), "every class has a value");
  softmax_rows(model.softmax_slope, values);
  if (!model.novelty.empty()) {
    Predictor(model).novelty(spectra, 1, values);
  }
}

}  // namespace

void run_input(std::string_view input) {
  static MemoryFile file;
  if (input.starts_with("PARSIMAP")) {
    accepted([&] { load_model(file.hold(input)); });
    return;
  }
  accepted([&] {
    const Model model = model_from_cbor(input);
    const std::string bytes = model_bytes(model);
    require(model_bytes(load_model(file.hold(bytes))) == bytes, "a model that is written loads to the same");
    classify(model);
  });
}

}  // namespace parsimap::fuzz
