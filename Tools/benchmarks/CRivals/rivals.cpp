#include "include/rivals.h"

#include <cstring>
#include <memory>

#include "LMDBRival.hpp"
#include "SQLiteRival.hpp"

struct rival {
  std::unique_ptr<Rival> store;
};

/// Runs what may throw, and turns what it throws into a message.
template <typename Body>
static char *guarded(Body body) {
  try {
    body();
    return nullptr;
  } catch (const std::exception &error) {
    return strdup(error.what());
  }
}

static std::vector<Id> ids_in(const uint8_t *bytes, size_t count) {
  std::vector<Id> ids(count);
  memcpy(ids.data(), bytes, count * sizeof(Id));
  return ids;
}

char *rival_open(rival_kind kind, const char *folder, bool indexed, rival **result) {
  return guarded([&] {
    auto opened = std::make_unique<rival>();
    if (kind == RIVAL_SQLITE) {
      opened->store = std::make_unique<SQLiteRival>(folder, indexed);
    } else {
      opened->store = std::make_unique<LMDBRival>(folder, indexed);
    }
    *result = opened.release();
  });
}

void rival_close(rival *store) { delete store; }

char *rival_sync(rival *store, const char *payload) {
  return guarded([&] { store->store->sync(Payload(payload)); });
}

char *rival_upsert(rival *store, const char *json, size_t length) {
  return guarded([&] { store->store->upsert(parse_task({json, length})); });
}

char *rival_find(rival *store, const uint8_t *ids, size_t count, rival_listing *result) {
  return guarded([&] { *result = store->store->find(ids_in(ids, count)); });
}

char *rival_list(rival *store, const uint8_t *projects, size_t count, rival_listing *result) {
  return guarded([&] { *result = store->store->list(ids_in(projects, count)); });
}

char *rival_urgent(rival *store, unsigned priority, size_t limit, rival_listing *result) {
  return guarded([&] { *result = store->store->urgent(priority, limit); });
}

char *rival_export(rival *store, const uint8_t *projects, size_t count, size_t *bytes) {
  return guarded([&] { *bytes = store->store->export_json(ids_in(projects, count)); });
}

char *rival_count(rival *store, rival_counts *result) {
  return guarded([&] { *result = store->store->count(); });
}
