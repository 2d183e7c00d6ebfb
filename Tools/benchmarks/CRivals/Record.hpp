#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

// A row is an identity and a flat record: a header of fixed size, then what has no fixed size. A record needs no decoding,
// and rows are equal when their bytes are.

using Id = std::array<uint8_t, 16>;

struct UserHeader {
  int64_t updated;
  uint32_t name, email;
};

struct ProjectHeader {
  int64_t updated;
  uint32_t name, unused;
};

struct TaskHeader {
  static constexpr uint32_t null = UINT32_MAX;

  int64_t created, updated;
  Id project;
  /// Zeros for nobody.
  Id assignee;
  uint32_t title;
  /// `null` for no description.
  uint32_t description;
  uint8_t priority, state, reviewers, watchers;
  uint32_t unused;
};

/// A record's header, which need not be aligned where it lies.
template <typename Header>
struct View {
  Header header;
  const char *rest;

  explicit View(std::string_view record) : rest(record.data() + sizeof(Header)) {
    memcpy(&header, record.data(), sizeof(Header));
  }
};

struct UserView : View<UserHeader> {
  using View::View;

  std::string_view name() const { return {rest, header.name}; }
  std::string_view email() const { return {rest + header.name, header.email}; }
};

struct ProjectView : View<ProjectHeader> {
  using View::View;

  std::string_view name() const { return {rest, header.name}; }
};

/// A task's record: behind the header stand the reviewers, the watchers, the title, the state and the description.
struct TaskView : View<TaskHeader> {
  using View::View;

  bool has_assignee() const { return header.assignee != Id{}; }
  bool has_description() const { return header.description != TaskHeader::null; }
  size_t description_length() const { return has_description() ? header.description : 0; }

  /// Identities behind each other.
  std::string_view reviewers() const { return {rest, header.reviewers * sizeof(Id)}; }
  std::string_view watchers() const { return {rest + reviewers().size(), header.watchers * sizeof(Id)}; }
  std::string_view title() const { return {end(watchers()), header.title}; }
  std::string_view state() const { return {end(title()), header.state}; }
  std::string_view description() const { return {end(state()), description_length()}; }

 private:
  static const char *end(std::string_view text) { return text.data() + text.size(); }
};

/// The bytes of an identity or a list of them.
inline std::string_view bytes(const Id &id) { return {reinterpret_cast<const char *>(id.data()), id.size()}; }

inline Id id_at(std::string_view ids, size_t index) {
  Id id;
  memcpy(id.data(), ids.data() + index * sizeof(Id), sizeof(Id));
  return id;
}

inline size_t id_count(std::string_view ids) { return ids.size() / sizeof(Id); }

/// Rows with their records in one piece of memory.
class Rows {
 public:
  struct Row {
    Id id;
    size_t offset;
    uint32_t length;
  };

  void begin_record(const Id &id) { rows_.push_back({id, memory_.size(), 0}); }
  void end_record() { rows_.back().length = uint32_t(memory_.size() - rows_.back().offset); }
  void append(std::string_view part) { memory_.append(part); }

  template <typename Header>
  void append_header(const Header &header) {
    append({reinterpret_cast<const char *>(&header), sizeof(Header)});
  }

  void reserve(size_t bytes) { memory_.reserve(bytes); }
  void sort();

  const std::vector<Row> &rows() const { return rows_; }
  std::string_view record(const Row &row) const { return {memory_.data() + row.offset, row.length}; }

 private:
  std::vector<Row> rows_;
  std::string memory_;
};
