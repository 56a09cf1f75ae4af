extension FaultCase {
  /// What depends on no clock: as many of them run at the same time as there are processors.
  static var sideBySide: [FaultCase] { [stress] + failingCalls + fullDisks + kills + migrations + [powerLoss] }

  /// What measures times or waits for moments: one after the other, with nothing beside it.
  static var alone: [FaultCase] { circumstances + workers + volumes + sameTime }
}
