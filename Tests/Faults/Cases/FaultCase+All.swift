extension FaultCase {
  /// In the order in which they are run.
  static var all: [FaultCase] { failingCalls + fullDisks + kills + migrations }
}
