package import Base

/// A CUE sheet: which tracks lie where in which files.
///
/// Read as programs write it rather than as the appendix of CDRWIN's manual defines it: commands in any case, names with
/// or without quotation marks, minutes beyond 99, unknown commands.
package struct CueSheet: Hashable, Sendable {
  package struct Track: Hashable, Sendable {
    package var number: Int
    /// Whether it is sound, not data.
    package var isAudio: Bool
    package var tags = PartTags()
    /// INDEX 01 in 75ths of a second, or INDEX 00 if there is no other; nil if both are missing or no time.
    package var start: Int64?
    /// Of that index, in ``CueSheet/files``.
    package var fileIndex: Int?

    fileprivate var line: Int
    fileprivate var isGap = false
  }

  /// A line that could not be read as it stands.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var reason: String

    package var description: String { "line \(line): \(reason)" }
  }

  /// CD frames a second.
  package static let framesPerSecond: Int64 = 75
  /// A sheet that is longer is cut.
  package static let maximumByteCount = 1 << 20
  private static let maximumFaultCount = 20

  /// What the sheet says of all its tracks: `title` is that of the album.
  package private(set) var tags = PartTags()
  /// The names of the FILE lines, as they are written.
  package private(set) var files: [String] = []
  package private(set) var tracks: [Track] = []
  /// The encoding as which the sheet was read, if that is a guess.
  package private(set) var guessedEncoding: TextEncoding?
  /// What was read in another way than it is written, or not at all; at most ``maximumFaultCount``.
  package private(set) var faults: [Fault] = []
  /// The tracks that begin in each file: places in ``tracks``.
  private var tracksOfFiles: [Int: [Int]] = [:]

  package init(_ text: String) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var words = Words(line)
      guard let command = words.next()?.uppercased() else { continue }
      // One more than are kept, so that the list notices.
      if command == "TRACK", tracks.count > PartList.maximumCount { break }
      read(command, &words, at: index + 1)
    }
    for track in tracks where track.start == nil {
      fault(at: track.line, "track \(track.number) has no place; it is left out")
    }
    for index in tracks.indices { tracksOfFiles[tracks[index].fileIndex ?? 0, default: []].append(index) }
  }

  package init(bytes: [UInt8]) {
    let text = GuessedText(Array(bytes.prefix(Self.maximumByteCount)))
    self.init(text.text)
    guessedEncoding = text.isGuess ? text.encoding : nil
  }

  private mutating func fault(at line: Int, _ reason: @autoclosure () -> String) {
    guard faults.count < Self.maximumFaultCount else { return }
    faults.append(Fault(line: line, reason: reason()))
  }

  private mutating func read(_ command: String, _ words: inout Words, at line: Int) {
    switch command {
    case "FILE": if files.count <= PartList.maximumCount { files.append(words.name) }
    case "TRACK":
      let number = words.next().flatMap { Int($0) } ?? tracks.count + 1
      tracks.append(Track(number: number, isAudio: words.next()?.uppercased() ?? "AUDIO" == "AUDIO", line: line))
    case "INDEX": readIndex(&words, at: line)
    case "TITLE": set(\.title, words.rest)
    case "PERFORMER": set(\.artist, words.rest)
    case "SONGWRITER": set(\.songwriter, words.rest)
    case "ISRC": set(\.isrc, words.rest)
    case "REM":
      switch words.next()?.uppercased() {
      case "GENRE": set(\.genre, words.rest)
      case "DATE": set(\.date, words.rest)
      default: break
      }
    // PREGAP and POSTGAP are silence that is in no file; what else there is says nothing about places and names.
    default: break
    }
  }

  /// INDEX 00 is the gap before a track and belongs to the previous one.
  private mutating func readIndex(_ words: inout Words, at line: Int) {
    guard let last = tracks.indices.last else { return }
    guard let number = words.next().flatMap({ Int($0) }), number >= 0 else {
      return fault(at: line, "an INDEX without a number")
    }
    guard tracks[last].start == nil || tracks[last].isGap && number > 0 else { return }
    let text = words.next() ?? ""
    guard let time = Self.time(text) else {
      return fault(at: line, "\"\(text.limited(toScalarCount: 40))\" is no time")
    }
    if time.isUnusual { fault(at: line, "\(text) is read as \(Self.seconds(time.frame)) s") }
    tracks[last].start = time.frame
    tracks[last].isGap = number == 0
    tracks[last].fileIndex = files.isEmpty ? nil : files.count - 1
  }

  private mutating func set(_ path: WritableKeyPath<PartTags, String?>, _ text: String) {
    let text = PartTags.tidied(text)
    if let last = tracks.indices.last { tracks[last].tags[keyPath: path] = text } else { tags[keyPath: path] = text }
  }

  /// A place in 75ths of a second of `mm:ss:ff`; nil if the text is no time.
  ///
  /// Minutes and seconds may be of any size. Programs that do not count frames write `mm:ss`, or hours before the minutes if
  /// there are four numbers. Of more than 74 frames, two digits must be hundredths of a second, three thousandths.
  ///
  /// - Returns: also whether it is unusual, so that one should know how it was read.
  static func time(_ text: Substring) -> (frame: Int64, isUnusual: Bool)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...4).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.utf8.count <= 9 && $0.utf8.allSatisfy { 0x30...0x39 ~= $0 } })
    else { return nil }
    var numbers = parts.compactMap { Int64($0) }
    guard numbers.count == parts.count else { return nil }
    if parts.count == 2 { numbers.append(0) }
    let (frames, digits) = (numbers[numbers.count - 1], parts[parts.count - 1].utf8.count)
    let isCounted = frames < framesPerSecond
    guard isCounted || digits <= 3 else { return nil }
    let rest = isCounted ? frames : frames * framesPerSecond / (digits == 3 ? 1000 : 100)
    let whole = numbers.dropLast().reduce(0) { $0 * 60 + $1 }
    return (whole * framesPerSecond + rest, parts.count != 3 || !isCounted)
  }

  private static func seconds(_ frame: Int64) -> String {
    DecimalText.number(Double(frame) / Double(framesPerSecond), places: 2)
  }

  /// The tracks that begin in a file of the sheet; nil if there are none.
  ///
  /// A track without a performer has that of the sheet, and so on for genre, date and songwriter. A track of data ends
  /// the track before it. Places are rounded down to whole frames: at 44,100 Hz they are exact.
  package func parts(
    ofFile index: Int, sampleRateInHz rate: Int, from source: PartList.Source
  ) -> PartList? {
    var marks: [PartList.Mark] = []
    for track in (tracksOfFiles[index] ?? []).lazy.map({ tracks[$0] }) {
      guard let time = track.start,
        let start = FrameIndex.frame(atTick: time, ticksPerSecond: Self.framesPerSecond, rateInHz: rate)
      else { continue }
      guard track.isAudio else {
        if let last = marks.indices.last, marks[last].end == nil, marks[last].start < start { marks[last].end = start }
        continue
      }
      var own = track.tags
      own.artist = own.artist ?? tags.artist
      own.songwriter = own.songwriter ?? tags.songwriter
      own.genre = own.genre ?? tags.genre
      own.date = own.date ?? tags.date
      marks.append(PartList.Mark(start: start, tags: own))
    }
    return PartList(marks, from: source, notes: faults.isEmpty ? [] : [PartList.oddPlacesNote])
  }
}

