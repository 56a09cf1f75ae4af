#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

// The alternate screen, no cursor, no automatic line breaks, clicks in the form of SGR.
static const char enter[] = "\033[?1049h\033[?25l\033[?7l\033[?1000h\033[?1006h";
// The reverse; an update that was begun ends first.
static const char leave[] = "\033[?2026l\033[?1006l\033[?1000l\033[?7h\033[0m\033[?25h\033[?1049l";

static int terminal = -1;
// The same terminal, without waiting; what others have open of it stays as it is.
static int unwaiting = -1;
static struct termios before;
static volatile sig_atomic_t is_taken = 0;
static int signal_pipe = -1;

// Writes what the terminal takes within a second: of one that nobody reads, a process must be able to end.
static void write_leave(void) {
  if (unwaiting < 0) {
    (void)!write(terminal, leave, sizeof leave - 1);
    return;
  }
  size_t written = 0;
  for (int tries = 0; written < sizeof leave - 1 && tries < 20; tries++) {
    ssize_t count = write(unwaiting, leave + written, sizeof leave - 1 - written);
    if (count > 0) written += (size_t)count;
    if (count < 0 && errno != EAGAIN && errno != EINTR) return;
    struct pollfd room = {.fd = unwaiting, .events = POLLOUT};
    if (written < sizeof leave - 1) poll(&room, 1, 50);
  }
}

void dw_leave_terminal(void) {
  if (!is_taken) return;
  is_taken = 0;
  int reason = errno;
  write_leave();
  tcsetattr(terminal, TCSANOW, &before);
  errno = reason;
}

int dw_terminal_output(void) { return unwaiting; }

static void on_crash(int number) {
  dw_leave_terminal();
  signal(number, SIG_DFL);
  raise(number);
}

static void catch_crashes(void) {
  const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGQUIT};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_NODEFER};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaction(signals[i], &action, NULL);
}

int dw_enter_terminal(int descriptor) {
  if (!is_taken) {
    if (tcgetattr(descriptor, &before) != 0) return -1;
    catch_crashes();
    // A process in the background may change the terminal back, too.
    signal(SIGTTOU, SIG_IGN);
    terminal = descriptor;
    const char *name = ttyname(descriptor);
    if (unwaiting < 0 && name) unwaiting = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  }
  struct termios raw = before;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG | IEXTEN);
  raw.c_iflag &= ~(tcflag_t)(IXON | ICRNL | INLCR);
  raw.c_cc[VMIN] = 0;
  raw.c_cc[VTIME] = 0;
  is_taken = 1;
  if (tcsetattr(descriptor, TCSADRAIN, &raw) == 0 && write(descriptor, enter, sizeof enter - 1) >= 0) return 0;
  int reason = errno;
  dw_leave_terminal();
  errno = reason;
  return -1;
}

static void on_terminal_signal(int number) {
  int reason = errno;
  unsigned char byte = (unsigned char)number;
  (void)!write(signal_pipe, &byte, 1);
  errno = reason;
}

int dw_catch_terminal_signals(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return -1;
  signal_pipe = ends[1];
  const int signals[] = {SIGWINCH, SIGTSTP, SIGCONT};
  struct sigaction action = {.sa_handler = on_terminal_signal, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    if (sigaction(signals[i], &action, NULL) != 0) return -1;
  }
  return ends[0];
}
