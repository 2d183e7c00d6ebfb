#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Why a text could not be indexed.
typedef enum {
  CSIMDJSON_OK = 0,
  /// There is nothing but white space.
  CSIMDJSON_EMPTY,
  /// The text is not UTF-8, or a string holds a bare control character.
  CSIMDJSON_MALFORMED,
  /// The text ends inside of a string.
  CSIMDJSON_UNCLOSED_STRING,
  /// No memory, or more than 4 GiB of text.
  CSIMDJSON_NO_CAPACITY,
} csimdjson_status;

/// The places of a text's tokens: every bracket, brace, colon and comma outside of strings, and the first byte of every
/// string, number and word, in ascending order.
typedef struct {
  uint32_t *positions;
  size_t count;
} csimdjson_index;

/// Indexes `length` bytes of JSON and checks that they are UTF-8. Nothing is read behind the last byte.
///
/// On CSIMDJSON_OK the caller owns the index and gives it to `csimdjson_index_free`; otherwise it is untouched.
csimdjson_status csimdjson_index_make(const uint8_t *text, size_t length, csimdjson_index *index);

void csimdjson_index_free(csimdjson_index index);

#ifdef __cplusplus
}
#endif

#endif
