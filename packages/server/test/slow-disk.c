/* Writes to files take so long while a certain file is there: for LD_PRELOAD. Sockets and pipes are as fast as ever. One that the first thread of a
   process has waited for, which is that of the rooms, leaves a file behind. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static void delay(int fd) {
  struct stat about;
  const char *slow = getenv("SLOW_WHILE"), *ms = getenv("SLOW_MS"), *waited = getenv("SLOW_WAITED");
  if (slow == NULL || ms == NULL || waited == NULL || access(slow, F_OK) != 0) return;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) return;
  if (gettid() == getpid()) close(open(waited, O_CREAT | O_WRONLY, 0644));
  usleep(1000 * atoi(ms));
}

ssize_t write(int fd, const void *bytes, size_t count) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = dlsym(RTLD_NEXT, "write");
  delay(fd);
  return real(fd, bytes, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite64");
  delay(fd);
  return real(fd, bytes, count, at);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  static ssize_t (*real)(int, const void *, size_t, off_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwrite");
  delay(fd);
  return real(fd, bytes, count, at);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  static ssize_t (*real)(int, const struct iovec *, int);
  if (!real) real = dlsym(RTLD_NEXT, "writev");
  delay(fd);
  return real(fd, parts, count);
}
