package import MediaModel
package import SoundIndex

/// Which recordings of a library are one recording to the ear, whatever their formats.
package struct SameRecordings: Sendable {
  private let sets: DisjointSets

  /// - Parameters:
  ///   - ids: Of the recordings that the relations name; others are left out.
  ///   - identical: Recordings that are a set even if no other one is like them, because they have several files.
  package init(_ relations: [SoundRelation], ids: [ContentHash: Int64], identical: Set<Int64> = []) {
    var sets = DisjointSets()
    for id in identical { sets.add(id) }
    for relation in relations where relation.kind == .sameRecording {
      if let first = ids[relation.first], let second = ids[relation.second] { sets.unite(first, second) }
    }
    self.sets = sets
  }

  /// In the order of their least ids.
  package var all: [Set<Int64>] { sets.all }

  /// The least id of the recordings that are the same as one.
  func representative(of id: Int64) -> Int64 { sets.root(of: id) }

  package func areUnited(_ first: Int64, _ second: Int64) -> Bool { sets.areUnited(first, second) }

  /// The recordings that are the same as one, with itself.
  package func same(as id: Int64) -> Set<Int64> { sets.all.first { $0.contains(id) } ?? [id] }
}

/// Sets of ids that are united step by step.
struct DisjointSets {
  private var parents: [Int64: Int64] = [:]

  mutating func add(_ id: Int64) { if parents[id] == nil { parents[id] = id } }

  mutating func unite(_ first: Int64, _ second: Int64) {
    add(first)
    add(second)
    let (one, other) = (root(of: first), root(of: second))
    // The least id is the root, so the result does not depend on the order.
    if one != other { parents[max(one, other)] = min(one, other) }
  }

  func areUnited(_ first: Int64, _ second: Int64) -> Bool {
    parents[first] != nil && parents[second] != nil && root(of: first) == root(of: second)
  }

  func root(of id: Int64) -> Int64 {
    var id = id
    while let parent = parents[id], parent != id { id = parent }
    return id
  }

  /// In the order of their least ids.
  var all: [Set<Int64>] {
    var sets: [Int64: Set<Int64>] = [:]
    for id in parents.keys { sets[root(of: id), default: []].insert(id) }
    return sets.sorted { $0.key < $1.key }.map(\.value)
  }
}
