#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

// One pipe for the whole life of the process: a signal may arrive after whoever waited for it is done.
static int stop_pipe[2] = {-1, -1};
static volatile sig_atomic_t stop_requested = 0;

static void on_stop_signal(int signal_number) {
  if (stop_requested) {
    dw_leave_terminal();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
    return;
  }
  stop_requested = 1;
  int reason = errno;
  unsigned char byte = (unsigned char)signal_number;
  (void)!write(stop_pipe[1], &byte, 1);
  errno = reason;
}

int dw_catch_stop_signals(void) {
  if (stop_pipe[0] < 0 && pipe2(stop_pipe, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  struct sigaction action = {.sa_handler = on_stop_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigset_t caught;
  sigemptyset(&caught);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction before;
    if (sigaction(signals[i], NULL, &before) != 0) return -1;
    // nohup and shells without job control ignore signals on behalf of what they start.
    if (before.sa_handler == SIG_IGN) continue;
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
    sigaddset(&caught, signals[i]);
  }
  // A program that starts us from a thread that blocks all signals hands that on.
  errno = pthread_sigmask(SIG_UNBLOCK, &caught, NULL);
  return errno == 0 ? stop_pipe[0] : -1;
}

int dw_file_system(int descriptor, int64_t *type, uint64_t *identity) {
  struct statfs information;
  if (fstatfs(descriptor, &information) != 0) return -1;
  *type = (int64_t)information.f_type;
  *identity = 0;
  memcpy(identity, &information.f_fsid, sizeof *identity);
  return 0;
}

int dw_has_lasting_inodes(int64_t type) {
  switch (type) {
  case MSDOS_SUPER_MAGIC:
  case EXFAT_SUPER_MAGIC:
  case FUSE_SUPER_MAGIC:
  // What Windows shares.
  case CIFS_SUPER_MAGIC:
  case SMB2_SUPER_MAGIC:
  case SMB_SUPER_MAGIC: return 0;
  default: return 1;
  }
}

int dw_is_kernel_file_system(int64_t type) {
  switch (type) {
  case PROC_SUPER_MAGIC:
  case SYSFS_MAGIC:
  case CGROUP_SUPER_MAGIC:
  case CGROUP2_SUPER_MAGIC:
  case DEVPTS_SUPER_MAGIC:
  case DEBUGFS_MAGIC:
  case TRACEFS_MAGIC:
  case SECURITYFS_MAGIC:
  case BPF_FS_MAGIC:
  case PSTOREFS_MAGIC:
  // Message queues: MQUEUE_MAGIC of the kernel's ipc/mqueue.c, in no header.
  case 0x19800202: return 1;
  default: return 0;
  }
}

unsigned int dw_device_major(uint64_t device) { return major(device); }

unsigned int dw_device_minor(uint64_t device) { return minor(device); }

const int dw_get_file_lock = F_OFD_GETLK;
const int dw_set_file_lock = F_OFD_SETLK;

int dw_open_nameless(const char *folder, uint32_t mode) {
  return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}
