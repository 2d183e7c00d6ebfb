#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdint.h>

/// How many times the calling thread has asked for memory so far.
uint64_t allocation_count(void);

/// How many times all threads together have asked for memory so far, those that have ended included.
uint64_t allocation_count_of_all_threads(void);

/// How many times all threads together have had a file synced so far.
uint64_t sync_count(void);

#endif
