#ifndef RIVALS_H
#define RIVALS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// What else one could keep the tracker's rows in.
typedef enum { RIVAL_SQLITE, RIVAL_LMDB } rival_kind;

/// An open store of a rival. Used by one thread at a time.
typedef struct rival rival;

typedef struct {
  uint64_t users, projects, tasks, reviewers, watchers;
} rival_counts;

/// Tasks in an order, reduced to what can be compared: as `Listing` in Swift.
typedef struct {
  uint64_t rows, digest;
} rival_listing;

// What returns a message returns NULL when all went well; the caller frees it otherwise.

/// Opens a store in an existing folder, or creates one. `indexed` stores also find urgent tasks by an index.
char *rival_open(rival_kind kind, const char *folder, bool indexed, rival **result);
void rival_close(rival *store);

/// Reads a payload's files and makes the store equal to them, durably, in one transaction.
char *rival_sync(rival *store, const char *payload);
/// Stores one task, the text of a JSON object, durably.
char *rival_upsert(rival *store, const char *json, size_t length);

/// Looks tasks up by `count` identities of 16 bytes each.
char *rival_find(rival *store, const uint8_t *ids, size_t count, rival_listing *result);
/// Lists the tasks of `count` projects, latest change first.
char *rival_list(rival *store, const uint8_t *projects, size_t count, rival_listing *result);
/// The newest tasks with at least a priority.
char *rival_urgent(rival *store, unsigned priority, size_t limit, rival_listing *result);
/// Writes `count` projects with their tasks as JSON, each into the same memory, and adds up their bytes.
char *rival_export(rival *store, const uint8_t *projects, size_t count, size_t *bytes);
char *rival_count(rival *store, rival_counts *result);

#ifdef __cplusplus
}
#endif

#endif
