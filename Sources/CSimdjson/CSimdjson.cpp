#include "include/CSimdjson.h"

#include <simdjson.h>

#include <memory>

// Only the first stage of simdjson is used: it finds the tokens and checks the encoding, many bytes at a time. Its second
// stage would copy every string and turn every number into a double; ours leaves them in the text.
csimdjson_status csimdjson_index_make(const uint8_t *text, size_t length, csimdjson_index *index) {
  if (length == 0) return CSIMDJSON_EMPTY;
  if (length > simdjson::SIMDJSON_MAXSIZE_BYTES) return CSIMDJSON_NO_CAPACITY;

  std::unique_ptr<simdjson::internal::dom_parser_implementation> parser;
  // The depth is a limit of the second stage.
  auto error = simdjson::get_active_implementation()->create_dom_parser_implementation(length, 1, parser);
  if (error) return CSIMDJSON_NO_CAPACITY;

  error = parser->stage1(text, length, simdjson::stage1_mode::regular);
  switch (error) {
    case simdjson::SUCCESS:
      index->count = parser->n_structural_indexes;
      index->positions = parser->structural_indexes.release();
      return CSIMDJSON_OK;
    case simdjson::EMPTY:
      return CSIMDJSON_EMPTY;
    case simdjson::UNCLOSED_STRING:
      return CSIMDJSON_UNCLOSED_STRING;
    case simdjson::CAPACITY:
    case simdjson::MEMALLOC:
      return CSIMDJSON_NO_CAPACITY;
    default:
      return CSIMDJSON_MALFORMED;
  }
}

void csimdjson_index_free(csimdjson_index index) { delete[] index.positions; }
