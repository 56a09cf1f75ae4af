package import MediaModel

/// The presets of a file, and what of it could not be said.
package struct PresetImport: Sendable {
  /// A file of presets is small; what is larger is another thing.
  package static let maximumByteCount = 4 << 20

  /// Of presets in a library; Winamp's cannot hold more in so many bytes.
  private static let maximumCount = 20_000

  package let format: PresetFormat
  /// At least one; their names differ.
  package let presets: [Preset]
  package let notes: [ExchangeNote]

  /// - Parameters:
  ///   - format: nil for what content and name say.
  ///   - fileName: Without its folder; gives its name to a preset that has none.
  ///   - identity: As `find` would give it for the file itself, so that one that includes itself is noticed.
  ///   - maximumBandCount: For each curve that is fitted.
  ///   - find: Gives the files that the file names.
  /// - Throws: ``ExportError`` where no preset can be made of the file.
  package init(
    _ bytes: [UInt8], format: PresetFormat? = nil, fileName: String, identity: String? = nil,
    maximumBandCount: Int = 20,
    find: @escaping IncludedFile.Finder = { _, _ in nil }
  ) throws(ExportError) {
    guard bytes.count <= Self.maximumByteCount else {
      throw .preset(reason: "\(bytes.count) bytes are more than a preset has, which are \(Self.maximumByteCount)")
    }
    guard let format = format ?? PresetFormat.detect(bytes, fileName: fileName) else {
      throw .preset(reason: "this is no preset of a format that is known")
    }
    self.format = format
    var notes = ExchangeNotes()
    if format == .json {
      do throws(PresetError) { presets = [try Preset(json: bytes)] } catch {
        throw .preset(reason: error.description)
      }
    } else {
      let found = try Self.read(
        bytes, format: format, identity: identity, maximumBandCount: maximumBandCount, find: find, notes: &notes)
      do throws(PresetError) {
        presets = try Self.named(found, fileName: fileName, notes: &notes)
      } catch {
        throw .preset(reason: error.description)
      }
    }
    self.notes = notes.all
  }

  private static func read(
    _ bytes: [UInt8], format: PresetFormat, identity: String?, maximumBandCount: Int,
    find: @escaping IncludedFile.Finder, notes: inout ExchangeNotes
  ) throws(ExportError) -> [NamedEqualizer] {
    switch format {
    case .json: return []
    case .apo, .autoEQParametric, .autoEQGraphic, .autoEQFixed, .pipeWireFile:
      var reader = EqualizerAPOReader(notes: notes, identity: identity, find: find)
      reader.read(bytes)
      notes = reader.notes
      guard reader.commandCount > 0 else {
        throw .preset(reason: "the file holds no command of Equalizer APO")
      }
      reader.curves.fit(into: &reader.draft, maximumBandCount: maximumBandCount, notes: &notes)
      var equalizer = reader.draft.equalizer(notes: &notes)
      if let octaves = AutoEQFiles.withOctaveCenters(equalizer) {
        notes.add("ten bands an octave apart: their centres are 31.25 and 62.5 Hz, though whole numbers are printed")
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
    }
  }

  private static func named(
    _ found: [NamedEqualizer], fileName: String, notes: inout ExchangeNotes
  ) throws(PresetError) -> [Preset] {
    guard !found.isEmpty else { throw PresetError("the file holds no preset") }
    let fallback = try PresetName(fileName: fileName)
    guard found.count <= maximumCount else {
      throw PresetError("\(found.count) presets are more than a file may hold, which are \(maximumCount)")
    }
    var taken: Set<PresetName> = []
    // How often a name was wanted, so that the thousandth needs no thousand attempts.
    var counts: [PresetName: Int] = [:]
    var presets: [Preset] = []
    for item in found {
      var name = fallback
      if let text = item.name {
        if let own = try? PresetName(text) {
          name = own
        } else {
          notes.add("the name \(ExchangeNote.quoted(text)) cannot be one: \(fallback.text) is taken")
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
      if name != wanted { notes.add("there are several presets \(wanted.text): one becomes \(name.text)") }
      presets.append(Preset(name: name, chain: try EffectChain(equalizer: item.equalizer)))
    }
    return presets
  }
}
