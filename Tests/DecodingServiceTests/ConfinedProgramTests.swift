import Base
import CWorker
import Foundation
import Glibc
import TestSupport
import Testing

private let hasPython = access("/usr/bin/python3", X_OK) == 0

// Faults: 220
/// What a program of others may do that is started by this one. The program here is Python, which can try everything.
@Suite(.enabled(if: hasPython, "/usr/bin/python3 is not installed"))
struct ConfinedProgramTests {
  /// What a script of Python prints; empty if it cannot be started.
  private func output(of script: String, input: String = "", data: [String] = []) -> String {
    var arguments: [UnsafeMutablePointer<CChar>?] = []
    for word in ["python3", "-I", "-S", "-c", script] { arguments.append(strdup(word)) }
    arguments.append(nil)
    var environment: [UnsafeMutablePointer<CChar>?] = [strdup("LC_ALL=C.UTF-8"), nil]
    let places: [UnsafeMutablePointer<CChar>?] = data.map { strdup($0) }
    defer { for text in arguments + environment + places { free(text) } }
    let readable: [UnsafePointer<CChar>?] = places.map { UnsafePointer($0) } + [nil]
    var limits = dw_limits(address_space_bytes: 1 << 30, open_descriptors: 32)
    var descriptor: Int32 = -1
    let child = dw_start_confined(
      "/usr/bin/python3", &arguments, &environment, readable, input, input.utf8.count, &limits, 10, &descriptor)
    guard child > 0 else { return "" }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let bytes = handle.readDataToEndOfFile()
    waitpid(child, nil, 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Tries expressions of Python one after the other.
  ///
  /// - Returns: those that the kernel did not refuse, with what they gave.
  private func permitted(_ expressions: [String]) -> [String] {
    let script = """
      import os, socket, ctypes, threading
      libc = ctypes.CDLL(None, use_errno=True)
      def call(*numbers):
        if libc.syscall(*numbers) < 0: raise OSError(ctypes.get_errno(), 'refused')
        return 'done'
      for text in open(0).read().splitlines():
        try: print(text, '=', eval(text))
        except PermissionError: pass
        except OSError as error: print(text, '=', error)
      print('end')
      """
    let lines = output(of: script, input: expressions.joined(separator: "\n"))
      .split(separator: "\n").map(String.init)
    #expect(lines.last == "end")
    return lines.dropLast()
  }

  @Test func `it reads its input, shared libraries and the data that it is given`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("voice")
    try Data("voice".utf8).write(to: URL(filePath: file.displayString))
    let script = """
      import os
      print(open(0).read() + open('\(file.displayString)').read(), len(os.listdir('/usr/lib')) > 1)
      """
    #expect(output(of: script, input: "my ", data: [folder.path.displayString]) == "my voice True\n")
  }

  @Test(.enabled(if: dw_landlock_version() > 0, "the kernel has no Landlock"))
  func `it opens no other files, and executes nothing`() throws {
    let folder = try TemporaryFolder()
    let file = folder.file("secret")
    try Data("secret".utf8).write(to: URL(filePath: file.displayString))
    let places = [
      file.displayString, "/etc/passwd", "/etc", "/etc/hostname", "/usr/bin/env", "/usr/share", "/home", "/root",
      "/tmp",
      "/proc/self/status", "/proc/\(getpid())/status", "/proc/\(getpid())/environ", "/sys", "/dev/urandom",
    ]
    #expect(permitted(places.map { "os.open('\($0)', os.O_RDONLY)" }) == [])
    #expect(permitted(["os.open('\(file.displayString)2', os.O_CREAT | os.O_WRONLY)"]) == [])
    #expect(permitted(["os.execve('/bin/sh', ['sh'], {})"]) == [])
    #expect(!FileManager.default.fileExists(atPath: file.displayString + "2"))
  }

  @Test func `it makes neither sockets, processes nor namespaces, and reaches no other process`() {
    let pid = getpid()
    var expressions = [1, 2, 10, 16].map { "socket.socket(\($0))" }
    expressions += [
      "os.fork()", "os.kill(\(pid), 0)", "os.setpriority(0, \(pid), 19)", "os.pidfd_open(\(pid))",
      "os.chmod('/usr/bin/env', 0o755)", "os.utime('/usr/bin/env')", "os.chroot('/')", "os.setuid(1)",
      "os.link('/usr/bin/env', '/tmp/env')", "os.setxattr('/usr/bin/env', 'user.a', b'b')", "os.mkdir('/tmp/made')",
    ]
    // CLONE_NEWUSER, CLONE_NEWNET, and what a thread is made with.
    let (newUser, newNetwork, thread) = (0x1000_0000, 0x4000_0000, 0x0001_0F00)
    let calls: [(Int32, String)] = [
      (SYS_unshare, "\(newUser)"), (SYS_clone, "\(newUser | 17), 0, 0, 0, 0"), (SYS_clone, "17, 0, 0, 0, 0"),
      (SYS_clone, "\(newNetwork | thread), 0, 0, 0, 0"), (SYS_setns, "0, 0"),
      (SYS_ptrace, "16, \(pid), 0, 0"), (SYS_process_vm_readv, "\(pid), 0, 0, 0, 0, 0"), (SYS_mount, "0, 0, 0, 0, 0"),
      (SYS_tgkill, "\(pid), \(pid), 0"), (SYS_prlimit64, "\(pid), 7, 0, 0"), (SYS_bpf, "0, 0, 0"),
      (SYS_perf_event_open, "0, 0, 0, 0, 0"), (SYS_keyctl, "0, 0"), (SYS_memfd_create, "b'x', 0"), (SYS_reboot, "0"),
    ]
    expressions += calls.map { "call(\($0.0), \($0.1))" }
    #expect(permitted(expressions) == [])
    // As on an old kernel.
    #expect(permitted(["call(\(SYS_io_uring_setup), 1, 0)"]).allSatisfy { $0.contains("[Errno \(ENOSYS)]") })
  }

  @Test func `it starts threads`() {
    let script = "import threading\nt = threading.Thread(target=lambda: print('heard'))\nt.start()\nt.join()"
    #expect(output(of: script) == "heard\n")
  }
}
