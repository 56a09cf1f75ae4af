#include "CDBus.h"

#include <stdio.h>
#include <stdlib.h>

#include "CLoader.h"

// What is used of libdbus-1.so.3, as its reference manual has it; the interface has been the same since 1.0. Without the
// headers, building needs no package more.
typedef struct connection connection;
typedef struct message message;
// No smaller than in the headers, which promise not to let them grow.
typedef struct {
  const char *name, *text;
  unsigned flags;
  void *reserved;
} bus_error;
typedef struct {
  void *parts[16];
} iterator;
typedef unsigned bus_flag;

enum { SESSION = 0, METHOD_CALL = 1, DO_NOT_QUEUE = 4, PRIMARY_OWNER = 1, DEEPEST = 8 };

static void (*get_version)(int *major, int *minor, int *patch);
static void (*error_init)(bus_error *);
static void (*error_free)(bus_error *);
static connection *(*bus_get_private)(int type, bus_error *);
static int (*bus_request_name)(connection *, const char *name, unsigned flags, bus_error *);
static void (*set_exit_on_disconnect)(connection *, bus_flag);
static bus_flag (*read_write)(connection *, int milliseconds);
static message *(*pop_message)(connection *);
static bus_flag (*get_is_connected)(connection *);
static bus_flag (*send_message)(connection *, message *, unsigned *serial);
static void (*flush)(connection *);
static void (*close_connection)(connection *);
static void (*unref_connection)(connection *);
static int (*get_type)(message *);
static const char *(*get_interface)(message *);
static const char *(*get_member)(message *);
static bus_flag (*get_no_reply)(message *);
static message *(*new_method_return)(message *);
static message *(*new_error)(message *, const char *name, const char *text);
static message *(*new_signal)(const char *path, const char *interface, const char *member);
static void (*unref_message)(message *);
static bus_flag (*iter_init)(message *, iterator *);
static int (*iter_get_arg_type)(iterator *);
static void (*iter_get_basic)(iterator *, void *value);
static bus_flag (*iter_next)(iterator *);
static void (*iter_recurse)(iterator *, iterator *inside);
static void (*iter_init_append)(message *, iterator *);
static bus_flag (*iter_append_basic)(iterator *, int type, const void *value);
static bus_flag (*iter_open_container)(iterator *, int type, const char *signature, iterator *inside);
static bus_flag (*iter_close_container)(iterator *, iterator *inside);

static const struct dw_symbol symbols[] = {
    {"dbus_get_version", (void **)&get_version},
    {"dbus_error_init", (void **)&error_init},
    {"dbus_error_free", (void **)&error_free},
    {"dbus_bus_get_private", (void **)&bus_get_private},
    {"dbus_bus_request_name", (void **)&bus_request_name},
    {"dbus_connection_set_exit_on_disconnect", (void **)&set_exit_on_disconnect},
    {"dbus_connection_read_write", (void **)&read_write},
    {"dbus_connection_pop_message", (void **)&pop_message},
    {"dbus_connection_get_is_connected", (void **)&get_is_connected},
    {"dbus_connection_send", (void **)&send_message},
    {"dbus_connection_flush", (void **)&flush},
    {"dbus_connection_close", (void **)&close_connection},
    {"dbus_connection_unref", (void **)&unref_connection},
    {"dbus_message_get_type", (void **)&get_type},
    {"dbus_message_get_interface", (void **)&get_interface},
    {"dbus_message_get_member", (void **)&get_member},
    {"dbus_message_get_no_reply", (void **)&get_no_reply},
    {"dbus_message_new_method_return", (void **)&new_method_return},
    {"dbus_message_new_error", (void **)&new_error},
    {"dbus_message_new_signal", (void **)&new_signal},
    {"dbus_message_unref", (void **)&unref_message},
    {"dbus_message_iter_init", (void **)&iter_init},
    {"dbus_message_iter_get_arg_type", (void **)&iter_get_arg_type},
    {"dbus_message_iter_get_basic", (void **)&iter_get_basic},
    {"dbus_message_iter_next", (void **)&iter_next},
    {"dbus_message_iter_recurse", (void **)&iter_recurse},
    {"dbus_message_iter_init_append", (void **)&iter_init_append},
    {"dbus_message_iter_append_basic", (void **)&iter_append_basic},
    {"dbus_message_iter_open_container", (void **)&iter_open_container},
    {"dbus_message_iter_close_container", (void **)&iter_close_container},
};

static struct dw_library library = {"libdbus-1.so.3", "libdbus-1-3", symbols, DW_COUNT(symbols)};

const char *dw_dbus_load(void) { return dw_library_load(&library); }

const char *dw_dbus_version(void) {
  static char text[36];
  int major, minor, patch;
  get_version(&major, &minor, &patch);
  snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
  return text;
}

struct dw_bus {
  connection *connection;
};

