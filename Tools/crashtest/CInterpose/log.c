#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "internal.h"

// The log lies in address space that is reserved once and given memory as it fills.
static const size_t data_bytes_max = (size_t)8 << 30;
static const size_t events_max = (size_t)16 << 20;
enum { descriptors_max = 4096 };

static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;
static interpose_event *events;
static uint8_t *data;
static const char *kept_events;
static const char *kept_data;
static size_t event_count;
static size_t data_count;
static bool is_recording;
static bool has_overflowed;

static char folder[4096];
static size_t folder_length;
static atomic_bool is_watching;
static uint32_t handle_count;
static _Atomic(watched_file *) files[descriptors_max];

void interpose_lock_log(void) { pthread_mutex_lock(&log_mutex); }

void interpose_unlock_log(void) { pthread_mutex_unlock(&log_mutex); }

// MARK: Watched files

void interpose_watch(const char *path) {
  interpose_lock_log();
  atomic_store(&is_watching, false);
  for (int descriptor = 0; descriptor < descriptors_max; descriptor++) {
    free(atomic_exchange(&files[descriptor], NULL));
  }
  if (path && strlen(path) < sizeof folder) {
    strcpy(folder, path);
    folder_length = strlen(path);
    atomic_store(&is_watching, true);
  }
  interpose_unlock_log();
}

const char *interpose_name_of(const char *path) {
  if (!atomic_load(&is_watching) || strncmp(path, folder, folder_length) != 0) return NULL;
  const char *rest = path + folder_length;
  if (*rest == 0) return rest;
  return *rest == '/' ? rest + 1 : NULL;
}

watched_file *interpose_file(int descriptor) {
  if (descriptor < 0 || descriptor >= descriptors_max) return NULL;
  return atomic_load(&files[descriptor]);
}

void interpose_note_opened(int descriptor, const char *name, int flags) {
  if (descriptor < 0 || descriptor >= descriptors_max || strlen(name) >= name_bytes_max) return;
  watched_file *file = calloc(1, sizeof *file);
  if (!file) return;
  strcpy(file->name, name);
  file->syncs_writes = (flags & O_DSYNC) != 0;
  interpose_lock_log();
  file->handle = handle_count++;
  interpose_event event = {
    .kind = interpose_event_opened,
    .flags = (uint16_t)((flags & O_CREAT ? 1 : 0) | (flags & O_TRUNC ? 2 : 0)),
    .handle = file->handle,
  };
  interpose_log(event, name, strlen(name));
  free(atomic_exchange(&files[descriptor], file));
  interpose_unlock_log();
}

void interpose_note_closed(int descriptor) {
  if (descriptor < 0 || descriptor >= descriptors_max) return;
  free(atomic_exchange(&files[descriptor], NULL));
}

// MARK: The log

// Address space that is given memory as it is used: a file's, if there is a path.
static void *reserve(size_t byte_count, const char *path) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  int descriptor = -1;
  if (path) {
    flags = MAP_SHARED | MAP_NORESERVE;
    descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (descriptor < 0 || ftruncate(descriptor, (off_t)byte_count) != 0) return NULL;
  }
  void *start = mmap(NULL, byte_count, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  if (descriptor >= 0) close(descriptor);
  return start == MAP_FAILED ? NULL : start;
}

void interpose_keep_recording(const char *events_path, const char *data_path) {
  kept_events = events_path;
  kept_data = data_path;
}

void interpose_start_recording(void) {
  interpose_lock_log();
  if (!events) events = reserve(events_max * sizeof *events, kept_events);
  if (!data) data = reserve(data_bytes_max, kept_data);
  // The memory that a long recording took is given back.
  if (data && data_count > 0) madvise(data, data_count, MADV_DONTNEED);
  event_count = 0;
  data_count = 0;
  has_overflowed = !events || !data;
  is_recording = true;
  interpose_unlock_log();
}

bool interpose_stop_recording(void) {
  interpose_lock_log();
  is_recording = false;
  bool is_complete = !has_overflowed;
  interpose_unlock_log();
  return is_complete;
}

void interpose_log(interpose_event event, const void *bytes, size_t count) {
  if (!is_recording || has_overflowed) return;
  if (event_count == events_max || count > data_bytes_max - data_count) {
    has_overflowed = true;
    return;
  }
  if (count > 0) {
    event.data = data_count;
    event.count = count;
    memcpy(data + data_count, bytes, count);
    data_count += count;
  }
  event.number = event_count + 1;
  events[event_count++] = event;
}

void interpose_mark(uint16_t kind, uint32_t handle, uint64_t first, uint64_t second) {
  interpose_lock_log();
  interpose_event event = {
    .kind = interpose_event_mark, .flags = kind, .handle = handle, .offset = first, .start = second};
  interpose_log(event, NULL, 0);
  interpose_unlock_log();
}

size_t interpose_position(void) {
  interpose_lock_log();
  size_t count = event_count;
  interpose_unlock_log();
  return count;
}

size_t interpose_event_count(void) { return event_count; }

const interpose_event *interpose_events(void) { return events; }

const uint8_t *interpose_data(void) { return data; }
