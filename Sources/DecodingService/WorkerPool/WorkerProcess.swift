internal import AudioAnalysis
internal import AudioDecoding
internal import Base
internal import CWorker
internal import Glibc
internal import Synchronization

/// One running worker: `init` starts it, ``end()``, ``stop()`` or `deinit` kills it. Not safe to share between threads.
final class WorkerProcess {
  /// How a worker ended.
  enum Ending: Hashable {
    case exit(Int32)
    case signal(Int32)
    /// Killed, but the kernel does not let it go: it hangs in a system call.
    case stuck
  }

  /// How a worker exits that cannot load a library of a decoder or an installed Chromaprint: EX_OSFILE of sysexits.h.
  static let missingLibraryStatus: Int32 = 72

  let processID: pid_t
  private(set) var ending: Ending?
  private var channel: WorkerChannel

  var descriptor: Int32 { channel.descriptor }

  /// As the kernel sees it now.
  var status: ProcessStatus? { ProcessStatus(processID: processID) }

  /// Which library the worker ended for, as a sentence; nil if it runs, or ended for another reason.
  var missingLibrary: String? {
    guard ending == .exit(Self.missingLibraryStatus) else { return nil }
    return DecoderLibraries.load() ?? Chromaprint.loadingProblem ?? "it could not load a library"
  }

  /// Starts `executable worker`, connected through its descriptor 3, in its own process group so that ^C at the
  /// terminal reaches only the parent.
  ///
  /// - Parameter makesFingerprints: Whether it loads Chromaprint, which makes its start 14 ms longer.
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
    // No signal is blocked, even if this process blocks some: SIGXCPU must get through.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))

    var arguments = Self.terminated(
      ["deadwax", "worker", "--parent", String(getpid())] + (makesFingerprints ? ["--fingerprints"] : []))
    // No locale, no backtraces (some crashes are expected), nothing of the user's environment.
    var environment = Self.terminated(["LC_ALL=C.UTF-8", "SWIFT_BACKTRACE=enable=no"])
    defer { for text in arguments + environment { free(text) } }
    var child: pid_t = 0
    let code = dw_spawn(&child, executable, &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
      close(own)
      throw SystemError(call: "posix_spawn", code: code)
    }
    processID = child
    channel = WorkerChannel(descriptor: own)
  }

  deinit { stop() }

  /// Bytes that this process and its workers may have, if that is less than a worker gives itself; nil otherwise.
  ///
  /// Under such a limit (`ulimit -v`, `ulimit -d`) a crash says nothing about the file.
  static var tighterMemoryLimit: UInt64? {
    [RLIMIT_AS, RLIMIT_DATA].compactMap { resource in
      var allowed = rlimit()
      guard getrlimit(__rlimit_resource_t(resource.rawValue), &allowed) == 0,
        allowed.rlim_max < SandboxStatus.addressSpaceByteCount
      else { return nil }
      return UInt64(allowed.rlim_max)
    }.min()
  }

  /// Lets everything else on this machine run first: people wait for their commands, nobody waits for a worker.
  ///
  /// It costs nothing if nothing else runs.
  func lowerPriority() {
    let processes = __priority_which_t(PRIO_PROCESS.rawValue)
    _ = setpriority(processes, id_t(processID), getpriority(processes, 0) + 10)
  }

  func send(_ request: WorkerRequest, descriptor: Int32 = -1) throws(WorkerChannel.Failure) {
    try channel.send(request.bytes, descriptor: descriptor)
  }

  /// Waits for the worker to send something, and returns the messages that are now complete; nil after the deadline.
  ///
  /// - Parameter deadline: Of ``monotonicSeconds()``.
  func waitForMessages(until deadline: Double) throws(WorkerChannel.Failure) -> [WorkerMessage]? {
    while true {
      let rest = max(0, deadline - monotonicSeconds()) * 1000
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let count = poll(&entry, 1, Int32(rest.rounded(.up)))
      if count < 0, errno == EINTR { continue }
      return count > 0 ? try receiveMessages() : nil
    }
  }

  /// Bytes of a message that is not complete yet.
  var bufferedByteCount: Int { channel.bufferedByteCount }

  /// Receives what is there and returns the messages that are now complete; blocks if nothing is there.
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

  /// Kills a worker that is not needed any more, without waiting for its end.
  func beginStop() {
    if ending == nil { kill(processID, SIGKILL) }
  }

  /// Kills a worker that is not needed any more, and waits for its end.
  func stop() { stop(until: Self.stopDeadline) }

  /// - Parameter deadline: Of ``monotonicSeconds()``, after which a worker that did not end is stuck.
  func stop(until deadline: Double) {
    guard ending == nil else { return }
    beginStop()
    ending = reap(until: deadline) ?? .stuck
  }

  /// When a worker that is killed now must have ended.
  static var stopDeadline: Double { monotonicSeconds() + 2 }

  /// Kills the worker if it still runs, and returns how it ended; one that ended by itself keeps its own ending.
  func end() -> Ending {
    // Look before the kill: a worker that crashed must not be reported as killed.
    if ending == nil { ending = reap(until: monotonicSeconds() + 0.02) }
    stop()
    return ending ?? .stuck
  }

  /// Copies for C, terminated by nil; the caller frees them.
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

