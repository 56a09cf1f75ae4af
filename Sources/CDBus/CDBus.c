#include "CDBus.h"

// By default the header makes the functions visible, which those below must not be.
#define DBUS_EXPORT
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>

#include "CLoader.h"

// How deep containers are written inside each other.
enum { DEEPEST = 8 };

#define FUNCTIONS(F) \
  F(void, dbus_get_version, (int *major, int *minor, int *patch), (major, minor, patch)) \
  F(void, dbus_error_init, (DBusError *error), (error)) \
  F(void, dbus_error_free, (DBusError *error), (error)) \
  F(DBusConnection *, dbus_bus_get_private, (DBusBusType type, DBusError *error), (type, error)) \
  F(int, dbus_bus_request_name, \
    (DBusConnection *connection, const char *name, unsigned flags, DBusError *error), \
    (connection, name, flags, error)) \
  F(void, dbus_connection_set_exit_on_disconnect, \
    (DBusConnection *connection, dbus_bool_t exits), \
    (connection, exits)) \
  F(dbus_bool_t, dbus_connection_read_write, \
    (DBusConnection *connection, int milliseconds), \
    (connection, milliseconds)) \
  F(DBusMessage *, dbus_connection_pop_message, (DBusConnection *connection), (connection)) \
  F(dbus_bool_t, dbus_connection_get_is_connected, (DBusConnection *connection), (connection)) \
  F(dbus_bool_t, dbus_connection_send, \
    (DBusConnection *connection, DBusMessage *message, dbus_uint32_t *serial), \
    (connection, message, serial)) \
  F(void, dbus_connection_flush, (DBusConnection *connection), (connection)) \
  F(void, dbus_connection_close, (DBusConnection *connection), (connection)) \
  F(void, dbus_connection_unref, (DBusConnection *connection), (connection)) \
  F(int, dbus_message_get_type, (DBusMessage *message), (message)) \
  F(const char *, dbus_message_get_interface, (DBusMessage *message), (message)) \
  F(const char *, dbus_message_get_member, (DBusMessage *message), (message)) \
  F(dbus_bool_t, dbus_message_get_no_reply, (DBusMessage *message), (message)) \
  F(DBusMessage *, dbus_message_new_method_return, (DBusMessage *call), (call)) \
  F(DBusMessage *, dbus_message_new_error, \
    (DBusMessage *call, const char *name, const char *text), \
    (call, name, text)) \
  F(DBusMessage *, dbus_message_new_signal, \
    (const char *path, const char *interface, const char *member), \
    (path, interface, member)) \
  F(void, dbus_message_unref, (DBusMessage *message), (message)) \
  F(dbus_bool_t, dbus_message_iter_init, (DBusMessage *message, DBusMessageIter *place), (message, place)) \
  F(int, dbus_message_iter_get_arg_type, (DBusMessageIter *place), (place)) \
  F(void, dbus_message_iter_get_basic, (DBusMessageIter *place, void *value), (place, value)) \
  F(dbus_bool_t, dbus_message_iter_next, (DBusMessageIter *place), (place)) \
  F(void, dbus_message_iter_recurse, (DBusMessageIter *place, DBusMessageIter *inside), (place, inside)) \
  F(void, dbus_message_iter_init_append, (DBusMessage *message, DBusMessageIter *place), (message, place)) \
  F(dbus_bool_t, dbus_message_iter_append_basic, \
    (DBusMessageIter *place, int type, const void *value), \
    (place, type, value)) \
  F(dbus_bool_t, dbus_message_iter_open_container, \
    (DBusMessageIter *place, int type, const char *signature, DBusMessageIter *inside), \
    (place, type, signature, inside)) \
  F(dbus_bool_t, dbus_message_iter_close_container, \
    (DBusMessageIter *place, DBusMessageIter *inside), \
    (place, inside))
FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libdbus-1.so.3", "libdbus-1-3", symbols, DW_COUNT(symbols)};

const char *dw_dbus_load(void) { return dw_library_load(&library); }

const char *dw_dbus_version(void) {
  static char text[36];
  int major, minor, patch;
  dbus_get_version(&major, &minor, &patch);
  snprintf(text, sizeof text, "%d.%d.%d", major, minor, patch);
  return text;
}

struct dw_bus {
  DBusConnection *connection;
};

struct dw_message {
  DBusMessage *message;
  /// Where the next argument is read.
  DBusMessageIter reading;
  /// Where the next value is written: the message, then what is open in it.
  DBusMessageIter writing[DEEPEST + 1];
  int depth;
  int is_reply_unwanted;
};

static dw_message *wrapped(DBusMessage *inner) {
  if (!inner) return NULL;
  dw_message *result = calloc(1, sizeof *result);
  if (!result) {
    dbus_message_unref(inner);
    return NULL;
  }
  result->message = inner;
  dbus_message_iter_init(inner, &result->reading);
  dbus_message_iter_init_append(inner, &result->writing[0]);
  return result;
}

