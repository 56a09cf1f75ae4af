#define _GNU_SOURCE
#include "CWorker.h"
#include "filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { reads = LANDLOCK_ACCESS_FS_READ_FILE, lists = LANDLOCK_ACCESS_FS_READ_DIR, runs = LANDLOCK_ACCESS_FS_EXECUTE };

// Where systems keep shared libraries, the data of packages beside them, and the list by which they are found.
static const char *const library_places[] = {
    "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib", "/lib64", "/etc/ld.so.cache"};

// What the kernel starts to load a program.
static const char *const loaders[] = {
    "/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib/ld-musl-x86_64.so.1",
    "/lib/ld-musl-aarch64.so.1"};

// Systems on which programs are scripts that start others, and packages lie in folders of their own.
static const char *const stores[] = {"/nix/store", "/gnu/store"};

static void allow(int ruleset, const char *path, uint64_t access) {
  int place = open(path, O_PATH | O_CLOEXEC);
  if (place < 0) return;
  struct stat status;
  if (fstat(place, &status) == 0) {
    if (!S_ISDIR(status.st_mode)) access &= ~(uint64_t)lists;
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = place};
    (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }
  close(place);
}

#define ALLOW_EACH(places, access) \
  for (size_t index = 0; index < sizeof(places) / sizeof *(places); index++) allow(ruleset, (places)[index], access)

// Runs the program, and reads libraries and its own data; nothing else of the file system or the network.
static int read_own_files_only(const char *program, const char *const *data) {
  int version = dw_landlock_version();
  if (version < 1) return 0;
  struct {
    uint64_t files, network, scoped;
  } rules = {.files = (1 << 13) - 1};
  size_t size = sizeof rules.files;
  if (version >= 2) rules.files |= 1 << 13;
  if (version >= 3) rules.files |= 1 << 14;
  if (version >= 5) rules.files |= 1 << 15;
  if (version >= 4) {
    rules.network = 3;
    size += sizeof rules.network;
  }
  if (version >= 6) {
    rules.scoped = 3;
    size += sizeof rules.scoped;
  }
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  allow(ruleset, program, reads | runs);
  ALLOW_EACH(loaders, reads | runs);
  ALLOW_EACH(stores, reads | lists | runs);
  ALLOW_EACH(library_places, reads | lists);
  for (; *data; data++) allow(ruleset, *data, reads | lists);
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}

#ifdef ARCHITECTURE

enum {
  namespaces = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
};

