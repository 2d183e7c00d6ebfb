#include "SQLiteRival.hpp"

using sqlite::Statement;
using sqlite::Transaction;

SQLiteRival::SQLiteRival(const std::string &folder, bool indexed)
    : connection_(folder + "/tracker.sqlite"), indexed_(indexed) {
  for (const char *sql : {
           "PRAGMA page_size = 4096", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL",
           "PRAGMA wal_autocheckpoint = 1000", "PRAGMA cache_size = -262144", "PRAGMA mmap_size = 17179869184",
           "PRAGMA secure_delete = OFF", "PRAGMA temp_store = MEMORY"}) {
    connection_.execute(sql);
  }
  // The log is left behind at its size, so that commits of a store that is opened again need not lengthen it.
  int keeps_log = 1;
  connection_.check(sqlite3_file_control(connection_.handle(), "main", SQLITE_FCNTL_PERSIST_WAL, &keeps_log));
  connection_.execute(
      "CREATE TABLE IF NOT EXISTS users"
      " (id BLOB PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL, updated INTEGER NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS projects"
      " (id BLOB PRIMARY KEY, name TEXT NOT NULL, updated INTEGER NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS tasks"
      " (id BLOB PRIMARY KEY, title TEXT NOT NULL, description TEXT, state TEXT NOT NULL, priority INTEGER NOT NULL,"
      " created INTEGER NOT NULL, updated INTEGER NOT NULL, project BLOB NOT NULL, assignee BLOB,"
      " reviewers BLOB NOT NULL, watchers BLOB NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS reviewing (user BLOB, task BLOB, PRIMARY KEY (user, task)) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS watching (user BLOB, task BLOB, PRIMARY KEY (user, task)) WITHOUT ROWID");
}

void SQLiteRival::create_indexes() {
  connection_.execute(
      "CREATE INDEX IF NOT EXISTS by_project ON tasks (project, updated DESC, id);"
      "CREATE INDEX IF NOT EXISTS by_assignee ON tasks (assignee) WHERE assignee IS NOT NULL");
  if (indexed_) {
    connection_.execute("CREATE INDEX IF NOT EXISTS by_creation ON tasks (created DESC, id, priority)");
  }
}

rival_listing SQLiteRival::listing(Statement &statement) {
  rival_listing listing{};
  while (statement.step()) add(listing, statement.blob(0), statement.byte_count(1) + statement.byte_count(2));
  statement.reset();
  return listing;
}

rival_listing SQLiteRival::find(const std::vector<Id> &ids) {
  rival_listing listing{};
  Statement find(connection_, "SELECT title, description FROM tasks WHERE id = ?1");
  Transaction transaction(connection_, "BEGIN");
  for (const Id &id : ids) {
    find.bind_blob(1, bytes(id));
    if (find.step()) add(listing, bytes(id), find.byte_count(0) + find.byte_count(1));
    find.reset();
  }
  transaction.commit();
  return listing;
}

rival_listing SQLiteRival::list(const std::vector<Id> &projects) {
  rival_listing listing{};
  Statement list(
      connection_, "SELECT id, title, description FROM tasks WHERE project = ?1 ORDER BY updated DESC, id");
  Transaction transaction(connection_, "BEGIN");
  for (const Id &project : projects) {
    list.bind_blob(1, bytes(project));
    while (list.step()) add(listing, list.blob(0), list.byte_count(1) + list.byte_count(2));
    list.reset();
  }
  transaction.commit();
  return listing;
}

rival_listing SQLiteRival::urgent(unsigned priority, size_t limit) {
  Statement urgent(
      connection_,
      "SELECT id, title, description FROM tasks WHERE priority >= ?1 ORDER BY created DESC, id LIMIT ?2");
  urgent.bind(1, int64_t(priority)).bind(2, int64_t(limit));
  return listing(urgent);
}

rival_counts SQLiteRival::count() {
  auto count = [&](const char *sql) {
    Statement statement(connection_, sql);
    statement.step();
    return uint64_t(statement.number(0));
  };
  return {
      count("SELECT count(*) FROM users"), count("SELECT count(*) FROM projects"), count("SELECT count(*) FROM tasks"),
      count("SELECT count(*) FROM reviewing"), count("SELECT count(*) FROM watching")};
}

size_t SQLiteRival::export_json(const std::vector<Id> &projects) {
  size_t size = 0;
  Export json;
  Statement project(connection_, "SELECT name, updated FROM projects WHERE id = ?1");
  Statement tasks(
      connection_,
      "SELECT id, title, description, state, priority, created, updated, assignee, reviewers, watchers"
      " FROM tasks WHERE project = ?1");
  Statement user(connection_, "SELECT name, email, updated FROM users WHERE id = ?1");
  Transaction transaction(connection_, "BEGIN");
  for (const Id &id : projects) {
    project.bind_blob(1, bytes(id));
    if (project.step()) {
      json.begin_project(bytes(id), project.text(0), project.number(1));
      tasks.bind_blob(1, bytes(id));
      while (tasks.step()) export_task(tasks, user, json);
      tasks.reset();
      json.end_project();
      size += json.size();
    }
    project.reset();
  }
  transaction.commit();
  return size;
}

void SQLiteRival::export_task(Statement &task, Statement &user, Export &json) {
  auto export_user = [&](std::string_view id) {
    user.bind_blob(1, id);
    if (user.step()) {
      json.add_user(id, user.text(0), user.text(1), user.number(2));
    } else {
      json.add_null();
    }
    user.reset();
  };
  auto export_people = [&](const char *key, std::string_view ids) {
    json.begin_people(key);
    for (size_t index = 0; index < id_count(ids); index++) export_user(ids.substr(index * sizeof(Id), sizeof(Id)));
    json.end_people();
  };
  json.begin_task(
      {task.blob(0), task.text(1), task.text(2), task.text(3), !task.is_null(2), task.number(4), task.number(5),
       task.number(6)});
  json.begin_assignee();
  if (task.is_null(7)) {
    json.add_null();
  } else {
    export_user(task.blob(7));
  }
  export_people("reviewers", task.blob(8));
  export_people("watchers", task.blob(9));
  json.end_task();
}
