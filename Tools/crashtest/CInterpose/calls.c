#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "internal.h"

// The replacements of the C library's calls. Each looks whether the file is watched, asks what is to happen to the call, does
// it through the original, and logs what it has done.

#define FAIL(verdict, value)      \
  do {                            \
    if ((verdict).fails) {        \
      errno = (verdict).error;    \
      return value;               \
    }                             \
  } while (0)

// MARK: Opening and closing

static int open_at(int folder, const char *path, int flags, mode_t mode) {
  ORIGINAL(int, "openat", int, const char *, int, ...);
  const char *name = folder == AT_FDCWD ? interpose_name_of(path) : NULL;
  if (!name) return original(folder, path, flags, mode);
  verdict verdict = interpose_judge(interpose_open, name);
  FAIL(verdict, -1);
  int descriptor = original(folder, path, flags, mode);
  if (descriptor >= 0) interpose_note_opened(descriptor, name, flags);
  interpose_finish(verdict);
  return descriptor;
}

#define MODE(flags)                                     \
  mode_t mode = 0;                                      \
  if ((flags) & (O_CREAT | (O_TMPFILE & ~O_DIRECTORY))) { \
    va_list arguments;                                  \
    va_start(arguments, flags);                         \
    mode = va_arg(arguments, mode_t);                   \
    va_end(arguments);                                  \
  }

int open(const char *path, int flags, ...) {
  MODE(flags);
  return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags);
  return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  MODE(flags);
  return open_at(folder, path, flags, mode);
}

int close(int descriptor) {
  ORIGINAL(int, "close", int);
  interpose_note_closed(descriptor);
  return original(descriptor);
}

// MARK: Writing

static void log_write(const watched_file *file, const void *bytes, size_t count, off_t offset) {
  interpose_event event = {
    .kind = interpose_event_written, .handle = file->handle, .offset = (uint64_t)offset};
  interpose_log(event, bytes, count);
  if (!file->syncs_writes) return;
  event.kind = interpose_event_range_synced;
  interpose_log(event, NULL, 0);
}

// The place behind what was just written, asked for in a way that is not itself counted.
static off_t current_offset(int descriptor) {
  ORIGINAL(off_t, "lseek", int, off_t, int);
  return original(descriptor, 0, SEEK_CUR);
}

static off_t current_size(int descriptor) {
  ORIGINAL(int, "fstat", int, struct stat *);
  struct stat status;
  return original(descriptor, &status) == 0 ? status.st_size : -1;
}

static size_t allowed(verdict verdict, size_t count) {
  return verdict.shortens && count > 1 ? count / 2 : count;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  ORIGINAL(ssize_t, "pwrite", int, const void *, size_t, off_t);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, bytes, count, offset);
  verdict verdict = interpose_judge(interpose_write, file->name);
  FAIL(verdict, -1);
  interpose_lock_log();
  ssize_t done = original(descriptor, bytes, allowed(verdict, count), offset);
  if (done > 0) log_write(file, bytes, (size_t)done, offset);
  interpose_unlock_log();
  interpose_finish(verdict);
  return done;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite(descriptor, bytes, count, offset);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  ORIGINAL(ssize_t, "write", int, const void *, size_t);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, bytes, count);
  verdict verdict = interpose_judge(interpose_write, file->name);
  FAIL(verdict, -1);
  interpose_lock_log();
  ssize_t done = original(descriptor, bytes, allowed(verdict, count));
  if (done > 0) log_write(file, bytes, (size_t)done, current_offset(descriptor) - done);
  interpose_unlock_log();
  interpose_finish(verdict);
  return done;
}

// Writes the parts one after the other, which is what one call for all of them comes to.
static ssize_t write_parts(int descriptor, const struct iovec *parts, int count, off_t offset, bool has_offset) {
  ssize_t total = 0;
  for (int index = 0; index < count; index++) {
    size_t length = parts[index].iov_len;
    if (length == 0) continue;
    ssize_t done = has_offset ? pwrite(descriptor, parts[index].iov_base, length, offset + total)
                              : write(descriptor, parts[index].iov_base, length);
    if (done < 0) return total > 0 ? total : done;
    total += done;
    if ((size_t)done < length) break;
  }
  return total;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  ORIGINAL(ssize_t, "writev", int, const struct iovec *, int);
  if (!interpose_file(descriptor)) return original(descriptor, parts, count);
  return write_parts(descriptor, parts, count, 0, false);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  ORIGINAL(ssize_t, "pwritev", int, const struct iovec *, int, off_t);
  if (!interpose_file(descriptor)) return original(descriptor, parts, count, offset);
  return write_parts(descriptor, parts, count, offset, true);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return pwritev(descriptor, parts, count, offset);
}

// MARK: Sizes

static void log_size(const watched_file *file, off_t size) {
  interpose_event event = {.kind = interpose_event_resized, .handle = file->handle, .offset = (uint64_t)size};
  interpose_log(event, NULL, 0);
}

