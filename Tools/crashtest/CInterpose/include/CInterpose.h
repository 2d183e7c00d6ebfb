#ifndef CINTERPOSE_H
#define CINTERPOSE_H

// Replaces the C library's file calls in the program that it is linked into. A symbol that an executable defines is also
// the one that its shared libraries call, so LMDB's calls come here as well as our own.
//
// Calls on files below one watched folder are counted, can be recorded, and can be made to fail or to end the process.
// All other calls pass.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What calls do, as bits of a set.
enum {
  interpose_open = 1,
  interpose_read = 2,
  interpose_write = 4,
  interpose_sync = 8,
  interpose_resize = 16,
  interpose_name = 32,
  interpose_look = 64,
  interpose_lock = 128,
  interpose_map = 256,
  interpose_every_call = 511,
};

// Watches the files below a folder, given by the same spelling that the calls will use, from now on; null ends it. Files
// that are open already are not watched any more.
void interpose_watch(const char *folder);

// MARK: Recording

// What an event says. Names are relative to the watched folder, which itself has the empty name.
enum {
  // A file was opened: `handle` is the number of this opening, and `data` and `count` are the name. `flags` says whether
  // it was created if absent (1) and cut to nothing (2).
  interpose_event_opened,
  // Bytes were written at `offset`.
  interpose_event_written,
  // The file has now `offset` bytes.
  interpose_event_resized,
  // A sync returned success. It covers what had been written before event `start`.
  interpose_event_synced,
  // A sync failed.
  interpose_event_sync_failed,
  // The write before, through a descriptor that syncs every write, is on the medium.
  interpose_event_range_synced,
  // The name in `data` was replaced by the one that follows it there: their lengths are `count` and `offset`.
  interpose_event_renamed,
  // The name is gone.
  interpose_event_removed,
  // Something the program itself noted: `flags` is its kind, `handle`, `offset` and `start` its values.
  interpose_event_mark,
};

typedef struct {
  uint16_t kind;
  uint16_t flags;
  uint32_t handle;
  uint64_t offset;
  uint64_t count;
  // Where the bytes are in the recorded data.
  uint64_t data;
  uint64_t start;
  // Its place among the events, from 1; 0 where there is no event.
  uint64_t number;
} interpose_event;

// Forgets what is recorded, and records from now on.
void interpose_start_recording(void);
// Keeps what is recorded in two files from the next start on, so that another process can read it when this one is dead.
void interpose_keep_recording(const char *events_path, const char *data_path);
// Records no more. What is recorded stays until the next start. False if not everything had room.
bool interpose_stop_recording(void);
size_t interpose_event_count(void);
const interpose_event *interpose_events(void);
const uint8_t *interpose_data(void);
// Adds an event of the program's own.
void interpose_mark(uint16_t kind, uint32_t handle, uint64_t first, uint64_t second);
// How many events there are. Of two calls that return the same number, nothing was recorded between.
size_t interpose_position(void);

// MARK: Lying

// Syncs of files whose name begins so are told to have succeeded, without being done or recorded. Null ends it; "*" is
// every name, "" the folder.
void interpose_ignore_syncs(const char *prefix);
// Every sync takes at least so long. On a medium in memory nothing else makes writers wait for each other.
void interpose_delay_syncs(uint32_t microseconds);

// MARK: Failing

enum {
  interpose_fail,
  // Half of the bytes, but at least one.
  interpose_shorten,
  interpose_kill_before,
  interpose_kill_after,
};

// The call of one of the kinds, on a name that begins with a prefix, for which this is the n-th time (from 0), fails, and
// if it is to last all of its kinds after it. Counting begins anew. A null prefix stands for all names.
void interpose_set_fault(
  uint32_t kinds, const char *prefix, uint64_t number, bool lasts, int action, int error);
void interpose_clear_fault(void);
// How many calls were counted for the fault so far.
uint64_t interpose_counted_calls(void);
// How many calls the fault has hit.
uint64_t interpose_faults_injected(void);

// MARK: Call sites

// One counted call: what it is, and a number for the chain of callers that led to it.
typedef struct {
  uint32_t kind;
  uint64_t site;
} interpose_call;

// Notes the sites of the counted calls from now on, up to the capacity of the buffer.
void interpose_note_calls(interpose_call *calls, size_t capacity);
// Ends it, and says how many there were.
size_t interpose_end_noting_calls(void);

// MARK: Memory

// Whether LMDB's allocations can be told from others, which they can when it is a shared library.
bool interpose_finds_lmdb(void);
// Lets LMDB's n-th allocation from now (from 0) find no memory, and if it is to last all after it.
void interpose_set_memory_fault(uint64_t number, bool lasts);
void interpose_clear_memory_fault(void);
// How many allocations LMDB has made since the fault was set.
uint64_t interpose_counted_allocations(void);

#endif
