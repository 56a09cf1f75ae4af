internal import Foundation
internal import Glibc

/// A program that is started, waited for and measured.
struct ChildProcess {
  let executable: String
  let arguments: [String]
  /// Whether its standard error is thrown away, too; standard output always is.
  var isQuiet = true

  /// Finds a program as a shell would; nil where it is not installed.
  static func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs it to its end.
  ///
  /// - Parameter whileRunning: called every 5 ms with the process id, if given; looking costs time, so not where time is
  ///   what counts.
  func run(whileRunning: ((pid_t) -> Void)? = nil) throws -> ChildUsage {
    let start = BenchClock.wall.seconds
    let processID = try spawn()
    var usage = rusage()
    var status: Int32 = 0
    while true {
      whileRunning?(processID)
      let result = wait4(processID, &status, whileRunning == nil ? 0 : WNOHANG, &usage)
      if result == processID { break }
      if result < 0 && errno != EINTR { throw BenchFailure("cannot wait for \(executable)") }
      if result == 0 { usleep(5_000) }
    }
    return ChildUsage(
      userSeconds: Self.seconds(usage.ru_utime), systemSeconds: Self.seconds(usage.ru_stime),
      wallSeconds: BenchClock.wall.seconds - start, largestResidentBytes: usage.ru_maxrss << 10, status: status)
  }

  private func spawn() throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    if isQuiet { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    // Signals that this program ignores or catches, the child does not.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))

    var words: [UnsafeMutablePointer<CChar>?] = ([executable] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var processID: pid_t = 0
    let code = posix_spawn(&processID, executable, &actions, &attributes, &words, environ)
    guard code == 0 else { throw BenchFailure("cannot start \(executable): \(String(cString: strerror(code)))") }
    return processID
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
