#include "Payload.hpp"

#include <simdjson.h>

#include <algorithm>
#include <stdexcept>

#include "Text.hpp"

using simdjson::padded_string;
namespace ondemand = simdjson::ondemand;

// Members are asked for in the order in which they stand in the text, so that the parser never goes back.

void Rows::sort() {
  std::sort(rows_.begin(), rows_.end(), [](const Row &left, const Row &right) { return left.id < right.id; });
}

static std::string_view text(simdjson::simdjson_result<ondemand::value> value) { return value.get_string(); }
static Id id(simdjson::simdjson_result<ondemand::value> value) { return parse_id(text(value)); }
static int64_t time(simdjson::simdjson_result<ondemand::value> value) { return parse_time(text(value)); }

static void add_user(ondemand::object object, Rows &rows) {
  rows.begin_record(id(object["id"]));
  std::string_view name = text(object["display_name"]), email = text(object["email"]);
  rows.append_header(UserHeader{time(object["updated_at"]), uint32_t(name.size()), uint32_t(email.size())});
  rows.append(name);
  rows.append(email);
  rows.end_record();
}

static void add_project(ondemand::object object, Rows &rows) {
  rows.begin_record(id(object["id"]));
  std::string_view name = text(object["name"]);
  rows.append_header(ProjectHeader{time(object["updated_at"]), uint32_t(name.size()), 0});
  rows.append(name);
  rows.end_record();
}

/// Appends identities to a list, and says how many there were.
static uint8_t add_ids(ondemand::array array, std::vector<Id> &ids) {
  size_t before = ids.size();
  for (auto element : array) ids.push_back(parse_id(element.get_string()));
  if (ids.size() - before > UINT8_MAX) throw std::runtime_error("a task has more links than a record of it holds");
  return uint8_t(ids.size() - before);
}

static void add_task(ondemand::object object, Rows &rows, std::vector<Id> &links) {
  rows.begin_record(id(object["id"]));
  std::string_view title = text(object["title"]), description;
  TaskHeader header{};
  header.title = uint32_t(title.size());
  ondemand::value text_or_null = object["description"];
  if (text_or_null.is_null()) {
    header.description = TaskHeader::null;
  } else {
    description = text_or_null.get_string();
    header.description = uint32_t(description.size());
  }
  std::string_view state = text(object["state"]);
  header.state = uint8_t(state.size());
  header.priority = uint8_t(uint64_t(object["priority"]));
  header.created = time(object["created_at"]);
  header.updated = time(object["updated_at"]);
  header.project = id(object["project_id"]);
  ondemand::value assignee = object["assignee_id"];
  if (!assignee.is_null()) header.assignee = parse_id(assignee.get_string());
  links.clear();
  header.reviewers = add_ids(object["reviewer_ids"], links);
  header.watchers = add_ids(object["watcher_ids"], links);
  rows.append_header(header);
  rows.append({reinterpret_cast<const char *>(links.data()), links.size() * sizeof(Id)});
  rows.append(title);
  rows.append(state);
  rows.append(description);
  rows.end_record();
}

template <typename Add>
static void parse(const std::string &path, Rows &rows, Add add) {
  padded_string json = padded_string::load(path);
  rows.reserve(json.size());
  ondemand::parser parser;
  ondemand::document document = parser.iterate(json);
  for (ondemand::object object : document.get_array()) add(object);
  rows.sort();
}

Payload::Payload(const std::string &folder) {
  std::vector<Id> links;
  parse(folder + "/users.json", users, [&](ondemand::object object) { add_user(object, users); });
  parse(folder + "/projects.json", projects, [&](ondemand::object object) { add_project(object, projects); });
  parse(folder + "/tasks.json", tasks, [&](ondemand::object object) { add_task(object, tasks, links); });
}

Rows parse_task(std::string_view json) {
  padded_string padded(json);
  ondemand::parser parser;
  ondemand::document document = parser.iterate(padded);
  Rows rows;
  std::vector<Id> links;
  add_task(document.get_object(), rows, links);
  return rows;
}
