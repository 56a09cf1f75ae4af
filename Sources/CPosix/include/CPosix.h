/// What Swift cannot say to the kernel: signals without a handler in Swift, identities of file systems, what
/// names and attributes of files need. And to SQLite,
/// one function without a fixed list of parameters.
///
/// Without sys/types.h, which would bring types of threads into the modules that import this.
#ifndef DEADWAX_CPOSIX_H
#define DEADWAX_CPOSIX_H

#include <stddef.h>
#include <stdint.h>

/// Makes the first SIGINT, SIGTERM or SIGHUP write its number to a pipe whose reading end is returned; the second one
/// ends the process at once as the signal would have. A signal that this process was started to ignore stays ignored;
/// one that it was started to block is unblocked. Returns -1 with errno.
int dw_catch_stop_signals(void);

/// Takes over a terminal to draw on: the alternate screen without a cursor, each key at once and without an echo, clicks as
/// keys. Whatever ends this process, except SIGKILL, gives it back: dw_leave_terminal, a crash, or a second stop signal.
/// Returns 0, or -1 with errno.
int dw_enter_terminal(int descriptor);

/// A descriptor of the terminal that was taken last, on which a write never waits; what others have open of it stays as
/// it is. -1 if it cannot be opened again.
int dw_terminal_output(void);

/// Gives the terminal back as it was, or as far as it takes what is written within a second. Does nothing if it was not
/// taken. Safe in a signal handler.
void dw_leave_terminal(void);

/// Makes SIGWINCH, SIGTSTP and SIGCONT write their numbers to a pipe whose reading end is returned. Returns -1 with errno.
int dw_catch_terminal_signals(void);

/// The magic number (linux/magic.h) of the file system that an open file is on and an identity of that file system that
/// outlasts a reboot if the file system has one; 0 if it is unknown. Returns 0, or -1 with errno.
int dw_file_system(int descriptor, int64_t *type, uint64_t *identity);

/// Whether a file keeps its inode number for good on a file system of this type; elsewhere numbers are assigned at each
/// mount, or by the program or machine that serves the files.
int dw_has_lasting_inodes(int64_t type);

/// Whether file systems of this type show the kernel's own data, not anybody's files.
int dw_is_kernel_file_system(int64_t type);

/// The two parts of a device number, such as st_dev.
unsigned int dw_device_major(uint64_t device);
unsigned int dw_device_minor(uint64_t device);

/// Commands of fcntl for locks that belong to an open file, not to a process. The C library hides them behind a feature
/// macro that Swift does not set.
extern const int dw_get_file_lock;
extern const int dw_set_file_lock;

/// Opens a new, empty file in a folder that has no name yet (O_TMPFILE), for writing and reading. Returns its
/// descriptor, or -1 with errno; not every file system has such files.
int dw_open_nameless(const char *folder, uint32_t mode);

/// Exchanges two names in a folder, so that at every moment each of them names one of the two files. Returns 0, or -1 with
/// errno: EINVAL or ENOSYS if the file system cannot.
int dw_exchange_names(int folder, const char *name, const char *other);

/// Copies bytes of one file to a place in another one, by sharing them on the disk where the file system can. Returns 0, or
/// -1 with errno: ENODATA if the first file ends before.
int dw_copy_range(int from, int64_t offset, int to, int64_t place, int64_t count);

/// Gives a file the extended attributes of another one, lists of rights among them. Returns 0, or -1 with errno and the name
/// of the attribute that it cannot have.
int dw_copy_attributes(int from, int to, char *failed, size_t capacity);

/// SQLite's own function, under a name of ours: its header would bring all of SQLite to every module that imports this.
extern int dw_sqlite_configure(void *database, int option, ...) __asm__("sqlite3_db_config");

/// Makes SQLite refuse, on one connection (sqlite3 *), statements that write to the schema, to shadow tables or around
/// the journal. Inline, so that only modules with SQLite need it.
static inline void dw_make_defensive(void *database) {
  // SQLITE_DBCONFIG_DEFENSIVE, since 3.26; older ones refuse the option.
  (void)dw_sqlite_configure(database, 1010, 1, (int *)0);
}

/// Lets closing a connection (sqlite3 *) leave the write-ahead log as it is.
static inline void dw_leave_log(void *database) {
  // SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, since 3.16.
  (void)dw_sqlite_configure(database, 1006, 1, (int *)0);
}

#endif
