#include <lmdb.h>

// Two things of the system that LMDB's files need and that Swift's Glibc module leaves out: one header, and a function
// behind a feature macro that a module can't set any more.
#include <sys/statfs.h>
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);

/// Has the processor bring memory into its cache that will be read a little later. Whatever the address is, this has no other effect.
static inline void prefetch_for_reading(const void *address) {
  __builtin_prefetch(address);
}
