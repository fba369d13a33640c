/* The clock of redis-server, which a test sets: microseconds in a file. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>

static const volatile long long *microseconds;

__attribute__((constructor)) static void open_clock(void) {
  int file = open(getenv("CLOCK"), O_RDONLY);
  microseconds = mmap(0, sizeof *microseconds, PROT_READ, MAP_SHARED, file, 0);
}

int gettimeofday(struct timeval *time, void *zone) {
  time->tv_sec = *microseconds / 1000000;
  time->tv_usec = *microseconds % 1000000;
  return 0;
}
