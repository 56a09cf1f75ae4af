import TestSupport

extension FaultCase {
  /// Each system call of a kind fails once, in one operation after the other.
  static var failingCalls: [FaultCase] {
    [
      overOperations(
        82, named: "the disk is full at the N-th write",
        [
          Injection(call: "pwrite64", effect: .error("ENOSPC")), Injection(call: "ftruncate", effect: .error("ENOSPC")),
          Injection(call: "write", effect: .error("ENOSPC")), Injection(call: "rename", effect: .error("ENOSPC")),
        ]),
      overOperations(
        83, named: "the N-th write, sync or read fails",
        [
          Injection(call: "pwrite64", effect: .error("EIO")), Injection(call: "fsync", effect: .error("EIO")),
          Injection(call: "fdatasync", effect: .error("EIO")), Injection(call: "pread64", effect: .error("EIO")),
          Injection(call: "read", effect: .error("EIO")), Injection(call: "unlink", effect: .error("EIO")),
          Injection(call: "newfstatat", effect: .error("EIO")), Injection(call: "fcntl", effect: .error("EIO")),
        ]),
      overOperations(
        71, named: "the N-th opening finds no descriptor free",
        [
          Injection(call: "openat", effect: .error("EMFILE")), Injection(call: "socketpair", effect: .error("EMFILE")),
          Injection(call: "pipe2", effect: .error("ENFILE")),
        ]),
      overOperations(
        84, named: "the N-th request for memory is refused",
        [
          Injection(call: "mmap", effect: .error("ENOMEM")), Injection(call: "brk", effect: .error("ENOMEM")),
        ]),
    ].flatMap { $0 }
  }

  /// A case for each operation.
  private static func overOperations(
    _ number: Int, named name: String, _ injections: [Injection]
  ) -> [FaultCase] {
    (Operation.names + Operation.namesWithLog).map { operation in
      FaultCase(number, named: "\(name): \(operation)") { trial in
        try await Operation.named(operation).attempts(trial, under: injections)
      }
    }
  }
}

extension FaultCase {
  /// Real disks that are full, of every size.
  static var fullDisks: [FaultCase] {
    (Operation.names + Operation.namesWithLog).map { operation in
      FaultCase(82, named: "the disk is full: \(operation)") { trial in
        try await Operation.named(operation).attemptsOnSmallDisks(trial)
      }
    }
  }
}
