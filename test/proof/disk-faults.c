/*
 * Lets calls on some files of a process fail, as a disk does that is full, broken, or cut off from its power. It is put
 * in front of the C library by LD_PRELOAD and told what to do by the environment:
 *
 * FAULT_FILE    files whose name contains this; all others are left alone
 * FAULT_CALL    write or sync: which calls are counted, from 1
 * FAULT_AT      the call that fails; 0: none
 * FAULT_HOW     EIO or ENOSPC: it fails so; torn: half of it is written, then the process is killed
 * FAULT_LASTING 1: all calls from then on fail, reading aside
 * FAULT_COUNTS  a file in which the numbers of writes, of syncs and of those that failed are put at the end of the process
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, FAILS, TORN };
enum call { WRITE, SYNC };

static atomic_long counts[2];
static atomic_long failed;
static const char *file_name;
static const char *how;
static enum call wanted;
static long fails_at;
static int is_lasting;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off64_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);

static const char *setting(const char *name) {
  const char *value = getenv(name);
  return value == NULL ? "" : value;
}

__attribute__((constructor)) static void begin(void) {
  *(void **)&real_write = dlsym(RTLD_NEXT, "write");
  *(void **)&real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  *(void **)&real_fsync = dlsym(RTLD_NEXT, "fsync");
  *(void **)&real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  file_name = setting("FAULT_FILE");
  how = setting("FAULT_HOW");
  wanted = strcmp(setting("FAULT_CALL"), "sync") == 0 ? SYNC : WRITE;
  fails_at = atol(setting("FAULT_AT"));
  is_lasting = strcmp(setting("FAULT_LASTING"), "1") == 0;
}

__attribute__((destructor)) static void end(void) {
  const char *path = setting("FAULT_COUNTS");
  FILE *file = *path == '\0' ? NULL : fopen(path, "w");
  if (file == NULL) return;
  fprintf(file, "{\"write\":%ld,\"sync\":%ld,\"failed\":%ld}", counts[WRITE], counts[SYNC], failed);
  fclose(file);
}

/* Whether the open file has the name that is looked for. */
static int concerns(int descriptor) {
  char link[64];
  char path[PATH_MAX + 1];
  const int kept = errno;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, PATH_MAX);
  errno = kept;
  if (length <= 0 || *file_name == '\0') return 0;
  path[length] = '\0';
  const char *name = strrchr(path, '/');
  return strstr(name == NULL ? path : name, file_name) != NULL;
}

/* What becomes of this call. */
static enum fault judge(enum call call, int descriptor) {
  if (!concerns(descriptor)) return NONE;
  const long number = atomic_fetch_add(&counts[call], 1) + 1;
  if (fails_at == 0) return NONE;
  const int is_it = call == wanted && number == fails_at;
  const int is_later = is_lasting && atomic_load(&counts[wanted]) >= fails_at;
  if (!is_it && !is_later) return NONE;
  return strcmp(how, "torn") == 0 ? TORN : FAILS;
}

static int fail(void) {
  atomic_fetch_add(&failed, 1);
  errno = strcmp(how, "ENOSPC") == 0 ? ENOSPC : EIO;
  return -1;
}

static void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
  const enum fault fault = judge(WRITE, descriptor);
  if (fault == FAILS) return fail();
  const ssize_t written = real_write(descriptor, bytes, fault == TORN ? count / 2 : count);
  if (fault == TORN) die();
  return written;
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off64_t offset) {
  const enum fault fault = judge(WRITE, descriptor);
  if (fault == FAILS) return fail();
  const ssize_t written = real_pwrite(descriptor, bytes, fault == TORN ? count / 2 : count, offset);
  if (fault == TORN) die();
  return written;
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  return pwrite64(descriptor, bytes, count, offset);
}

int fsync(int descriptor) {
  return judge(SYNC, descriptor) == FAILS ? fail() : real_fsync(descriptor);
}

int fdatasync(int descriptor) {
  return judge(SYNC, descriptor) == FAILS ? fail() : real_fdatasync(descriptor);
}
