/// D-Bus: by it desktops, keys for media and other programs talk to a player. One thread uses a connection and its messages.
#ifndef DEADWAX_CDBUS_H
#define DEADWAX_CDBUS_H

#include <stddef.h>
#include <stdint.h>

/// A connection to the bus of the user's session.
typedef struct dw_bus dw_bus;

/// A message that came, or that is written.
typedef struct dw_message dw_message;

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_dbus_load(void);

/// Such as "1.14.10". The library must be loaded.
const char *dw_dbus_version(void);

/// Connects and takes a name. Waits for the bus. Returns NULL if there is no bus, or somebody has the name.
dw_bus *dw_bus_connect(const char *name);

void dw_bus_close(dw_bus *bus);

/// Waits for the next call of a method; NULL if none came in time. `is_gone` becomes 1 if the connection has ended.
dw_message *dw_bus_wait(dw_bus *bus, int milliseconds, int *is_gone);

/// Sends a message and frees it. A reply that nobody waits for is only freed.
void dw_bus_send(dw_bus *bus, dw_message *message);

void dw_message_free(dw_message *message);

/// Never NULL.
const char *dw_message_interface(const dw_message *call);
const char *dw_message_member(const dw_message *call);

// The arguments of a call, in order: each function reads the next one and moves on, or returns 0 if it is of another kind. What
// stands in a variant is read as if it stood there by itself.

/// A string or the path of an object; it lives as long as the message.
int dw_message_read_text(dw_message *call, const char **text);
int dw_message_read_integer(dw_message *call, int64_t *number);
int dw_message_read_real(dw_message *call, double *number);

dw_message *dw_message_reply(const dw_message *call);
dw_message *dw_message_error(const dw_message *call, const char *name, const char *text);
dw_message *dw_message_signal(const char *path, const char *interface, const char *member);

// What a message holds, in order. Texts are UTF-8.

void dw_message_write_text(dw_message *message, const char *text);
void dw_message_write_path(dw_message *message, const char *path);
void dw_message_write_integer(dw_message *message, int64_t number);
void dw_message_write_real(dw_message *message, double number);
void dw_message_write_flag(dw_message *message, int flag);

/// Begins an array ('a'), a variant ('v') or an entry of a dictionary ('e'); the signature is that of what it holds, NULL for
/// an entry. Eight can be open at once.
void dw_message_open(dw_message *message, char kind, const char *signature);

/// Ends what was begun last.
void dw_message_close(dw_message *message);

#endif
