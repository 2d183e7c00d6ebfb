#pragma once

#include <sqlite3.h>

#include <string>
#include <string_view>

// SQLite's handles as C++ has them: closed by themselves, errors thrown.

namespace sqlite {

class Statement;

class Connection {
 public:
  explicit Connection(const std::string &path);
  ~Connection() { sqlite3_close_v2(handle_); }
  Connection(const Connection &) = delete;

  void execute(const char *sql);
  void check(int code);
  sqlite3 *handle() { return handle_; }

 private:
  sqlite3 *handle_ = nullptr;
};

/// A statement that is prepared once and executed again and again. Parameters count from 1, columns from 0. Bytes are bound
/// and read where they lie: they have to stay until the statement is reset.
class Statement {
 public:
  Statement(Connection &connection, const char *sql);
  ~Statement() { sqlite3_finalize(handle_); }
  Statement(const Statement &) = delete;

  Statement &bind(int index, int64_t number) {
    connection_.check(sqlite3_bind_int64(handle_, index, number));
    return *this;
  }

  Statement &bind_blob(int index, std::string_view bytes) {
    connection_.check(sqlite3_bind_blob(handle_, index, bytes.data(), int(bytes.size()), SQLITE_STATIC));
    return *this;
  }

  Statement &bind_text(int index, std::string_view text) {
    connection_.check(sqlite3_bind_text(handle_, index, text.data(), int(text.size()), SQLITE_STATIC));
    return *this;
  }

  Statement &bind_null(int index) {
    connection_.check(sqlite3_bind_null(handle_, index));
    return *this;
  }

  /// Whether there is another row.
  bool step() {
    int code = sqlite3_step(handle_);
    if (code == SQLITE_ROW) return true;
    if (code != SQLITE_DONE) connection_.check(code);
    return false;
  }

  /// Makes it ready for the next execution; in autocommit mode, this ends the transaction.
  void reset() { connection_.check(sqlite3_reset(handle_)); }

  /// Executes a statement without results.
  void run() {
    step();
    reset();
  }

  int64_t number(int column) { return sqlite3_column_int64(handle_, column); }
  bool is_null(int column) { return sqlite3_column_type(handle_, column) == SQLITE_NULL; }
  size_t byte_count(int column) { return size_t(sqlite3_column_bytes(handle_, column)); }

  std::string_view blob(int column) {
    const void *bytes = sqlite3_column_blob(handle_, column);
    return {static_cast<const char *>(bytes), byte_count(column)};
  }

  std::string_view text(int column) {
    const unsigned char *bytes = sqlite3_column_text(handle_, column);
    return {reinterpret_cast<const char *>(bytes), byte_count(column)};
  }

 private:
  Connection &connection_;
  sqlite3_stmt *handle_ = nullptr;
};

/// A transaction, undone unless it is committed.
class Transaction {
 public:
  Transaction(Connection &connection, const char *begin) : connection_(connection) { connection.execute(begin); }
  ~Transaction() {
    if (is_open_) sqlite3_exec(connection_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction &) = delete;

  void commit() {
    connection_.execute("COMMIT");
    is_open_ = false;
  }

 private:
  Connection &connection_;
  bool is_open_ = true;
};

}  // namespace sqlite