/// One end of a socket pair that carries whole messages: `init` takes over the descriptor, `deinit` closes it.
struct WorkerChannel: ~Copyable {
  enum Failure: Error, Hashable {
    /// The other side is gone.
    case closed
    /// The other side sent something that is not a message.
    case malformed(String)
    case system(SystemError)
  }

  let descriptor: Int32
  private var received: [UInt8] = []
  private var readOffset = 0
  private var receivedDescriptor: Int32 = -1
  private var scratch = [UInt8](repeating: 0, count: 256 << 10)

  init(descriptor: Int32) { self.descriptor = descriptor }

  var bufferedByteCount: Int { received.count - readOffset }

  deinit {
    if receivedDescriptor >= 0 { close(receivedDescriptor) }
    close(descriptor)
  }

  /// Sends one message, waiting for room in the socket; a file descriptor may travel with it.
  func send(_ message: [UInt8], descriptor file: Int32 = -1) throws(Failure) {
    try Self.send(message, to: descriptor, descriptor: file)
  }

  /// The same for code that cannot hold the channel.
  static func send(_ message: [UInt8], to socket: Int32, descriptor file: Int32 = -1) throws(Failure) {
    var file = file
    var rest = message[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes { dw_send(socket, $0.baseAddress, $0.count, file) }
      guard sent >= 0 else {
        throw errno == EPIPE || errno == ECONNRESET ? .closed : .system(SystemError(call: "sendmsg"))
      }
      rest = rest.dropFirst(sent)
      file = -1
    }
  }

  /// The body of the next complete message; nil if more must be received first.
  mutating func nextBody() throws(Failure) -> [UInt8]? {
    let available = received.count - readOffset
    guard available >= 4 else { return nil }
    let length = received.withUnsafeBytes {
      Int(UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: readOffset, as: UInt32.self)))
    }
    guard length <= WorkerProtocol.maximumMessageByteCount else { throw .malformed("a message of \(length) bytes") }
    guard available >= 4 + length else { return nil }
    let body = Array(received[(readOffset + 4)..<(readOffset + 4 + length)])
    readOffset += 4 + length
    if readOffset == received.count {
      // A large buffer is not kept.
      received.removeAll(keepingCapacity: received.capacity <= 4 << 20)
      readOffset = 0
    }
    return body
  }

  /// Receives what is there; waits for at least one byte.
  mutating func receive() throws(Failure) {
    var file: Int32 = -1
    let count = scratch.withUnsafeMutableBytes { dw_receive(descriptor, $0.baseAddress, $0.count, &file) }
    if file >= 0 {
      if receivedDescriptor >= 0 { close(receivedDescriptor) }
      receivedDescriptor = file
    }
    guard count >= 0 else { throw errno == ECONNRESET ? .closed : .system(SystemError(call: "recvmsg")) }
    guard count > 0 else { throw .closed }
    if readOffset > 1 << 20 {
      // A large buffer is not kept.
      received = Array(received[readOffset...])
      readOffset = 0
    }
    received.append(contentsOf: scratch[..<count])
  }

  /// Whether there is something to receive, or a message that was received with the one before.
  var hasRequest: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return bufferedByteCount > 0 || poll(&entry, 1, 0) != 0
  }

  /// The body of the next message, waiting for it.
  mutating func waitForBody() throws(Failure) -> [UInt8] {
    while true {
      if let body = try nextBody() { return body }
      try receive()
    }
  }

  /// The descriptor that came with the last message; the caller closes it.
  mutating func takeDescriptor() -> Int32? {
    defer { receivedDescriptor = -1 }
    return receivedDescriptor >= 0 ? receivedDescriptor : nil
  }
}

/// The program that is started as a worker: the command, which understands `worker`.
package enum WorkerProgram {
  private static let chosen = Mutex("/proc/self/exe")

  /// This program itself, unless it was set: a program that is not the command names the command here.
  package static var path: String {
    get { chosen.withLock { $0 } }
    set { chosen.withLock { $0 = newValue } }
  }
}
