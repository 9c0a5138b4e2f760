/* The C interface, called from C: a drawn scene of three classes, which is trained on, predicted and mapped in several ways. What
 * is expected follows from how the scene was drawn, or is computed here by a plain loop. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parsimap/parsimap.h"

enum { ROWS = 12, COLUMNS = 15, PIXELS = ROWS * COLUMNS, BANDS = 6, CLASSES = 3 };

static int failures = 0;

#define CHECK(condition)                                                     \
  do {                                                                       \
    if (!(condition)) {                                                      \
      printf("line %d: %s does not hold\n", __LINE__, #condition);           \
      ++failures;                                                            \
    }                                                                        \
  } while (0)

/* The status of work, whose sentence is printed where it is not expected. */
static int ended(parsimap_work *work, int expected, const char *words) {
  parsimap_array error = {0};
  const int status = parsimap_finish(work, &error);
  char sentence[400] = "";
  if (status != PARSIMAP_OK) {
    snprintf(sentence, sizeof sentence, "%.*s", (int)error.shape[0], (const char *)error.data);
    parsimap_free(error.owner);
  }
  if (status != expected || strstr(sentence, words) == NULL) {
    printf("status %d instead of %d: \"%s\", which should contain \"%s\"\n", status, expected, sentence, words);
    ++failures;
  }
  return status;
}