// What a program needs that was not made for confinement: its threads, memory, and files that it may open. Landlock says
// which ones; but it knows nothing of calls that change modes, owners, times and attributes, so they are not here.
static int allow_program_calls(void) {
  struct sock_filter program[] = {
      BEGIN_FILTER,

      // Files.
      ALLOW(openat), ALLOW(read), ALLOW(readv), ALLOW(pread64), ALLOW(write), ALLOW(writev), ALLOW(lseek), ALLOW(close),
      ALLOW(fstat), ALLOW(newfstatat), ALLOW(statx), ALLOW(statfs), ALLOW(fstatfs), ALLOW(faccessat), ALLOW(faccessat2),
      ALLOW(readlinkat), ALLOW(getdents64), ALLOW(getcwd), ALLOW(fcntl), ALLOW(dup), ALLOW(dup3), ALLOW(pipe2),
      ALLOW(eventfd2), ALLOW(epoll_create1), ALLOW(epoll_ctl), ALLOW(epoll_pwait), ALLOW(ppoll), ALLOW(pselect6),
      ALLOW(umask), ALLOW_IF(ioctl, 1, EQUAL(TCGETS, 1)),
#ifdef __NR_open
      ALLOW(open), ALLOW(stat), ALLOW(lstat), ALLOW(access), ALLOW(readlink), ALLOW(dup2), ALLOW(pipe), ALLOW(poll),
      ALLOW(select), ALLOW(epoll_wait), ALLOW(getdents),
#endif

      // Memory.
      ALLOW(brk), ALLOW(mmap), ALLOW(munmap), ALLOW(mremap), ALLOW(mprotect), ALLOW_IF(madvise, 2, BELOW(100, 1)),

      // Threads, but neither processes nor namespaces.
      EQUAL(__NR_clone, 5), ARGUMENT(0), WITHOUT(namespaces, 2), WITH(CLONE_THREAD, 1), RESULT(SECCOMP_RET_ALLOW),
      REFUSE(EPERM),
      ALLOW(set_tid_address), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(futex), ALLOW(membarrier), ALLOW(sched_yield),
      ALLOW(sched_getaffinity), ALLOW_IF(prctl, 0, EQUAL(PR_SET_NAME, 1)),
#ifdef __NR_arch_prctl
      ALLOW(arch_prctl), ALLOW(time),
#endif

      // Time, chance, and what it asks about itself and the machine.
      ALLOW(nanosleep), ALLOW(clock_nanosleep), ALLOW(restart_syscall), ALLOW(clock_gettime), ALLOW(clock_getres),
      ALLOW(gettimeofday), ALLOW(getrandom), ALLOW(sysinfo), ALLOW(uname), ALLOW(times), ALLOW(getrusage),
      ALLOW(getrlimit), ALLOW(getpid), ALLOW(getppid), ALLOW(gettid), ALLOW(getuid), ALLOW(geteuid), ALLOW(getgid),
      ALLOW(getegid), ALLOW(getresuid), ALLOW(getresgid),
      EQUAL(__NR_prlimit64, 8), ARGUMENT(0), EQUAL(0, 5), ARGUMENT(2), EQUAL(0, 3), UPPER_HALF(2), EQUAL(0, 1),
      RESULT(SECCOMP_RET_ALLOW), REFUSE(EPERM),

      // Signals to itself, its start and its end.
      ALLOW(rt_sigreturn), ALLOW(rt_sigprocmask), ALLOW(rt_sigaction), ALLOW(sigaltstack),
      ALLOW_IF(tgkill, 0, EQUAL(getpid(), 1)), ALLOW(execve), ALLOW(exit), ALLOW(exit_group),

      // Callers know what to do without these; after EPERM some give up.
      ABSENT(clone3), ABSENT(openat2), ABSENT(io_uring_setup),

      REFUSE(EPERM),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

#else

static int allow_program_calls(void) { return 0; }

#endif

static _Noreturn void run_confined(
    const char *path, char *const *arguments, char *const *environment, const char *const *data, int input, int output,
    pid_t parent, const struct dw_limits *limits, uint64_t seconds) {
  // Only system calls from here on: other threads of the parent may have held locks.
  int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || (nothing >= 0 && dup2(nothing, 2) < 0)) _exit(126);
  close(3);
  sigset_t none;
  sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  (void)signal(SIGPIPE, SIG_DFL);
  // A file that it may not write is an error for it, not its end: libraries for sound try to share memory.
  (void)signal(SIGXFSZ, SIG_IGN);
  if (dw_confine(parent, limits) != 0 || dw_allow_cpu_seconds(seconds) != 0) _exit(126);
  if (read_own_files_only(path, data) != 0 || allow_program_calls() != 0) _exit(126);
  execve(path, arguments, environment);
  _exit(127);
}

pid_t dw_start_confined(
    const char *path, char *const *arguments, char *const *environment, const char *const *data, const void *bytes,
    size_t count, const struct dw_limits *limits, uint64_t seconds, int *output) {
  int ends[2] = {-1, -1};
  pid_t parent = getpid(), child = -1;
  int input = dw_memory_file("input");
  if (input >= 0 && pwrite(input, bytes, count, 0) == (ssize_t)count && pipe2(ends, O_CLOEXEC) == 0) child = fork();
  if (child == 0) run_confined(path, arguments, environment, data, input, ends[1], parent, limits, seconds);
  int reason = errno;
  if (input >= 0) close(input);
  if (ends[1] >= 0) close(ends[1]);
  if (child < 0 && ends[0] >= 0) close(ends[0]);
  *output = ends[0];
  errno = reason;
  return child;
}
