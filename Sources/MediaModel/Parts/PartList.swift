internal import Base

/// What is known of a part besides its place.
package struct PartTags: Hashable, Sendable {
  package var title: String?
  package var artist: String?
  package var songwriter: String?
  package var genre: String?
  package var date: String?
  package var isrc: String?

  package init(title: String? = nil, artist: String? = nil) {
    self.title = title
    self.artist = artist
  }

  package static let columns: [(name: String, path: any WritableKeyPath<PartTags, String?> & Sendable)] = [
    ("title", \.title), ("artist", \.artist), ("songwriter", \.songwriter), ("genre", \.genre), ("date", \.date),
    ("isrc", \.isrc),
  ]

  private static let maximumLength = 1000
  /// One character may have any number of accents.
  private static let maximumByteCount = 4000

  /// Without white space at the ends and empty texts, and each at most 1,000 characters and 4,000 bytes long.
  var tidied: PartTags {
    var tidied = self
    for column in Self.columns { tidied[keyPath: column.path] = self[keyPath: column.path].flatMap(Self.tidied) }
    return tidied
  }

  /// A text as parts have it; nil if nothing is left. What is tidy already costs next to nothing.
  static func tidied(_ text: String) -> String? {
    let whole = (text.utf8.contains(0) ? text.filter { $0 != "\0" } : text).withoutBlankEnds
    guard whole.utf8.count > maximumLength else { return whole.isEmpty ? nil : whole }
    let cut = whole.prefix(maximumLength)
    guard cut.utf8.count > maximumByteCount else { return String(cut) }
    var byteCount = 0
    return String(
      String.UnicodeScalarView(
        cut.unicodeScalars.prefix { scalar in
          byteCount += UTF8.width(scalar)
          return byteCount <= maximumByteCount
        }))
  }

  fileprivate var byteCount: Int { Self.columns.reduce(0) { $0 + (self[keyPath: $1.path]?.utf8.count ?? 0) } }
}

/// A part of a recording: a chapter, or a track of a CUE sheet.
package struct Part: Hashable, Sendable {
  /// Of the recording as its file trims it.
  package var frames: Range<Int64>
  package var tags: PartTags

  package init(frames: Range<Int64>, tags: PartTags = PartTags()) {
    self.frames = frames
    self.tags = tags
  }
}

