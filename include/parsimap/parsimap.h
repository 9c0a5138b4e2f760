/* The C interface: the library for programs in C, R, Julia, Python and others that call functions of C.
 *
 * Objects are handles. The caller frees each with the function of its name, once and not while it is in use; NULL is freed by doing nothing.
 * Functions that return int return a parsimap_status, and on failure describe it in `error`, an array of characters for
 * parsimap_free(); `error` may be NULL. Functions that make a handle return NULL where there is no memory for it. No exception leaves a
 * function, and none calls back. Handles may be used by several threads, a model by several at a time.
 *
 * Texts end with a zero; those that name no file are UTF-8. libparsimap-c has all functions. libparsimap-c-arrays has all but those of the
 * last part, and loads no library that reads files. A program links one of the two.
 */
#ifndef PARSIMAP_H
#define PARSIMAP_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define PARSIMAP_API __attribute__((visibility("default")))
#else
#define PARSIMAP_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum parsimap_status {
  PARSIMAP_OK = 0,
  PARSIMAP_CONFIG_ERROR = 1, /* wrong usage: a setting, its value, or a combination of settings */
  PARSIMAP_DATA_ERROR = 2,   /* data that cannot be used: missing, unreadable, or against a rule */
  PARSIMAP_IO_ERROR = 3,     /* a failure that neither settings nor data explain, such as a full disk */
  PARSIMAP_NO_MEMORY = 4,
  PARSIMAP_STOPPED = 5, /* by parsimap_stop() */
  PARSIMAP_OTHER_ERROR = 6
} parsimap_status;

/* The version of the library, as in "0.3.0". */
PARSIMAP_API const char *parsimap_version(void);
/* A wavelength in nanometres; NaN where the unit is none of lengths. Without a unit, values below 100 are micrometres. */
PARSIMAP_API double parsimap_wavelength(double value, const char *unit);

/* ---- arrays ---- */

typedef enum parsimap_type {
  PARSIMAP_INT8,
  PARSIMAP_UINT8,
  PARSIMAP_INT16,
  PARSIMAP_UINT16,
  PARSIMAP_INT32,
  PARSIMAP_UINT32,
  PARSIMAP_INT64,
  PARSIMAP_UINT64,
  PARSIMAP_FLOAT32,
  PARSIMAP_FLOAT64
} parsimap_type;

/* The value at index (i, j, k) is data[i * steps[0] + j * steps[1] + k * steps[2]]. Arrays that are passed belong to the caller, who keeps
 * them until the work with them has ended; they are read where they are. Those that are handed out are row-major, and belong to
 * `owner`, which the caller frees with parsimap_free(). */
typedef struct parsimap_array {
  void *data;
  void *owner;
  int32_t type;       /* parsimap_type */
  int32_t dimensions; /* 1 to 3; texts and the content of files have 1, and type PARSIMAP_UINT8 */
  int64_t shape[3];
  int64_t steps[3]; /* in values */
} parsimap_array;

PARSIMAP_API void parsimap_free(void *owner);

/* ---- settings: values by name ---- */

typedef struct parsimap_settings parsimap_settings;

PARSIMAP_API parsimap_settings *parsimap_new_settings(void);
PARSIMAP_API void parsimap_free_settings(parsimap_settings *settings);
/* These fail only for lack of memory. A value replaces an earlier one of its name. */
PARSIMAP_API int parsimap_set_flag(parsimap_settings *settings, const char *name, int value);
PARSIMAP_API int parsimap_set_integer(parsimap_settings *settings, const char *name, int64_t value);
PARSIMAP_API int parsimap_set_number(parsimap_settings *settings, const char *name, double value);
PARSIMAP_API int parsimap_set_text(parsimap_settings *settings, const char *name, const char *value);
PARSIMAP_API int parsimap_set_list(parsimap_settings *settings, const char *name, const char *const *values, size_t count);
/* An argument of a command, such as "SCENE". */
PARSIMAP_API int parsimap_set_argument(parsimap_settings *settings, const char *name, const char *value);
/* The next band: its name, which may be empty, its wavelength in nanometres or NaN, and what makes a value of a number of an array file:
 * scale * number + offset. */
