package import Base

/// A CUE sheet: which tracks lie where in which files.
///
/// Read as programs and people write it rather than as the appendix of CDRWIN's manual defines it: commands in any case
/// and without a blank behind them, names in any quotation marks or none, full-width digits, minutes beyond 99, unknown
/// commands.
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
    /// The number of the index where it begins.
    fileprivate var index: Int?
  }

  /// A line that could not be read as it stands.
  package struct Fault: Hashable, Sendable, CustomStringConvertible {
    /// From 1.
    package var line: Int
    package var reason: String

    package init(line: Int, reason: String) {
      self.line = line
      self.reason = reason
    }

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
  /// The lines on which ``files`` stand, from 1.
  package private(set) var fileLines: [Int] = []
  package private(set) var tracks: [Track] = []
  /// The encoding as which the sheet was read, if that is a guess.
  package private(set) var guessedEncoding: TextEncoding?
  /// What was read in another way than it is written, or not at all; at most ``maximumFaultCount``.
  package private(set) var faults: [Fault] = []
  /// The tracks that begin in each file: places in ``tracks``.
  private var tracksOfFiles: [Int: [Int]] = [:]
  private var hasOddPlaces = false

  package init(_ text: String) {
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      var words = Words(line)
      guard let command = words.command() else { continue }
      // One more than are kept, so that the list notices.
      if command == "TRACK", tracks.count > PartList.maximumCount { break }
      read(command, &words, at: index + 1)
    }
    for track in tracks where track.start == nil {
      oddPlace(at: track.line, "track \(track.number) has no position; left out")
    }
    if tracks.isEmpty { fault(at: 1, "the sheet has no TRACK") }
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

  private mutating func oddPlace(at line: Int, _ reason: @autoclosure () -> String) {
    hasOddPlaces = true
    fault(at: line, reason())
  }

  private mutating func read(_ command: String, _ words: inout Words, at line: Int) {
    switch command {
    case "FILE":
      guard files.count <= PartList.maximumCount else { return }
      files.append(words.name)
      fileLines.append(line)
    case "TRACK": readTrack(&words, at: line)
    case "INDEX": readIndex(&words, at: line)
    case "TITLE": set(\.title, words.rest)
    case "PERFORMER": set(\.artist, words.rest)
    case "SONGWRITER": set(\.songwriter, words.rest)
    case "ISRC": set(\.isrc, words.rest)
    case "REM":
      switch words.command() {
      case "GENRE": set(\.genre, words.rest)
      case "DATE": set(\.date, words.rest)
      default: break
      }
    // PREGAP and POSTGAP are silence that is in no file; what else there is says nothing about places and names.
    default: break
    }
  }

  /// A track of another type than those of CDRWIN is sound: a sheet beside sound describes sound.
  private mutating func readTrack(_ words: inout Words, at line: Int) {
    var types: [String] = []
    var number: Int?
    while let word = words.next() {
      let text = Words.bare(word)
      if number == nil, types.isEmpty, let own = Int(text) { number = own } else { types.append(text.uppercased()) }
    }
    let isData = types.contains { type in ["MODE", "CDI", "CDG"].contains { type.hasPrefix($0) } }
    if !isData, !types.isEmpty, !types.contains("AUDIO") {
      let type = types.joined(separator: " ").limited(toScalarCount: 40)
      fault(at: line, "\"\(type)\" is not a track type; read as AUDIO")
    }
    tracks.append(Track(number: number ?? tracks.count + 1, isAudio: !isData, line: line))
  }

  /// INDEX 00 is the gap before a track and belongs to the previous one; others than 01 are marks within the track.
  private mutating func readIndex(_ words: inout Words, at line: Int) {
    guard let last = tracks.indices.last else { return fault(at: line, "an INDEX before the first TRACK") }
    guard let number = words.next().flatMap({ Int(Words.bare($0)) }), number >= 0 else {
      return oddPlace(at: line, "an INDEX without a number")
    }
    func rank(_ index: Int?) -> Int { index.map { $0 == 0 ? Int.max - 1 : $0 } ?? Int.max }
    guard rank(number) < rank(tracks[last].index) else { return }
    let text = words.next() ?? ""
    guard let time = Self.time(text) else {
      return oddPlace(at: line, "\"\(text.limited(toScalarCount: 40))\" is not a time")
    }
    if time.isUnusual {
      oddPlace(at: line, "\(text.limited(toScalarCount: 40)) is read as \(Self.seconds(time.frame)) s")
    }
    tracks[last].start = time.frame
    tracks[last].index = number
    tracks[last].fileIndex = files.isEmpty ? nil : files.count - 1
  }

  private mutating func set(_ path: WritableKeyPath<PartTags, String?>, _ text: String) {
    let text = PartTags.tidied(text)
    if let last = tracks.indices.last { tracks[last].tags[keyPath: path] = text } else { tags[keyPath: path] = text }
  }

  /// A place in 75ths of a second of `mm:ss:ff`; nil if the text is no time.
  ///
  /// Minutes and seconds may be of any size. Programs that do not count frames write `mm:ss`, or hours before the minutes if
  /// there are four numbers. Of more than 74 frames, two digits must be hundredths of a second, three thousandths. Of
  /// three numbers, all colons may be the same other sign.
  ///
  /// - Returns: also whether it is unusual, so that one should know how it was read.
  static func time(_ text: Substring) -> (frame: Int64, isUnusual: Bool)? {
    var text = Words.bare(text)
    if text.first == "+" { text.removeFirst() }
    let signs = Set(text.filter { !$0.isNumber })
    let isSeparatedOddly = signs.count == 1 && signs.isSubset(of: [".", ";", ",", "-", "/", "_", "'"])
    let parts = text.split(separator: isSeparatedOddly ? signs.first ?? ":" : ":", omittingEmptySubsequences: false)
    guard !isSeparatedOddly || parts.count == 3 else { return nil }
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
    return (whole * framesPerSecond + rest, parts.count != 3 || !isCounted || isSeparatedOddly)
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
    return PartList(marks, from: source, notes: hasOddPlaces ? [PartList.oddPlacesNote] : [])
  }

  /// Whether tracks of sound begin in a file of the sheet; without any FILE line, in the first.
  package func hasSound(inFile index: Int) -> Bool {
    tracksOfFiles[index]?.contains { tracks[$0].isAudio && tracks[$0].start != nil } ?? false
  }
}

