/// What Swift cannot say: descriptors in messages, Landlock, seccomp, the limits of a process.
#ifndef DEADWAX_CWORKER_H
#define DEADWAX_CWORKER_H

#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
// The numbers of system calls, for tests.
#include <sys/syscall.h>
#include <sys/types.h>

/// Sends `count` bytes on a stream socket; `descriptor` travels with the first byte unless it is negative.
/// Returns the number of bytes sent, or -1 with errno.
ssize_t dw_send(int socket, const void *bytes, size_t count, int descriptor);

/// Receives up to `capacity` bytes; a descriptor that came along (close-on-exec) is put into `*descriptor`, else -1.
/// Returns the number of bytes, 0 at the end of the stream, or -1 with errno.
ssize_t dw_receive(int socket, void *bytes, size_t capacity, int *descriptor);

/// posix_spawn(3) on a thread that never ends. The kernel ends a confined worker with the thread that started it, not with its
/// process (prctl(2), PR_SET_PDEATHSIG), and callers' threads end before their workers. Returns 0 or an error number.
int dw_spawn(
    pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment);

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

/// Forbids this process and all of its threads, for good, every system call that a worker does not need.
///
/// What stays possible: reading open files, messages over `socket`, memory that is not executable, waiting, the time,
/// its own limit of processor time, signals to itself, and its end. Every other call fails with EPERM and has no
/// effect; `clone3` and `io_uring_*` fail with ENOSYS, as on an old kernel, for which callers are prepared.
/// Returns 0, or -1 with errno: ENOSYS if the kernel or this program has no filter for this processor.
int dw_filter_calls(int socket);

/// A file in memory without a name among files, closed when another program starts. Returns its descriptor, or -1 with errno.
int dw_memory_file(const char *name);

/// Starts another program that reads these bytes from its standard input, confined like a worker as far as a program
/// allows that does not know of it: it ends with the calling thread, writes and changes no files, opens no sockets,
/// starts threads but no processes, makes no namespaces, and reaches no other process. It executes and reads `path`,
/// and reads the folders of shared libraries and the files and folders of `data`, which ends with NULL. It may use
/// `seconds` of processor time. `*output` becomes the end of a pipe with its standard output. Returns its process id,
/// or -1 with errno; a program that cannot be executed exits with 127, one that cannot be confined with 126.
///
/// Without Landlock in the kernel it can read what its user can; all else holds.
pid_t dw_start_confined(
    const char *path, char *const *arguments, char *const *environment, const char *const *data, const void *bytes,
    size_t count, const struct dw_limits *limits, uint64_t seconds, int *output);

/// The layers of a worker's confinement.
enum { dw_layer_landlock = 1, dw_layer_filter = 2 };

/// Instead of the number of a system call: the C library's abort.
enum { dw_abort = -1 };

/// A system call to be tried.
struct dw_call {
  long number;
  uintptr_t arguments[6];
  /// 0 if it succeeded, else errno; -1 if it was never made.
  int error;
};

/// For tests: makes these calls, one after the other, in a new process behind these layers, and waits for its end.
/// Returns 0, the signal that ended that process, or -1 with errno if that process or a layer could not be made.
int dw_try_calls(int layers, int socket, struct dw_call *calls, size_t count);

#endif
