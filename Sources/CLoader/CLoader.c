#include "CLoader.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void load(struct dw_library *library) {
  // Lazy is faster, and the symbols that we use are looked up below. Local: other libraries do not see its names, nor
  // those of the libraries that it brings.
  void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    const char *reason = dlerror();
    // A library that it needs may be missing instead: then the reason begins with the name of that one.
    size_t length = strlen(library->file);
    library->is_missing =
        !reason || (strncmp(reason, library->file, length) == 0 && reason[length] == ':' && strstr(reason, "No such file"));
    if (library->is_missing)
      snprintf(
          library->problem, sizeof library->problem, "%s is not installed (Debian package %s)", library->file,
          library->package);
    else
      snprintf(
          library->problem, sizeof library->problem, "%s (Debian package %s) cannot be loaded: %s", library->file,
          library->package, reason);
    return;
  }
  for (size_t i = 0; i < library->symbol_count; i++) {
    const struct dw_symbol *symbol = &library->symbols[i];
    *symbol->address = dlsym(handle, symbol->name);
    if (*symbol->address) continue;
    snprintf(
        library->problem, sizeof library->problem, "%s (Debian package %s) has no %s: another version is needed",
        library->file, library->package, symbol->name);
    return;
  }
}

const char *dw_library_load(struct dw_library *library) {
  pthread_mutex_lock(&lock);
  if (!library->is_tried) {
    library->is_tried = 1;
    load(library);
  }
  pthread_mutex_unlock(&lock);
  return library->problem[0] ? library->problem : NULL;
}
