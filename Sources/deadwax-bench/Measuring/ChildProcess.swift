internal import Foundation
internal import Glibc

/// A program that is started, waited for and measured.
struct ChildProcess {
  let executable: String
  let arguments: [String]
  /// Whether its standard error is discarded; standard output always is.
  var isQuiet = true

  /// Finds a program as a shell would; nil if it is not installed.
  static func path(of program: String) -> String? {
    if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
  }

  /// Runs it to its end.
  ///
  /// - Parameter whileRunning: Called every 5 ms with the process id. It costs time: leave it out when time is measured.
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
    // The child must not ignore the signals that this program ignores.
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

/// What a finished child process used, including those of its children that it waited for.
struct ChildUsage {
  var userSeconds: Double
  var systemSeconds: Double
  var wallSeconds: Double
  /// The largest resident size of it or of one of its children.
  var largestResidentBytes: Int
  /// As of wait(2).
  var status: Int32

  var hasSucceeded: Bool { status == 0 }
}

/// The high-water marks of a running process and of its children, read from /proc while they live.
///
/// The kernel keeps the marks, so sampling misses only what a process reaches between the last sample and its end. Pages
/// of the program file count in every process that maps them.
struct MemoryWatch {
  private(set) var ownBytes = 0
  /// The largest of any child.
  private(set) var childBytes = 0

  mutating func look(at processID: pid_t) {
    ownBytes = max(ownBytes, Self.highWaterMark(of: processID))
    let children = Self.text("/proc/\(processID)/task/\(processID)/children").split(separator: " ")
    for child in children.compactMap({ pid_t($0) }) { childBytes = max(childBytes, Self.highWaterMark(of: child)) }
  }

  private static func highWaterMark(of processID: pid_t) -> Int {
    let line = text("/proc/\(processID)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    return kibibytes << 10
  }

  private static func text(_ path: String) -> String {
    guard let file = fopen(path, "r") else { return "" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}
