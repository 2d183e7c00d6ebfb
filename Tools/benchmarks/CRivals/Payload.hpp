#pragma once

#include <string>

#include "Record.hpp"

/// All rows of a payload, sorted by identity.
struct Payload {
  Rows users, projects, tasks;

  /// Reads and parses a folder's files.
  explicit Payload(const std::string &folder);
};

/// The one task in the text of a JSON object.
Rows parse_task(std::string_view json);
