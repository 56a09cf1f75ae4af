#include "CYAML.h"

#include <yaml.h>

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(const char *, yaml_get_version_string, (void), ()) \
  F(int, yaml_parser_initialize, (yaml_parser_t *parser), (parser)) \
  F(void, yaml_parser_delete, (yaml_parser_t *parser), (parser)) \
  F(void, yaml_parser_set_encoding, (yaml_parser_t *parser, yaml_encoding_t encoding), (parser, encoding)) \
  F(void, yaml_parser_set_input_string, (yaml_parser_t *parser, const unsigned char *input, size_t size), \
    (parser, input, size)) \
  F(int, yaml_parser_parse, (yaml_parser_t *parser, yaml_event_t *event), (parser, event)) \
  F(void, yaml_event_delete, (yaml_event_t *event), (event))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libyaml-0.so.2", "libyaml-0-2", symbols, DW_COUNT(symbols)};

const char *dw_yaml_load(void) { return dw_library_load(&library); }

const char *dw_yaml_version(void) { return yaml_get_version_string(); }

// The part that an event is; 0 if it is none.
static int part_of(const yaml_event_t *event, struct dw_yaml_part *part) {
  *part = (struct dw_yaml_part){.line = event->start_mark.line + 1};
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      part->kind = DW_YAML_DOCUMENT;
      return 1;
    case YAML_SCALAR_EVENT:
      part->kind = DW_YAML_SCALAR;
      part->text = event->data.scalar.value;
      part->text_size = event->data.scalar.length;
      part->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
      part->anchor = (const char *)event->data.scalar.anchor;
      part->tag = (const char *)event->data.scalar.tag;
      return 1;
    case YAML_ALIAS_EVENT:
      part->kind = DW_YAML_ALIAS;
      part->anchor = (const char *)event->data.alias.anchor;
      return 1;
    case YAML_SEQUENCE_START_EVENT:
      part->kind = DW_YAML_LIST;
      part->anchor = (const char *)event->data.sequence_start.anchor;
      part->tag = (const char *)event->data.sequence_start.tag;
      return 1;
    case YAML_MAPPING_START_EVENT:
      part->kind = DW_YAML_MAPPING;
      part->anchor = (const char *)event->data.mapping_start.anchor;
      part->tag = (const char *)event->data.mapping_start.tag;
      return 1;
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      part->kind = DW_YAML_END;
      return 1;
    default:
      return 0;
  }
}

int dw_yaml_parse(
    const void *bytes, size_t count, dw_yaml_receiver receive, void *context, struct dw_yaml_failure *failure) {
  *failure = (struct dw_yaml_failure){.reason = dw_library_load(&library)};
  if (failure->reason) return 0;
  yaml_parser_t parser;
  failure->reason = "out of memory";
  if (!yaml_parser_initialize(&parser)) return 0;
  yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser, bytes, count);
  for (int is_good = 1; is_good;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&parser, &event)) {
      // Before the first token of a line that cannot be read there is no mark of the problem.
      failure->line = (parser.error == YAML_READER_ERROR ? parser.mark : parser.problem_mark).line + 1;
      if (parser.problem) failure->reason = parser.problem;
      break;
    }
    if (event.type == YAML_STREAM_END_EVENT) {
      yaml_parser_delete(&parser);
      return 1;
    }
    struct dw_yaml_part part;
    if (part_of(&event, &part) && !receive(context, &part)) {
      *failure = (struct dw_yaml_failure){0};
      is_good = 0;
    }
    yaml_event_delete(&event);
  }
  yaml_parser_delete(&parser);
  return 0;
}
