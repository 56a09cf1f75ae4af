#include "CWorker.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>

struct request {
  pid_t *child;
  const char *path;
  const posix_spawn_file_actions_t *actions;
  const posix_spawnattr_t *attributes;
  char *const *arguments;
  char *const *environment;
  int code;
  bool is_done;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
// Behind the mutex: whether there is a spawner, and what it has to start.
static bool is_there;
static struct request *pending;

static void *serve(void *unused) {
  (void)unused;
  pthread_mutex_lock(&mutex);
  for (;;) {
    while (!pending || pending->is_done) pthread_cond_wait(&changed, &mutex);
    struct request *now = pending;
    now->code = posix_spawn(now->child, now->path, now->actions, now->attributes, now->arguments, now->environment);
    now->is_done = true;
    pthread_cond_broadcast(&changed);
  }
  return NULL;
}

static int start(void) {
  // Signals are for the threads that wait for them.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  int code = pthread_create(&thread, NULL, serve, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == 0) pthread_detach(thread);
  return code;
}

int dw_spawn(
    pid_t *child, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const *arguments, char *const *environment) {
  struct request own = {child, path, actions, attributes, arguments, environment, 0, false};
  pthread_mutex_lock(&mutex);
  int code = is_there ? 0 : start();
  is_there = code == 0;
  if (!is_there) {
    pthread_mutex_unlock(&mutex);
    return code;
  }
  while (pending) pthread_cond_wait(&changed, &mutex);
  pending = &own;
  pthread_cond_broadcast(&changed);
  while (!own.is_done) pthread_cond_wait(&changed, &mutex);
  pending = NULL;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  return own.code;
}
