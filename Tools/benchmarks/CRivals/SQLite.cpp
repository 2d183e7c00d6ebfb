#include "SQLite.hpp"

#include <stdexcept>

namespace sqlite {

Connection::Connection(const std::string &path) {
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  int code = sqlite3_open_v2(path.c_str(), &handle_, flags, nullptr);
  if (code == SQLITE_OK) return;
  sqlite3_close_v2(handle_);
  throw std::runtime_error("SQLite: " + path + ": " + sqlite3_errstr(code));
}

void Connection::execute(const char *sql) { check(sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr)); }

void Connection::check(int code) {
  if (code != SQLITE_OK) throw std::runtime_error(std::string("SQLite: ") + sqlite3_errmsg(handle_));
}

Statement::Statement(Connection &connection, const char *sql) : connection_(connection) {
  connection.check(sqlite3_prepare_v3(connection.handle(), sql, -1, SQLITE_PREPARE_PERSISTENT, &handle_, nullptr));
}

}  // namespace sqlite
