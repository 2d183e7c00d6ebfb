#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "internal.h"

static pthread_mutex_t fault_mutex = PTHREAD_MUTEX_INITIALIZER;

static struct {
  bool is_set;
  uint32_t kinds;
  bool has_prefix;
  char prefix[name_bytes_max];
  uint64_t number;
  bool lasts;
  int action;
  int error;
} fault;
static uint64_t counted_calls;
static uint64_t faults_injected;

static interpose_call *noted_calls;
static size_t noted_capacity;
static size_t noted_count;

static struct {
  bool is_set;
  char prefix[name_bytes_max];
} ignored_syncs;
static _Atomic uint32_t sync_delay;

// MARK: Failing

void interpose_set_fault(
  uint32_t kinds, const char *prefix, uint64_t number, bool lasts, int action, int error
) {
  pthread_mutex_lock(&fault_mutex);
  fault.is_set = true;
  fault.kinds = kinds;
  fault.has_prefix = prefix != NULL;
  strncpy(fault.prefix, prefix ? prefix : "", name_bytes_max - 1);
  fault.number = number;
  fault.lasts = lasts;
  fault.action = action;
  fault.error = error;
  counted_calls = 0;
  faults_injected = 0;
  pthread_mutex_unlock(&fault_mutex);
}

void interpose_clear_fault(void) {
  pthread_mutex_lock(&fault_mutex);
  fault.is_set = false;
  pthread_mutex_unlock(&fault_mutex);
}

static uint64_t locked(const uint64_t *number) {
  pthread_mutex_lock(&fault_mutex);
  uint64_t value = *number;
  pthread_mutex_unlock(&fault_mutex);
  return value;
}

uint64_t interpose_counted_calls(void) { return locked(&counted_calls); }

uint64_t interpose_faults_injected(void) { return locked(&faults_injected); }

// A name exactly if the prefix is one without a wildcard, which only the folder's empty name needs.
static bool matches(const char *prefix, const char *name) {
  if (*prefix == 0) return *name == 0;
  return strcmp(prefix, "*") == 0 || strncmp(prefix, name, strlen(prefix)) == 0;
}

// MARK: Call sites

void interpose_note_calls(interpose_call *calls, size_t capacity) {
  // The first use of the unwinder loads a library.
  void *frame[1];
  backtrace(frame, 1);
  pthread_mutex_lock(&fault_mutex);
  noted_calls = calls;
  noted_capacity = capacity;
  noted_count = 0;
  pthread_mutex_unlock(&fault_mutex);
}

size_t interpose_end_noting_calls(void) {
  pthread_mutex_lock(&fault_mutex);
  noted_calls = NULL;
  size_t count = noted_count;
  pthread_mutex_unlock(&fault_mutex);
  return count;
}

// A number for the callers, the same in each run: addresses count from where their library begins. Only so many callers
// that a loop of the workload doesn't make sites of its own.
static uint64_t call_site(void) {
  enum { callers_max = 10 };
  void *callers[callers_max];
  int count = backtrace(callers, callers_max);
  uint64_t hash = 14695981039346656037u;
  for (int index = 2; index < count; index++) {
    Dl_info info;
    uint64_t address = (uint64_t)callers[index];
    if (dladdr(callers[index], &info)) address -= (uint64_t)info.dli_fbase;
    hash = (hash ^ address) * 1099511628211u;
  }
  return hash;
}

// MARK: Judging

// Kills the process, while no other thread has done something that is not in the log yet.
static void end_process(void) {
  interpose_lock_log();
  kill(getpid(), SIGKILL);
}

verdict interpose_judge(uint32_t kind, const char *name) {
  verdict verdict = {0};
  pthread_mutex_lock(&fault_mutex);
  bool is_noted = noted_calls && noted_count < noted_capacity;
  if (is_noted) {
    noted_calls[noted_count].kind = kind;
    noted_calls[noted_count].site = call_site();
    noted_count++;
  }
  if (fault.is_set && fault.kinds & kind && (!fault.has_prefix || matches(fault.prefix, name))) {
    uint64_t number = counted_calls++;
    if (number == fault.number || (fault.lasts && number > fault.number)) {
      faults_injected++;
      verdict.fails = fault.action == interpose_fail;
      verdict.error = fault.error;
      verdict.shortens = fault.action == interpose_shorten;
      verdict.kills_after = fault.action == interpose_kill_after;
      if (fault.action == interpose_kill_before) end_process();
    }
  }
  pthread_mutex_unlock(&fault_mutex);
  return verdict;
}

void interpose_finish(verdict verdict) {
  if (verdict.kills_after) end_process();
}

// MARK: Lying

void interpose_ignore_syncs(const char *prefix) {
  pthread_mutex_lock(&fault_mutex);
  ignored_syncs.is_set = prefix != NULL;
  strncpy(ignored_syncs.prefix, prefix ? prefix : "", name_bytes_max - 1);
  pthread_mutex_unlock(&fault_mutex);
}

bool interpose_ignores_sync(const char *name) {
  pthread_mutex_lock(&fault_mutex);
  bool ignores = ignored_syncs.is_set && matches(ignored_syncs.prefix, name);
  pthread_mutex_unlock(&fault_mutex);
  return ignores;
}

void interpose_delay_syncs(uint32_t microseconds) { atomic_store(&sync_delay, microseconds); }

void interpose_wait_for_sync(void) {
  uint32_t delay = atomic_load(&sync_delay);
  if (delay > 0) usleep(delay);
}
