extension FaultCase {
  /// In the order in which they are run.
  static var all: [FaultCase] {
    failingCalls + fullDisks + kills + migrations + circumstances + workers + volumes + [powerLoss] + sameTime
  }
}
