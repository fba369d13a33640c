/* A kernel without IPv6 sockets, as with ipv6.disable=1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sys/socket.h>

int socket(int domain, int type, int protocol) {
  int (*next)(int, int, int) = dlsym(RTLD_NEXT, "socket");
  if (domain != AF_INET6) return next(domain, type, protocol);
  errno = EAFNOSUPPORT;
  return -1;
}
