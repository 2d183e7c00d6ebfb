#pragma once

#include <lmdb.h>

#include "Export.hpp"
#include "LMDB.hpp"
#include "Rival.hpp"

/// The tracker in LMDB itself: flat records under their identities, and a table for every way in which they are found. What
/// ours is built on, with nothing between; so this is the floor.
class LMDBRival final : public Rival {
 public:
  LMDBRival(const std::string &folder, bool indexed);
  ~LMDBRival() override;
  LMDBRival(const LMDBRival &) = delete;

  void sync(const Payload &payload) override;
  void upsert(const Rows &rows) override;
  rival_listing find(const std::vector<Id> &ids) override;
  rival_listing list(const std::vector<Id> &projects) override;
  rival_listing urgent(unsigned priority, size_t limit) override;
  size_t export_json(const std::vector<Id> &projects) override;
  rival_counts count() override;

 private:
  /// The ways in which tasks are found.
  enum Index { by_project, by_assignee, by_reviewer, by_watcher, by_creation, index_count };

  /// An index entry: a key of one of the lengths that there are, in place, so that sorting them asks for no memory.
  class Key {
   public:
    explicit Key(std::string_view prefix) { append(prefix); }

    void append(std::string_view part) {
      memcpy(bytes_ + length_, part.data(), part.size());
      length_ += part.size();
    }

    std::string_view text() const { return {bytes_, length_}; }
    bool operator<(const Key &other) const { return text() < other.text(); }

   private:
    /// The longest: a project, a time and a task.
    char bytes_[2 * sizeof(Id) + sizeof(uint64_t)];
    size_t length_ = 0;
  };

  /// Entries that indexes gain or lose.
  using Keys = std::vector<Key>;
  using IndexKeys = std::array<Keys, index_count>;

  void load(lmdb::Transaction &transaction, const Payload &payload);
  void merge(lmdb::Transaction &transaction, const Payload &payload);
  void add_keys(const Id &id, const TaskView &task, IndexKeys &keys) const;
  void apply(lmdb::Transaction &transaction, IndexKeys &gone, IndexKeys &new_keys);
  void export_task(lmdb::Transaction &transaction, std::string_view id, const TaskView &task, Export &json);
  void export_people(lmdb::Transaction &transaction, const char *key, std::string_view ids, Export &json);
  void export_user(lmdb::Transaction &transaction, std::string_view id, Export &json);

  MDB_env *environment_ = nullptr;
  bool indexed_;
  MDB_dbi users_, projects_, tasks_;
  std::array<MDB_dbi, index_count> indexes_{};
};
