/* Two functions for R, train and classify, by the C interface of parsimap; iris.R uses them. */
#define R_NO_REMAP /* names of R begin with Rf_ */
#include <R.h>
#include <Rinternals.h>
#include <parsimap/parsimap.h>
#include <stdio.h>

static void free_model(SEXP model) {
  parsimap_free_model(R_ExternalPtrAddr(model));
  R_ClearExternalPtr(model);
}

static void look_for_interrupt(void *nothing) {
  (void)nothing;
  R_CheckUserInterrupt();
}

/* Waits for the work, which Ctrl-C stops. A failure is an error of R with the sentence of the library. */
static void wait_for(parsimap_work *work) {
  parsimap_event event;
  while (parsimap_next_event(work, 100, &event) != PARSIMAP_ENDED) {
    if (!R_ToplevelExec(look_for_interrupt, NULL)) {
      parsimap_stop(work);
    }
  }
  parsimap_array error;
  if (parsimap_finish(work, &error) != PARSIMAP_OK) {
    char sentence[1000];
    snprintf(sentence, sizeof sentence, "%.*s", (int)error.shape[0], (const char *)error.data);
    parsimap_free(error.owner);
    parsimap_free_work(work);
    Rf_error("%s", sentence);
  }
}

/* A model of the rows of a matrix of numbers, whose classes are a factor. R keeps matrices column by column. */
SEXP train(SEXP spectra, SEXP classes) {
  const int rows = Rf_nrows(spectra), bands = Rf_ncols(spectra);
  const SEXP names = Rf_getAttrib(classes, R_LevelsSymbol);
  int64_t *labels = (int64_t *)R_alloc(rows, sizeof *labels);
  for (int i = 0; i < rows; ++i) {
    labels[i] = INTEGER(classes)[i] - 1;
  }
  parsimap_settings *settings = parsimap_new_settings();
  for (int c = 0; c < Rf_length(names); ++c) {
    parsimap_add_class(settings, c + 1, CHAR(STRING_ELT(names, c)));
  }
  const parsimap_array array = {REAL(spectra), NULL, PARSIMAP_FLOAT64, 2, {rows, bands, 0}, {1, rows, 0}};
  parsimap_work *work = parsimap_new_work();
  parsimap_train(work, &array, labels, NULL, NULL, settings);
  parsimap_free_settings(settings);
  wait_for(work);
  parsimap_model *model = NULL;
  parsimap_take_model(work, &model, NULL);
  parsimap_free_work(work);
  const SEXP result = PROTECT(R_MakeExternalPtr(model, R_NilValue, R_NilValue));
  R_RegisterCFinalizer(result, free_model);
  UNPROTECT(1);
  return result;
}

/* The map of an array of rows x columns x bands: an integer matrix of class numbers, 0 where a value is missing. */
SEXP classify(SEXP model, SEXP scene) {
  const int *shape = INTEGER(Rf_getAttrib(scene, R_DimSymbol));
  const int rows = shape[0], columns = shape[1], bands = shape[2];
  const parsimap_array array = {
      REAL(scene), NULL, PARSIMAP_FLOAT64, 3, {rows, columns, bands}, {1, rows, (int64_t)rows * columns}};
  parsimap_work *work = parsimap_new_work();
  parsimap_classify(work, R_ExternalPtrAddr(model), &array, NULL);
  wait_for(work);
  parsimap_array map;
  parsimap_take_array(work, "map", &map, NULL);
  parsimap_free_work(work);
  const SEXP result = PROTECT(Rf_allocMatrix(INTSXP, rows, columns));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      INTEGER(result)[i + (int64_t)j * rows] = ((const uint16_t *)map.data)[i * map.steps[0] + j * map.steps[1]];
    }
  }
  parsimap_free(map.owner);
  UNPROTECT(1);
  return result;
}
