internal import Base
package import MediaModel

/// The presets of a file, with notes about everything that a preset cannot hold.
package struct PresetImport: Sendable {
  /// Preset files are small; a larger file is something else.
  package static let maximumByteCount = 4 << 20

  /// The most presets in a library; a Winamp library of `maximumByteCount` bytes cannot hold more.
  private static let maximumCount = 20_000

  package let format: PresetFormat
  /// At least one; all names differ.
  package let presets: [Preset]
  package let notes: [ExchangeNote]

  /// - Parameters:
  ///   - format: nil to detect it by content and name.
  ///   - fileName: Without its folder; names a preset that has no name in the file.
  ///   - identity: The identity that `find` returns for this file, so that a file that includes itself is noticed.
  ///   - maximumBandCount: The most bands for each fitted curve.
  ///   - find: Returns the files that the file includes.
  /// - Throws: ``ExchangeError`` if the file holds no preset that can be read.
  package init(
    _ bytes: [UInt8], format: PresetFormat? = nil, fileName: String, identity: String? = nil,
    maximumBandCount: Int = 20,
    find: @escaping IncludedFile.Finder = { _, _ in nil }
  ) throws(ExchangeError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw .tooLarge(byteCount: bytes.count, limit: Self.maximumByteCount)
    }
    let isText = !bytes.starts(with: WinampPresets.signature)
    let text = isText ? Self.plainText(bytes) : bytes
    let detected = format ?? PresetFormat.detect(text, fileName: fileName)
    if format == nil, detected.map({ $0 == .json }) ?? true,
      let other = UnreadFormat(String(decoding: text, as: UTF8.self), fileName: fileName)
    {
      throw .unreadable("the file is a \(other.rawValue), which is not read")
    }
    if format == nil, detected == .json, let document = try? JSONValue(parsing: text), !Preset.resembles(document) {
      throw .unreadable("the file is JSON, but of no known program")
    }
    guard let format = detected else { throw .unreadable("the file is not a preset in a known format") }
    self.format = format
    var notes = ExchangeNotes()
    if format == .json {
      do throws(PresetError) { presets = [try Preset(json: text)] } catch {
        throw .unreadable(error.description)
      }
    } else {
      let found = try Self.read(
        text, format: format, identity: identity, maximumBandCount: maximumBandCount, find: find, notes: &notes)
      do throws(PresetError) {
        presets = try Self.named(found, fileName: fileName, notes: &notes)
      } catch {
        throw .unreadable(error.description)
      }
    }
    self.notes = notes.all
  }

  /// The bytes of a text as UTF-8 without a byte order mark, whatever its encoding.
  static func plainText(_ bytes: [UInt8]) -> [UInt8] { Array(GuessedText.decoded(bytes).utf8) }

  private static func read(
    _ bytes: [UInt8], format: PresetFormat, identity: String?, maximumBandCount: Int,
    find: @escaping IncludedFile.Finder, notes: inout ExchangeNotes
  ) throws(ExchangeError) -> [NamedEqualizer] {
    switch format {
    case .json: return []
    case .apo, .autoEQParametric, .autoEQGraphic, .autoEQFixed, .pipeWireFile:
      var reader = EqualizerAPOReader(notes: notes, identity: identity, find: find)
      reader.read(bytes)
      notes = reader.notes
      guard reader.commandCount > 0 else {
        throw .unreadable("the file has no Equalizer APO command")
      }
      reader.curves.fit(into: &reader.draft, maximumBandCount: maximumBandCount, notes: &notes)
      try reader.draft.requireContent(of: format.title)
      var equalizer = reader.draft.equalizer(notes: &notes)
      if let octaves = AutoEQFiles.withOctaveCenters(equalizer) {
        notes.add("ten bands one octave apart: the exact centres (31.25 Hz, 62.5 Hz, …) are used, not the rounded ones")
        equalizer = octaves
      }
      return [NamedEqualizer(name: nil, equalizer: equalizer)]
    case .winamp, .winampLibrary: return try WinampPresets.read(bytes, notes: &notes)
    case .audacious, .audaciousLibrary: return try AudaciousPresets.read(bytes, notes: &notes)
    case .vlc: return try VLCOptions.read(bytes, notes: &notes)
    case .easyEffects: return try EasyEffectsPreset.read(bytes, notes: &notes)
    case .pipeWire:
      var reader = PipeWireReader(notes: notes, find: find)
      defer { notes = reader.notes }
      return try reader.read(bytes)
    case .rockbox: return try RockboxSettings.read(bytes, notes: &notes)
    case .camillaDSP:
      var reader = CamillaDSPReader(notes: notes)
      defer { notes = reader.notes }
      return try reader.read(String(decoding: bytes, as: UTF8.self))
    }
  }

  private static func named(
    _ found: [NamedEqualizer], fileName: String, notes: inout ExchangeNotes
  ) throws(PresetError) -> [Preset] {
    guard !found.isEmpty else { throw PresetError("the file has no preset") }
    let fallback = try PresetName(fileName: fileName)
    guard found.count <= maximumCount else {
      throw PresetError("the file has \(found.count) presets; at most \(maximumCount) are read")
    }
    var taken: Set<PresetName> = []
    // How often each name occurred, so that the thousandth of one name needs no thousand attempts.
    var counts: [PresetName: Int] = [:]
    var presets: [Preset] = []
    for item in found {
      var name = fallback
      if let text = item.name {
        if let own = try? PresetName(text) {
          name = own
        } else {
          notes.add("the name \(ExchangeNote.quoted(text)) is not a valid preset name; \(fallback.text) is used")
        }
      }
      let wanted = name
      var number = counts[wanted, default: 0] + 1
      if number > 1 { name = try wanted.numbered(number) }
      while !taken.insert(name).inserted {
        number += 1
        name = try wanted.numbered(number)
      }
      counts[wanted] = number
      if name != wanted { notes.add("several presets are named \(wanted.text); one becomes \(name.text)") }
      presets.append(Preset(name: name, chain: try EffectChain(equalizer: item.equalizer)))
    }
    return presets
  }
}

extension PresetName {
  /// The name of a preset by its file: without the extension and the suffixes that AutoEq adds.
  init(fileName: String) throws(PresetError) {
    var stem = fileName[...]
    if let dot = stem.lastIndex(of: "."), dot > stem.startIndex { stem = stem[..<dot] }
    for suffix in [" ParametricEQ", " GraphicEQ", " FixedBandEQ"] where stem.hasSuffix(suffix) {
      stem = stem.dropLast(suffix.count)
    }
    let harmless = String(
      String.UnicodeScalarView(
        stem.unicodeScalars.map { $0.isControl ? "_" : $0 }))
    let isUsable = (try? PresetName(harmless)) != nil
    let short = String(harmless.unicodeScalars.prefix(Self.maximumLength / 2))
    try self.init(isUsable ? harmless : (try? PresetName(short)) != nil ? short : "Imported")
  }

  /// The name with a number appended.
  func numbered(_ number: Int) throws(PresetError) -> PresetName {
    let isShort = text.count + 12 <= Self.maximumLength
    let stem = isShort ? text : String(text.unicodeScalars.prefix(Self.maximumLength / 2))
    return try PresetName("\(stem) (\(number))")
  }
}
