internal import MediaModel

/// Finds all recordings of an index that have sound in common, without comparing each with each.
///
/// Keys of all recordings are sorted; recordings that share keys at the same distance are held against each other.
///
/// - Complexity: O(n log n) for n recordings, as long as copies are few: each key leads to a limited number of pairs.
package struct DuplicateSearch {
  private struct Place: Equatable {
    var value: UInt64
    var recording: Int32
    var column: Int32
  }

  /// A recording of the index, and its number among all of them.
  private struct Entry {
    var postingFile: Int
    var recording: Int
  }

  private struct Pair: Hashable {
    var first: Int32
    var second: Int32
  }

  /// Neighbours of a recording among those with the same key that it is compared with.
  private static let partnersOfKey = 24
  /// Shorter recordings, a minute and a half, have too few chosen keys: after another codec, few or none of them are left.
  private static let shortColumnCount: Int32 = 3_876

  private let index: SoundIndex

  package init(_ index: SoundIndex) { self.index = index }

  /// - Parameter onProgress: Is given the share that is done.
  package func relations(_ onProgress: (Double) throws -> Void = { _ in }) throws -> [SoundRelation] {
    let entries = index.postingFiles.enumerated().flatMap { number, postingFile in
      (0..<postingFile.recordingCount).filter { index.counts($0, ofPostingFile: number) }
        .map { Entry(postingFile: number, recording: $0) }
    }
    let candidates = Self.candidates(try places(entries, onProgress))
    var relations: [SoundRelation] = []
    var done = 0
    for (pair, distances) in candidates.sorted(by: { ($0.key.first, $0.key.second) < ($1.key.first, $1.key.second) }) {
      if let relation = try relation(entries[Int(pair.first)], entries[Int(pair.second)], distances) {
        relations.append(relation)
      }
      done += 1
      if done % 64 == 0 { try onProgress(0.5 + 0.5 * Double(done) / Double(candidates.count)) }
    }
    return relations
  }

  /// The keys by which recordings are compared, sorted: the chosen ones of each long recording, and all of each short one.
  ///
  /// A short recording may be a part of a long one, so long ones also have all keys that some short one has.
  private func places(_ entries: [Entry], _ onProgress: (Double) throws -> Void) throws -> [Place] {
    var places: [Place] = []
    var isShort = [Bool](repeating: false, count: entries.count)
    for (number, entry) in entries.enumerated() {
      let landmarks = try landmarks(of: entry)
      let all = CopyKey.all(of: landmarks)
      isShort[number] = landmarks.columnCount < Self.shortColumnCount
      for key in isShort[number] ? all : CopyKey.chosen(from: all) {
        places.append(Place(value: key.value, recording: Int32(number), column: key.column))
      }
      if number % 256 == 0 { try onProgress(0.3 * Double(number) / Double(entries.count)) }
    }
    let wanted = Set(places.filter { isShort[Int($0.recording)] }.map(\.value))
    if !wanted.isEmpty {
      for (number, entry) in entries.enumerated() where !isShort[number] {
        for key in CopyKey.all(of: try landmarks(of: entry)) where wanted.contains(key.value) {
          places.append(Place(value: key.value, recording: Int32(number), column: key.column))
        }
        if number % 256 == 0 { try onProgress(0.3 + 0.2 * Double(number) / Double(entries.count)) }
      }
    }
    places.sort { ($0.value, $0.recording, $0.column) < ($1.value, $1.recording, $1.column) }
    // A chosen key that a short recording has, too, came twice.
    var last: Place?
    return places.filter { place in
      defer { last = place }
      return place != last
    }
  }

  private func landmarks(of entry: Entry) throws -> Landmarks {
    try index.postingFiles[entry.postingFile].landmarks(entry.recording)
  }

  /// The pairs of recordings that share keys, with the distance of each shared key.
  private static func candidates(_ places: [Place]) -> [Pair: [Int32]] {
    var distances: [Pair: [Int32]] = [:]
    var start = 0
    while start < places.count {
      var end = start + 1
      while end < places.count, places[end].value == places[start].value { end += 1 }
      for index in start..<end {
        for other in index + 1..<max(index + 1, min(end, index + 1 + partnersOfKey))
        where places[other].recording != places[index].recording {
          let pair = Pair(first: places[index].recording, second: places[other].recording)
          distances[pair, default: []].append(places[index].column - places[other].column)
        }
      }
      start = end
    }
    return distances.filter { $0.value.count >= CommonDistances.leastVotes }
  }

  private func relation(
    _ first: Entry, _ second: Entry, _ distances: [Int32]
  ) throws -> SoundRelation? {
    SoundRelation.between(
      (hash(of: first), try landmarks(of: first)), (hash(of: second), try landmarks(of: second)), distances)
  }

  private func hash(of entry: Entry) -> ContentHash {
    index.postingFiles[entry.postingFile].recording(entry.recording).hash
  }
}
