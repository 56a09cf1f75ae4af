/// Libraries that are loaded when they are first used. Linked, they would make every start of the command slower, most
/// of which use none of them.
///
/// A door to such a library includes the library's header and defines the functions that we use under their own names.
/// Each forwards to the library, so callers need no pointers, and the compiler checks each definition against the
/// header:
///
///     #define FUNCTIONS(F) F(int, sf_close, (SNDFILE *file), (file))
///     FUNCTIONS(DW_FORWARD)
///     static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};
///     static struct dw_library library = {"libsndfile.so.1", "libsndfile1", symbols, DW_COUNT(symbols)};
///     const char *dw_sndfile_load(void) { return dw_library_load(&library); }
///
/// Before the library is loaded, a call of its functions ends the process.
#ifndef DEADWAX_CLOADER_H
#define DEADWAX_CLOADER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A function or variable of a library, and the pointer that gets its address.
struct dw_symbol {
  const char *name;
  void **address;
};

struct dw_library {
  /// With the number of the interface that the header describes: libcairo.so.2.
  const char *file;
  /// Debian's package.
  const char *package;
  const struct dw_symbol *symbols;
  size_t symbol_count;
  /// The rest belongs to dw_library_load.
  int is_tried;
  /// Whether the file does not exist, as opposed to one that cannot be loaded, for example without memory or
  /// descriptors.
  int is_missing;
  char problem[256];
};

/// Loads the library at the first call. Returns NULL if it is loaded, else why not: one sentence that lives as long as
/// `library`. Opens files. Safe to call from any thread.
const char *dw_library_load(struct dw_library *library);

#ifdef __cplusplus
}
#endif

#define DW_COUNT(array) (sizeof(array) / sizeof *(array))
#define DW_TEXT(name) #name

// Hidden: libraries that are loaded later must find the library's own functions, not these.
#define DW_FORWARD(result, name, parameters, arguments) \
  static __typeof__(name) *name##_address; \
  __attribute__((visibility("hidden"))) result name parameters { return name##_address arguments; }

// dlsym returns functions as object pointers, which ISO C does not convert. The header may define a name as a macro.
#define DW_SYMBOL(result, name, parameters, arguments) {DW_TEXT(name), (void **)&name##_address},

#endif
