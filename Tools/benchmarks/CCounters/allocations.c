// Counts the calls that ask for memory. Linked into the program, these functions stand before the C library's own, which do
// the work. Every thread has a count of its own, so that counting costs one addition and needs no lock.

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include "counters.h"

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

// Each count has a cache line, so that threads do not slow each other down. Only its thread writes it; others read it. More
// threads than this begin to share counts, and may lose some.
enum { counts_max = 1024 };

static struct {
  _Alignas(64) _Atomic uint64_t count;
} counts[counts_max];

static _Atomic size_t thread_count;

static _Thread_local _Atomic uint64_t *own_count __attribute__((tls_model("initial-exec")));

static inline _Atomic uint64_t *count_of_this_thread(void) {
  if (own_count == NULL) own_count = &counts[atomic_fetch_add(&thread_count, 1) % counts_max].count;
  return own_count;
}

static inline void count_one(void) {
  _Atomic uint64_t *count = count_of_this_thread();
  // No addition that is atomic as a whole, which would cost more than the rest.
  atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

uint64_t allocation_count(void) { return atomic_load_explicit(count_of_this_thread(), memory_order_relaxed); }

uint64_t allocation_count_of_all_threads(void) {
  uint64_t sum = 0;
  for (size_t index = 0; index < counts_max; index++) {
    sum += atomic_load_explicit(&counts[index].count, memory_order_relaxed);
  }
  return sum;
}

void *malloc(size_t size) {
  count_one();
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count_one();
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count_one();
  return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_one();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
  count_one();
  void *memory = __libc_memalign(alignment, size);
  if (memory == NULL) return ENOMEM;
  *result = memory;
  return 0;
}
