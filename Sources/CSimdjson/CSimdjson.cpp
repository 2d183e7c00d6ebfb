#include "include/CSimdjson.h"
#include <simdjson.h>
int csimdjson_placeholder(void) { return SIMDJSON_VERSION_MAJOR; }
