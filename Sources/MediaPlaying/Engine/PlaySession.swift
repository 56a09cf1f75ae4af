package import Base

/// What was played last, and how far, so that it can go on.
package struct PlaySession: Hashable, Sendable {
  /// The path of the library, whose ids these are.
  package var library: String
  package var items: [PlayItem]
  package var place: Int
  package var seconds: Double
  package var volume: Double

  package init(library: String, items: [PlayItem], place: Int, seconds: Double, volume: Double) {
    self.library = library
    self.items = items
    self.place = place
    self.seconds = seconds
    self.volume = volume
  }

  package var document: JSONValue {
    .object([
      "schema": .integer(1), "library": .string(library),
      "tracks": .array(
        items.map { .string($0.part.map { [item = $0] part in "\(item.recordingID)#\(part)" } ?? "\($0.recordingID)") }),
      "place": .integer(place), "seconds": .number(seconds), "volume": .number(volume),
    ])
  }

  package init(json bytes: [UInt8]) throws(PlayingError) {
    let document: JSONValue
    do { document = try JSONValue(parsing: bytes) } catch { throw .badSession(reason: "\(error)") }
    let words = (document["tracks"]?.array ?? []).map { $0.string ?? "" }
    let items = words.compactMap { word -> PlayItem? in
      let parts = word.split(separator: "#", omittingEmptySubsequences: false)
      guard let id = Int64(parts.first ?? ""), parts.count == 1 || Int(parts[1]) != nil else { return nil }
      return PlayItem(id, part: parts.count == 1 ? nil : Int(parts[1]))
    }
    guard !items.isEmpty, items.count == words.count else { throw .badSession(reason: "it names no tracks") }
    let place = document["place"]?.double.flatMap { Int(exactly: $0) } ?? 0
    guard items.indices.contains(place) else { throw .badSession(reason: "it has no track \(place)") }
    let seconds = document["seconds"]?.double ?? 0
    self.init(
      library: document["library"]?.string ?? "", items: items, place: place,
      seconds: seconds.isFinite ? max(0, seconds) : 0,
      volume: min(max(document["volume"]?.double ?? 1, 0), 1))
  }
}
