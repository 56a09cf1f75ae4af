#define _GNU_SOURCE
#include "CWorker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

ssize_t dw_send(int socket, const void *bytes, size_t count, int descriptor) {
  struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  union {
    struct cmsghdr alignment;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control = {0};
  if (descriptor >= 0) {
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof descriptor);
  }
  ssize_t sent;
  do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
  while (sent < 0 && errno == EINTR);
  return sent;
}

ssize_t dw_receive(int socket, void *bytes, size_t capacity, int *descriptor) {
  struct iovec part = {.iov_base = bytes, .iov_len = capacity};
  union {
    struct cmsghdr alignment;
    char bytes[CMSG_SPACE(sizeof(int))];
  } control;
  // Not its whole size: with the padding there would be room for a second descriptor, which would never be closed.
  struct msghdr message = {
      .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = CMSG_LEN(sizeof(int))};
  *descriptor = -1;
  ssize_t received;
  do received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
  while (received < 0 && errno == EINTR);
  if (received < 0) return received;
  for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS)
      memcpy(descriptor, CMSG_DATA(header), sizeof *descriptor);
  }
  return received;
}

static int limit(int resource, uint64_t value) {
  struct rlimit now;
  if (getrlimit(resource, &now) != 0) return -1;
  // A limit can only be lowered: a stricter one that is already in force stays.
  if (now.rlim_max != RLIM_INFINITY && now.rlim_max < value) value = now.rlim_max;
  struct rlimit next = {.rlim_cur = value, .rlim_max = value};
  return setrlimit(resource, &next);
}

// Closes all descriptors from 4 on.
static int close_others(void) {
  if (close_range(4, ~0U, 0) == 0) return 0;
  // Kernels before 5.9 do not have the call, and filters of containers may refuse it.
  DIR *folder = opendir("/proc/self/fd");
  if (!folder) return -1;
  for (struct dirent *entry; (entry = readdir(folder));) {
    int descriptor = atoi(entry->d_name);
    if (descriptor > 3 && descriptor != dirfd(folder)) close(descriptor);
  }
  return closedir(folder);
}

int dw_confine(pid_t parent, const struct dw_limits *limits) {
  if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return -1;
  // The parent may have died before the line above took effect.
  if (getppid() != parent) {
    errno = ESRCH;
    return -1;
  }
  // What who started the scan left open: a worker reaches the file that it is given, and nothing else.
  if (close_others() != 0) return -1;
  int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (score >= 0) {
    (void)!write(score, "500", 3);
    close(score);
  }
  if (prctl(PR_SET_DUMPABLE, 0) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
  if (limit(RLIMIT_CORE, 0) != 0 || limit(RLIMIT_FSIZE, 0) != 0) return -1;
  if (limit(RLIMIT_AS, limits->address_space_bytes) != 0) return -1;
  return limit(RLIMIT_NOFILE, limits->open_descriptors);
}

int dw_allow_cpu_seconds(uint64_t seconds) {
  struct rusage usage;
  struct rlimit allowed;
  if (getrusage(RUSAGE_SELF, &usage) != 0 || getrlimit(RLIMIT_CPU, &allowed) != 0) return -1;
  rlim_t next = (rlim_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + seconds + 1;
  if (allowed.rlim_max != RLIM_INFINITY && next > allowed.rlim_max) next = allowed.rlim_max;
  allowed.rlim_cur = next;
  return setrlimit(RLIMIT_CPU, &allowed);
}

// Debian 12's headers know Landlock's first version only; the kernel may know more. Values from linux/landlock.h.
struct ruleset_attributes {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;
  uint64_t scoped;
};

enum {
  files_v1 = (1 << 13) - 1,
  refer_v2 = 1 << 13,
  truncate_v3 = 1 << 14,
  network_v4 = 3,
  ioctl_v5 = 1 << 15,
  scopes_v6 = 3
};

int dw_landlock_version(void) {
  long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? (int)version : 0;
}

int dw_landlock_forbid_all(void) {
  int version = dw_landlock_version();
  if (version < 1) {
    errno = ENOSYS;
    return -1;
  }
  struct ruleset_attributes rules = {.handled_access_fs = files_v1};
  size_t size = sizeof rules.handled_access_fs;
  if (version >= 2) rules.handled_access_fs |= refer_v2;
  if (version >= 3) rules.handled_access_fs |= truncate_v3;
  if (version >= 5) rules.handled_access_fs |= ioctl_v5;
  if (version >= 4) {
    rules.handled_access_net = network_v4;
    size += sizeof rules.handled_access_net;
  }
  if (version >= 6) {
    rules.scoped = scopes_v6;
    size += sizeof rules.scoped;
  }
  int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
  if (ruleset < 0) return -1;
  long result = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  if (result == 0) result = syscall(SYS_landlock_restrict_self, ruleset, 0);
  int reason = errno;
  close(ruleset);
  errno = reason;
  return result == 0 ? 0 : -1;
}

int dw_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }
