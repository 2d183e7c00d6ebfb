#pragma once

#include <string>

#include "Record.hpp"

/// The JSON of an export: a project with its tasks, and users in full wherever a task names one.
class Export {
 public:
  struct Task {
    std::string_view id, title, description, state;
    bool has_description;
    int64_t priority, created, updated;
  };

  /// Begins a document in the memory of the last one.
  void begin_project(std::string_view id, std::string_view name, int64_t updated);
  void begin_task(const Task &task);
  /// A task's one assignee: a user or null follows.
  void begin_assignee();
  /// A task's reviewers or watchers: users follow, then `end_people`.
  void begin_people(const char *key);
  void add_user(std::string_view id, std::string_view name, std::string_view email, int64_t updated);
  void add_null();
  void end_people();
  void end_task();
  void end_project();

  size_t size() const { return json_.size(); }

 private:
  void begin_element();
  void begin_member(const char *key);
  void add_string(const char *key, std::string_view value);
  void add_id(std::string_view id);
  void add_time(const char *key, int64_t seconds);

  std::string json_;
  bool needs_comma_ = false;
};
