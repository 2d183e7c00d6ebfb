#include "Export.hpp"

#include "Text.hpp"

void Export::begin_project(std::string_view id, std::string_view name, int64_t updated) {
  json_.clear();
  needs_comma_ = false;
  begin_element();
  add_id(id);
  add_string("name", name);
  add_time("updated_at", updated);
  begin_people("tasks");
}

void Export::begin_task(const Task &task) {
  begin_element();
  add_id(task.id);
  add_string("title", task.title);
  if (task.has_description) {
    add_string("description", task.description);
  } else {
    begin_member("description");
    add_null();
  }
  add_string("state", task.state);
  begin_member("priority");
  json_ += std::to_string(task.priority);
  add_time("created_at", task.created);
  add_time("updated_at", task.updated);
  // The project is the object around the task, where the export ends.
  begin_member("project");
  json_ += "{}";
}

void Export::begin_assignee() {
  begin_member("assignee");
  needs_comma_ = false;
}

void Export::begin_people(const char *key) {
  begin_member(key);
  json_ += '[';
  needs_comma_ = false;
}

void Export::add_user(std::string_view id, std::string_view name, std::string_view email, int64_t updated) {
  begin_element();
  add_id(id);
  add_string("display_name", name);
  add_string("email", email);
  add_time("updated_at", updated);
  json_ += '}';
  needs_comma_ = true;
}

void Export::add_null() {
  json_ += "null";
  needs_comma_ = true;
}

void Export::end_people() {
  json_ += ']';
  needs_comma_ = true;
}

void Export::end_task() {
  json_ += '}';
  needs_comma_ = true;
}

void Export::end_project() { json_ += "]}"; }

void Export::begin_element() {
  if (needs_comma_) json_ += ',';
  json_ += '{';
  needs_comma_ = false;
}

void Export::begin_member(const char *key) {
  if (needs_comma_) json_ += ',';
  json_ += '"';
  json_ += key;
  json_ += "\":";
  needs_comma_ = true;
}

void Export::add_string(const char *key, std::string_view value) {
  begin_member(key);
  append_string(value, json_);
}

void Export::add_id(std::string_view id) {
  begin_member("id");
  json_ += '"';
  append_id(id_at(id, 0), json_);
  json_ += '"';
}

void Export::add_time(const char *key, int64_t seconds) {
  begin_member(key);
  json_ += '"';
  append_time(seconds, json_);
  json_ += '"';
}
