#ifndef INTERPOSE_INTERNAL_H
#define INTERPOSE_INTERNAL_H

#include "CInterpose.h"

// The original of a function, looked up once. For files that have `_GNU_SOURCE` and `dlfcn.h`.
#define ORIGINAL(result, name, ...)       \
  static result (*original)(__VA_ARGS__); \
  if (!original) original = (result(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name)

enum { name_bytes_max = 256 };

// An open file of the watched folder.
typedef struct {
  uint32_t handle;
  bool syncs_writes;
  char name[name_bytes_max];
} watched_file;

// The file that a descriptor stands for; null if it isn't watched.
watched_file *interpose_file(int descriptor);
void interpose_note_opened(int descriptor, const char *name, int flags);
void interpose_note_closed(int descriptor);
// The name of a path relative to the watched folder; null if it doesn't lie there.
const char *interpose_name_of(const char *path);

// Keeps events in the order of what they tell of: held from a call's effect to its event.
void interpose_lock_log(void);
void interpose_unlock_log(void);
// Adds an event, with the lock held.
void interpose_log(interpose_event event, const void *bytes, size_t count);

// What a call is to do.
typedef struct {
  bool fails;
  int error;
  bool shortens;
  bool kills_after;
} verdict;

verdict interpose_judge(uint32_t kind, const char *name);
// Ends the process if the verdict says so.
void interpose_finish(verdict verdict);
bool interpose_ignores_sync(const char *name);
void interpose_wait_for_sync(void);

#endif
