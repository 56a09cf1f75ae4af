extension FaultCase {
  /// What comes out alike however slow the machine is: as many of them run at the same time as there are processors.
  static var sideBySide: [FaultCase] { failingCalls + fullDisks + killsAtCalls + migrations + [powerLoss] }

  /// What measures times, waits for moments or has to wait for others: one after the other, with nothing beside it. What
  /// measures is first, so that who runs all learns in the first minutes whether the machine is quiet enough for it.
  static var alone: [FaultCase] {
    sameTime + [stress] + killsAtMoments + migrationsBesideOthers + circumstances + workers + volumes
  }
}
