#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

// linux/fs.h
#define EXCHANGE (1 << 1)

int dw_exchange_names(int folder, const char *name, const char *other) {
  return (int)syscall(SYS_renameat2, folder, name, folder, other, EXCHANGE);
}

// A file system without the call, or one that does not share or copy by itself.
static int needs_plain_copy(int reason) {
  return reason == EXDEV || reason == EINVAL || reason == ENOSYS || reason == EOPNOTSUPP || reason == EPERM ||
         reason == EBADF || reason == ETXTBSY;
}

static int copy_plainly(int from, int64_t offset, int to, int64_t place, int64_t count) {
  const size_t block = 1 << 20;
  char *bytes = malloc(block);
  if (bytes == NULL) return -1;
  int result = 0;
  while (count > 0) {
    ssize_t taken = pread(from, bytes, count < (int64_t)block ? (size_t)count : block, offset);
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) {
      if (taken == 0) errno = ENODATA;
      result = -1;
      break;
    }
    for (ssize_t done = 0; done < taken;) {
      ssize_t written = pwrite(to, bytes + done, (size_t)(taken - done), place + done);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) {
        result = -1;
        break;
      }
      done += written;
    }
    if (result != 0) break;
    offset += taken;
    place += taken;
    count -= taken;
  }
  int reason = errno;
  free(bytes);
  errno = reason;
  return result;
}

int dw_copy_range(int from, int64_t offset, int to, int64_t place, int64_t count) {
  while (count > 0) {
    off_t in = offset, out = place;
    ssize_t done = copy_file_range(from, &in, to, &out, (size_t)(count < (1 << 30) ? count : (1 << 30)), 0);
    if (done < 0 && errno == EINTR) continue;
    // Some file systems of the kernel's say 0 for files that are not empty.
    if (done == 0 || (done < 0 && needs_plain_copy(errno))) return copy_plainly(from, offset, to, place, count);
    if (done < 0) return -1;
    offset += done;
    place += done;
    count -= done;
  }
  return 0;
}

// Whether the file has the attribute with just this value already: a policy of the system may have set it.
static int has_attribute(int to, const char *name, const char *value, size_t count) {
  char *found = malloc(count + 1);
  if (found == NULL) return 0;
  ssize_t size = fgetxattr(to, name, found, count + 1);
  int is_same = size == (ssize_t)count && memcmp(found, value, count) == 0;
  free(found);
  return is_same;
}

int dw_copy_attributes(int from, int to, char *failed, size_t capacity) {
  if (capacity > 0) failed[0] = 0;
  ssize_t length = flistxattr(from, NULL, 0);
  if (length < 0) return errno == EOPNOTSUPP ? 0 : -1;
  if (length == 0) return 0;
  char *names = malloc((size_t)length + 1);
  if (names == NULL) return -1;
  length = flistxattr(from, names, (size_t)length);
  int result = length < 0 ? -1 : 0;
  int reason = errno;
  for (char *name = names; result == 0 && name < names + length; name += strlen(name) + 1) {
    ssize_t size = fgetxattr(from, name, NULL, 0);
    char *value = size < 0 ? NULL : malloc((size_t)size + 1);
    if (value != NULL) size = fgetxattr(from, name, value, (size_t)size);
    if (value == NULL || size < 0 ||
        (fsetxattr(to, name, value, (size_t)size, 0) != 0 && !has_attribute(to, name, value, (size_t)size))) {
      reason = errno;
      result = -1;
      strncpy(failed, name, capacity);
      if (capacity > 0) failed[capacity - 1] = 0;
    }
    free(value);
  }
  free(names);
  errno = reason;
  return result;
}
