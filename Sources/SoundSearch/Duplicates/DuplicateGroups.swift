internal import Base
import LibraryTracks
import MediaModel
package import MediaStore
package import SoundIndex

extension [DuplicateGroup.Member] {
  /// Puts the file to keep before the others, whose order stays; of equal ones that is the first.
  fileprivate mutating func moveBestToFront() {
    var best = 0
    for index in indices where self[index].quality.advantage(over: self[best].quality) != nil { best = index }
    if best > 0 { insert(remove(at: best), at: 0) }
  }
}

/// Finds groups of files with the same sound in a library.
package struct DuplicateGroups {
  /// Files of one recording that are held against the best one, in case it has holes.
  private static let mostCompared = 4

  private let store: MediaStore
  private let judge: CopyJudge
  /// Files that may be in a group; nil for all.
  private let chosen: Set<Int64>?

  /// - Parameter chosen: Recordings of which at least one must be in a group; nil for all.
  package init(in store: MediaStore, touching chosen: Set<Int64>? = nil) {
    self.store = store
    judge = CopyJudge(store)
    self.chosen = chosen
  }

  /// Groups of one recording first, the largest first; then pairs, by kind and path.
  ///
  /// - Parameter identical: Recordings with several files.
  package func groups(_ relations: [SoundRelation], identical: Set<Int64>) throws -> [DuplicateGroup] {
    var hashes = Set<ContentHash>()
    for relation in relations {
      hashes.insert(relation.first)
      hashes.insert(relation.second)
    }
    let ids = try store.recordings.ids(of: Array(hashes))
    let sets = SameRecordings(relations, ids: ids, identical: identical)
    let beginnings = Beginnings(relations, ids: ids)
    var groups: [DuplicateGroup] = []
    for set in sets.all where chosen.map({ !$0.isDisjoint(with: set) }) ?? true {
      if let group = try group(set, beginnings) { groups.append(group) }
    }
    groups.sort { ($0.members.count, Self.path(of: $1)) > ($1.members.count, Self.path(of: $0)) }
    var pairs = try pairs(relations, ids, sets, beginnings)
    pairs.sort {
      ($0.kind.order, $0.members[0].file.path, $0.members[1].file.path)
        < ($1.kind.order, $1.members[0].file.path, $1.members[1].file.path)
    }
    return groups + pairs
  }

  private static func path(of group: DuplicateGroup) -> BytePath { group.members.first?.file.path ?? BytePath("") }

  private func group(_ recordingIDs: Set<Int64>, _ beginnings: Beginnings) throws -> DuplicateGroup? {
    var members = try recordingIDs.sorted().flatMap { try self.members($0) }
    guard members.count > 1 else { return nil }
    members.sort { $0.pathOrder < $1.pathOrder }
    members.moveBestToFront()
    for (index, offset) in offsets(of: members, beginnings).enumerated() { members[index].offsetInSeconds = offset }
    // However good it is, a file with silence in the place of music is not the one to keep.
    let others = members.indices.dropFirst().filter { members[$0].recordingID != members[0].recordingID }
    var hasFilled = false
    for index in others.prefix(Self.mostCompared) {
      guard try judge.fills(members[index], members[0]) else { continue }
      members.insert(members.remove(at: index), at: 0)
      hasFilled = true
      break
    }
    let offsets = offsets(of: members, beginnings)
    var kept = members.removeFirst()
    kept.offsetInSeconds = 0
    for index in members.indices {
      members[index].offsetInSeconds = offsets[index + 1]
      members[index].advantage =
        hasFilled && members[index].quality.advantage(over: kept.quality) != nil
        ? .moreOfTheSound : kept.quality.advantage(over: members[index].quality)
      members[index].reason = members[index].advantage?.phrase
      members[index].isIdentical = members[index].recordingID == kept.recordingID
    }
    return DuplicateGroup(kind: .sameRecording, members: [kept] + members)
  }

  /// Where each file begins in the first one, in seconds.
  private func offsets(of members: [DuplicateGroup.Member], _ beginnings: Beginnings) -> [Double?] {
    let offsets = beginnings.offsets(from: members[0].recordingID)
    return members.map { offsets[$0.recordingID] }
  }

  /// A pair for every two recordings that have sound in common, whatever copies there are of each, between the files that are
  /// kept.
  private func pairs(
    _ relations: [SoundRelation], _ ids: [ContentHash: Int64], _ sets: SameRecordings, _ beginnings: Beginnings
  ) throws -> [DuplicateGroup] {
    let copies = Dictionary(uniqueKeysWithValues: sets.all.compactMap { set in set.min().map { ($0, set) } })
    var known: [Int64: DuplicateGroup.Member?] = [:]
    func kept(_ representative: Int64) throws -> DuplicateGroup.Member? {
      if let member = known[representative] { return member }
      let member = try self.kept(of: copies[representative] ?? [representative], beginnings)
      known[representative] = .some(member)
      return member
    }
    var best: [[Int64]: (relation: SoundRelation, rank: (Int, Int), first: Int64, second: Int64)] = [:]
    for relation in relations where relation.kind != .sameRecording {
      guard let first = ids[relation.first], let second = ids[relation.second], !sets.areUnited(first, second) else {
        continue
      }
      let ends = [sets.representative(of: first), sets.representative(of: second)]
      guard let one = try kept(ends[0]), let other = try kept(ends[1]),
        chosen.map({ chosen in ends.contains { !chosen.isDisjoint(with: copies[$0] ?? [$0]) } }) ?? true
      else { continue }
      let isDirect = one.recordingID == first && other.recordingID == second
      let rank = (isDirect ? 1 : 0, Self.common(relation).count)
      if let other = best[ends.sorted()], other.rank >= rank { continue }
      best[ends.sorted()] = (relation, rank, first, second)
    }
    return try best.values.compactMap { relation, _, first, second in
      guard let one = try kept(sets.representative(of: first)), let other = try kept(sets.representative(of: second))
      else { return nil }
      // The kept ones may begin elsewhere than the two that were compared.
      let offset =
        Double(relation.alignment.offset) / Landmarks.columnsPerSecond
        + (beginnings.offsets(from: one.recordingID)[first] ?? 0)
        - (beginnings.offsets(from: other.recordingID)[second] ?? 0)
      let isFirstLonger = one.quality.durationInSeconds >= other.quality.durationInSeconds
      return DuplicateGroup(
        kind: relation.kind, members: isFirstLonger ? [one, other] : [other, one],
        offsetInSeconds: isFirstLonger ? offset : -offset,
        commonSeconds: Double(Self.common(relation).count) / Landmarks.columnsPerSecond)
    }
  }

  private static func common(_ relation: SoundRelation) -> Range<Int32> {
    relation.kind == .sharesSample ? relation.alignment.same : relation.alignment.overlap
  }

  /// The file that is kept of recordings that are the same; nil if no file is present.
  private func kept(of recordingIDs: Set<Int64>, _ beginnings: Beginnings) throws -> DuplicateGroup.Member? {
    if var member = try group(recordingIDs, beginnings)?.members.first {
      member.offsetInSeconds = nil
      return member
    }
    return try recordingIDs.sorted().flatMap { try members($0) }.first
  }

  /// The present files of a recording.
  private func members(_ id: Int64) throws -> [DuplicateGroup.Member] {
    guard let recording = try store.recordings.recording(id: id) else { return [] }
    let measures = try store.products.measures(ofRecording: id)
    return try store.files.all(ofRecording: id).filter { $0.missingSince == nil }.map { file in
      DuplicateGroup.Member(
        recordingID: id, hash: recording.hash, file: file, quality: CopyQuality(file, recording, measures))
    }
  }
}

