/// A place of a queue: a recording, or a part of it.
package struct QueueEntry: Hashable, Sendable {
  /// What changes name it by: 1 to 2^53 − 1, chosen at random by who adds it.
  package var id: Int64
  package var recordingID: Int64
  /// The number of the part that is heard; nil for all of it.
  package var part: Int?
  /// Its place while nothing is shuffled; nil for what was asked for by itself.
  package var rank: Int?
  /// The copy that it is shown as; nil for the first file of the recording.
  package var fileID: Int64?

  package static let largestID: Int64 = 1 << 53 - 1

  package init(id: Int64, recordingID: Int64, part: Int? = nil, rank: Int? = nil, fileID: Int64? = nil) {
    self.id = id
    self.recordingID = recordingID
    self.part = part
    self.rank = rank
    self.fileID = fileID
  }
}

/// A change of a queue, which names entries by their ids, so that it also fits a later version than the one its author has seen.
///
/// What it names and is gone is passed over. What is to stand behind an entry that is gone stands behind the current one, or
/// last if there is none. `web/player/queue-changes.js` does the same, and both are tested with `fixtures/queue/changes.json`.
package enum QueueChange: Hashable, Sendable {
  /// Adds entries; those with the id of one that is there are left out.
  case insert([QueueEntry], behind: Anchor)
  /// Puts entries behind each other, in the order in which they are named.
  case move([Int64], behind: Anchor)
  /// Removes entries. If the current one is among them, the next one that stays is current, at its start.
  case remove([Int64])
  /// Takes the place of all entries; the queue that was there becomes the former one.
  case replace([QueueEntry], currentID: Int64?, positionInMilliseconds: Int64, source: String?)
  /// Says where one is.
  case place(Int64, positionInMilliseconds: Int64)
  /// Says what goes on behind the last entry.
  case source(String?)
  /// The former queue and this one change places.
  case restore

  package enum Anchor: Hashable, Sendable {
    case start
    case entry(Int64)
  }

  /// Changes that are made together, once.
  package struct Edit: Sendable {
    /// 16 random bytes.
    package var id: [UInt8]
    package var changes: [QueueChange]
    /// The name of the client.
    package var client: String

    package init(id: [UInt8], changes: [QueueChange], client: String) {
      self.id = id
      self.changes = changes
      self.client = client
    }
  }
}

extension StoredQueue {
  /// Makes a change; ``QueueChange/restore`` needs the former queue, and changes nothing here.
  package mutating func apply(_ change: QueueChange) {
    switch change {
    case .insert(let added, let anchor):
      var known = Set(entries.map(\.id))
      let fresh = added.filter { known.insert($0.id).inserted }
      entries.insert(contentsOf: fresh, at: index(behind: anchor))
    case .move(let ids, let anchor):
      let byID = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
      var seen: Set<Int64> = []
      let moved = ids.filter { seen.insert($0).inserted }.compactMap { byID[$0] }
      entries.removeAll { seen.contains($0.id) }
      entries.insert(contentsOf: moved, at: index(behind: anchor))
    case .remove(let ids):
      let gone = Set(ids)
      if let place, gone.contains(entries[place].id) {
        currentID = entries[place...].first { !gone.contains($0.id) }?.id
        positionInMilliseconds = 0
      }
      entries.removeAll { gone.contains($0.id) }
    case .replace(let added, let id, let position, let source):
      var known: Set<Int64> = []
      entries = added.filter { known.insert($0.id).inserted }
      currentID = id.flatMap { known.contains($0) ? $0 : nil }
      positionInMilliseconds = currentID == nil ? 0 : position
      self.source = source
    case .place(let id, let position):
      guard entries.contains(where: { $0.id == id }) else { return }
      currentID = id
      positionInMilliseconds = position
    case .source(let source): self.source = source
    case .restore: break
    }
  }

  private func index(behind anchor: QueueChange.Anchor) -> Int {
    guard case .entry(let id) = anchor else { return 0 }
    let index = entries.firstIndex { $0.id == id } ?? place
    return index.map { $0 + 1 } ?? entries.count
  }
}
