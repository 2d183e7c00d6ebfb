// Counts the calls that bring a file to its medium. Linked into the program, these functions stand before the C library's own
// and do the same. A write to a file that is open for synced writing, as LMDB's meta page is written, is not among them.

#define _GNU_SOURCE

#include <stdatomic.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "counters.h"

static _Atomic uint64_t count;

uint64_t sync_count(void) { return atomic_load_explicit(&count, memory_order_relaxed); }

int fsync(int file) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return (int)syscall(SYS_fsync, file);
}

int fdatasync(int file) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return (int)syscall(SYS_fdatasync, file);
}

int msync(void *start, size_t length, int flags) {
  atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
  return (int)syscall(SYS_msync, start, length, flags);
}
