#include "LMDBRival.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace lmdb {
void check(int code) {
  if (code != MDB_SUCCESS) throw std::runtime_error(std::string("LMDB: ") + mdb_strerror(code));
}
}  // namespace lmdb

using lmdb::Cursor;
using lmdb::Transaction;

LMDBRival::LMDBRival(const std::string &folder, bool indexed) : indexed_(indexed) {
  lmdb::check(mdb_env_create(&environment_));
  try {
    lmdb::check(mdb_env_set_mapsize(environment_, size_t(64) << 30));
    lmdb::check(mdb_env_set_maxdbs(environment_, 16));
    // Without reading ahead, a cold store touches what it needs.
    lmdb::check(mdb_env_open(environment_, folder.c_str(), MDB_NORDAHEAD, 0600));
    Transaction transaction(environment_, 0);
    users_ = transaction.open("users", MDB_CREATE);
    projects_ = transaction.open("projects", MDB_CREATE);
    tasks_ = transaction.open("tasks", MDB_CREATE);
    static constexpr const char *names[] = {"project", "assignee", "reviewer", "watcher", "creation"};
    for (int index = 0; index < index_count; index++) {
      if (index != by_creation || indexed_) indexes_[index] = transaction.open(names[index], MDB_CREATE);
    }
    transaction.commit();
  } catch (...) {
    mdb_env_close(environment_);
    throw;
  }
}

LMDBRival::~LMDBRival() { mdb_env_close(environment_); }

/// The keys under which the indexes have a task. Times are inverted, so that the latest come first.
void LMDBRival::add_keys(const Id &id, const TaskView &task, IndexKeys &keys) const {
  auto add = [&](Index index, std::string_view prefix, const int64_t *latest_first) {
    Key key(prefix);
    if (latest_first) {
      uint64_t big_endian = __builtin_bswap64(~uint64_t(*latest_first));
      key.append({reinterpret_cast<const char *>(&big_endian), sizeof big_endian});
    }
    key.append(bytes(id));
    keys[index].push_back(key);
  };
  add(by_project, bytes(task.header.project), &task.header.updated);
  if (task.has_assignee()) add(by_assignee, bytes(task.header.assignee), nullptr);
  std::string_view reviewers = task.reviewers(), watchers = task.watchers();
  for (size_t index = 0; index < id_count(reviewers); index++) {
    add(by_reviewer, bytes(id_at(reviewers, index)), nullptr);
  }
  for (size_t index = 0; index < id_count(watchers); index++) add(by_watcher, bytes(id_at(watchers, index)), nullptr);
  if (indexed_) {
    add(by_creation, {}, &task.header.created);
    // The priority stands behind the key's order, so that it is found without the record.
    keys[by_creation].back().append({reinterpret_cast<const char *>(&task.header.priority), 1});
  }
}

void LMDBRival::sync(const Payload &payload) {
  Transaction transaction(environment_, 0);
  if (transaction.count(tasks_) == 0 && transaction.count(users_) == 0 && transaction.count(projects_) == 0) {
    load(transaction, payload);
  } else {
    merge(transaction, payload);
  }
  transaction.commit();
}

/// Fills an empty store, every table in its order, which needs no search and leaves full pages.
void LMDBRival::load(Transaction &transaction, const Payload &payload) {
  auto append = [&](MDB_dbi table, const Rows &rows) {
    for (const Rows::Row &row : rows.rows()) transaction.put(table, bytes(row.id), rows.record(row), MDB_APPEND);
  };
  append(users_, payload.users);
  append(projects_, payload.projects);
  append(tasks_, payload.tasks);
  IndexKeys keys;
  for (const Rows::Row &row : payload.tasks.rows()) add_keys(row.id, TaskView(payload.tasks.record(row)), keys);
  for (int index = 0; index < index_count; index++) {
    std::sort(keys[index].begin(), keys[index].end());
    for (const Key &key : keys[index]) transaction.put(indexes_[index], key.text(), {}, MDB_APPEND);
  }
}

