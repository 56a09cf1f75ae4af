internal import MediaModel

extension PresetFormat {
  /// What a file is, by its content first and by its name where the content fits several; nil where nothing fits.
  package static func detect(_ bytes: [UInt8], fileName: String) -> PresetFormat? {
    if bytes.starts(with: WinampPresets.signature) {
      let isLibrary = fileName.lowercased().hasSuffix(".q1") || bytes.count >= 31 + 2 * 268
      return isLibrary ? .winampLibrary : .winamp
    }
    let lines = TextLines(Array(bytes.prefix(256 << 10))).lines
    if lines.first?.text.first == "{" {
      if let document = try? JSONValue(parsing: bytes) {
        let isEasyEffects = ["output", "input"].contains { document[$0]?.members != nil }
        return isEasyEffects ? .easyEffects : .json
      }
      return isPipeWire(lines) ? .pipeWire : fileName.lowercased().hasSuffix(".conf") ? .pipeWire : .json
    }
    let isAudacious = isAudacious(lines)
    for line in lines.prefix(10_000) {
      let text = line.text.lowercased()
      if text == "[presets]" || text.hasPrefix("[") && text.hasSuffix("]") && isAudacious {
        return lines.contains { $0.text == "[\(AudaciousPresets.listSection)]" } ? .audaciousLibrary : .audacious
      }
      if text.hasPrefix("eq ") && text.contains(":") { return .rockbox }
      if !VLCOptions.options(in: line.text).isEmpty { return .vlc }
    }
    if isPipeWire(lines) { return .pipeWire }
    return apoFormat(lines, fileName: fileName)
  }

  private static func isAudacious(_ lines: [TextLines.Line]) -> Bool {
    lines.contains { $0.text.lowercased().hasPrefix("band0") || $0.text.lowercased().hasPrefix("preamp=") }
  }

  private static func isPipeWire(_ lines: [TextLines.Line]) -> Bool {
    let marks = ["filter.graph", "param_eq", "label = bq_", "libpipewire-module", "equalizer.filepath"]
    return lines.contains { line in line.text.first != "#" && marks.contains { line.text.contains($0) } }
  }

  /// AutoEq's and PipeWire's files are parts of Equalizer APO's language: the smallest that holds all of a file's lines.
  private static func apoFormat(_ lines: [TextLines.Line], fileName: String) -> PresetFormat? {
    let settings = lines.filter { $0.text.first != "#" }.compactMap { SettingLine($0.text, separator: ":") }
    let known = ["preamp", "graphiceq", "include", "channel", "device", "copy", "delay", "convolution", "stage"]
    let names = settings.map { $0.name.lowercased() }
    guard names.contains(where: { $0.hasPrefix("filter") || known.contains($0) }) else { return nil }
    if names == ["graphiceq"] { return .autoEQGraphic }
    let isPlain = settings.enumerated().allSatisfy { index, setting in
      if index == 0 { return setting.name == "Preamp" }
      let words = setting.value.split(separator: " ")
      return setting.name.hasPrefix("Filter ") && words.count == 10 && words[0] == "ON"
        && ["PK", "LSC", "HSC"].contains(words[1])
    }
    guard isPlain, settings.count > 1 else { return .apo }
    let frequencies = settings.dropFirst().compactMap { DecimalText.parse(String($0.value.split(separator: " ")[3])) }
    let isFixed =
      frequencies == AutoEQFiles.fixedFrequencies && settings.dropFirst().allSatisfy { $0.value.hasSuffix("Q 1.41") }
    return isFixed ? .autoEQFixed : .autoEQParametric
  }
}