int ftruncate(int descriptor, off_t size) {
  ORIGINAL(int, "ftruncate", int, off_t);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, size);
  verdict verdict = interpose_judge(interpose_resize, file->name);
  FAIL(verdict, -1);
  interpose_lock_log();
  int result = original(descriptor, size);
  if (result == 0) log_size(file, size);
  interpose_unlock_log();
  interpose_finish(verdict);
  return result;
}

int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

int fallocate(int descriptor, int mode, off_t offset, off_t count) {
  ORIGINAL(int, "fallocate", int, int, off_t, off_t);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, mode, offset, count);
  verdict verdict = interpose_judge(interpose_resize, file->name);
  FAIL(verdict, -1);
  interpose_lock_log();
  int result = original(descriptor, mode, offset, count);
  if (result == 0 && !(mode & FALLOC_FL_KEEP_SIZE)) log_size(file, current_size(descriptor));
  interpose_unlock_log();
  interpose_finish(verdict);
  return result;
}

int fallocate64(int descriptor, int mode, off_t offset, off_t count) {
  return fallocate(descriptor, mode, offset, count);
}

int posix_fallocate(int descriptor, off_t offset, off_t count) {
  return fallocate(descriptor, 0, offset, count) == 0 ? 0 : errno;
}

// MARK: Syncing

static int sync_file(int descriptor, int (*original)(int)) {
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor);
  uint32_t handle = file->handle;
  if (interpose_ignores_sync(file->name)) return 0;
  verdict verdict = interpose_judge(interpose_sync, file->name);
  interpose_lock_log();
  interpose_event event = {.kind = interpose_event_synced, .handle = handle, .start = interpose_event_count()};
  interpose_unlock_log();
  interpose_wait_for_sync();
  int result = verdict.fails ? -1 : original(descriptor);
  int error = verdict.fails ? verdict.error : errno;
  // An interrupted sync has done nothing and is no failure of the medium.
  if (result == 0 || error != EINTR) {
    interpose_lock_log();
    if (result != 0) event.kind = interpose_event_sync_failed;
    interpose_log(event, NULL, 0);
    interpose_unlock_log();
  }
  interpose_finish(verdict);
  errno = error;
  return result;
}

int fsync(int descriptor) {
  ORIGINAL(int, "fsync", int);
  return sync_file(descriptor, original);
}

int fdatasync(int descriptor) {
  ORIGINAL(int, "fdatasync", int);
  return sync_file(descriptor, original);
}

// It promises nothing about the medium, so it counts as a call and not as a sync.
int sync_file_range(int descriptor, off64_t offset, off64_t count, unsigned flags) {
  ORIGINAL(int, "sync_file_range", int, off64_t, off64_t, unsigned);
  watched_file *file = interpose_file(descriptor);
  if (!file) return original(descriptor, offset, count, flags);
  verdict verdict = interpose_judge(interpose_sync, file->name);
  FAIL(verdict, -1);
  int result = original(descriptor, offset, count, flags);
  interpose_finish(verdict);
  return result;
}

// MARK: Names

int rename(const char *path, const char *new_path) {
  ORIGINAL(int, "rename", const char *, const char *);
  const char *name = interpose_name_of(path);
  const char *new_name = interpose_name_of(new_path);
  if (!name || !new_name) return original(path, new_path);
  verdict verdict = interpose_judge(interpose_name, name);
  FAIL(verdict, -1);
  interpose_lock_log();
  int result = original(path, new_path);
  char names[2 * name_bytes_max];
  int count = snprintf(names, sizeof names, "%s/%s", name, new_name);
  if (result == 0 && count > 0 && (size_t)count < sizeof names) {
    interpose_event event = {.kind = interpose_event_renamed};
    interpose_log(event, names, (size_t)count);
  }
  interpose_unlock_log();
  interpose_finish(verdict);
  return result;
}

static int remove_name(const char *path, int (*original)(const char *)) {
  const char *name = interpose_name_of(path);
  if (!name) return original(path);
  verdict verdict = interpose_judge(interpose_name, name);
  FAIL(verdict, -1);
  interpose_lock_log();
  int result = original(path);
  int error = errno;
  if (result == 0) {
    interpose_event event = {.kind = interpose_event_removed};
    size_t length = 0;
    while (name[length]) length++;
    interpose_log(event, name, length);
  }
  interpose_unlock_log();
  interpose_finish(verdict);
  errno = error;
  return result;
}

int unlink(const char *path) {
  ORIGINAL(int, "unlink", const char *);
  return remove_name(path, original);
}

int remove(const char *path) {
  ORIGINAL(int, "remove", const char *);
  return remove_name(path, original);
}

int mkdir(const char *path, mode_t mode) {
  ORIGINAL(int, "mkdir", const char *, mode_t);
  const char *name = interpose_name_of(path);
  if (!name) return original(path, mode);
  verdict verdict = interpose_judge(interpose_name, name);
  FAIL(verdict, -1);
  return original(path, mode);
}
