#include "Text.hpp"

#include <cstdio>
#include <stdexcept>

static int hex_digit(char character) {
  if (character >= '0' && character <= '9') return character - '0';
  char lower = char(character | 0x20);
  if (lower >= 'a' && lower <= 'f') return lower - 'a' + 10;
  throw std::runtime_error("an identity has a character that is no digit");
}

/// Where in its text each byte of an identity stands.
static constexpr uint8_t places[16] = {0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34};

Id parse_id(std::string_view text) {
  if (text.size() != 36) throw std::runtime_error("an identity does not have 36 characters");
  Id id;
  for (size_t index = 0; index < id.size(); index++) {
    const char *digits = text.data() + places[index];
    id[index] = uint8_t(hex_digit(digits[0]) << 4 | hex_digit(digits[1]));
  }
  return id;
}

void append_id(const Id &id, std::string &text) {
  static constexpr char digits[] = "0123456789ABCDEF";
  char characters[36];
  for (char place : {8, 13, 18, 23}) characters[size_t(place)] = '-';
  for (size_t index = 0; index < id.size(); index++) {
    characters[places[index]] = digits[id[index] >> 4];
    characters[places[index] + 1] = digits[id[index] & 15];
  }
  text.append(characters, sizeof characters);
}

// Years are counted from March in both directions, so that the leap day is the last of its year.

static int64_t days_from_date(int64_t year, int64_t month, int64_t day) {
  if (month <= 2) year--;
  int64_t era = year / 400, year_of_era = year % 400;
  int64_t day_of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

static int64_t number(std::string_view text, size_t offset, size_t digits) {
  int64_t value = 0;
  for (size_t index = offset; index < offset + digits; index++) {
    if (text[index] < '0' || text[index] > '9') throw std::runtime_error("a time has a character that is no digit");
    value = value * 10 + (text[index] - '0');
  }
  return value;
}

int64_t parse_time(std::string_view text) {
  if (text.size() != 20 || text[19] != 'Z') throw std::runtime_error("a time is not in whole seconds of UTC");
  int64_t days = days_from_date(number(text, 0, 4), number(text, 5, 2), number(text, 8, 2));
  return ((days * 24 + number(text, 11, 2)) * 60 + number(text, 14, 2)) * 60 + number(text, 17, 2);
}

void append_time(int64_t seconds, std::string &text) {
  int64_t days = seconds / 86400 + 719468, rest = seconds % 86400;
  int64_t era = days / 146097, day = days % 146097;
  int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  day -= 365 * year + year / 4 - year / 100;
  int64_t month = (5 * day + 2) / 153;
  day -= (153 * month + 2) / 5 - 1;
  month += month < 10 ? 3 : -9;
  year += era * 400 + (month <= 2 ? 1 : 0);
  char characters[48];
  int count = snprintf(
      characters, sizeof characters, "%04d-%02d-%02dT%02d:%02d:%02d.000Z", int(year), int(month), int(day),
      int(rest / 3600), int(rest / 60 % 60), int(rest % 60));
  text.append(characters, size_t(count));
}

void append_string(std::string_view value, std::string &text) {
  text += '"';
  size_t start = 0;
  for (size_t index = 0; index < value.size(); index++) {
    unsigned char character = static_cast<unsigned char>(value[index]);
    if (character >= 0x20 && character != '"' && character != '\\') continue;
    text.append(value, start, index - start);
    start = index + 1;
    switch (character) {
      case '\n': text += "\\n"; break;
      case '\t': text += "\\t"; break;
      case '\r': text += "\\r"; break;
      case '\b': text += "\\b"; break;
      case '\f': text += "\\f"; break;
      case '"': text += "\\\""; break;
      case '\\': text += "\\\\"; break;
      default: {
        char escape[8];
        snprintf(escape, sizeof escape, "\\u%04x", character);
        text += escape;
      }
    }
  }
  text.append(value, start);
  text += '"';
}