/* Numbers from 0 to 1. */
static double drawn(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

static double spectra[PIXELS * BANDS]; /* row-major */
static int16_t planes[BANDS * PIXELS]; /* the same, bands first */
static int64_t truth[PIXELS];

static void draw_scene(void) {
  for (int i = 0; i < PIXELS; ++i) {
    truth[i] = i % CLASSES;
    for (int b = 0; b < BANDS; ++b) {
      const double noise = drawn() + drawn() + drawn() - 1.5;
      planes[b * PIXELS + i] = (int16_t)floor(1000 + 150 * (b == truth[i]) + 30 * noise);
      spectra[i * BANDS + b] = planes[b * PIXELS + i];
    }
  }
}

static parsimap_array rows_of_pixels(void) {
  const parsimap_array array = {spectra, NULL, PARSIMAP_FLOAT64, 2, {PIXELS, BANDS, 0}, {BANDS, 1, 0}};
  return array;
}

static parsimap_array scene(void) {
  const parsimap_array array = {planes, NULL, PARSIMAP_INT16, 3, {ROWS, COLUMNS, BANDS}, {COLUMNS, 1, PIXELS}};
  return array;
}

static parsimap_model *trained(void) {
  parsimap_settings *settings = parsimap_new_settings();
  parsimap_add_class(settings, 2, "water");
  parsimap_add_class(settings, 7, "Gr\xc3\xbcn");
  parsimap_add_class(settings, 300, "soil");
  parsimap_set_text(settings, "kernel", "pca");
  parsimap_set_integer(settings, "seed", 5);
  parsimap_work *work = parsimap_new_work();
  const parsimap_array rows = rows_of_pixels();
  parsimap_train(work, &rows, truth, NULL, NULL, settings);
  parsimap_free_settings(settings); /* which work has copied */
  double last = 0;
  parsimap_event event;
  for (int kind; (kind = parsimap_next_event(work, 1000, &event)) != PARSIMAP_ENDED;) {
    CHECK(kind == PARSIMAP_WAITING || kind == PARSIMAP_PROGRESS);
    CHECK(kind == PARSIMAP_WAITING || (event.fraction >= last && event.fraction <= 1));
    last = kind == PARSIMAP_PROGRESS ? event.fraction : last;
  }
  ended(work, PARSIMAP_OK, "");
  parsimap_model *model = NULL;
  CHECK(parsimap_take_model(work, &model, NULL) == PARSIMAP_OK);
  parsimap_model *again = NULL;
  CHECK(parsimap_take_model(work, &again, NULL) == PARSIMAP_CONFIG_ERROR);
  parsimap_free_work(work);
  return model;
}

static void predict(const parsimap_model *model, int quantity, void *values) {
  parsimap_work *work = parsimap_new_work();
  const parsimap_array rows = rows_of_pixels();
  parsimap_predict(work, model, quantity, &rows, 1, values);
  ended(work, PARSIMAP_OK, "");
  parsimap_free_work(work);
}

static void check_predictions(const parsimap_model *model) {
  int64_t labels[PIXELS];
  static double decisions[PIXELS * CLASSES], probabilities[PIXELS * CLASSES], novelty[PIXELS];
  predict(model, PARSIMAP_LABELS, labels);
  predict(model, PARSIMAP_DECISION_VALUES, decisions);
  predict(model, PARSIMAP_PROBABILITIES, probabilities);
  predict(model, PARSIMAP_NOVELTY, novelty);
  for (int i = 0; i < PIXELS; ++i) {
    int best = 0;
    double sum = 0;
    for (int c = 0; c < CLASSES; ++c) {
      best = decisions[i * CLASSES + c] > decisions[i * CLASSES + best] ? c : best;
      sum += probabilities[i * CLASSES + c];
    }
    CHECK(labels[i] == best);
    CHECK(labels[i] == truth[i]); /* the classes lie 5 standard deviations apart */
    CHECK(fabs(sum - 1) < 1e-12);
    CHECK(novelty[i] >= 0 && novelty[i] <= 1);
  }
  /* Of three classes there are no odds. */
  parsimap_work *work = parsimap_new_work();
  const parsimap_array rows = rows_of_pixels();
  parsimap_predict(work, model, PARSIMAP_LOG_ODDS, &rows, 0, novelty);
  ended(work, PARSIMAP_CONFIG_ERROR, "two classes");
  parsimap_free_work(work);
}

/* The map has the code of each label, whatever the order of the scene, and the confidence is the largest probability. */
static void check_map(parsimap_work *work, const parsimap_model *model) {
  parsimap_array map = {0}, confidence = {0};
  if (ended(work, PARSIMAP_OK, "") == PARSIMAP_OK) {
    static double probabilities[PIXELS * CLASSES];
    predict(model, PARSIMAP_PROBABILITIES, probabilities);
    CHECK(parsimap_take_array(work, "map", &map, NULL) == PARSIMAP_OK);
    CHECK(parsimap_take_array(work, "confidence", &confidence, NULL) == PARSIMAP_OK);
    CHECK(parsimap_take_array(work, "map", &map, NULL) == PARSIMAP_CONFIG_ERROR);
    parsimap_free_work(work); /* arrays outlive it */
    CHECK(map.type == PARSIMAP_UINT16 && map.dimensions == 2 && map.shape[0] == ROWS && map.shape[1] == COLUMNS);
    CHECK(confidence.type == PARSIMAP_FLOAT32 && confidence.dimensions == 3 && confidence.shape[2] == 1);
    for (int i = 0; i < PIXELS; ++i) {
      double largest = 0;
      for (int c = 0; c < CLASSES; ++c) {
        largest = fmax(largest, probabilities[i * CLASSES + c]);
      }
      CHECK(((const uint16_t *)map.data)[i] == parsimap_class_code(model, truth[i]));
      CHECK(fabs(((const float *)confidence.data)[i] - largest) < 1e-5);
    }
    parsimap_free(map.owner);
    parsimap_free(confidence.owner);
  } else {
    parsimap_free_work(work);
  }
}

static void check_maps(const parsimap_model *model, const char *path) {
  const char *const layers[] = {"confidence"};
  const parsimap_array array = scene();
  parsimap_settings *settings = parsimap_new_settings();
  parsimap_set_list(settings, "layers", layers, 1);
  parsimap_work *work = parsimap_new_work();
  parsimap_classify(work, model, &array, settings);
  check_map(work, model);

  parsimap_array_file *file = NULL;
  CHECK(parsimap_open_array(&array, "scene of the test", NULL, &file, NULL) == PARSIMAP_OK);
  parsimap_set_argument(settings, "SCENE", parsimap_array_path(file));
  parsimap_set_argument(settings, "MODEL", path);
  parsimap_set_flag(settings, "bands-by-position", 1);
  work = parsimap_new_work();
  parsimap_classify_scene(work, settings);
  check_map(work, model);

  /* Rejected below a confidence that no pixel has, every pixel is 0. */
  parsimap_settings *rejecting = parsimap_new_settings();
  parsimap_set_number(rejecting, "reject", 1);
  work = parsimap_new_work();
  parsimap_classify(work, model, &array, rejecting);
  ended(work, PARSIMAP_OK, "");
  parsimap_array map = {0};
  CHECK(parsimap_take_array(work, "map", &map, NULL) == PARSIMAP_OK);
  for (int i = 0; i < PIXELS; ++i) {
    CHECK(((const uint16_t *)map.data)[i] == 0);
  }
  parsimap_free(map.owner);
  parsimap_free_work(work);
  int64_t reach = -1;
  parsimap_free_settings(rejecting);
  CHECK(parsimap_map_reach(model, NULL, &reach, NULL) == PARSIMAP_OK && reach == 0);

  /* An error of a command calls a path as it was given. */
  parsimap_set_argument(settings, "MODEL", "/no/such/model");
  parsimap_call_path(settings, "/no/such/model", "the model of the test");
  work = parsimap_new_work();
  parsimap_classify_scene(work, settings);
  ended(work, PARSIMAP_DATA_ERROR, "the model of the test");
  parsimap_free_work(work);
  parsimap_close_array(file);
  parsimap_free_settings(settings);
}

static void check_model_file(const parsimap_model *model, const char *path) {
  CHECK(parsimap_band_count(model) == BANDS && parsimap_class_count(model) == CLASSES);
  CHECK(parsimap_class_code(model, 1) == 7 && strcmp(parsimap_class_name(model, 1), "Gr\xc3\xbcn") == 0);
  uint8_t colour[3];
  CHECK(parsimap_class_colour(model, 1, colour) == 0);
  CHECK(parsimap_needs_pixel_metres(model) == 0);

  parsimap_array bytes = {0}, other = {0};
  CHECK(parsimap_model_content(model, PARSIMAP_MODEL_FILE, &bytes, NULL) == PARSIMAP_OK);
  CHECK(parsimap_save_model(model, path, NULL) == PARSIMAP_OK);
  parsimap_model *loaded = NULL;
  CHECK(parsimap_load_model(path, &loaded, NULL) == PARSIMAP_OK);
  CHECK(parsimap_model_content(loaded, PARSIMAP_MODEL_FILE, &other, NULL) == PARSIMAP_OK);
  CHECK(bytes.shape[0] == other.shape[0] && memcmp(bytes.data, other.data, (size_t)bytes.shape[0]) == 0);
  check_predictions(loaded);
  parsimap_free_model(loaded);
  CHECK(parsimap_model_of_bytes(bytes.data, (size_t)bytes.shape[0] - 9, &loaded, NULL) == PARSIMAP_DATA_ERROR);
  parsimap_free(bytes.owner);
  parsimap_free(other.owner);

  /* The document of a command is that of the model. */
  parsimap_settings *settings = parsimap_new_settings();
  parsimap_set_argument(settings, "FILE", path);
  parsimap_work *work = parsimap_new_work();
  parsimap_run(work, "info", settings);
  ended(work, PARSIMAP_OK, "");
  parsimap_array document = {0};
  CHECK(parsimap_take_array(work, "document", &document, NULL) == PARSIMAP_OK);
  CHECK(((const char *)document.data)[0] == '{');
  parsimap_free(document.owner);
  parsimap_free_work(work);
  parsimap_free_settings(settings);
}

/* What is wrong is named, and work that is stopped leaves nothing. */
static void check_errors(void) {
  parsimap_array rows = rows_of_pixels();
  parsimap_settings *settings = parsimap_new_settings();
  parsimap_add_class(settings, 1, "a");
  parsimap_add_class(settings, 2, "b");
  parsimap_work *work = parsimap_new_work();
  parsimap_train(work, &rows, truth, NULL, NULL, settings); /* three labels */
  ended(work, PARSIMAP_CONFIG_ERROR, "labels must be indices of classes");
  parsimap_free_work(work);

  parsimap_add_class(settings, 3, "c");
  parsimap_set_text(settings, "kernal", "pca");
  work = parsimap_new_work();
  parsimap_train(work, &rows, truth, NULL, NULL, settings);
  ended(work, PARSIMAP_CONFIG_ERROR, "there is no setting 'kernal'; it must be one of centres, ");
  parsimap_free_work(work);
  parsimap_free_settings(settings);

  settings = parsimap_new_settings();
  for (int c = 0; c < CLASSES; ++c) {
    parsimap_add_class(settings, c + 1, c == 0 ? "a" : c == 1 ? "b" : "c");
  }
  spectra[7 * BANDS + 3] = NAN;
  work = parsimap_new_work();
  parsimap_train(work, &rows, truth, NULL, NULL, settings);
  ended(work, PARSIMAP_DATA_ERROR,
        "contains NaN or infinity, or a value too large for single precision: sample 8, band 4, counted from 1");
  parsimap_free_work(work);
  spectra[7 * BANDS + 3] = planes[3 * PIXELS + 7];

  /* The other of two samples makes no constant of a band. */
  double pair[4] = {1, 2, 3, NAN};
  const int64_t pair_labels[2] = {0, 1};
  parsimap_array pair_rows = {
      .data = pair, .type = PARSIMAP_FLOAT64, .dimensions = 2, .shape = {2, 2}, .steps = {2, 1}};
  work = parsimap_new_work();
  parsimap_train(work, &pair_rows, pair_labels, NULL, NULL, settings);
  ended(work, PARSIMAP_DATA_ERROR, "sample 2, band 2, counted from 1");
  parsimap_free_work(work);

  work = parsimap_new_work();
  parsimap_stop(work); /* before it begins */
  parsimap_train(work, &rows, truth, NULL, NULL, settings);
  ended(work, PARSIMAP_STOPPED, "stopped");
  parsimap_model *model = NULL;
  CHECK(parsimap_take_model(work, &model, NULL) == PARSIMAP_STOPPED && model == NULL);
  parsimap_free_work(work);
  parsimap_free_settings(settings);

  parsimap_free_settings(NULL);
  parsimap_free_model(NULL);
  parsimap_free_work(NULL);
  parsimap_free(NULL);
  parsimap_close_array(NULL);
  CHECK(isnan(parsimap_wavelength(10, "GHz")) && parsimap_wavelength(0.5, "um") == 500);
  CHECK(strchr(parsimap_version(), '.') != NULL);
}

/* interface_test PATH: of a model file that is written. */
int main(int count, char **arguments) {
  if (count != 2) {
    return 2;
  }
  draw_scene();
  parsimap_model *model = trained();
  check_predictions(model);
  check_model_file(model, arguments[1]);
  check_maps(model, arguments[1]);
  parsimap_free_model(model);
  check_errors();
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
