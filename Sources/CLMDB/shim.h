#include <lmdb.h>

// Glibc has this, and hides it behind a feature macro that a module can't set any more.
extern int fallocate(int descriptor, int mode, off_t offset, off_t length);
