#pragma once

#include <lmdb.h>

#include <optional>
#include <string_view>

// LMDB's handles as C++ has them: closed by themselves, errors thrown.

namespace lmdb {

void check(int code);

inline MDB_val value(std::string_view bytes) { return {bytes.size(), const_cast<char *>(bytes.data())}; }
inline std::string_view text(const MDB_val &value) { return {static_cast<const char *>(value.mv_data), value.mv_size}; }

class Transaction {
 public:
  Transaction(MDB_env *environment, unsigned flags) { check(mdb_txn_begin(environment, nullptr, flags, &handle_)); }
  ~Transaction() { mdb_txn_abort(handle_); }
  Transaction(const Transaction &) = delete;

  /// The handle is LMDB's after this, whatever comes of it.
  void commit() {
    MDB_txn *handle = handle_;
    handle_ = nullptr;
    check(mdb_txn_commit(handle));
  }

  MDB_dbi open(const char *name, unsigned flags) {
    MDB_dbi table;
    check(mdb_dbi_open(handle_, name, flags, &table));
    return table;
  }

  std::optional<std::string_view> get(MDB_dbi table, std::string_view key) {
    MDB_val key_value = value(key), data;
    int code = mdb_get(handle_, table, &key_value, &data);
    if (code == MDB_NOTFOUND) return std::nullopt;
    check(code);
    return text(data);
  }

  void put(MDB_dbi table, std::string_view key, std::string_view data, unsigned flags = 0) {
    MDB_val key_value = value(key), data_value = value(data);
    check(mdb_put(handle_, table, &key_value, &data_value, flags));
  }

  void remove(MDB_dbi table, std::string_view key) {
    MDB_val key_value = value(key);
    check(mdb_del(handle_, table, &key_value, nullptr));
  }

  size_t count(MDB_dbi table) {
    MDB_stat statistics;
    check(mdb_stat(handle_, table, &statistics));
    return statistics.ms_entries;
  }

  operator MDB_txn *() { return handle_; }

 private:
  MDB_txn *handle_ = nullptr;
};

class Cursor {
 public:
  Cursor(Transaction &transaction, MDB_dbi table) { check(mdb_cursor_open(transaction, table, &handle_)); }
  ~Cursor() { mdb_cursor_close(handle_); }
  Cursor(const Cursor &) = delete;

  bool first() { return move(MDB_FIRST); }
  bool next() { return move(MDB_NEXT); }

  /// Goes to the first key that is not less than this one.
  bool seek(std::string_view key) {
    key_ = value(key);
    return move(MDB_SET_RANGE);
  }

  std::string_view key() const { return text(key_); }
  std::string_view data() const { return text(data_); }

 private:
  bool move(MDB_cursor_op operation) {
    int code = mdb_cursor_get(handle_, &key_, &data_, operation);
    if (code == MDB_NOTFOUND) return false;
    check(code);
    return true;
  }

  MDB_cursor *handle_ = nullptr;
  MDB_val key_{}, data_{};
};

}  // namespace lmdb
