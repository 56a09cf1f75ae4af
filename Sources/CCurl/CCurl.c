#include "CCurl.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

// What is used of libcurl.so.4, as its reference manual has it. The numbers of options and errors have been the same since
// 7.32 and never change. Without the header, building needs no package more.
typedef struct curl curl;
struct list;
struct version {
  int age;
  const char *text;
};
enum { MOST_HEAD_SIZE = 1 << 20 };
enum { GLOBAL_ALL = 3, INFO_RESPONSE_CODE = 0x200002, INFO_NUM_CONNECTS = 0x20001a, PROTOCOLS_HTTP_HTTPS = 1 | 2 };
enum option {
  POST = 47,
  NOPROGRESS = 43,
  HTTPGET = 80,
  NOSIGNAL = 99,
  TIMEOUT_MS = 155,
  CONNECTTIMEOUT_MS = 156,
  PROTOCOLS = 181,
  WRITEDATA = 10001,
  URL = 10002,
  ERRORBUFFER = 10010,
  POSTFIELDS = 10015,
  HTTPHEADER = 10023,
  HEADERDATA = 10029,
  XFERINFODATA = 10057,
  ACCEPT_ENCODING = 10102,
  WRITEFUNCTION = 20011,
  HEADERFUNCTION = 20079,
  XFERINFOFUNCTION = 20219,
  POSTFIELDSIZE_LARGE = 30120,
};
enum error {
  OK = 0,
  UNSUPPORTED_PROTOCOL = 1,
  URL_MALFORMAT = 3,
  OUT_OF_MEMORY = 27,
  OPERATION_TIMEDOUT = 28,
  ABORTED_BY_CALLBACK = 42,
};

static int (*global_init)(long flags);
static const struct version *(*version_info)(int age);
static curl *(*easy_init)(void);
static int (*easy_setopt)(curl *handle, int option, ...);
static int (*easy_perform)(curl *handle);
static int (*easy_getinfo)(curl *handle, int info, ...);
static void (*easy_cleanup)(curl *handle);
static const char *(*easy_strerror)(int error);
static struct list *(*slist_append)(struct list *list, const char *text);
static void (*slist_free_all)(struct list *list);

static const struct dw_symbol symbols[] = {
    {"curl_global_init", (void **)&global_init},
    {"curl_version_info", (void **)&version_info},
    {"curl_easy_init", (void **)&easy_init},
    {"curl_easy_setopt", (void **)&easy_setopt},
    {"curl_easy_perform", (void **)&easy_perform},
    {"curl_easy_getinfo", (void **)&easy_getinfo},
    {"curl_easy_cleanup", (void **)&easy_cleanup},
    {"curl_easy_strerror", (void **)&easy_strerror},
    {"curl_slist_append", (void **)&slist_append},
    {"curl_slist_free_all", (void **)&slist_free_all},
};

