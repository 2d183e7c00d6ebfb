#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

#include <arpa/inet.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

// The library's functions with a variable number of arguments, which Swift can't call, in the one form that is used.

// Leaves percent signs to the program: it splits the path first.
static inline size_t microhttpd_keep(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

// Starts a server on 127.0.0.1 with a thread of its own, or one for each connection; a port of 0 is any free one. Null if that
// fails; errno says why.
static inline struct MHD_Daemon *microhttpd_start_on_loopback(
    uint16_t port, bool is_threaded, unsigned int connections_max, unsigned int timeout_seconds, size_t head_bytes_max,
    MHD_AccessHandlerCallback handler, MHD_RequestCompletedCallback completed, void *context) {
  struct sockaddr_in address;
  memset(&address, 0, sizeof address);
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return MHD_start_daemon(
      // Not by select, which knows no descriptors beyond the first 1,024.
      MHD_USE_AUTO_INTERNAL_THREAD | (is_threaded ? MHD_USE_THREAD_PER_CONNECTION : 0), port, NULL, NULL, handler, context,
      MHD_OPTION_SOCK_ADDR, &address,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_UNESCAPE_CALLBACK, &microhttpd_keep, NULL,
      MHD_OPTION_CONNECTION_LIMIT, connections_max,
      MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, head_bytes_max,
      MHD_OPTION_END);
}

// The port on which a server listens; 0 if it doesn't.
static inline uint16_t microhttpd_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : 0;
}

#endif
