#pragma once

#include <string>

#include "Record.hpp"

// How identities and times are written in JSON.

/// An identity in the usual form of 36 characters.
Id parse_id(std::string_view text);
/// A time in UTC in ISO 8601 with whole seconds, as seconds since 1970.
int64_t parse_time(std::string_view text);

void append_id(const Id &id, std::string &text);
void append_time(int64_t seconds, std::string &text);
/// A string in quotes, escaped where JSON demands it.
void append_string(std::string_view value, std::string &text);
