internal import Base
internal import MediaModel

/// The file formats in which presets are exchanged.
package enum PresetFormat: String, CaseIterable, Hashable, Sendable {
  /// Our own format, which holds everything that a preset has.
  case json
  /// The configuration of Equalizer APO.
  case apo
  /// The three files of AutoEq.
  case autoEQParametric = "autoeq-parametric"
  case autoEQGraphic = "autoeq-graphic"
  case autoEQFixed = "autoeq-fixed"
  /// One preset of Winamp (`.eqf`), and its preset library (`winamp.q1`).
  case winamp = "eqf"
  case winampLibrary = "q1"
  /// The preset library of XMMS and Audacious (`eq.preset`), and a file with one preset.
  case audaciousLibrary = "eq-preset"
  case audacious
  /// Lines of `vlcrc`, or options of a VLC command line.
  case vlc
  case easyEffects = "easyeffects"
  /// A file for PipeWire's `param_eq`, and a configuration that contains the filters.
  case pipeWireFile = "pipewire-file"
  case pipeWire = "pipewire"
  case rockbox
  /// Filters and pipeline of a configuration of CamillaDSP.
  case camillaDSP = "camilladsp"

  /// The usual file name extension, without the dot.
  package var fileExtension: String {
    switch self {
    case .json, .easyEffects: "json"
    case .apo, .autoEQParametric, .autoEQGraphic, .autoEQFixed, .pipeWireFile: "txt"
    case .winamp: "eqf"
    case .winampLibrary: "q1"
    case .audaciousLibrary, .audacious: "preset"
    case .vlc: "vlc"
    case .pipeWire: "conf"
    case .rockbox: "cfg"
    case .camillaDSP: "yml"
    }
  }

  /// Whether the number and shapes of the bands can be chosen.
  package var hasFreeBands: Bool {
    switch self {
    case .apo, .autoEQParametric, .pipeWireFile, .easyEffects, .pipeWire, .rockbox, .camillaDSP: true
    case .json, .autoEQGraphic, .autoEQFixed, .winamp, .winampLibrary, .audacious, .audaciousLibrary, .vlc: false
    }
  }

  /// Whether a file can hold several presets, each with its name.
  package var isLibrary: Bool {
    switch self {
    case .winampLibrary, .audaciousLibrary: true
    default: false
    }
  }

  /// The name in messages.
  package var title: String {
    switch self {
    case .json: "Deadwax JSON"
    case .apo: "Equalizer APO configuration"
    case .autoEQParametric: "AutoEq ParametricEQ.txt"
    case .autoEQGraphic: "AutoEq GraphicEQ.txt"
    case .autoEQFixed: "AutoEq FixedBandEQ.txt"
    case .winamp: "Winamp preset (.eqf)"
    case .winampLibrary: "Winamp preset library (.q1)"
    case .audaciousLibrary: "XMMS and Audacious library (eq.preset)"
    case .audacious: "Audacious preset"
    case .vlc: "VLC options"
    case .easyEffects: "EasyEffects preset"
    case .pipeWireFile: "PipeWire param_eq file"
    case .pipeWire: "PipeWire configuration"
    case .rockbox: "Rockbox .cfg"
    case .camillaDSP: "CamillaDSP configuration"
    }
  }
}

extension PresetFormat {
  /// The usual format of a file with this name; nil if the name says nothing about it.
  package init?(fileName: String) {
    let name = fileName.lowercased()
    let format: PresetFormat? =
      switch name {
      case _ where name.hasSuffix("parametriceq.txt"): .autoEQParametric
      case _ where name.hasSuffix("graphiceq.txt"): .autoEQGraphic
      case _ where name.hasSuffix("fixedbandeq.txt"): .autoEQFixed
      case "eq.preset": .audaciousLibrary
      case "vlcrc": .vlc
      case _ where name.hasSuffix(".txt"): .apo
      case _ where name.hasSuffix(".json"): .json
      case _ where name.hasSuffix(".yaml"): .camillaDSP
      default: Self.allCases.first { name.hasSuffix("." + $0.fileExtension) && $0 != .audaciousLibrary }
      }
    guard let format else { return nil }
    self = format
  }
}

