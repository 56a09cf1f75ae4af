#define _GNU_SOURCE
#include "CWorker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

// The folders of a system and of its packages: programs, libraries and their data.
static const char *const system_folders[] = {"/usr", "/lib", "/lib64", "/bin", "/etc", "/opt", "/nix/store", "/gnu/store"};

// Reads below the folders of the system, and executes there; nothing else of the file system or the network.
static int read_system_only(void) {
  int version = dw_landlock_version();
  if (version < 1) return 0;
  struct {
    uint64_t files, network, scoped;
  } rules = {.files = (1 << 13) - 1};
  size_t size = sizeof rules.files;
  if (version >= 2) rules.files |= 1 << 13;
  if (version >= 3) rules.files |= 1 << 14;
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
  for (size_t index = 0; index < sizeof system_folders / sizeof *system_folders; index++) {
    int folder = open(system_folders[index], O_PATH | O_CLOEXEC);
    if (folder < 0) continue;
    struct landlock_path_beneath_attr rule = {
        .allowed_access = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
        .parent_fd = folder};
    (void)syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(folder);
  }
  return (int)syscall(SYS_landlock_restrict_self, ruleset, 0);
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define FORBID(call) \
  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

// No sockets and no look into other processes; which other calls a foreign program needs is not for us to say.
static int forbid_sockets(void) {
#ifdef ARCHITECTURE
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      // Numbers of the x32 interface begin here; on arm64 there are none.
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      FORBID(socket), FORBID(ptrace), FORBID(process_vm_readv), FORBID(process_vm_writev), FORBID(io_uring_setup),
      FORBID(add_key), FORBID(keyctl), FORBID(userfaultfd), FORBID(unshare), FORBID(mount),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {.len = sizeof program / sizeof *program, .filter = program};
  return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
#else
  return 0;
#endif
}

static _Noreturn void run_confined(
    const char *path, char *const *arguments, char *const *environment, int input, int output, pid_t parent,
    const struct dw_limits *limits, uint64_t seconds) {
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
  if (read_system_only() != 0 || forbid_sockets() != 0) _exit(126);
  execve(path, arguments, environment);
  _exit(127);
}

pid_t dw_start_confined(
    const char *path, char *const *arguments, char *const *environment, const void *bytes, size_t count,
    const struct dw_limits *limits, uint64_t seconds, int *output) {
  int ends[2] = {-1, -1};
  pid_t parent = getpid(), child = -1;
  int input = dw_memory_file("input");
  if (input >= 0 && pwrite(input, bytes, count, 0) == (ssize_t)count && pipe2(ends, O_CLOEXEC) == 0) child = fork();
  if (child == 0) run_confined(path, arguments, environment, input, ends[1], parent, limits, seconds);
  int reason = errno;
  if (input >= 0) close(input);
  if (ends[1] >= 0) close(ends[1]);
  if (child < 0 && ends[0] >= 0) close(ends[0]);
  *output = ends[0];
  errno = reason;
  return child;
}
