/// libcurl speaks HTTP and HTTPS to other machines.
#ifndef DEADWAX_CCURL_H
#define DEADWAX_CCURL_H

#include <stddef.h>

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_curl_load(void);

/// Such as "7.88.1". The library must be loaded.
const char *dw_curl_version(void);

/// What is sent. All texts end in NUL and hold no line break.
struct dw_web_request {
  /// Beginning with http:// or https://.
  const char *url;
  /// `Name: value` each.
  const char *const *headers;
  size_t header_count;
  /// A POST with the body that follows, which may be empty; else a GET.
  int is_post;
  const void *body;
  size_t body_size;
  /// For the whole exchange, and for the connection alone.
  long timeout_ms, connecting_timeout_ms;
  /// The exchange fails if the answer's content is longer.
  size_t most_body_size;
  /// Is asked about once a second; what is not 0 ends the exchange.
  int (*is_cancelled)(void *context);
  void *context;
};

enum dw_web_failure {
  DW_WEB_OK,
  DW_WEB_ADDRESS,
  DW_WEB_UNREACHABLE,
  DW_WEB_TIMEOUT,
  DW_WEB_TOO_LARGE,
  DW_WEB_CANCELLED,
};

/// What came back; dw_web_answer_free gives it back.
struct dw_web_answer {
  int status;
  /// The lines of the last head, with their ends.
  char *head;
  size_t head_size;
  char *body;
  size_t body_size;
  /// Why nothing came back; empty if something did.
  char problem[256];
};

/// Sends a request and waits for the answer, on this thread; other threads may do the same.
enum dw_web_failure dw_web_exchange(const struct dw_web_request *request, struct dw_web_answer *answer);

void dw_web_answer_free(struct dw_web_answer *answer);

#endif
