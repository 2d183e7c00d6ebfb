#pragma once

#include <memory>

#include "Export.hpp"
#include "Rival.hpp"
#include "SQLite.hpp"

/// The tracker in SQLite through its C interface. docs/benchmarks.md says why the settings and tables are as they are.
class SQLiteRival final : public Rival {
 public:
  SQLiteRival(const std::string &folder, bool indexed);

  void sync(const Payload &payload) override;
  void upsert(const Rows &rows) override;
  rival_listing find(const std::vector<Id> &ids) override;
  rival_listing list(const std::vector<Id> &projects) override;
  rival_listing urgent(unsigned priority, size_t limit) override;
  size_t export_json(const std::vector<Id> &projects) override;
  rival_counts count() override;

 private:
  /// The statements that write, prepared when the first row is written.
  struct Writing;

  /// A person and a task, which one of the tables of links has together.
  using Link = std::pair<Id, Id>;
  using Links = std::vector<Link>;

  Writing &writing();
  void create_indexes();
  void load(const Payload &payload);
  void merge(const Payload &payload);
  void put_user(const Rows::Row &row, const Rows &rows);
  void put_project(const Rows::Row &row, const Rows &rows);
  void put_task(const Rows::Row &row, const Rows &rows);
  void put_task_and_links(const Rows::Row &row, const Rows &rows);
  void relink_task(const Id &id, std::string_view reviewers, std::string_view watchers);
  rival_listing listing(sqlite::Statement &statement);
  void export_task(sqlite::Statement &task, sqlite::Statement &user, Export &json);

  sqlite::Connection connection_;
  bool indexed_;
  std::shared_ptr<Writing> writing_;
};
