#define _GNU_SOURCE
#include "CWorker.h"
#include "filter.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef ARCHITECTURE

int dw_filter_calls(int socket) {
  struct sock_filter program[] = {
      // The numbers of the x32 interface are not in the list.
      BEGIN_FILTER,

      // Reading what is open, and messages to the parent.
      ALLOW(pread64), ALLOW(read), ALLOW(lseek), ALLOW(fstat), ALLOW(close),
      ALLOW_IF(sendmsg, 0, EQUAL(socket, 1)), ALLOW_IF(recvmsg, 0, EQUAL(socket, 1)), ALLOW(ppoll),
#ifdef __NR_poll
      ALLOW(poll),
#endif
      // The last words of a crash, to the standard streams.
      ALLOW_IF(write, 0, BELOW(3, 1)), ALLOW_IF(writev, 0, BELOW(3, 1)),

      // Memory, none of it executable. From 100 on, advice poisons pages of the machine if root gives it.
      ALLOW(brk), ALLOW(munmap), ALLOW(mremap), ALLOW_IF(mmap, 2, WITHOUT(PROT_EXEC, 1)),
      ALLOW_IF(mprotect, 2, WITHOUT(PROT_EXEC, 1)), ALLOW_IF(madvise, 2, BELOW(100, 1)),

      // Waiting, time, chance, and what it asks about itself and the machine's memory.
      ALLOW(futex), ALLOW(sched_yield), ALLOW(nanosleep), ALLOW(clock_nanosleep), ALLOW(restart_syscall),
      ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(sysinfo),
      ALLOW(getrusage), ALLOW(getpid), ALLOW(gettid),

      // Its own limits: all may be read, that of processor time may be set, with either call.
      ALLOW(getrlimit), ALLOW_IF(setrlimit, 0, EQUAL(RLIMIT_CPU, 1)),
      EQUAL(__NR_prlimit64, 10), ARGUMENT(0), EQUAL(0, 7), ARGUMENT(1), UNEQUAL(RLIMIT_CPU, 4), ARGUMENT(2),
      EQUAL(0, 3), UPPER_HALF(2), EQUAL(0, 1), RESULT(SECCOMP_RET_ALLOW), REFUSE(EPERM),

      // Signals to itself, and its end: a crash keeps its reason.
      ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), ALLOW(sigaltstack),
      ALLOW_IF(tgkill, 0, EQUAL(getpid(), 1)), ALLOW(exit), ALLOW(exit_group),

      // Callers know what to do without these; after EPERM some give up.
      ABSENT(clone3), ABSENT(io_uring_setup), ABSENT(io_uring_enter), ABSENT(io_uring_register),

      REFUSE(EPERM),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  long result = syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter);
  // A positive result is a thread that could not be confined.
  if (result > 0) errno = EBUSY;
  return result == 0 ? 0 : -1;
}

#else

int dw_filter_calls(int socket) {
  (void)socket;
  errno = ENOSYS;
  return -1;
}

#endif

/// Makes the calls in a process that has nothing else to do. Only system calls: the process may be a copy of one whose
/// other threads held locks.
static _Noreturn void try_calls(int layers, int socket, struct dw_call *calls, size_t count) {
  if ((layers & dw_layer_landlock) && dw_landlock_forbid_all() != 0) _exit(errno);
  if ((layers & dw_layer_filter) && dw_filter_calls(socket) != 0) _exit(errno);
  pid_t own = getpid();
  for (struct dw_call *call = calls; call < calls + count; call++) {
    const uintptr_t *with = call->arguments;
    if (call->number == dw_abort) abort();
    long result = syscall(call->number, with[0], with[1], with[2], with[3], with[4], with[5]);
    // A new process that should not be there.
    if (getpid() != own) _exit(0);
    call->error = result == -1 ? errno : 0;
  }
  _exit(0);
}

int dw_try_calls(int layers, int socket, struct dw_call *calls, size_t count) {
  size_t size = count * sizeof *calls;
  struct dw_call *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return -1;
  for (size_t index = 0; index < count; index++) {
    shared[index] = calls[index];
    shared[index].error = -1;
  }
  int status = 0;
  pid_t child = fork();
  if (child == 0) try_calls(layers, socket, shared, count);
  if (child > 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  int reason = child < 0 ? errno : WIFEXITED(status) ? WEXITSTATUS(status) : 0;
  memcpy(calls, shared, size);
  munmap(shared, size);
  errno = reason;
  if (reason != 0) return -1;
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
