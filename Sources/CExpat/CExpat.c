#include "CExpat.h"

#include <expat.h>

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(const XML_LChar *, XML_ExpatVersion, (void), ()) \
  F(const XML_LChar *, XML_ErrorString, (enum XML_Error code), (code)) \
  F(XML_Size, XML_GetCurrentLineNumber, (XML_Parser parser), (parser)) \
  F(enum XML_Error, XML_GetErrorCode, (XML_Parser parser), (parser)) \
  F(enum XML_Status, XML_Parse, (XML_Parser parser, const char *bytes, int size, int is_final), \
    (parser, bytes, size, is_final)) \
  F(XML_Parser, XML_ParserCreate, (const XML_Char *encoding), (encoding)) \
  F(void, XML_ParserFree, (XML_Parser parser), (parser)) \
  F(void, XML_SetCharacterDataHandler, (XML_Parser parser, XML_CharacterDataHandler handler), (parser, handler)) \
  F(void, XML_SetDefaultHandler, (XML_Parser parser, XML_DefaultHandler handler), (parser, handler)) \
  F(void, XML_SetElementHandler, (XML_Parser parser, XML_StartElementHandler start, XML_EndElementHandler end), \
    (parser, start, end)) \
  F(void, XML_SetUserData, (XML_Parser parser, void *data), (parser, data))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libexpat.so.1", "libexpat1", symbols, DW_COUNT(symbols)};

const char *dw_expat_load(void) { return dw_library_load(&library); }

const char *dw_expat_version(void) { return XML_ExpatVersion(); }

static void XMLCALL on_start(void *data, const XML_Char *name, const XML_Char **attributes) {
  (void)attributes;
  const struct dw_xml_handlers *handlers = data;
  handlers->start(handlers->context, name);
}

static void XMLCALL on_end(void *data, const XML_Char *name) {
  const struct dw_xml_handlers *handlers = data;
  handlers->end(handlers->context, name);
}

static void XMLCALL on_text(void *data, const XML_Char *bytes, int count) {
  const struct dw_xml_handlers *handlers = data;
  handlers->text(handlers->context, bytes, count);
}

// Gets all that nobody else asked for, and references to entities that the document declares: with this handler expat
// does not replace them, so they stay as they are written.
static void XMLCALL on_rest(void *data, const XML_Char *bytes, int count) {
  const struct dw_xml_handlers *handlers = data;
  if (count > 0 && *bytes == '&') handlers->text(handlers->context, bytes, count);
}

int dw_xml_parse(
    const void *bytes, size_t count, const struct dw_xml_handlers *handlers, struct dw_xml_failure *failure) {
  *failure = (struct dw_xml_failure){.line = 0, .reason = dw_library_load(&library)};
  if (failure->reason) return 0;
  XML_Parser parser = XML_ParserCreate(NULL);
  failure->reason = "out of memory";
  if (!parser) return 0;
  XML_SetUserData(parser, (void *)handlers);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  XML_SetDefaultHandler(parser, on_rest);
  // Lengths are int: large documents come in parts.
  const size_t part = 1 << 20;
  int is_good = 1;
  const char *rest = bytes;
  do {
    size_t length = count < part ? count : part;
    count -= length;
    is_good = XML_Parse(parser, rest, (int)length, count == 0) == XML_STATUS_OK;
    rest += length;
  } while (is_good && count > 0);
  failure->line = XML_GetCurrentLineNumber(parser);
  failure->reason = XML_ErrorString(XML_GetErrorCode(parser));
  XML_ParserFree(parser);
  return is_good;
}