extension PresetFormat {
  /// Recognizes the format by the content, and by the name if the content fits several formats; nil if no format fits.
  package static func detect(_ bytes: [UInt8], fileName: String) -> PresetFormat? {
    if bytes.starts(with: WinampPresets.signature) {
      let isLibrary = fileName.lowercased().hasSuffix(".q1") || bytes.count >= 31 + 2 * 268
      return isLibrary ? .winampLibrary : .winamp
    }
    let lines = TextLines(Array(bytes.prefix(256 << 10))).lines
    if lines.first?.text.first == "{" {
      if let document = try? JSONValue(parsing: PresetImport.plainText(bytes)) {
        let isEasyEffects = ["output", "input"].contains { document[$0]?.members != nil }
        if isEasyEffects { return .easyEffects }
        if isCamillaDSP(document) { return .camillaDSP }
        return isPipeWire(lines) && !Preset.resembles(document) ? .pipeWire : .json
      }
      if isPipeWire(lines) { return .pipeWire }
      if isCamillaDSP(bytes, fileName: fileName) { return .camillaDSP }
      return fileName.lowercased().hasSuffix(".conf") ? .pipeWire : .json
    }
    if isCamillaDSP(bytes, fileName: fileName) { return .camillaDSP }
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

  /// Other settings have a key like one of these, too: Peace, for example, has `PreAmp=`.
  private static func isAudacious(_ lines: [TextLines.Line]) -> Bool {
    lines.contains { $0.text.lowercased().hasPrefix("band0") }
      || lines.contains { $0.text.lowercased() == "[\(AudaciousPresets.singleSection.lowercased())]" }
      || lines.contains { $0.text == "[\(AudaciousPresets.listSection)]" }
  }

  private static func isCamillaDSP(_ document: JSONValue) -> Bool {
    document["filters"]?.members?.contains { filter in
      filter.value["parameters"]?.members != nil || camillaDSPTypes.contains(filter.value["type"]?.string ?? "")
    } ?? false
  }

  private static let camillaDSPTypes: Set<String> = ["Biquad", "BiquadCombo", "Gain", "Conv"]

  /// YAML in any of its styles. If it cannot be parsed, its words and the name of the file decide, so that the reason names
  /// the line.
  private static func isCamillaDSP(_ bytes: [UInt8], fileName: String) -> Bool {
    let text = String(decoding: PresetImport.plainText(bytes), as: UTF8.self)
    guard text.utf8.count <= PresetImport.maximumByteCount, text.contains("filters"),
      camillaDSPTypes.contains(where: text.contains)
    else { return false }
    do throws(YAMLDocument.Fault) { return isCamillaDSP(try YAMLDocument.parse(text)) } catch {
      let hasKey = text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("filters:") }
      return hasKey && [".yml", ".yaml"].contains { fileName.lowercased().hasSuffix($0) }
    }
  }

  private static func isPipeWire(_ lines: [TextLines.Line]) -> Bool {
    let marks = ["filter.graph", "param_eq", "label = bq_", "libpipewire-module", "equalizer.filepath"]
    return lines.contains { line in line.text.first != "#" && marks.contains { line.text.contains($0) } }
  }

  /// Files of AutoEq and PipeWire use subsets of Equalizer APO's language; finds the smallest subset that fits all
  /// lines.
  private static func apoFormat(_ lines: [TextLines.Line], fileName: String) -> PresetFormat? {
    let settings = lines.filter { $0.text.first != "#" }.compactMap { SettingLine($0.text, separator: ":") }
    let known = ["preamp", "graphiceq", "include", "channel", "device", "copy", "delay", "convolution", "stage"]
    let names = settings.map { $0.name.lowercased() }
    func isFilter(_ name: String) -> Bool {
      name.hasPrefix("filter") && name.dropFirst(6).allSatisfy { $0.isNumber || $0 == " " }
    }
    guard names.contains(where: { isFilter($0) || known.contains($0) }) else { return nil }
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
