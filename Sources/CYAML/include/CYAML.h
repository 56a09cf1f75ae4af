/// libyaml, loaded when a YAML document is read.
#ifndef DEADWAX_CYAML_H
#define DEADWAX_CYAML_H

#include <stddef.h>

/// Loads the library. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_yaml_load(void);

/// The library must be loaded.
const char *dw_yaml_version(void);

enum dw_yaml_kind {
  DW_YAML_DOCUMENT,
  DW_YAML_SCALAR,
  DW_YAML_ALIAS,
  DW_YAML_LIST,
  DW_YAML_MAPPING,
  DW_YAML_END,
};

/// A part of a document. Strings are UTF-8 and live during the call; an anchor and a tag are NULL if there is none.
struct dw_yaml_part {
  enum dw_yaml_kind kind;
  /// Of a scalar; it need not end with a zero.
  const unsigned char *text;
  size_t text_size;
  /// Whether a scalar is in quotation marks or a block, so that it is a text whatever it looks like.
  int is_quoted;
  /// Of an alias, the one that it names.
  const char *anchor;
  const char *tag;
  /// From 1.
  size_t line;
};

/// Gets the parts in the order of the document, and returns 0 to stop. DW_YAML_END ends a list or a mapping.
typedef int (*dw_yaml_receiver)(void *context, const struct dw_yaml_part *part);

/// Why a text was refused: a line from 1, or 0 if it is not known, and a sentence that lives for ever, or NULL if the
/// receiver stopped.
struct dw_yaml_failure {
  size_t line;
  const char *reason;
};

/// Parses a whole text (YAML 1.1; UTF-8). Returns 1, or 0 with the reason.
int dw_yaml_parse(
    const void *bytes, size_t count, dw_yaml_receiver receive, void *context, struct dw_yaml_failure *failure);

#endif
