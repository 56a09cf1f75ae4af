import Base
import LibraryScanning
import MediaModel
import QueryLanguage
import TestSupport

/// A made-up file, and whether it satisfies a condition by the plainest possible reading.
struct NaiveFile {
  var path: String
  var number: UInt64
  var values: [String: [String]] = [:]
  var numbers: [String: Double] = [:]
  var state = FileState.ok
  /// The file whose sound this one has too.
  var twin: UInt64?
  var hasTwin = false
  var hasArtwork = false
  /// The mean level of every band.
  var bandLevel: Double?

  static let titles = ["Été", "Slow Tide", "slow", "Tide (Live)", "100%_*", "A'B\"C", "STRASSE", "Straße", "日本", ""]
  static let artists = ["Nora Vale", "Beyoncé", "beyonce", "AC/DC", "Harbour Radio"]
  static let genres = ["Jazz", "Rock; Pop", "live"]
  static let folders = ["", "sub/", "sub/dir/", "Sub/Dir2/", "x/sub/dir/"]
  static let names = ["a.flac", "Ärger.mp3", "slow.ogg", "b-side.FLAC"]
  static let composers = [["Bach"], ["Clara Schumann", "Bach; J. S."], ["武満徹"], ["Ω mega"]]
  static let comments = [["ripped; with care"], ["line\nbreak"], ["nul\0l"], ["#1"]]
  static let moods = [["happy"], ["Sad", "120"], ["-7.02 dB"], ["3/12", "x"]]

  init(_ number: Int, using generator: inout RepeatableRandom) {
    func pick<Value>(_ choices: [Value]) -> Value { choices[Int.random(in: 0..<choices.count, using: &generator)] }
    func maybe() -> Bool { Int.random(in: 0..<3, using: &generator) > 0 }
    self.number = UInt64(number)
    path = pick(Self.folders) + "\(number)-" + pick(Self.names)
    if maybe() { values["title"] = [pick(Self.titles)] }
    if maybe() { values["artist"] = [pick(Self.artists)] }
    if maybe() { values["genre"] = [pick(Self.genres)] }
    if maybe() { values["mood"] = pick(Self.moods) }
    if maybe() { values["composer"] = pick(Self.composers) }
    if maybe() { values["comment"] = pick(Self.comments) }
    if maybe() { values["musicbrainz_trackid"] = [pick(["5b11f4ce", "A74B1B7F"])] }
    if maybe() { numbers["year"] = Double(Int.random(in: 1990...1999, using: &generator)) }
    if maybe() { numbers["rate"] = pick([8_000, 44_100, 48_000]) }
    numbers["size"] = Double(Int.random(in: 1...4, using: &generator)) * 500_000
    if maybe() { numbers["duration"] = pick([0.5, 30, 209.6, 210.2, 210.5, 3_600]) }
    if maybe() { numbers["rms"] = pick([-20.04, -20, -9.5, -3]) }
    if maybe() { numbers["lufs"] = pick([-23, -14.5, -14, -8.25]) }
    if maybe() { bandLevel = pick([-60, -31.25, -30, -12]) }
    hasArtwork = !maybe()
    state = pick([.ok, .ok, .damaged, .crashed])
  }

  /// Whether the file has a sound.
  var hasSound: Bool {
    numbers["rate"] != nil || numbers["duration"] != nil || numbers["rms"] != nil || numbers["lufs"] != nil
      || bandLevel != nil
  }

  /// Files of which every tenth with a sound has that of the one before, and all of its numbers.
  static func collection(_ count: Int, using generator: inout RepeatableRandom) -> [NaiveFile] {
    var files = (0..<count).map { NaiveFile($0, using: &generator) }
    for index in files.indices.dropFirst() where index.isMultiple(of: 10) && files[index - 1].hasSound {
      let other = files[index - 1]
      for name in ["rate", "duration", "rms", "lufs"] { files[index].numbers[name] = other.numbers[name] }
      files[index].bandLevel = other.bandLevel
      files[index].twin = other.number
      files[index].hasTwin = true
      files[index - 1].hasTwin = true
    }
    return files
  }

