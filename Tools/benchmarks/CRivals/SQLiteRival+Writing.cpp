#include <algorithm>

#include "SQLiteRival.hpp"

using sqlite::Statement;
using sqlite::Transaction;

struct SQLiteRival::Writing {
  Statement put_user, put_project, put_task, delete_user, delete_project, delete_task;
  Statement add_reviewer, add_watcher, remove_reviewer, remove_watcher, task_links;

  explicit Writing(sqlite::Connection &connection)
      : put_user(
            connection,
            "INSERT INTO users VALUES (?1, ?2, ?3, ?4) ON CONFLICT (id) DO UPDATE SET name = ?2, email = ?3, updated = ?4"),
        put_project(
            connection,
            "INSERT INTO projects VALUES (?1, ?2, ?3) ON CONFLICT (id) DO UPDATE SET name = ?2, updated = ?3"),
        put_task(
            connection,
            "INSERT INTO tasks VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11) ON CONFLICT (id) DO UPDATE"
            " SET title = ?2, description = ?3, state = ?4, priority = ?5, created = ?6, updated = ?7, project = ?8,"
            " assignee = ?9, reviewers = ?10, watchers = ?11"),
        delete_user(connection, "DELETE FROM users WHERE id = ?1"),
        delete_project(connection, "DELETE FROM projects WHERE id = ?1"),
        delete_task(connection, "DELETE FROM tasks WHERE id = ?1"),
        add_reviewer(connection, "INSERT INTO reviewing VALUES (?1, ?2)"),
        add_watcher(connection, "INSERT INTO watching VALUES (?1, ?2)"),
        remove_reviewer(connection, "DELETE FROM reviewing WHERE user = ?1 AND task = ?2"),
        remove_watcher(connection, "DELETE FROM watching WHERE user = ?1 AND task = ?2"),
        task_links(connection, "SELECT reviewers, watchers FROM tasks WHERE id = ?1") {}
};

SQLiteRival::Writing &SQLiteRival::writing() {
  if (!writing_) writing_ = std::make_shared<Writing>(connection_);
  return *writing_;
}

void SQLiteRival::put_user(const Rows::Row &row, const Rows &rows) {
  UserView user(rows.record(row));
  Statement &put = writing().put_user;
  put.bind_blob(1, bytes(row.id)).bind_text(2, user.name()).bind_text(3, user.email()).bind(4, user.header.updated);
  put.run();
}

void SQLiteRival::put_project(const Rows::Row &row, const Rows &rows) {
  ProjectView project(rows.record(row));
  Statement &put = writing().put_project;
  put.bind_blob(1, bytes(row.id)).bind_text(2, project.name()).bind(3, project.header.updated);
  put.run();
}

void SQLiteRival::put_task(const Rows::Row &row, const Rows &rows) {
  TaskView task(rows.record(row));
  Statement &put = writing().put_task;
  put.bind_blob(1, bytes(row.id)).bind_text(2, task.title()).bind_text(4, task.state());
  put.bind(5, task.header.priority).bind(6, task.header.created).bind(7, task.header.updated);
  put.bind_blob(8, bytes(task.header.project)).bind_blob(10, task.reviewers()).bind_blob(11, task.watchers());
  if (task.has_description()) {
    put.bind_text(3, task.description());
  } else {
    put.bind_null(3);
  }
  if (task.has_assignee()) {
    put.bind_blob(9, bytes(task.header.assignee));
  } else {
    put.bind_null(9);
  }
  put.run();
}

/// Brings one table of links from the identities that a task had to those that it has.
static void relink(
    Statement &add, Statement &remove, const Id &task, std::string_view before, std::string_view after) {
  auto has = [](std::string_view ids, const Id &id) {
    for (size_t index = 0; index < id_count(ids); index++) {
      if (id_at(ids, index) == id) return true;
    }
    return false;
  };
  for (size_t index = 0; index < id_count(before); index++) {
    Id user = id_at(before, index);
    if (!has(after, user)) remove.bind_blob(1, bytes(user)).bind_blob(2, bytes(task)).run();
  }
  for (size_t index = 0; index < id_count(after); index++) {
    Id user = id_at(after, index);
    if (!has(before, user)) add.bind_blob(1, bytes(user)).bind_blob(2, bytes(task)).run();
  }
}

void SQLiteRival::sync(const Payload &payload) {
  Transaction transaction(connection_, "BEGIN IMMEDIATE");
  rival_counts stored = count();
  if (stored.users + stored.projects + stored.tasks == 0) {
    load(payload);
  } else {
    merge(payload);
  }
  transaction.commit();
}