PARSIMAP_API int parsimap_add_band(parsimap_settings *settings, const char *name, double wavelength, double scale, double offset);
/* The next class, in ascending order of codes, which are 1 to 65535. */
PARSIMAP_API int parsimap_add_class(parsimap_settings *settings, int32_t code, const char *name);
/* Where pixels lie, in GDAL's six numbers: x = six[0] + column * six[1] + row * six[2], y = six[3] + column * six[4] + row * six[5]. */
PARSIMAP_API int parsimap_set_geotransform(parsimap_settings *settings, const double six[6]);
/* What messages and errors call a path that means nothing to a reader. */
PARSIMAP_API int parsimap_call_path(parsimap_settings *settings, const char *path, const char *name);

/* ---- models ---- */

typedef struct parsimap_model parsimap_model;

typedef enum parsimap_model_part {
  PARSIMAP_MODEL_FILE,        /* the content of the model file */
  PARSIMAP_MODEL_DESCRIPTION, /* JSON, as `parsimap info --json` prints it */
  PARSIMAP_MODEL_CARD,        /* a piece of HTML for notebooks */
  PARSIMAP_MODEL_PAGE         /* an HTML page about the training */
} parsimap_model_part;

/* Data error: no such file, or the file is damaged, foreign or of another version. */
PARSIMAP_API int parsimap_load_model(const char *path, parsimap_model **model, parsimap_array *error);
PARSIMAP_API int parsimap_model_of_bytes(const void *bytes, size_t size, parsimap_model **model, parsimap_array *error);
/* Writes the file completely or not at all. */
PARSIMAP_API int parsimap_save_model(const parsimap_model *model, const char *path, parsimap_array *error);
PARSIMAP_API void parsimap_free_model(parsimap_model *model);
PARSIMAP_API int parsimap_model_content(const parsimap_model *model, int part, parsimap_array *content, parsimap_array *error);
PARSIMAP_API int64_t parsimap_band_count(const parsimap_model *model); /* of the scene that it was trained on */
PARSIMAP_API int64_t parsimap_class_count(const parsimap_model *model);
/* Of the class at an index from 0. The name lives as long as the model. */
PARSIMAP_API int32_t parsimap_class_code(const parsimap_model *model, int64_t index);
PARSIMAP_API const char *parsimap_class_name(const parsimap_model *model, int64_t index);
/* 1 where the class has a colour, which is stored as red, green and blue, and else 0. */
PARSIMAP_API int parsimap_class_colour(const parsimap_model *model, int64_t index, uint8_t colour[3]);
/* 1 where parsimap_classify() needs the setting "pixel-metres", and else 0. */
PARSIMAP_API int parsimap_needs_pixel_metres(const parsimap_model *model);
/* Pixels around one that may change its label; settings "regularise" and "pixel-metres" as of parsimap_classify(). */
PARSIMAP_API int parsimap_map_reach(const parsimap_model *model, const parsimap_settings *settings, int64_t *reach, parsimap_array *error);

/* ---- work: calls that may take long, in a thread of their own ---- */

typedef struct parsimap_work parsimap_work; /* of one call */

typedef enum parsimap_event_kind {
  PARSIMAP_WAITING = 0,  /* nothing happened in the time given */
  PARSIMAP_PROGRESS = 1, /* of the stage `text`, `fraction` is done; of several in a row, only the latest may be handed out */
  PARSIMAP_MESSAGE = 2,  /* a sentence in `text` */
  PARSIMAP_WARNING = 3,  /* a sentence in `text` */
  PARSIMAP_ENDED = 4
} parsimap_event_kind;

typedef struct parsimap_event {
  const char *text; /* until the next call with the same work */
  double fraction;
} parsimap_event;

PARSIMAP_API parsimap_work *parsimap_new_work(void);
/* Stops the work if it has not ended. What was taken from it stays. */
PARSIMAP_API void parsimap_free_work(parsimap_work *work);
/* The next thing that the work has to say, a parsimap_event_kind; waits for it up to so many milliseconds. Nobody needs to ask. */
PARSIMAP_API int parsimap_next_event(parsimap_work *work, int milliseconds, parsimap_event *event);
/* Waits until the work has ended, and returns how. */
PARSIMAP_API int parsimap_finish(parsimap_work *work, parsimap_array *error);
/* Ends the work at its next progress, without a result, and waits until then. */
PARSIMAP_API void parsimap_stop(parsimap_work *work);
/* What finished work has made, by its name; config error: nothing of this name, or taken before. */
PARSIMAP_API int parsimap_take_array(parsimap_work *work, const char *name, parsimap_array *array, parsimap_array *error);
PARSIMAP_API int parsimap_take_model(parsimap_work *work, parsimap_model **model, parsimap_array *error);

