internal import Base
internal import LibraryTracks
internal import MediaModel
package import MediaStore
internal import SoundIndex

/// Which files of groups of one recording may be removed, each for a file that is kept and has every moment of its sound.
package struct RemovalPlan {
  package struct Removal: Sendable {
    package var kept: DuplicateGroup.Member
    package var removed: DuplicateGroup.Member
    /// In what the kept file is better, as part of a sentence; nil if both are equally good.
    package var reason: String?
  }

  /// A file that stays although another file of its group is kept.
  package struct LeftOut: Sendable {
    package var file: DuplicateGroup.Member
    /// What it was held against.
    package var kept: DuplicateGroup.Member
    package var refusal: CopyJudge.Refusal
    /// What exactly, as part of a sentence.
    package var detail: String?
  }

  /// In a group, files that stay are at most held against so many others: the effort must not grow with their square.
  private static let mostKept = 8

  package private(set) var removals: [Removal] = []
  package private(set) var leftOut: [LeftOut] = []

  /// - Parameter groups: those of other kinds are passed over.
  package init(
    _ groups: [DuplicateGroup], in store: MediaStore, _ options: CopyJudge.Options = CopyJudge.Options(),
    onShare: (Double) throws -> Void = { _ in }
  ) throws {
    let judge = CopyJudge(store, options)
    var albums = EditionCompleteness(store)
    for (index, group) in groups.enumerated() where group.kind == .sameRecording {
      let sets = Dictionary(grouping: group.members, by: \.quality.channelCount).sorted { $0.key > $1.key }
      for set in sets {
        let ordered = try Self.ordered(set.value, judge, &albums)
        if set.key != sets[0].key, let first = ordered.first {
          leftOut.append(LeftOut(file: first, kept: group.members[0], refusal: .channels, detail: nil))
        }
        try decide(ordered, judge)
      }
      try onShare(Double(index + 1) / Double(groups.count))
    }
    try protectAlbums(judge, &albums)
  }

  /// The order in which files are kept: the better one first; of equally good ones, that below a preferred folder, then that of a
  /// complete album, then that of the larger part of an album, then by path, those last that are called a copy.
  private static func ordered(
    _ members: [DuplicateGroup.Member], _ judge: CopyJudge, _ albums: inout EditionCompleteness
  ) throws -> [DuplicateGroup.Member] {
    var ranked: [(member: DuplicateGroup.Member, preference: Int, album: Int)] = []
    for member in members {
      let rank = try judge.labels(of: member).map { try albums.edition(of: $0)?.rank ?? 0 } ?? 0
      ranked.append((member, judge.preference(of: member), rank))
    }
    ranked.sort {
      ($0.preference, -$0.album) != ($1.preference, -$1.album)
        ? ($0.preference, -$0.album) < ($1.preference, -$1.album) : $0.member.pathOrder < $1.member.pathOrder
    }
    var rest = ranked.map(\.member)
    var ordered: [DuplicateGroup.Member] = []
    while !rest.isEmpty { ordered.append(rest.removeFirstBest()) }
    return ordered
  }

  private mutating func decide(_ ordered: [DuplicateGroup.Member], _ judge: CopyJudge) throws {
    var kept: [DuplicateGroup.Member] = []
    var refused: [Int64: LeftOut] = [:]
    var found: [Removal] = []
    func removal(_ member: DuplicateGroup.Member, for others: [DuplicateGroup.Member]) throws -> Removal? {
      for other in others.prefix(Self.mostKept) {
        switch try judge.verdict(keeping: other, removing: member) {
        case .removable(let reason): return Removal(kept: other, removed: member, reason: reason)
        case .refused(let refusal, let detail):
          if refused[member.file.id] == nil {
            refused[member.file.id] = LeftOut(file: member, kept: other, refusal: refusal, detail: detail)
          }
        }
      }
      return nil
    }
    for member in ordered {
      if let removal = try removal(member, for: kept) { found.append(removal) } else { kept.append(member) }
    }
    // A file that came first may lack what a later one has.
    for member in kept where kept.count > 1 {
      let others = kept.filter { $0.file.id != member.file.id }
      guard let own = try removal(member, for: others) else { continue }
      kept = others
      let orphans = found.filter { $0.kept.file.id == member.file.id }.map(\.removed)
      found.removeAll { $0.kept.file.id == member.file.id }
      found.append(own)
      for orphan in orphans {
        if let removal = try removal(orphan, for: kept) { found.append(removal) } else { kept.append(orphan) }
      }
    }
    removals += found
    leftOut += kept.compactMap { member in
      // The best file is nobody's copy, unless all others are refused.
      member.file.id == kept[0].file.id ? nil : refused[member.file.id]
    }
  }

  /// Leaves out what would break a complete album, unless the same album stays complete in the edition that is kept.
  private mutating func protectAlbums(_ judge: CopyJudge, _ albums: inout EditionCompleteness) throws {
    var editions: [(own: EditionCompleteness.Edition?, kept: EditionCompleteness.Edition?)] = []
    for removal in removals {
      func edition(_ member: DuplicateGroup.Member) throws -> EditionCompleteness.Edition? {
        guard let labels = try judge.labels(of: member) else { return nil }
        return try albums.edition(of: labels).flatMap { $0.isComplete ? $0 : nil }
      }
      let (own, kept) = (try edition(removal.removed), try edition(removal.kept))
      // Two files of one track in one folder are more than the album needs.
      let isSecondFile = try own?.key == kept?.key && Self.areOneTrack(removal, judge)
      editions.append((isSecondFile ? nil : own, kept))
    }
    var counts: [EditionCompleteness.Key: Int] = [:]
    for edition in editions { if let own = edition.own { counts[own.key, default: 0] += 1 } }
    var broken = Set(counts.keys)
    // Of two editions that would lose tracks to each other, the one that would lose fewer stays whole.
    for key in counts.keys.sorted(by: { (counts[$0] ?? 0, $0) < (counts[$1] ?? 0, $1) }) {
      let staysWhole = editions.contains { edition in
        guard let own = edition.own, own.key == key else { return false }
        guard let kept = edition.kept, kept.key.albumID == key.albumID, kept.trackCount >= own.trackCount else {
          return true
        }
        return broken.contains(kept.key)
      }
      if staysWhole { broken.remove(key) }
    }
    var allowed: [Removal] = []
    for (removal, edition) in zip(removals, editions) {
      if let own = edition.own, !broken.contains(own.key) {
        leftOut.append(LeftOut(file: removal.removed, kept: removal.kept, refusal: .album, detail: own.title))
      } else {
        allowed.append(removal)
      }
    }
    removals = allowed
  }

  private static func areOneTrack(_ removal: Removal, _ judge: CopyJudge) throws -> Bool {
    let (one, other) = (try judge.labels(of: removal.kept), try judge.labels(of: removal.removed))
    return one?.track == other?.track && (one?.disc ?? 1) == (other?.disc ?? 1)
  }
}