/// The parts of a file in the order of their frames. They do not overlap; there may be gaps between them.
package struct PartList: Hashable, Sendable {
  /// Where parts are described; the raw values are stored.
  package enum Source: String, CaseIterable, Sendable {
    /// A `.cue` file beside the sound file.
    case sheetFile = "cue-file"
    /// A CUE sheet in a tag.
    case sheetTag = "cue-tag"
    /// The CUESHEET block of FLAC.
    case flac = "flac-cuesheet"
    /// The text track of an MP4 file.
    case textTrack = "mp4-chapters"
    case nero = "nero-chapters"
    case id3 = "id3-chapters"
    /// Vorbis comments `CHAPTER001` and so on.
    case comments = "vorbis-chapters"
    case matroska = "matroska-chapters"
  }

  /// A part as its source describes it.
  package struct Mark: Hashable, Sendable {
    package var start: Int64
    /// nil if the next one ends it, or the end of the recording.
    package var end: Int64?
    package var tags: PartTags

    package init(start: Int64, end: Int64? = nil, tags: PartTags = PartTags()) {
      self.start = start
      self.end = end
      self.tags = tags
    }
  }

  package static let maximumCount = 4096
  /// Of the texts of all parts together: what a sheet says once may be true of each of its tracks.
  package static let maximumTextByteCount = 1 << 20

  /// Remarks about a source that is not as expected; they become notes of the file.
  package static let overlapNote = "overlapping-parts"
  package static let impossibleNote = "impossible-parts"
  package static let beyondEndNote = "parts-beyond-end"
  package static let tooManyNote = "too-many-parts"
  package static let tooMuchTextNote = "too-much-part-text"
  package static let oddPlacesNote = "odd-part-places"

  package let source: Source
  /// The last one may end at `Int64.max` if the length of the recording is not known yet: see ``cut(toFrameCount:)``.
  package private(set) var parts: [Part]
  /// Each at most once, sorted.
  package private(set) var notes: [String]

  /// Puts marks in order. What lies before the start is left out, an end beyond the next start is cut to it, and so is
  /// what is more than ``maximumCount``. Parts behind ``maximumTextByteCount`` have no texts.
  ///
  /// nil if nothing is left.
  ///
  /// - Parameter found: notes about how the marks were read.
  package init?(_ marks: [Mark], from source: Source, notes found: Set<String> = []) {
    var notes = found
    var kept = marks.filter { $0.start >= 0 && $0.start < Int64.max }
    if kept.count < marks.count { notes.insert(Self.impossibleNote) }
    // Stable: of marks with one start the last one counts.
    kept = kept.enumerated().sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
    if kept.count > Self.maximumCount { notes.insert(Self.tooManyNote) }
    var parts: [Part] = []
    var textByteCount = 0
    for (index, mark) in kept.prefix(Self.maximumCount).enumerated() {
      let next = index + 1 < kept.count ? kept[index + 1].start : Int64.max
      let end = min(mark.end ?? next, next)
      if let own = mark.end, own > next || own <= mark.start { notes.insert(Self.overlapNote) }
      guard end > mark.start else {
        notes.insert(Self.overlapNote)
        continue
      }
      var part = Part(frames: mark.start..<end, tags: mark.tags.tidied)
      textByteCount += part.tags.byteCount
      if textByteCount > Self.maximumTextByteCount {
        part.tags = PartTags()
        notes.insert(Self.tooMuchTextNote)
      }
      parts.append(part)
    }
    guard !parts.isEmpty else { return nil }
    self.source = source
    self.parts = parts
    self.notes = notes.sorted()
  }

  /// The parts up to the end of the recording; nil if there is none, or only one, which is all of it.
  package func cut(toFrameCount count: Int64) -> PartList? {
    var list = self
    list.parts = parts.compactMap { part in
      guard part.frames.lowerBound < count else { return nil }
      return Part(frames: part.frames.lowerBound..<min(part.frames.upperBound, count), tags: part.tags)
    }
    // The last one may have no end of its own.
    let isCut = parts.contains {
      $0.frames.lowerBound >= count || $0.frames.upperBound > count && $0.frames.upperBound < .max
    }
    if isCut, !notes.contains(Self.beyondEndNote) { list.notes = (notes + [Self.beyondEndNote]).sorted() }
    guard let first = list.parts.first, list.parts.count > 1 || first.frames != 0..<count else { return nil }
    return list
  }

  /// The same parts with the titles and names of another list that describes as many.
  package func named(by other: PartList?) -> PartList {
    guard let other, other.parts.count == parts.count else { return self }
    var list = self
    for index in parts.indices {
      var tags = other.parts[index].tags
      tags.isrc = parts[index].tags.isrc ?? tags.isrc
      list.parts[index].tags = tags
    }
    return list
  }

  /// For a list that a worker sends: nil if its parts are not in order.
  package init?(checking parts: [Part], from source: Source, notes: [String]) {
    guard !parts.isEmpty, parts.count <= Self.maximumCount, parts[0].frames.lowerBound >= 0,
      parts.allSatisfy({ !$0.frames.isEmpty }),
      zip(parts, parts.dropFirst()).allSatisfy({ $0.frames.upperBound <= $1.frames.lowerBound })
    else { return nil }
    self.source = source
    self.parts = parts
    self.notes = notes
  }
}

extension FrameIndex {
  /// The frame at a time that is counted in ticks, rounded down; nil for times before 0 and beyond counting.
  package static func frame(atTick tick: Int64, ticksPerSecond: Int64, rateInHz rate: Int) -> Int64? {
    guard tick >= 0, (1...1 << 32).contains(ticksPerSecond), (1...1 << 24).contains(rate) else { return nil }
    let (seconds, rest) = tick.quotientAndRemainder(dividingBy: ticksPerSecond)
    let (frames, overflow) = seconds.multipliedReportingOverflow(by: Int64(rate))
    return overflow || frames > Int64.max / 2 ? nil : frames + rest * Int64(rate) / ticksPerSecond
  }
}