static struct dw_library library = {"libcurl.so.4", "libcurl4", symbols, DW_COUNT(symbols)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int start_error;

// Before 7.84 two threads must not do this at once, so it is not left to the first request.
static void start(void) { start_error = global_init(GLOBAL_ALL); }

const char *dw_curl_load(void) {
  const char *problem = dw_library_load(&library);
  if (problem) return problem;
  pthread_once(&once, start);
  return start_error ? "libcurl.so.4 (Debian package libcurl4) cannot be started" : NULL;
}

const char *dw_curl_version(void) { return version_info(0)->text; }

struct exchange {
  const struct dw_web_request *request;
  struct dw_web_answer *answer;
  int is_too_large;
  long connection_count;
};

// Returns 0 if there is no memory.
static int append(char **bytes, size_t *size, const char *more, size_t count) {
  char *longer = realloc(*bytes, *size + count);
  if (!longer) return 0;
  memcpy(longer + *size, more, count);
  *bytes = longer;
  *size += count;
  return 1;
}

static size_t take_head(const char *line, size_t one, size_t size, void *context) {
  (void)one;
  struct dw_web_answer *answer = ((struct exchange *)context)->answer;
  // An interim answer, or that of a proxy, may come before.
  if (size >= 5 && memcmp(line, "HTTP/", 5) == 0) answer->head_size = 0;
  if (size > MOST_HEAD_SIZE - answer->head_size) return 0;
  return append(&answer->head, &answer->head_size, line, size) ? size : 0;
}

static size_t take_body(const char *bytes, size_t one, size_t size, void *context) {
  (void)one;
  struct exchange *exchange = context;
  struct dw_web_answer *answer = exchange->answer;
  exchange->is_too_large = size > exchange->request->most_body_size - answer->body_size;
  if (exchange->is_too_large || !append(&answer->body, &answer->body_size, bytes, size)) return 0;
  return size;
}

static int is_cancelled(void *context, int64_t total, int64_t done, int64_t total_up, int64_t done_up) {
  (void)total, (void)done, (void)total_up, (void)done_up;
  const struct dw_web_request *request = ((struct exchange *)context)->request;
  return request->is_cancelled && request->is_cancelled(request->context);
}

static enum dw_web_failure failure(int error, const struct exchange *exchange) {
  switch (error) {
    case OK: return DW_WEB_OK;
    // Of the address; or of an answer that is no HTTP.
    case UNSUPPORTED_PROTOCOL: return exchange->connection_count > 0 ? DW_WEB_UNREACHABLE : DW_WEB_ADDRESS;
    case URL_MALFORMAT: return DW_WEB_ADDRESS;
    case OPERATION_TIMEDOUT: return DW_WEB_TIMEOUT;
    case ABORTED_BY_CALLBACK: return DW_WEB_CANCELLED;
    default: return exchange->is_too_large ? DW_WEB_TOO_LARGE : DW_WEB_UNREACHABLE;
  }
}

static int perform(curl *handle, struct list *headers, struct exchange *exchange) {
  const struct dw_web_request *request = exchange->request;
  easy_setopt(handle, NOSIGNAL, 1L);
  easy_setopt(handle, PROTOCOLS, (long)PROTOCOLS_HTTP_HTTPS);
  easy_setopt(handle, TIMEOUT_MS, request->timeout_ms);
  easy_setopt(handle, CONNECTTIMEOUT_MS, request->connecting_timeout_ms);
  easy_setopt(handle, HTTPHEADER, headers);
  easy_setopt(handle, ACCEPT_ENCODING, "");
  easy_setopt(handle, ERRORBUFFER, exchange->answer->problem);
  easy_setopt(handle, HEADERFUNCTION, take_head);
  easy_setopt(handle, HEADERDATA, exchange);
  easy_setopt(handle, WRITEFUNCTION, take_body);
  easy_setopt(handle, WRITEDATA, exchange);
  easy_setopt(handle, XFERINFOFUNCTION, is_cancelled);
  easy_setopt(handle, XFERINFODATA, exchange);
  easy_setopt(handle, NOPROGRESS, 0L);
  if (request->is_post) {
    easy_setopt(handle, POST, 1L);
    // NULL would mean that a callback gives the content.
    easy_setopt(handle, POSTFIELDS, request->body_size > 0 ? request->body : "");
    easy_setopt(handle, POSTFIELDSIZE_LARGE, (int64_t)request->body_size);
  } else {
    easy_setopt(handle, HTTPGET, 1L);
  }
  // This one copies its text and can fail.
  int error = easy_setopt(handle, URL, request->url);
  return error ? error : easy_perform(handle);
}

enum dw_web_failure dw_web_exchange(const struct dw_web_request *request, struct dw_web_answer *answer) {
  memset(answer, 0, sizeof *answer);
  struct exchange exchange = {.request = request, .answer = answer};
  curl *handle = easy_init();
  struct list *headers = NULL;
  int error = handle ? OK : OUT_OF_MEMORY;
  for (size_t i = 0; i < request->header_count && !error; i++) {
    struct list *longer = slist_append(headers, request->headers[i]);
    if (longer) headers = longer;
    else error = OUT_OF_MEMORY;
  }
  if (!error) {
    error = perform(handle, headers, &exchange);
    easy_getinfo(handle, INFO_NUM_CONNECTS, &exchange.connection_count);
  }
  if (!error) {
    long status = 0;
    easy_getinfo(handle, INFO_RESPONSE_CODE, &status);
    answer->status = (int)status;
    answer->problem[0] = 0;
  } else if (!answer->problem[0]) {
    snprintf(answer->problem, sizeof answer->problem, "%s", easy_strerror(error));
  }
  slist_free_all(headers);
  if (handle) easy_cleanup(handle);
  return failure(error, &exchange);
}

void dw_web_answer_free(struct dw_web_answer *answer) {
  free(answer->head);
  free(answer->body);
}