extension [DuplicateGroup.Member] {
  /// Takes out the file to keep before the others; of equal ones that is the first.
  fileprivate mutating func removeFirstBest() -> DuplicateGroup.Member {
    var best = 0
    for index in indices where self[index].quality.advantage(over: self[best].quality) != nil { best = index }
    return remove(at: best)
  }
}

extension DuplicateGroup {
  /// The group with the file first that a plan keeps: of equally good ones it also looks at albums and preferred folders.
  package func ordered(by plan: RemovalPlan) -> DuplicateGroup {
    guard kind == .sameRecording, let first = members.first,
      let removal = plan.removals.first(where: { $0.removed.file.id == first.file.id }),
      let place = members.firstIndex(where: { $0.file.id == removal.kept.file.id })
    else { return self }
    var copy = self
    var kept = copy.members.remove(at: place)
    kept.reason = nil
    kept.advantage = nil
    copy.members[0].reason = removal.reason
    for index in copy.members.indices {
      let member = copy.members[index]
      copy.members[index].isIdentical = member.recordingID == kept.recordingID
      copy.members[index].offsetInSeconds = member.offsetInSeconds.flatMap { own in
        kept.offsetInSeconds.map { own - $0 }
      }
    }
    kept.isIdentical = false
    kept.offsetInSeconds = kept.offsetInSeconds.map { _ in 0 }
    copy.members.insert(kept, at: 0)
    return copy
  }
}