/// Fills an empty store: every table in the order of its keys, and the indexes when all rows are there.
void SQLiteRival::load(const Payload &payload) {
  for (const Rows::Row &row : payload.users.rows()) put_user(row, payload.users);
  for (const Rows::Row &row : payload.projects.rows()) put_project(row, payload.projects);
  Links reviewing, watching;
  for (const Rows::Row &row : payload.tasks.rows()) {
    put_task(row, payload.tasks);
    TaskView task(payload.tasks.record(row));
    auto collect = [&](std::string_view ids, Links &links) {
      for (size_t index = 0; index < id_count(ids); index++) links.emplace_back(id_at(ids, index), row.id);
    };
    collect(task.reviewers(), reviewing);
    collect(task.watchers(), watching);
  }
  auto add = [](Links &links, Statement &statement) {
    std::sort(links.begin(), links.end());
    for (const Link &link : links) statement.bind_blob(1, bytes(link.first)).bind_blob(2, bytes(link.second)).run();
  };
  add(reviewing, writing().add_reviewer);
  add(watching, writing().add_watcher);
  create_indexes();
}

/// Walks through a table in the order of identities and the payload's rows side by side. Rows of the payload that are new or
/// that `is_equal` finds different are returned, and the identities of those that the payload lacks.
template <typename IsEqual>
static std::pair<std::vector<const Rows::Row *>, std::vector<Id>> walk(
    Statement &stored, const Rows &rows, IsEqual is_equal) {
  std::vector<const Rows::Row *> changed;
  std::vector<Id> gone;
  bool is_stored = stored.step();
  for (const Rows::Row &row : rows.rows()) {
    while (is_stored && stored.blob(0) < bytes(row.id)) {
      gone.push_back(id_at(stored.blob(0), 0));
      is_stored = stored.step();
    }
    bool is_known = is_stored && stored.blob(0) == bytes(row.id);
    if (!is_known || !is_equal(rows.record(row))) changed.push_back(&row);
    if (is_known) is_stored = stored.step();
  }
  while (is_stored) {
    gone.push_back(id_at(stored.blob(0), 0));
    is_stored = stored.step();
  }
  stored.reset();
  return {std::move(changed), std::move(gone)};
}

void SQLiteRival::merge(const Payload &payload) {
  Statement users(connection_, "SELECT id, name, email, updated FROM users ORDER BY id");
  auto [changed_users, gone_users] = walk(users, payload.users, [&](std::string_view record) {
    UserView user(record);
    return users.text(1) == user.name() && users.text(2) == user.email() && users.number(3) == user.header.updated;
  });
  for (const Rows::Row *row : changed_users) put_user(*row, payload.users);
  for (const Id &id : gone_users) writing().delete_user.bind_blob(1, bytes(id)).run();

  Statement projects(connection_, "SELECT id, name, updated FROM projects ORDER BY id");
  auto [changed_projects, gone_projects] = walk(projects, payload.projects, [&](std::string_view record) {
    ProjectView project(record);
    return projects.text(1) == project.name() && projects.number(2) == project.header.updated;
  });
  for (const Rows::Row *row : changed_projects) put_project(*row, payload.projects);
  for (const Id &id : gone_projects) writing().delete_project.bind_blob(1, bytes(id)).run();

  Statement tasks(
      connection_,
      "SELECT id, title, description, state, priority, created, updated, project, assignee, reviewers, watchers"
      " FROM tasks ORDER BY id");
  auto [changed_tasks, gone_tasks] = walk(tasks, payload.tasks, [&](std::string_view record) {
    TaskView task(record);
    return tasks.number(6) == task.header.updated && tasks.text(1) == task.title() && tasks.text(3) == task.state() &&
           tasks.number(4) == task.header.priority && tasks.number(5) == task.header.created &&
           tasks.is_null(2) == !task.has_description() && tasks.text(2) == task.description() &&
           tasks.blob(7) == bytes(task.header.project) &&
           tasks.blob(8) == (task.has_assignee() ? bytes(task.header.assignee) : std::string_view()) &&
           tasks.blob(9) == task.reviewers() && tasks.blob(10) == task.watchers();
  });
  for (const Rows::Row *row : changed_tasks) put_task_and_links(*row, payload.tasks);
  for (const Id &id : gone_tasks) {
    relink_task(id, {}, {});
    writing().delete_task.bind_blob(1, bytes(id)).run();
  }
}

/// Brings the tables of links from what is stored of a task to what is to be.
void SQLiteRival::relink_task(const Id &id, std::string_view reviewers, std::string_view watchers) {
  Writing &statements = writing();
  Statement &stored = statements.task_links;
  stored.bind_blob(1, bytes(id));
  std::string_view old_reviewers, old_watchers;
  if (stored.step()) {
    old_reviewers = stored.blob(0);
    old_watchers = stored.blob(1);
  }
  relink(statements.add_reviewer, statements.remove_reviewer, id, old_reviewers, reviewers);
  relink(statements.add_watcher, statements.remove_watcher, id, old_watchers, watchers);
  stored.reset();
}

void SQLiteRival::put_task_and_links(const Rows::Row &row, const Rows &rows) {
  TaskView task(rows.record(row));
  relink_task(row.id, task.reviewers(), task.watchers());
  put_task(row, rows);
}

void SQLiteRival::upsert(const Rows &rows) {
  Transaction transaction(connection_, "BEGIN IMMEDIATE");
  put_task_and_links(rows.rows().front(), rows);
  transaction.commit();
}