extension SoundRelation.Kind {
  fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// Where recordings that are the same begin in each other.
private struct Beginnings {
  /// What is nearer is one place: half of it is the precision of a peak.
  private static let tolerance: Int32 = 1

  /// By recording: others, and the column of it at which they begin.
  private var links: [Int64: [(id: Int64, column: Int32)]] = [:]

  init(_ relations: [SoundRelation], ids: [ContentHash: Int64]) {
    for relation in relations where relation.kind == .sameRecording {
      guard let first = ids[relation.first], let second = ids[relation.second] else { continue }
      let offset = relation.alignment.offset
      let column = abs(offset) <= Self.tolerance ? 0 : offset
      links[first, default: []].append((second, column))
      links[second, default: []].append((first, -column))
    }
  }

  /// Where each recording that is linked to one begins in it, in seconds; over others if there is no direct link.
  func offsets(from id: Int64) -> [Int64: Double] {
    var columns: [Int64: Int32] = [id: 0]
    var open = [id]
    while let next = open.popLast(), let start = columns[next] {
      for link in links[next] ?? [] where columns[link.id] == nil {
        columns[link.id] = start + link.column
        open.append(link.id)
      }
    }
    return columns.mapValues { Double($0) / Landmarks.columnsPerSecond }
  }
}
