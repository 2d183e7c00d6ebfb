#ifndef CXML_SHIM_H
#define CXML_SHIM_H

// The library's headers reach for those of ICU where it was built with it, and nothing here needs them.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>

#endif
