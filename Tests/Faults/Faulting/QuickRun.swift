internal import Foundation
internal import TestSupport

/// A run of the command as cheap as can be, for thousands of them: its output is thrown away, its errors are kept.
struct QuickRun: Sendable {
  var status: Int32
  /// From before the process was started until it was reaped.
  var seconds: Double
  /// Of all processors, in user mode and in the kernel.
  var processorSeconds: Double
  var errorText: String

  /// Waits for the end; to be called from a thread that may wait.
  init(_ arguments: [String], library: URL) throws {
    var ends: [Int32] = [0, 0]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
      throw CocoaError(.fileReadUnknown)
    }
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for standard in Int32(0)...1 { posix_spawn_file_actions_addopen(&actions, standard, "/dev/null", O_RDWR, 0) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 2)
    var words: [UnsafeMutablePointer<CChar>?] = (["deadwax"] + arguments).map { strdup($0) } + [nil]
    var environment: [UnsafeMutablePointer<CChar>?] = [
      strdup("DEADWAX_LIBRARY=\(library.path)"), strdup("LANG=C.UTF-8"), strdup("HOME=/"), nil,
    ]
    defer { for text in words + environment { free(text) } }

    let start = ContinuousClock.now
    var child: pid_t = 0
    let code = posix_spawn(&child, DeadwaxCommand.executable.path, &actions, nil, &words, &environment)
    close(ends[1])
    guard code == 0 else { throw CocoaError(.executableLoad) }
    errorText = String(
      decoding: (try? FileHandle(fileDescriptor: ends[0], closeOnDealloc: false).readToEnd()) ?? Data(), as: UTF8.self)
    var state: Int32 = 0
    var usage = rusage()
    while wait4(child, &state, 0, &usage) < 0 && errno == EINTR {}
    seconds = (ContinuousClock.now - start) / .seconds(1)
    processorSeconds = Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    // wait(2): the low seven bits are the signal, the next eight the exit status.
    status = state & 0x7F == 0 ? state >> 8 & 0xFF : 128 + (state & 0x7F)
  }

  private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
