#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "CInterpose.h"

// The C library's own names for what is replaced here. Looking the originals up by name would itself allocate.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_uintptr_t lmdb_start;
static atomic_uintptr_t lmdb_end;
static atomic_bool is_armed;
static _Atomic uint64_t allocation_count;
static _Atomic uint64_t failing_number;
static atomic_bool failure_lasts;

static int find_lmdb(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (!strstr(info->dlpi_name, "liblmdb")) return 0;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    if (info->dlpi_phdr[index].p_type != PT_LOAD || !(info->dlpi_phdr[index].p_flags & PF_X)) continue;
    atomic_store(&lmdb_start, info->dlpi_addr + info->dlpi_phdr[index].p_vaddr);
    atomic_store(&lmdb_end, info->dlpi_addr + info->dlpi_phdr[index].p_vaddr + info->dlpi_phdr[index].p_memsz);
    return 1;
  }
  return 0;
}

bool interpose_finds_lmdb(void) {
  if (atomic_load(&lmdb_start) == 0) dl_iterate_phdr(find_lmdb, NULL);
  return atomic_load(&lmdb_start) != 0;
}

void interpose_set_memory_fault(uint64_t number, bool lasts) {
  interpose_finds_lmdb();
  atomic_store(&allocation_count, 0);
  atomic_store(&failing_number, number);
  atomic_store(&failure_lasts, lasts);
  atomic_store(&is_armed, true);
}

void interpose_clear_memory_fault(void) { atomic_store(&is_armed, false); }

uint64_t interpose_counted_allocations(void) { return atomic_load(&allocation_count); }

static bool fails(void *caller) {
  if (!atomic_load_explicit(&is_armed, memory_order_relaxed)) return false;
  uintptr_t address = (uintptr_t)caller;
  if (address < atomic_load(&lmdb_start) || address >= atomic_load(&lmdb_end)) return false;
  uint64_t number = atomic_fetch_add(&allocation_count, 1);
  uint64_t failing = atomic_load(&failing_number);
  return number == failing || (number > failing && atomic_load(&failure_lasts));
}

void *malloc(size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size) {
  if (fails(__builtin_return_address(0))) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_realloc(old, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) return EINVAL;
  if (fails(__builtin_return_address(0))) return ENOMEM;
  void *start = __libc_memalign(alignment, size);
  if (!start) return ENOMEM;
  *result = start;
  return 0;
}
