#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "internal.h"

// The calls that change nothing. They are replaced so that they can fail.

// Whether a call on a descriptor is to fail; errno is set then.
static bool fails(int descriptor, uint32_t kind) {
  watched_file *file = interpose_file(descriptor);
  if (!file) return false;
  verdict verdict = interpose_judge(kind, file->name);
  if (verdict.fails) errno = verdict.error;
  return verdict.fails;
}

static bool fails_at(const char *path, uint32_t kind) {
  const char *name = interpose_name_of(path);
  if (!name) return false;
  verdict verdict = interpose_judge(kind, name);
  if (verdict.fails) errno = verdict.error;
  return verdict.fails;
}

// MARK: Reading

ssize_t pread(int descriptor, void *bytes, size_t count, off_t offset) {
  ORIGINAL(ssize_t, "pread", int, void *, size_t, off_t);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, bytes, count, offset);
  verdict verdict = interpose_judge(interpose_read, file->name);
  if (verdict.fails) {
    errno = verdict.error;
    return -1;
  }
  return original(descriptor, bytes, verdict.shortens && count > 1 ? count / 2 : count, offset);
}

ssize_t pread64(int descriptor, void *bytes, size_t count, off_t offset) {
  return pread(descriptor, bytes, count, offset);
}

ssize_t read(int descriptor, void *bytes, size_t count) {
  ORIGINAL(ssize_t, "read", int, void *, size_t);
  return fails(descriptor, interpose_read) ? -1 : original(descriptor, bytes, count);
}

void *mmap(void *start, size_t count, int protection, int flags, int descriptor, off_t offset) {
  ORIGINAL(void *, "mmap", void *, size_t, int, int, int, off_t);
  return fails(descriptor, interpose_map)
    ? MAP_FAILED : original(start, count, protection, flags, descriptor, offset);
}

// MARK: Looking

int stat(const char *path, struct stat *status) {
  ORIGINAL(int, "stat", const char *, struct stat *);
  return fails_at(path, interpose_look) ? -1 : original(path, status);
}

int fstat(int descriptor, struct stat *status) {
  ORIGINAL(int, "fstat", int, struct stat *);
  return fails(descriptor, interpose_look) ? -1 : original(descriptor, status);
}

// What `fstat` is called in libraries that were built for an older C library.
int __fxstat(int version, int descriptor, struct stat *status) {
  ORIGINAL(int, "__fxstat", int, int, struct stat *);
  return fails(descriptor, interpose_look) ? -1 : original(version, descriptor, status);
}

int fstatfs(int descriptor, struct statfs *status) {
  ORIGINAL(int, "fstatfs", int, struct statfs *);
  return fails(descriptor, interpose_look) ? -1 : original(descriptor, status);
}

off_t lseek(int descriptor, off_t offset, int origin) {
  ORIGINAL(off_t, "lseek", int, off_t, int);
  return fails(descriptor, interpose_look) ? -1 : original(descriptor, offset, origin);
}

DIR *opendir(const char *path) {
  ORIGINAL(DIR *, "opendir", const char *);
  return fails_at(path, interpose_look) ? NULL : original(path);
}

// MARK: Locking

int fcntl(int descriptor, int command, ...) {
  ORIGINAL(int, "fcntl", int, int, ...);
  va_list arguments;
  va_start(arguments, command);
  void *argument = va_arg(arguments, void *);
  va_end(arguments);
  return fails(descriptor, interpose_lock) ? -1 : original(descriptor, command, argument);
}