struct dw_message {
  message *message;
  /// Where the next argument is read.
  iterator reading;
  /// Where the next value is written: the message, then what is open in it.
  iterator writing[DEEPEST + 1];
  int depth;
  int is_reply_unwanted;
};

static dw_message *wrapped(message *inner) {
  if (!inner) return NULL;
  dw_message *result = calloc(1, sizeof *result);
  if (!result) {
    unref_message(inner);
    return NULL;
  }
  result->message = inner;
  iter_init(inner, &result->reading);
  iter_init_append(inner, &result->writing[0]);
  return result;
}

dw_bus *dw_bus_connect(const char *name) {
  bus_error error;
  error_init(&error);
  connection *inner = bus_get_private(SESSION, &error);
  error_free(&error);
  if (!inner) return NULL;
  // By default the library ends the process with the connection.
  set_exit_on_disconnect(inner, 0);
  error_init(&error);
  int owner = bus_request_name(inner, name, DO_NOT_QUEUE, &error);
  error_free(&error);
  dw_bus *bus = owner == PRIMARY_OWNER ? calloc(1, sizeof *bus) : NULL;
  if (bus) {
    bus->connection = inner;
    return bus;
  }
  close_connection(inner);
  unref_connection(inner);
  return NULL;
}

void dw_bus_close(dw_bus *bus) {
  flush(bus->connection);
  close_connection(bus->connection);
  unref_connection(bus->connection);
  free(bus);
}

static message *next_call(dw_bus *bus) {
  for (message *next; (next = pop_message(bus->connection)); unref_message(next))
    if (get_type(next) == METHOD_CALL) return next;
  return NULL;
}

dw_message *dw_bus_wait(dw_bus *bus, int milliseconds, int *is_gone) {
  message *next = next_call(bus);
  if (!next) {
    read_write(bus->connection, milliseconds);
    next = next_call(bus);
  }
  *is_gone = !next && !get_is_connected(bus->connection);
  return wrapped(next);
}

void dw_bus_send(dw_bus *bus, dw_message *message) {
  if (!message) return;
  if (!message->is_reply_unwanted) send_message(bus->connection, message->message, NULL);
  flush(bus->connection);
  dw_message_free(message);
}

void dw_message_free(dw_message *message) {
  if (!message) return;
  unref_message(message->message);
  free(message);
}

const char *dw_message_interface(const dw_message *call) {
  const char *text = get_interface(call->message);
  return text ? text : "";
}

const char *dw_message_member(const dw_message *call) {
  const char *text = get_member(call->message);
  return text ? text : "";
}

/// Reads the next argument if it is of one of two types.
static int read_basic(dw_message *call, int type, int other, void *value) {
  iterator inside;
  iterator *place = &call->reading;
  if (iter_get_arg_type(place) == 'v') {
    iter_recurse(place, &inside);
    place = &inside;
  }
  int found = iter_get_arg_type(place);
  if (found != type && found != other) return 0;
  iter_get_basic(place, value);
  iter_next(&call->reading);
  return 1;
}

int dw_message_read_text(dw_message *call, const char **text) { return read_basic(call, 's', 'o', text); }

int dw_message_read_integer(dw_message *call, int64_t *number) { return read_basic(call, 'x', 'x', number); }

int dw_message_read_real(dw_message *call, double *number) { return read_basic(call, 'd', 'd', number); }

dw_message *dw_message_reply(const dw_message *call) {
  dw_message *reply = wrapped(new_method_return(call->message));
  if (reply) reply->is_reply_unwanted = get_no_reply(call->message) != 0;
  return reply;
}

dw_message *dw_message_error(const dw_message *call, const char *name, const char *text) {
  dw_message *reply = wrapped(new_error(call->message, name, text));
  if (reply) reply->is_reply_unwanted = get_no_reply(call->message) != 0;
  return reply;
}

dw_message *dw_message_signal(const char *path, const char *interface, const char *member) {
  return wrapped(new_signal(path, interface, member));
}

static void write_basic(dw_message *message, int type, const void *value) {
  iter_append_basic(&message->writing[message->depth], type, value);
}

void dw_message_write_text(dw_message *message, const char *text) { write_basic(message, 's', &text); }

void dw_message_write_path(dw_message *message, const char *path) { write_basic(message, 'o', &path); }

void dw_message_write_integer(dw_message *message, int64_t number) { write_basic(message, 'x', &number); }

void dw_message_write_real(dw_message *message, double number) { write_basic(message, 'd', &number); }

void dw_message_write_flag(dw_message *message, int flag) {
  bus_flag value = flag != 0;
  write_basic(message, 'b', &value);
}

void dw_message_open(dw_message *message, char kind, const char *signature) {
  if (message->depth == DEEPEST) abort();
  iterator *outside = &message->writing[message->depth];
  iter_open_container(outside, kind, signature, &message->writing[++message->depth]);
}

void dw_message_close(dw_message *message) {
  iterator *inside = &message->writing[message->depth];
  iter_close_container(&message->writing[--message->depth], inside);
}