/* Functions that begin work. They copy `settings`; what else they are passed is kept by the caller. Their errors are returned by
 * parsimap_finish(). The setting "threads" is a number of threads, 0 (the default) for all processors. */

typedef enum parsimap_quantity {
  PARSIMAP_LABELS,          /* int64, rows: indices of classes */
  PARSIMAP_LOG_ODDS,        /* float64, rows: of two classes, above 0 where the second one is more likely */
  PARSIMAP_DECISION_VALUES, /* float64, rows x classes, row-major */
  PARSIMAP_PROBABILITIES,   /* float64, rows x classes, row-major */
  PARSIMAP_NOVELTY          /* float64, rows: from 0 to 1 */
} parsimap_quantity;

/* Predicts the rows of `spectra`, rows x bands, row-major, float32 or float64, into `values`. Warning: they are usually more than 50 times as
 * large or small as those of training. Data error: a value is not finite, or the model needs the pixels around each one. */
PARSIMAP_API void parsimap_predict(parsimap_work *work, const parsimap_model *model, int quantity, const parsimap_array *spectra,
                                   int64_t threads, void *values);

/* Trains a model on the rows of `spectra`, rows x bands of any type and steps; parsimap_take_model() hands it out. `labels` are indices of
 * the classes of the settings. Rows of the same group, a number from 0, are left out together; NULL: each by itself. `weights` are numbers
 * above 0, or NULL. Bands of the settings: none, or one for each column. Settings, as options of `parsimap train`: "kernel", "criterion",
 * "class-weights", "dimension", "scaling", "centres", "seed". */
PARSIMAP_API void parsimap_train(parsimap_work *work, const parsimap_array *spectra, const int64_t *labels, const int64_t *groups,
                                 const double *weights, const parsimap_settings *settings);

/* Maps `scene`, rows x columns x bands of any type and steps. Array "map": uint16, rows x columns, codes of classes or 0; and for each entry of
 * the list "layers" one of its name, float32, rows x columns x bands. The bands of a scene without names are those of the model, in
 * their order. Settings, as options of `parsimap classify`: "regularise", "reject", "reject-novelty"; "nodata", a number that stands for no
 * value; "pixel-metres", the width of a pixel; "whole", if the array is no piece of a scene: DataError where its values are 1000 times as large
 * or as small as those of training, and a warning where they are 50 times so. */
PARSIMAP_API void parsimap_classify(parsimap_work *work, const parsimap_model *model, const parsimap_array *scene,
                                    const parsimap_settings *settings);

/* ---- commands: files, in libparsimap-c only ---- */

/* Runs a command of the program with the options and arguments in the settings, by their long names. Array "document": JSON, as the
 * command prints it with --json. */
PARSIMAP_API void parsimap_run(parsimap_work *work, const char *command, const parsimap_settings *settings);
/* `parsimap train`, whose argument MODEL may be missing; parsimap_take_model() hands the model out. */
PARSIMAP_API void parsimap_train_scene(parsimap_work *work, const parsimap_settings *settings);
/* `parsimap classify` into memory; arrays and "layers" as of parsimap_classify(), and "document". */
PARSIMAP_API void parsimap_classify_scene(parsimap_work *work, const parsimap_settings *settings);

/* An array under the name of a file, for the arguments and options of commands that name rasters. */
typedef struct parsimap_array_file parsimap_array_file;

/* `array` is rows x columns x bands, with steps above 0, and kept by the caller. The settings have its bands, classes and geotransform,
 * "crs", a text that GDAL understands, and "nodata". */
PARSIMAP_API int parsimap_open_array(const parsimap_array *array, const char *name, const parsimap_settings *settings,
                                     parsimap_array_file **file, parsimap_array *error);
PARSIMAP_API const char *parsimap_array_path(const parsimap_array_file *file);
PARSIMAP_API void parsimap_close_array(parsimap_array_file *file);

#ifdef __cplusplus
}
#endif

#endif
