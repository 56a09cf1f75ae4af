internal import TestSupport

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