extension CueSheet {
  /// The words of a line, some of which stand in quotation marks.
  private struct Words {
    private var text: Substring

    init(_ line: Substring) { text = line.drop { $0.isWhitespace || $0 == "\u{FEFF}" || $0 == "\0" } }

    private static let commands: Set<String> = [
      "FILE", "TRACK", "INDEX", "TITLE", "PERFORMER", "SONGWRITER", "ISRC", "REM", "GENRE", "DATE",
    ]
    private static let quotationMarks: [(open: Character, close: Character)] = [
      ("\"", "\""), ("“", "”"), ("„", "“"), ("„", "”"), ("”", "”"), ("«", "»"), ("»", "«"), ("‘", "’"), ("＂", "＂"),
      ("'", "'"),
    ]

    /// The next word in capitals; of `TITLE"Two"`, `TRACK02` and `TITLE: Two` the command alone. nil at the end.
    mutating func command() -> String? {
      guard let word = next() else { return nil }
      let letters = word.prefix(while: \.isLetter)
      let name = Self.bare(letters).uppercased()
      guard letters.endIndex < word.endIndex, Self.commands.contains(name) else { return Self.bare(word).uppercased() }
      text = Substring(word[letters.endIndex...] + text)
      if text.first == ":" || text.first == "=" { text.removeFirst() }
      return name
    }

    /// A word without quotation marks around it and signs of punctuation behind it, in the forms of ASCII.
    static func bare(_ word: Substring) -> String {
      let isPlain = word.utf8.allSatisfy { 0x30...0x3A ~= $0 || 0x41...0x5A ~= $0 }
      if isPlain { return String(word) }
      let plain = String(word).inHalfWidth.map { "∶꞉".contains($0) ? ":" : $0 }
      func isMark(_ character: Character) -> Bool {
        quotationMarks.contains { character == $0.open || character == $0.close }
      }
      let inner = plain.drop(while: isMark).reversed().drop { isMark($0) || ";,.".contains($0) }
      return String(inner.reversed())
    }

    /// The next word; nil at the end.
    mutating func next() -> Substring? {
      text = text.drop(while: \.isWhitespace)
      guard !text.isEmpty else { return nil }
      let word = text.prefix { !$0.isWhitespace }
      text = text[word.endIndex...]
      return word
    }

    /// Everything up to the end of the line, without its outermost quotation marks and a comment behind them: there may be
    /// other marks in it, doubled or behind a backslash.
    var rest: String {
      let trimmed = String(text).withoutBlankEnds
      guard let quoted = Self.quoted(trimmed) else {
        return trimmed.first == "\"" && !trimmed.dropFirst().contains("\"") ? String(trimmed.dropFirst()) : trimmed
      }
      let isComment = [";", "#", "//"].contains { quoted.rest.hasPrefix($0) }
      guard quoted.rest.isEmpty || isComment else { return trimmed }
      guard trimmed.first == "\"" else { return quoted.inner }
      return quoted.inner.replacing("\\\"", with: "\"").replacing("\"\"", with: "\"")
    }

    /// The same without the last word, which is the type of a file. A word with a point is part of the name.
    var name: String {
      let trimmed = String(text).withoutBlankEnds
      if let quoted = Self.quoted(trimmed), trimmed.first == "\"" || !quoted.rest.contains(".") { return quoted.inner }
      let words = trimmed.split(whereSeparator: \.isWhitespace)
      var name = trimmed
      if words.count > 1, let type = words.last, !type.contains(".") {
        name = String(trimmed[..<type.startIndex]).withoutBlankEnds
      }
      return name.first == "\"" ? String(name.dropFirst()) : name
    }

    /// What stands between the quotation mark at the start and the last one that closes it, and what follows; nil if the
    /// text begins with none, or with an apostrophe.
    private static func quoted(_ text: String) -> (inner: String, rest: String)? {
      for (open, close) in quotationMarks where text.first == open {
        let inner = text.dropFirst()
        // Only those of ASCII stand within others of their kind.
        guard let end = open.isASCII ? inner.lastIndex(of: close) : inner.firstIndex(of: close) else { continue }
        if open == "'" {
          let isApostrophe = inner[..<end].indices.contains { index in
            inner[index] == "'" && !(index > inner.startIndex && inner[inner.index(before: index)].isLetter)
          }
          if isApostrophe { continue }
        }
        return (String(inner[..<end]), String(inner[inner.index(after: end)...]).withoutBlankEnds)
      }
      return nil
    }
  }
}
