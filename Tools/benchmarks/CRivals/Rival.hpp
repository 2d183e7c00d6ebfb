#pragma once

#include "Payload.hpp"
#include "include/rivals.h"

/// A store of the tracker's rows.
class Rival {
 public:
  virtual ~Rival() = default;

  virtual void sync(const Payload &payload) = 0;
  /// Stores the one task in `rows`.
  virtual void upsert(const Rows &rows) = 0;
  virtual rival_listing find(const std::vector<Id> &ids) = 0;
  virtual rival_listing list(const std::vector<Id> &projects) = 0;
  virtual rival_listing urgent(unsigned priority, size_t limit) = 0;
  virtual size_t export_json(const std::vector<Id> &projects) = 0;
  virtual rival_counts count() = 0;
};

/// Adds a task to a listing.
inline void add(rival_listing &listing, std::string_view id, size_t text_bytes) {
  uint64_t head;
  memcpy(&head, id.data(), sizeof head);
  listing.rows++;
  listing.digest = (listing.digest ^ __builtin_bswap64(head) ^ text_bytes) * 0x100000001B3;
}

inline void add(rival_listing &listing, std::string_view id, const TaskView &task) {
  add(listing, id, task.header.title + task.description_length());
}
