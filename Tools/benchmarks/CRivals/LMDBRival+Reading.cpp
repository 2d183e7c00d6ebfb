#include <stdexcept>

#include "LMDBRival.hpp"

using lmdb::Cursor;
using lmdb::Transaction;

/// What has to be there because something else in the store says so.
static std::string_view required(std::optional<std::string_view> record) {
  if (!record) throw std::runtime_error("LMDB: a row is missing");
  return *record;
}

static bool starts_with(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

rival_listing LMDBRival::find(const std::vector<Id> &ids) {
  rival_listing listing{};
  Transaction transaction(environment_, MDB_RDONLY);
  for (const Id &id : ids) {
    auto record = transaction.get(tasks_, bytes(id));
    if (record) add(listing, bytes(id), TaskView(*record));
  }
  return listing;
}

rival_listing LMDBRival::list(const std::vector<Id> &projects) {
  rival_listing listing{};
  Transaction transaction(environment_, MDB_RDONLY);
  Cursor cursor(transaction, indexes_[by_project]);
  for (const Id &project : projects) {
    for (bool found = cursor.seek(bytes(project)); found && starts_with(cursor.key(), bytes(project));
         found = cursor.next()) {
      std::string_view id = cursor.key().substr(cursor.key().size() - sizeof(Id));
      add(listing, id, TaskView(required(transaction.get(tasks_, id))));
    }
  }
  return listing;
}

rival_listing LMDBRival::urgent(unsigned priority, size_t limit) {
  rival_listing listing{};
  Transaction transaction(environment_, MDB_RDONLY);
  if (indexed_) {
    Cursor cursor(transaction, indexes_[by_creation]);
    for (bool found = cursor.first(); found && listing.rows < limit; found = cursor.next()) {
      if (uint8_t(cursor.key().back()) < priority) continue;
      std::string_view id = cursor.key().substr(sizeof(uint64_t), sizeof(Id));
      add(listing, id, TaskView(required(transaction.get(tasks_, id))));
    }
    return listing;
  }
  // The newest that were met so far, in order; once there are enough, most rows are turned away by one comparison.
  using Entry = std::pair<std::pair<int64_t, std::string_view>, std::string_view>;
  std::vector<Entry> newest;
  Cursor cursor(transaction, tasks_);
  for (bool found = cursor.first(); found; found = cursor.next()) {
    TaskView task(cursor.data());
    if (task.header.priority < priority) continue;
    Entry entry{{-task.header.created, cursor.key()}, cursor.data()};
    if (newest.size() == limit) {
      if (!(entry.first < newest.back().first)) continue;
      newest.pop_back();
    }
    auto place = newest.begin();
    while (place != newest.end() && place->first < entry.first) ++place;
    newest.insert(place, entry);
  }
  for (const Entry &entry : newest) add(listing, entry.first.second, TaskView(entry.second));
  return listing;
}

rival_counts LMDBRival::count() {
  Transaction transaction(environment_, MDB_RDONLY);
  return {
      transaction.count(users_), transaction.count(projects_), transaction.count(tasks_),
      transaction.count(indexes_[by_reviewer]), transaction.count(indexes_[by_watcher])};
}

size_t LMDBRival::export_json(const std::vector<Id> &projects) {
  size_t size = 0;
  Export json;
  Transaction transaction(environment_, MDB_RDONLY);
  Cursor cursor(transaction, indexes_[by_project]);
  for (const Id &id : projects) {
    ProjectView project(required(transaction.get(projects_, bytes(id))));
    json.begin_project(bytes(id), project.name(), project.header.updated);
    for (bool found = cursor.seek(bytes(id)); found && starts_with(cursor.key(), bytes(id)); found = cursor.next()) {
      std::string_view task = cursor.key().substr(cursor.key().size() - sizeof(Id));
      export_task(transaction, task, TaskView(required(transaction.get(tasks_, task))), json);
    }
    json.end_project();
    size += json.size();
  }
  return size;
}

void LMDBRival::export_task(Transaction &transaction, std::string_view id, const TaskView &task, Export &json) {
  json.begin_task(
      {id, task.title(), task.description(), task.state(), task.has_description(), task.header.priority,
       task.header.created, task.header.updated});
  json.begin_assignee();
  if (task.has_assignee()) {
    export_user(transaction, bytes(task.header.assignee), json);
  } else {
    json.add_null();
  }
  export_people(transaction, "reviewers", task.reviewers(), json);
  export_people(transaction, "watchers", task.watchers(), json);
  json.end_task();
}

void LMDBRival::export_people(Transaction &transaction, const char *key, std::string_view ids, Export &json) {
  json.begin_people(key);
  for (size_t index = 0; index < id_count(ids); index++) {
    export_user(transaction, ids.substr(index * sizeof(Id), sizeof(Id)), json);
  }
  json.end_people();
}

void LMDBRival::export_user(Transaction &transaction, std::string_view id, Export &json) {
  UserView user(required(transaction.get(users_, id)));
  json.add_user(id, user.name(), user.email(), user.header.updated);
}
