internal import Glibc
internal import MediaModel

/// One running worker: `init` starts it, ``end()``, ``stop()`` or `deinit` kills it. Not safe to share between threads.
final class WorkerProcess {
  /// How a worker ended.
  enum Ending: Hashable {
    case exit(Int32)
    case signal(Int32)
    /// Killed, but the kernel does not let it go: it hangs in a system call.
    case stuck
  }

  let processID: pid_t
  private(set) var ending: Ending?
  private var channel: WorkerChannel

  var descriptor: Int32 { channel.descriptor }

  /// Starts `executable worker`, connected through its descriptor 3, in a process group of its own so that ^C at the
  /// terminal reaches the scan only.
  ///
  /// - Parameter makesFingerprints: Whether it loads Chromaprint, for which it takes 14 ms more to start.
  init(executable: String, makesFingerprints: Bool) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw SystemError(call: "socketpair")
    }
    let (own, theirs) = (ends[0], ends[1])
    defer { close(theirs) }

    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard in Int32(0)...2 { posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
    // Descriptor 3 through an action: a copy made by dup2 is not close-on-exec, even onto itself.
    posix_spawn_file_actions_adddup2(&actions, theirs, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var defaults = sigset_t()
    sigfillset(&defaults)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    // None blocked, whatever is in this process: SIGXCPU must get through.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var arguments = Self.terminated(
      ["deadwax", "worker", "--parent", String(getpid())] + (makesFingerprints ? ["--fingerprints"] : []))
    // No locale, no backtraces of crashes that are expected, nothing of the user's environment.
    var environment = Self.terminated(["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"])
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, executable, &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
      close(own)
      throw SystemError(call: "posix_spawn", code: code)
    }
    processID = child
    channel = WorkerChannel(descriptor: own)
  }

  deinit { stop() }

  /// Lets everything else on this machine go first: people wait for their commands, nobody for a worker.
  ///
  /// Where nothing else runs, it costs nothing.
  func standBack() {
    let processes = __priority_which_t(PRIO_PROCESS.rawValue)
    _ = setpriority(processes, id_t(processID), getpriority(processes, 0) + 10)
  }

  func send(_ request: WorkerRequest, descriptor: Int32 = -1) throws(WorkerChannel.Failure) {
    try channel.send(request.bytes, descriptor: descriptor)
  }

  /// Receives what is there and returns the messages that are now complete.
  func receiveMessages() throws(WorkerChannel.Failure) -> [WorkerMessage] {
    try channel.receive()
    var messages: [WorkerMessage] = []
    while let body = try channel.nextBody() {
      do throws(ByteReader.Failure) {
        messages.append(try WorkerMessage(body: body))
      } catch {
        throw .malformed(error.description)
      }
    }
    return messages
  }

  /// Kills a worker from which nothing is wanted any more, without waiting for its end.
  func beginStop() {
    if ending == nil { kill(processID, SIGKILL) }
  }

  /// Kills a worker from which nothing is wanted any more, at once.
  func stop() { stop(until: Self.stopDeadline) }

  /// - Parameter deadline: Of ``monotonicSeconds()``, after which a worker that did not end is stuck.
  func stop(until deadline: Double) {
    guard ending == nil else { return }
    beginStop()
    ending = reap(until: deadline) ?? .stuck
  }

  /// When a worker that is killed now must be gone.
  static var stopDeadline: Double { monotonicSeconds() + 2 }

  /// Kills the worker if it still runs, and says how it ended. What ended by itself keeps its own ending.
  func end() -> Ending {
    // One look before the kill: a worker that crashed must not be reported as killed.
    if ending == nil { ending = reap(until: monotonicSeconds() + 0.02) }
    stop()
    return ending ?? .stuck
  }

  /// Copies for C, ended by nil; the caller frees them.
  private static func terminated(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
    texts.map { text in strdup(text) } + [nil]
  }

  private func reap(until deadline: Double) -> Ending? {
    while true {
      var status: Int32 = 0
      let result = waitpid(processID, &status, WNOHANG)
      if result == processID {
        // wait(2): the low seven bits are the signal, the next eight the exit status.
        return status & 0x7F == 0 ? .exit(status >> 8 & 0xFF) : .signal(status & 0x7F)
      }
      if result < 0 && errno != EINTR { return .exit(-1) }
      guard monotonicSeconds() < deadline else { return nil }
      usleep(1000)
    }
  }
}