dw_bus *dw_bus_connect(const char *name) {
  DBusError error;
  dbus_error_init(&error);
  DBusConnection *inner = dbus_bus_get_private(DBUS_BUS_SESSION, &error);
  dbus_error_free(&error);
  if (!inner) return NULL;
  // By default the library ends the process with the connection.
  dbus_connection_set_exit_on_disconnect(inner, 0);
  dbus_error_init(&error);
  int owner = dbus_bus_request_name(inner, name, DBUS_NAME_FLAG_DO_NOT_QUEUE, &error);
  dbus_error_free(&error);
  dw_bus *bus = owner == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER ? calloc(1, sizeof *bus) : NULL;
  if (bus) {
    bus->connection = inner;
    return bus;
  }
  dbus_connection_close(inner);
  dbus_connection_unref(inner);
  return NULL;
}

void dw_bus_close(dw_bus *bus) {
  dbus_connection_flush(bus->connection);
  dbus_connection_close(bus->connection);
  dbus_connection_unref(bus->connection);
  free(bus);
}

static DBusMessage *next_call(dw_bus *bus) {
  for (DBusMessage *next; (next = dbus_connection_pop_message(bus->connection)); dbus_message_unref(next))
    if (dbus_message_get_type(next) == DBUS_MESSAGE_TYPE_METHOD_CALL) return next;
  return NULL;
}

dw_message *dw_bus_wait(dw_bus *bus, int milliseconds, int *is_gone) {
  DBusMessage *next = next_call(bus);
  if (!next) {
    dbus_connection_read_write(bus->connection, milliseconds);
    next = next_call(bus);
  }
  *is_gone = !next && !dbus_connection_get_is_connected(bus->connection);
  return wrapped(next);
}

void dw_bus_send(dw_bus *bus, dw_message *message) {
  if (!message) return;
  if (!message->is_reply_unwanted) dbus_connection_send(bus->connection, message->message, NULL);
  dbus_connection_flush(bus->connection);
  dw_message_free(message);
}

void dw_message_free(dw_message *message) {
  if (!message) return;
  dbus_message_unref(message->message);
  free(message);
}

const char *dw_message_interface(const dw_message *call) {
  const char *text = dbus_message_get_interface(call->message);
  return text ? text : "";
}

const char *dw_message_member(const dw_message *call) {
  const char *text = dbus_message_get_member(call->message);
  return text ? text : "";
}

/// Reads the next argument if it is of one of two types.
static int read_basic(dw_message *call, int type, int other, void *value) {
  DBusMessageIter inside;
  DBusMessageIter *place = &call->reading;
  if (dbus_message_iter_get_arg_type(place) == DBUS_TYPE_VARIANT) {
    dbus_message_iter_recurse(place, &inside);
    place = &inside;
  }
  int found = dbus_message_iter_get_arg_type(place);
  if (found != type && found != other) return 0;
  dbus_message_iter_get_basic(place, value);
  dbus_message_iter_next(&call->reading);
  return 1;
}

int dw_message_read_text(dw_message *call, const char **text) {
  return read_basic(call, DBUS_TYPE_STRING, DBUS_TYPE_OBJECT_PATH, text);
}

int dw_message_read_integer(dw_message *call, int64_t *number) {
  return read_basic(call, DBUS_TYPE_INT64, DBUS_TYPE_INT64, number);
}

int dw_message_read_real(dw_message *call, double *number) {
  return read_basic(call, DBUS_TYPE_DOUBLE, DBUS_TYPE_DOUBLE, number);
}

dw_message *dw_message_reply(const dw_message *call) {
  dw_message *reply = wrapped(dbus_message_new_method_return(call->message));
  if (reply) reply->is_reply_unwanted = dbus_message_get_no_reply(call->message) != 0;
  return reply;
}

dw_message *dw_message_error(const dw_message *call, const char *name, const char *text) {
  dw_message *reply = wrapped(dbus_message_new_error(call->message, name, text));
  if (reply) reply->is_reply_unwanted = dbus_message_get_no_reply(call->message) != 0;
  return reply;
}

dw_message *dw_message_signal(const char *path, const char *interface, const char *member) {
  return wrapped(dbus_message_new_signal(path, interface, member));
}

static void write_basic(dw_message *message, int type, const void *value) {
  dbus_message_iter_append_basic(&message->writing[message->depth], type, value);
}

void dw_message_write_text(dw_message *message, const char *text) { write_basic(message, DBUS_TYPE_STRING, &text); }

void dw_message_write_path(dw_message *message, const char *path) { write_basic(message, DBUS_TYPE_OBJECT_PATH, &path); }

void dw_message_write_integer(dw_message *message, int64_t number) { write_basic(message, DBUS_TYPE_INT64, &number); }

void dw_message_write_real(dw_message *message, double number) { write_basic(message, DBUS_TYPE_DOUBLE, &number); }

void dw_message_write_flag(dw_message *message, int flag) {
  dbus_bool_t value = flag != 0;
  write_basic(message, DBUS_TYPE_BOOLEAN, &value);
}

void dw_message_open(dw_message *message, char kind, const char *signature) {
  if (message->depth == DEEPEST) abort();
  DBusMessageIter *outside = &message->writing[message->depth];
  dbus_message_iter_open_container(outside, kind, signature, &message->writing[++message->depth]);
}

void dw_message_close(dw_message *message) {
  DBusMessageIter *inside = &message->writing[message->depth];
  dbus_message_iter_close_container(&message->writing[--message->depth], inside);
}