extension CueSheet {
  /// The words of a line, some of which stand in quotation marks.
  private struct Words {
    private var text: Substring

    init(_ line: Substring) { text = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\0" } }

    /// The next word; nil at the end.
    mutating func next() -> Substring? {
      text = text.drop(while: \.isWhitespace)
      guard !text.isEmpty else { return nil }
      let word = text.prefix { !$0.isWhitespace }
      text = text[word.endIndex...]
      return word
    }

    /// Everything up to the end of the line, without its outermost quotation marks: there may be others in it.
    var rest: String { Self.unquoted(String(text).withoutBlankEnds) }

    /// The same without the last word, which is the type of a file.
    var name: String {
      let trimmed = String(text).withoutBlankEnds
      if let last = trimmed.lastIndex(of: "\""), trimmed.hasPrefix("\""), last > trimmed.startIndex {
        return Self.unquoted(String(trimmed[...last]))
      }
      let words = trimmed.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, let type = words.last else { return trimmed }
      return String(trimmed[..<type.startIndex]).withoutBlankEnds
    }

    private static func unquoted(_ text: String) -> String {
      guard text.hasPrefix("\"") else { return text }
      let inner = text.dropFirst()
      return String(inner.hasSuffix("\"") ? inner.dropLast() : inner)
    }
  }
}
