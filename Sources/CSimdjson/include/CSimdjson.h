#ifndef CSIMDJSON_H
#define CSIMDJSON_H
int csimdjson_placeholder(void);
#endif