  var record: FileRecord {
    var extraction = Extraction(state: state)
    if hasSound {
      // A sound of its own for each file but for twins, so that their numbers stay apart.
      extraction.stream = StreamIdentity(hash: ContentHash(high: 1, low: twin ?? number), byteCount: 1)
      extraction.decoded = DecodedStream()
      // Lengths are counted in frames: a rate that is not asked for must not show.
      let rate = numbers["rate"].map { Int($0) }
      let frames = numbers["duration"].map { Int64(($0 * (numbers["rate"] ?? 1)).rounded()) }
      extraction.format = MediaFormat(container: .flac, sampleRateInHz: rate, decodedFrameCount: frames)
    }
    if numbers["rms"] != nil || numbers["lufs"] != nil {
      extraction.measures = Measures(rmsInDBFS: numbers["rms"], integratedLoudnessInLUFS: numbers["lufs"])
    }
    if let bandLevel {
      let levels = SpectrumSummary.Levels(
        meanInDB: Array(repeating: Float(bandLevel), count: 80), maximumInDB: Array(repeating: 0, count: 80))
      let spectrum = SpectrumSummary(
        sampleRateInHz: 44_100, mix: levels, channels: [],
        bins: SpectrumSummary.Levels(meanInDB: [], maximumInDB: []))
      extraction.products = [Product(kind: .spectrum, version: 2, parameters: "", bytes: spectrum.blob)]
    }
    if hasArtwork {
      extraction.artwork = [
        Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: ContentHash(high: 2, low: 1), bytes: [1])
      ]
    }
    var properties = values
    if let year = numbers["year"] { properties["date"] = [String(Int(year))] }
    extraction.tags = Sample.tags(
      Dictionary(uniqueKeysWithValues: properties.map { ($0.key.uppercased(), $0.value) }))
    var status = Sample.status()
    status.byteCount = Int64(numbers["size"] ?? 0)
    return FileRecord(
      rootID: 1, path: BytePath(path), status: status, extraction: extraction, extractorVersion: 1)
  }

  var absolutePath: BytePath { BytePath("/music/" + path) }

  func satisfies(_ condition: QueryCondition) -> Bool {
    switch condition {
    case .all(let parts): parts.allSatisfy(satisfies)
    case .any(let parts): parts.contains(where: satisfies)
    case .not(let inner): !satisfies(inner)
    case .word(let text):
      (["title", "artist", "genre", "filename"].flatMap(texts)).contains { TextFolding.fold($0).contains(text) }
        || text.isEmpty
    case .test(let field, let match): satisfies(field.name, match)
    }
  }

  private func texts(_ field: String) -> [String] {
    switch field {
    case "filename": [BytePath(path).lastComponent.displayString]
    case "path": ["/music/" + path]
    case "ext": [BytePath(path).pathExtension]
    case "state": [state.rawValue]
    case "bpm", "preset": []
    case "hash": hasSound ? ["0"] : []
    case "composer", "comment": values[field].map { [$0.joined(separator: "; ")] } ?? []
    case "is": (hasTwin ? ["duplicate-file"] : []) + (state == .damaged ? ["damaged"] : [])
    case "has": (hasArtwork ? ["artwork"] : []) + (numbers["lufs"] == nil ? [] : ["loudness"])
    default: (values[field] ?? []).filter { !$0.isEmpty }
    }
  }

  private func satisfies(_ field: String, _ match: QueryMatch) -> Bool {
    let texts = texts(field)
    switch match {
    case .contains(let text): return texts.contains { text.isEmpty || TextFolding.fold($0).contains(text) }
    case .equals(let text): return texts.contains { Self.isValue(text, of: $0, in: field) }
    case .equalsFolded(let text): return texts.contains { Self.isValue(text, of: TextFolding.fold($0), in: field) }
    case .matches(let regex): return texts.contains { regex.isFound(in: $0) }
    case .folder(let folder):
      let path = TextFolding.fold("/music/" + path) + "/"
      return folder.hasPrefix("/") ? path.hasPrefix(folder + "/") : path.contains("/" + folder + "/")
    case .below(let folder): return ("/music/" + path + "/").unicodeScalars.starts(with: folder.unicodeScalars)
    case .oneOf(let words): return texts.contains { words.contains($0) }
    case .number(let range):
      if field == "mood" { return texts.compactMap(WrittenNumber.leading).contains(where: range.contains) }
      // Without a rate there is no length.
      if field == "duration", numbers["rate"] == nil { return false }
      if field.hasPrefix("band(") { return bandLevel.map(range.contains) ?? false }
      guard let number = numbers[field] else { return false }
      let counted = field == "duration" ? (number * (numbers["rate"] ?? 1)).rounded() / (numbers["rate"] ?? 1) : number
      return range.contains(counted)
    case .date(let lower, let upper):
      guard let year = numbers["year"].map({ String(Int($0)) }) else { return false }
      return (lower.map { year >= $0 } ?? true) && (upper.map { year < $0 } ?? true)
    case .absent: return texts.isEmpty && numbers[field] == nil && !(field.hasPrefix("band(") && bandLevel != nil)
    }
  }

  /// Whether a text is all of a column, or one of the values that it joins, or some of them in a row.
  private static func isValue(_ text: String, of column: String, in field: String) -> Bool {
    func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
    guard ["title", "artist", "genre", "composer", "comment"].contains(field) else {
      return scalars(column) == scalars(text)
    }
    let values = scalars(column).split(separator: scalars("; "), omittingEmptySubsequences: false)
    return values.indices.contains { first in
      values.indices[first...].contains { last in
        Array(values[first...last].joined(separator: scalars("; "))) == scalars(text)
      }
    }
  }

  /// Whether this file comes before another in a list that is sorted by a number; those without one come last.
  func precedes(_ other: NaiveFile, by field: String, descending: Bool) -> Bool {
    switch (sorted(field), other.sorted(field)) {
    case (let mine?, let theirs?) where mine != theirs: descending ? mine > theirs : mine < theirs
    case (.some, nil): true
    case (nil, .some): false
    default: absolutePath < other.absolutePath
    }
  }

  private func sorted(_ field: String) -> Double? {
    if field == "duration" {
      guard let rate = numbers["rate"], let seconds = numbers["duration"] else { return nil }
      return (seconds * rate).rounded() / rate
    }
    return numbers[field]
  }
}
