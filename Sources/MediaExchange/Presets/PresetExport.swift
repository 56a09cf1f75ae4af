internal import Base
package import MediaModel

/// Presets as a file, with notes about everything that its format cannot hold.
package struct PresetExport: Sendable {
  package let bytes: [UInt8]
  package let notes: [ExchangeNote]
  /// Between the presets and the written file as this program reads it back; the largest if there are several presets.
  package let deviation: CurveDeviation

  /// - Parameter maximumBandCount: Limits the number of bands further than the format does.
  /// - Throws: ``ExchangeError`` for no preset, or several in a format that holds one.
  package init(_ presets: [Preset], as format: PresetFormat, maximumBandCount: Int? = nil) throws(ExchangeError) {
    guard let preset = presets.first, presets.count == 1 || format.isLibrary else {
      throw .wrongPresetCount(presets.count, format: format.title)
    }
    var notes = ExchangeNotes()
    if format != .json { for preset in presets { Self.noteEffects(of: preset, notes: &notes) } }
    let equalizer = preset.chain.equalizer
    func converted(_ profile: BandProfile) -> BandConversion {
      BandConversion(equalizer, to: profile, maximumBandCount: maximumBandCount, notes: &notes)
    }
    switch format {
    case .json:
      (bytes, deviation) = (Array((preset.document.prettyText + "\n").utf8), .none)
    case .apo:
      let result = converted(.apo)
      (bytes, deviation) = (EqualizerAPOWriter(preset, equalizer: result.equalizer).bytes, result.deviation)
    case .autoEQParametric, .pipeWireFile:
      let profile = format == .pipeWireFile ? BandProfile.pipeWireFile : .autoEQ
      let result = converted(profile)
      (bytes, deviation) = (AutoEQFiles.parametric(result.equalizer, profile: profile), result.deviation)
    case .autoEQGraphic: (bytes, deviation) = AutoEQFiles.graphic(equalizer, notes: &notes)
    case .autoEQFixed: (bytes, deviation) = AutoEQFiles.fixedBands(equalizer, notes: &notes)
    case .winamp, .winampLibrary:
      (bytes, deviation) = WinampPresets.write(presets, isLibrary: format.isLibrary, notes: &notes)
    case .audacious, .audaciousLibrary:
      (bytes, deviation) = AudaciousPresets.write(presets, isLibrary: format.isLibrary, notes: &notes)
    case .vlc: (bytes, deviation) = VLCOptions.write(preset, notes: &notes)
    case .easyEffects:
      let result = converted(.easyEffects)
      (bytes, deviation) = (EasyEffectsPreset.write(result.equalizer), result.deviation)
    case .pipeWire:
      let result = converted(.pipeWire)
      (bytes, deviation) = (PipeWireConfiguration.write(preset, equalizer: result.equalizer), result.deviation)
    case .camillaDSP:
      let result = converted(.camillaDSP)
      (bytes, deviation) = (CamillaDSPWriter.write(preset, equalizer: result.equalizer), result.deviation)
    case .rockbox:
      let result = converted(.rockbox)
      bytes = RockboxSettings.write(preset, equalizer: result.equalizer, notes: &notes)
      deviation = result.deviation
    }
    self.notes = notes.all
  }

  private static func noteEffects(of preset: Preset, notes: inout ExchangeNotes) {
    let chain = preset.chain
    let name = preset.name.text
    if chain.pitch != 0 {
      notes.add("\(name): the pitch of \(DecimalText.number(chain.pitch, places: 2)) cents cannot be written; left out")
    }
    if chain.rate != 1 {
      notes.add("\(name): the rate of \(DecimalText.number(chain.rate, places: 4)) cannot be written; left out")
    }
    if let reverberation = chain.reverberation {
      let mix = DecimalText.number(reverberation.mix, places: 1)
      notes.add("\(name): the reverb \(reverberation.room.rawValue) at \(mix) % cannot be written; left out")
    }
  }
}
