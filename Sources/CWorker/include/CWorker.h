/// What Swift cannot say: descriptors in messages, Landlock, the limits of a process.
#ifndef DEADWAX_CWORKER_H
#define DEADWAX_CWORKER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// Sends `count` bytes on a stream socket; `descriptor` travels with the first byte unless it is negative.
/// Returns the number of bytes sent, or -1 with errno.
ssize_t dw_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives up to `capacity` bytes; a descriptor that came along (close-on-exec) is put into `*descriptor`, else -1.
/// Returns the number of bytes, 0 at the end of the stream, or -1 with errno.
ssize_t dw_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// Limits of a worker, set before it reads a byte of a file.
struct dw_limits {
  uint64_t address_space_bytes;
  uint64_t open_descriptors;
};

/// Ends this process when `parent` ends, closes all descriptors from 4 on, raises its attraction for the out-of-memory
/// killer, and sets its limits: no core files, no written files, bounded memory and descriptors. Returns 0, or -1 with
/// errno.
int dw_confine(pid_t parent, const struct dw_limits *limits);

/// Allows this process `seconds` more of processor time from now; beyond that the kernel ends it by SIGXCPU.
int dw_allow_cpu_seconds(uint64_t seconds);

/// The version of Landlock that the kernel offers; 0 if it has none.
int dw_landlock_version(void);

/// Forbids this process, for good, to open, create or execute any file and, where the kernel can, to bind or connect
/// TCP sockets. Descriptors that are open stay usable. Returns 0, or -1 with errno.
int dw_landlock_forbid_all(void);

#endif
