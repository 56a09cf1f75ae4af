#include "CCurl.h"

// Without macros around functions, and without warnings about options that only newer versions have others for.
#define CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_DEPRECATION
#include <curl/curl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

enum { MOST_HEAD_SIZE = 1 << 20 };

#define FUNCTIONS(F) \
  F(CURLcode, curl_global_init, (long flags), (flags)) \
  F(curl_version_info_data *, curl_version_info, (CURLversion age), (age)) \
  F(CURL *, curl_easy_init, (void), ()) \
  F(CURLcode, curl_easy_perform, (CURL *handle), (handle)) \
  F(void, curl_easy_cleanup, (CURL *handle), (handle)) \
  F(const char *, curl_easy_strerror, (CURLcode error), (error)) \
  F(struct curl_slist *, curl_slist_append, (struct curl_slist *list, const char *text), (list, text)) \
  F(void, curl_slist_free_all, (struct curl_slist *list), (list))
FUNCTIONS(DW_FORWARD)

// Their arguments cannot be passed on.
static __typeof__(curl_easy_setopt) *set_option;
static __typeof__(curl_easy_getinfo) *get_info;

static const struct dw_symbol symbols[] = {
    FUNCTIONS(DW_SYMBOL)
    {"curl_easy_setopt", (void **)&set_option},
    {"curl_easy_getinfo", (void **)&get_info},
};

static struct dw_library library = {"libcurl.so.4", "libcurl4", symbols, DW_COUNT(symbols)};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static CURLcode start_error;

// Before 7.84 two threads must not do this at once, so it is not left to the first request.
static void start(void) { start_error = curl_global_init(CURL_GLOBAL_ALL); }

const char *dw_curl_load(void) {
  const char *problem = dw_library_load(&library);
  if (problem) return problem;
  pthread_once(&once, start);
  return start_error ? "libcurl.so.4 (Debian package libcurl4) cannot be started" : NULL;
}

const char *dw_curl_version(void) { return curl_version_info(CURLVERSION_NOW)->version; }

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

static int is_cancelled(void *context, curl_off_t total, curl_off_t done, curl_off_t total_up, curl_off_t done_up) {
  (void)total, (void)done, (void)total_up, (void)done_up;
  const struct dw_web_request *request = ((struct exchange *)context)->request;
  return request->is_cancelled && request->is_cancelled(request->context);
}

static enum dw_web_failure failure(CURLcode error, const struct exchange *exchange) {
  switch (error) {
    case CURLE_OK: return DW_WEB_OK;
    // Of the address; or of an answer that is no HTTP.
    case CURLE_UNSUPPORTED_PROTOCOL: return exchange->connection_count > 0 ? DW_WEB_UNREACHABLE : DW_WEB_ADDRESS;
    case CURLE_URL_MALFORMAT: return DW_WEB_ADDRESS;
    case CURLE_OPERATION_TIMEDOUT: return DW_WEB_TIMEOUT;
    case CURLE_ABORTED_BY_CALLBACK: return DW_WEB_CANCELLED;
    default: return exchange->is_too_large ? DW_WEB_TOO_LARGE : DW_WEB_UNREACHABLE;
  }
}

static CURLcode perform(CURL *handle, struct curl_slist *headers, struct exchange *exchange) {
  const struct dw_web_request *request = exchange->request;
  set_option(handle, CURLOPT_NOSIGNAL, 1L);
  set_option(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
  set_option(handle, CURLOPT_TIMEOUT_MS, request->timeout_ms);
  set_option(handle, CURLOPT_CONNECTTIMEOUT_MS, request->connecting_timeout_ms);
  set_option(handle, CURLOPT_HTTPHEADER, headers);
  set_option(handle, CURLOPT_ACCEPT_ENCODING, "");
  set_option(handle, CURLOPT_ERRORBUFFER, exchange->answer->problem);
  set_option(handle, CURLOPT_HEADERFUNCTION, take_head);
  set_option(handle, CURLOPT_HEADERDATA, exchange);
  set_option(handle, CURLOPT_WRITEFUNCTION, take_body);
  set_option(handle, CURLOPT_WRITEDATA, exchange);
  set_option(handle, CURLOPT_XFERINFOFUNCTION, is_cancelled);
  set_option(handle, CURLOPT_XFERINFODATA, exchange);
  set_option(handle, CURLOPT_NOPROGRESS, 0L);
  if (request->is_post) {
    set_option(handle, CURLOPT_POST, 1L);
    // NULL would mean that a callback gives the content.
    set_option(handle, CURLOPT_POSTFIELDS, request->body_size > 0 ? request->body : "");
    set_option(handle, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_size);
  } else {
    set_option(handle, CURLOPT_HTTPGET, 1L);
  }
  // This one copies its text and can fail.
  CURLcode error = set_option(handle, CURLOPT_URL, request->url);
  return error ? error : curl_easy_perform(handle);
}

enum dw_web_failure dw_web_exchange(const struct dw_web_request *request, struct dw_web_answer *answer) {
  memset(answer, 0, sizeof *answer);
  struct exchange exchange = {.request = request, .answer = answer};
  CURL *handle = curl_easy_init();
  struct curl_slist *headers = NULL;
  CURLcode error = handle ? CURLE_OK : CURLE_OUT_OF_MEMORY;
  for (size_t i = 0; i < request->header_count && !error; i++) {
    struct curl_slist *longer = curl_slist_append(headers, request->headers[i]);
    if (longer) headers = longer;
    else error = CURLE_OUT_OF_MEMORY;
  }
  if (!error) {
    error = perform(handle, headers, &exchange);
    get_info(handle, CURLINFO_NUM_CONNECTS, &exchange.connection_count);
  }
  if (!error) {
    long status = 0;
    get_info(handle, CURLINFO_RESPONSE_CODE, &status);
    answer->status = (int)status;
    answer->problem[0] = 0;
  } else if (!answer->problem[0]) {
    snprintf(answer->problem, sizeof answer->problem, "%s", curl_easy_strerror(error));
  }
  curl_slist_free_all(headers);
  if (handle) curl_easy_cleanup(handle);
  return failure(error, &exchange);
}

void dw_web_answer_free(struct dw_web_answer *answer) {
  free(answer->head);
  free(answer->body);
}
