internal import MediaModel
internal import MediaStore

extension ScanPlan {
  /// A path below a root.
  struct PlacedPath: Hashable {
    let rootID: Int64
    let path: BytePath
  }

  /// The moves in groups that must not be parted, in an order in which no file takes a path that another one has yet to
  /// leave.
  ///
  /// Files that change places in a ring are a group; every other file is one of its own.
  package var moveGroups: [[Move]] {
    let leaving = Dictionary(zip(moves.map(\.oldPlace), moves.indices), uniquingKeysWith: { first, _ in first })
    var isGrouped = [Bool](repeating: false, count: moves.count)
    var groups: [[Move]] = []
    for start in moves.indices where !isGrouped[start] {
      // Who takes whose path, until one is free, or left by a group before this one, or the ring is closed.
      var chain: [Move] = []
      var next: Int? = start
      while let index = next, !isGrouped[index] {
        isGrouped[index] = true
        chain.append(moves[index])
        next = leaving[moves[index].newPlace]
      }
      if next == start { groups.append(chain) } else { groups += chain.reversed().map { [$0] } }
    }
    return groups
  }
}

extension ScanPlan.Move {
  var oldPlace: ScanPlan.PlacedPath { .init(rootID: formerRootID, path: known.path) }
  var newPlace: ScanPlan.PlacedPath { .init(rootID: rootID, path: path) }
}
