internal import CWorker
import DecodingService
import Foundation
import Glibc
import Testing
import TestSupport

// Faults: 163
/// What a worker that has been taken over would try, made from a process that is confined as a worker is.
struct SandboxTests {
  /// How a call is refused.
  enum Refusal: Int32 {
    case forbidden = 1  // EPERM
    case absent = 38  // ENOSYS
  }

  /// A call that must not work behind the filter.
  struct Attempt: CustomTestStringConvertible {
    let name: String
    let number: Int32
    var arguments: [UInt] = []
    var refusal = Refusal.forbidden
    /// Whether anyone who is not root is refused without a sandbox, too, or the kernel may lack it.
    var isRare = false

    var testDescription: String { name }
  }

  /// Lives until the process ends, because attempts are arguments of tests.
  private static func pointer(_ text: String) -> UInt { UInt(bitPattern: strdup(text)) }
  private static func pointer<Value: BitwiseCopyable>(to value: Value) -> UInt {
    let place = UnsafeMutablePointer<Value>.allocate(capacity: 1)
    place.initialize(to: value)
    return UInt(bitPattern: place)
  }

  private static let name = FileManager.default.temporaryDirectory.appending(path: "deadwax-sandbox-\(getpid())").path
  private static let path = pointer(name)
  private static let file: UInt = {
    atexit { unlink(SandboxTests.name) }
    return UInt(open(name, O_CREAT | O_RDWR | O_CLOEXEC, 0o600))
  }()
  private static let udp = UInt(socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
  private static let tcp = UInt(socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
  private static let current = UInt(bitPattern: Int(AT_FDCWD))
  private static let fastOpen: UInt = 0x2000_0000
  private static let page = UInt(
    bitPattern: mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
  /// A port of this machine at which nobody listens.
  private static let address: UInt = {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(9).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return pointer(to: address)
  }()
  private static let message: UInt = {
    let part = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: page), iov_len: 1)
    var message = msghdr()
    message.msg_name = UnsafeMutableRawPointer(bitPattern: address)
    message.msg_namelen = 16
    message.msg_iov = UnsafeMutablePointer(bitPattern: pointer(to: part))
    message.msg_iovlen = 1
    return pointer(to: message)
  }()

  private static let attempts: [Attempt] = {
    let parent = UInt(getpid())
    let (readWrite, executable) = (UInt(PROT_READ | PROT_WRITE), UInt(PROT_READ | PROT_EXEC))
    let hidden = UInt(MAP_PRIVATE | MAP_ANONYMOUS)
    var attempts = [
      Attempt(name: "openat", number: SYS_openat, arguments: [current, path, 0]),
      Attempt(name: "openat2", number: SYS_openat2, arguments: [current, path, 0, 0]),
      Attempt(name: "newfstatat", number: SYS_newfstatat, arguments: [current, path, page, 0]),
      Attempt(name: "unlinkat", number: SYS_unlinkat, arguments: [current, pointer("/no/such"), 0]),
      Attempt(name: "renameat2", number: SYS_renameat2, arguments: [current, pointer("/no/such"), current, path, 0]),
      Attempt(name: "fchmod", number: SYS_fchmod, arguments: [file, 0o600]),
      Attempt(name: "fchmodat", number: SYS_fchmodat, arguments: [current, path, 0o600]),
      Attempt(name: "fchown", number: SYS_fchown, arguments: [file, UInt(getuid()), UInt(getgid())]),
      Attempt(name: "utimensat", number: SYS_utimensat, arguments: [current, path, 0, 0]),
      Attempt(name: "utimensat of a descriptor", number: SYS_utimensat, arguments: [file, 0, 0, 0]),
      Attempt(name: "setxattr", number: SYS_setxattr, arguments: [path, pointer("user.a"), page, 99, 9]),
      Attempt(name: "fsetxattr", number: SYS_fsetxattr, arguments: [file, pointer("user.a"), page, 99, 9]),
      Attempt(name: "ftruncate", number: SYS_ftruncate, arguments: [file, 0]),
      Attempt(name: "write to a file", number: SYS_write, arguments: [file, page, 1]),
      Attempt(name: "pwrite64", number: SYS_pwrite64, arguments: [file, page, 1, 0]),
      Attempt(name: "fcntl", number: SYS_fcntl, arguments: [file, UInt(F_SETOWN), parent]),
      Attempt(name: "ioctl", number: SYS_ioctl, arguments: [file, 0x5421, page]),
      Attempt(name: "memfd_create", number: SYS_memfd_create, arguments: [path, 0]),
      Attempt(name: "socket of Unix", number: SYS_socket, arguments: [UInt(AF_UNIX), 2, 0]),
      Attempt(name: "socket of UDP", number: SYS_socket, arguments: [UInt(AF_INET), 2, 0]),
      Attempt(name: "socket of TCP", number: SYS_socket, arguments: [UInt(AF_INET), 1, 0]),
      Attempt(name: "socketpair", number: SYS_socketpair, arguments: [UInt(AF_UNIX), 1, 0, page]),
      Attempt(name: "sendto by UDP", number: SYS_sendto, arguments: [udp, page, 1, 0, address, 16]),
      Attempt(name: "sendmsg by UDP", number: SYS_sendmsg, arguments: [udp, message, 0]),
      Attempt(name: "sendmsg by TCP, fast open", number: SYS_sendmsg, arguments: [tcp, message, fastOpen]),
      Attempt(name: "sendto by TCP, fast open", number: SYS_sendto, arguments: [tcp, page, 1, fastOpen, address, 16]),
      Attempt(name: "connect", number: SYS_connect, arguments: [tcp, address, 16]),
      Attempt(name: "bind", number: SYS_bind, arguments: [udp, address, 0]),
      Attempt(name: "clone", number: SYS_clone, arguments: [UInt(SIGCHLD), 0, 0, 0, 0]),
      Attempt(name: "clone3", number: SYS_clone3, arguments: [page, 0], refusal: .absent),
      Attempt(name: "execve", number: SYS_execve, arguments: [pointer("/no/such"), 0, 0]),
      Attempt(name: "execveat", number: SYS_execveat, arguments: [current, pointer("/no/such"), 0, 0, 0]),
      Attempt(name: "ptrace of the parent", number: SYS_ptrace, arguments: [1, parent, page, 0]),
      Attempt(
        name: "process_vm_readv", number: SYS_process_vm_readv, arguments: [parent, 0, 0, 0, 0, 0], isRare: true),
      Attempt(
        name: "process_vm_writev", number: SYS_process_vm_writev, arguments: [parent, 0, 0, 0, 0, 0], isRare: true),
      Attempt(name: "pidfd_open", number: SYS_pidfd_open, arguments: [parent, 0]),
      Attempt(name: "kill of the parent", number: SYS_kill, arguments: [parent, 0]),
      Attempt(name: "tkill of the parent", number: SYS_tkill, arguments: [parent, 0]),
      Attempt(name: "tgkill of the parent", number: SYS_tgkill, arguments: [parent, parent, 0]),
      Attempt(name: "rt_sigqueueinfo", number: SYS_rt_sigqueueinfo, arguments: [parent, 0, 0]),
      Attempt(
        name: "setpriority of the parent", number: SYS_setpriority,
        arguments: [0, parent, UInt(bitPattern: Int(getpriority(__priority_which_t(0), 0)))]),
      Attempt(name: "prlimit64 of the parent", number: SYS_prlimit64, arguments: [parent, 7, 0, page]),
      Attempt(
        name: "prlimit64 of its memory", number: SYS_prlimit64,
        arguments: [0, 9, pointer(to: rlimit(rlim_cur: .max, rlim_max: .max)), 0]),
      Attempt(
        name: "setrlimit of its memory", number: SYS_setrlimit,
        arguments: [9, pointer(to: rlimit(rlim_cur: .max, rlim_max: .max))]),
      Attempt(name: "sched_setaffinity of the parent", number: SYS_sched_setaffinity, arguments: [parent, 0, page]),
      Attempt(
        name: "mmap of executable memory", number: SYS_mmap, arguments: [0, 4096, executable, hidden, UInt.max, 0]),
      Attempt(
        name: "mmap of memory to write and execute", number: SYS_mmap,
        arguments: [0, 4096, readWrite | executable, hidden, UInt.max, 0]),
      Attempt(name: "mprotect of executable memory", number: SYS_mprotect, arguments: [page, 4096, executable]),
      Attempt(name: "pkey_mprotect", number: SYS_pkey_mprotect, arguments: [page, 4096, executable, UInt.max]),
      Attempt(name: "madvise to poison a page", number: SYS_madvise, arguments: [page + 1, 0, 100], isRare: true),
      Attempt(name: "personality", number: SYS_personality, arguments: [0xFFFF_FFFF]),
      Attempt(name: "prctl", number: SYS_prctl, arguments: [3, 0, 0, 0, 0]),
      Attempt(name: "seccomp", number: SYS_seccomp, arguments: [2, 0, page]),
      Attempt(name: "userfaultfd", number: SYS_userfaultfd, arguments: [0], isRare: true),
      Attempt(name: "perf_event_open", number: SYS_perf_event_open, arguments: [0, 0, 0, 0, 0], isRare: true),
      Attempt(name: "bpf", number: SYS_bpf, arguments: [0, 0, 0], isRare: true),
      Attempt(name: "add_key", number: SYS_add_key, arguments: [0, 0, 0, 0, 0], isRare: true),
      Attempt(name: "mount", number: SYS_mount, arguments: [path, path, 0, 4096, 0], isRare: true),
      Attempt(name: "unshare", number: SYS_unshare, arguments: [0]),
      Attempt(name: "setns", number: SYS_setns, arguments: [file, 0]),
      Attempt(name: "io_uring_setup", number: SYS_io_uring_setup, arguments: [1, 0], refusal: .absent, isRare: true),
      Attempt(
        name: "io_uring_enter", number: SYS_io_uring_enter, arguments: [0, 0, 0, 0], refusal: .absent, isRare: true),
      Attempt(name: "a call that no kernel has", number: 9999, isRare: true),
    ]
    #if arch(x86_64)
      attempts += [
        Attempt(name: "open", number: SYS_open, arguments: [path, 0]),
        Attempt(name: "creat", number: SYS_creat, arguments: [path, 0o600]),
        Attempt(name: "stat", number: SYS_stat, arguments: [path, page]),
        Attempt(name: "chmod", number: SYS_chmod, arguments: [path, 0o600]),
        Attempt(name: "utimes", number: SYS_utimes, arguments: [path, 0]),
        Attempt(name: "fork", number: SYS_fork),
        // Not tried without the filter: parent and child would share one stack.
        Attempt(name: "vfork", number: SYS_vfork, isRare: true),
        // Bit 30 selects the x32 interface, whose calls have other numbers.
        Attempt(name: "open of x32", number: 0x4000_0000 | SYS_open, arguments: [path, 0], isRare: true),
        Attempt(name: "fork of x32", number: 0x4000_0000 | SYS_fork, isRare: true),
      ]
    #endif
    return attempts
  }()

  /// The error of the only call that is made behind these layers.
  private func error(_ attempt: Attempt, behind layers: Int32) throws -> Int32 {
    var call = dw_call()
    call.number = Int(attempt.number)
    call.error = -1
    withUnsafeMutableBytes(of: &call.arguments) { bytes in
      for (index, value) in attempt.arguments.enumerated() {
        bytes.storeBytes(of: value, toByteOffset: index * MemoryLayout<UInt>.size, as: UInt.self)
      }
    }
    try #require(dw_try_calls(layers, 0, &call, 1) == 0, "\(attempt.name): \(String(cString: strerror(errno)))")
    return call.error
  }

  private static let filter = Int32(dw_layer_filter)
  private static let landlock = Int32(dw_layer_landlock)

  @Test(arguments: attempts) func `what a worker does not need is refused by the filter alone`(attempt: Attempt) throws
  {
    #expect(try error(attempt, behind: Self.filter) == attempt.refusal.rawValue)
  }

  @Test(.enabled(if: dw_landlock_version() > 0), arguments: attempts)
  func `what a worker does not need is refused by the filter and Landlock`(attempt: Attempt) throws {
    #expect(try error(attempt, behind: Self.filter | Self.landlock) == attempt.refusal.rawValue)
  }

  /// Otherwise the tests above would say nothing.
  @Test(arguments: attempts.filter { !$0.isRare })
  func `without the filter the same call gets another answer`(attempt: Attempt) throws {
    #expect(try error(attempt, behind: 0) != attempt.refusal.rawValue)
  }

  /// What is left of a worker's rights.
  private static let needs: [Attempt] = [
    Attempt(name: "mmap", number: SYS_mmap, arguments: [0, 4096, 3, UInt(MAP_PRIVATE | MAP_ANONYMOUS), UInt.max, 0]),
    Attempt(name: "mprotect", number: SYS_mprotect, arguments: [page, 4096, 1]),
    Attempt(name: "madvise", number: SYS_madvise, arguments: [page, 4096, 4]),
    Attempt(name: "pread64", number: SYS_pread64, arguments: [file, page, 1, 0]),
    Attempt(name: "fstat", number: SYS_fstat, arguments: [file, page]),
    Attempt(name: "getrandom", number: SYS_getrandom, arguments: [page, 8, 0]),
    Attempt(
      name: "prlimit64 of its processor time", number: SYS_prlimit64,
      arguments: [0, 0, pointer(to: rlimit(rlim_cur: 60, rlim_max: 600)), 0]),
    Attempt(name: "prlimit64 to read", number: SYS_prlimit64, arguments: [0, 9, 0, page]),
    Attempt(name: "write to a standard stream", number: SYS_write, arguments: [2, page, 0]),
  ]

  @Test(arguments: needs) func `what a worker needs is possible`(need: Attempt) throws {
    #expect(try error(need, behind: Self.filter) == 0)
  }

  @Test func `abort ends a confined process by its own signal`() {
    var call = dw_call()
    call.number = Int(dw_abort)
    #expect(dw_try_calls(Self.filter | (dw_landlock_version() > 0 ? Self.landlock : 0), 0, &call, 1) == SIGABRT)
  }
}