/// Walks through a table and the payload's rows side by side, and tells of what differs: `changed` of a new row or one whose
/// stored record is another, `gone` of a stored one that the payload lacks. Both are in key order.
///
/// Records that are passed on lie in the map. Nothing may be written before the walk has ended; afterwards they stay as they
/// are, because a transaction writes elsewhere and does not reuse what it has freed itself.
template <typename Changed, typename Gone>
static void walk(Transaction &transaction, MDB_dbi table, const Rows &rows, Changed changed, Gone gone) {
  Cursor cursor(transaction, table);
  bool is_stored = cursor.first();
  for (const Rows::Row &row : rows.rows()) {
    while (is_stored && cursor.key() < bytes(row.id)) {
      gone(id_at(cursor.key(), 0), cursor.data());
      is_stored = cursor.next();
    }
    if (is_stored && cursor.key() == bytes(row.id)) {
      if (cursor.data() != rows.record(row)) changed(row, cursor.data());
      is_stored = cursor.next();
    } else {
      changed(row, std::string_view());
    }
  }
  while (is_stored) {
    gone(id_at(cursor.key(), 0), cursor.data());
    is_stored = cursor.next();
  }
}

void LMDBRival::merge(Transaction &transaction, const Payload &payload) {
  auto merge_table = [&](MDB_dbi table, const Rows &rows, auto changed, auto gone) {
    std::vector<const Rows::Row *> changed_rows;
    std::vector<Id> gone_ids;
    walk(
        transaction, table, rows,
        [&](const Rows::Row &row, std::string_view stored) {
          changed_rows.push_back(&row);
          changed(row, stored);
        },
        [&](const Id &id, std::string_view stored) {
          gone_ids.push_back(id);
          gone(id, stored);
        });
    for (const Rows::Row *row : changed_rows) transaction.put(table, bytes(row->id), rows.record(*row));
    for (const Id &id : gone_ids) transaction.remove(table, bytes(id));
  };
  auto nothing = [](const auto &...) {};
  merge_table(users_, payload.users, nothing, nothing);
  merge_table(projects_, payload.projects, nothing, nothing);
  IndexKeys gone_keys, new_keys;
  merge_table(
      tasks_, payload.tasks,
      [&](const Rows::Row &row, std::string_view stored) {
        if (!stored.empty()) add_keys(row.id, TaskView(stored), gone_keys);
        add_keys(row.id, TaskView(payload.tasks.record(row)), new_keys);
      },
      [&](const Id &id, std::string_view stored) { add_keys(id, TaskView(stored), gone_keys); });
  apply(transaction, gone_keys, new_keys);
}

/// Removes and adds index entries in key order, except those that are the same before and after.
void LMDBRival::apply(Transaction &transaction, IndexKeys &gone, IndexKeys &new_keys) {
  for (int index = 0; index < index_count; index++) {
    std::sort(gone[index].begin(), gone[index].end());
    std::sort(new_keys[index].begin(), new_keys[index].end());
    Keys removed, added;
    std::set_difference(
        gone[index].begin(), gone[index].end(), new_keys[index].begin(), new_keys[index].end(),
        std::back_inserter(removed));
    std::set_difference(
        new_keys[index].begin(), new_keys[index].end(), gone[index].begin(), gone[index].end(),
        std::back_inserter(added));
    for (const Key &key : removed) transaction.remove(indexes_[index], key.text());
    for (const Key &key : added) transaction.put(indexes_[index], key.text(), {});
  }
}

void LMDBRival::upsert(const Rows &rows) {
  const Rows::Row &row = rows.rows().front();
  Transaction transaction(environment_, 0);
  IndexKeys gone_keys, new_keys;
  if (auto stored = transaction.get(tasks_, bytes(row.id))) add_keys(row.id, TaskView(*stored), gone_keys);
  add_keys(row.id, TaskView(rows.record(row)), new_keys);
  transaction.put(tasks_, bytes(row.id), rows.record(row));
  apply(transaction, gone_keys, new_keys);
  transaction.commit();
}
