/// The file formats in which presets are exchanged.
package enum PresetFormat: String, CaseIterable, Hashable, Sendable {
  /// Our own: everything that a preset is.
  case json
  /// The configuration of Equalizer APO.
  case apo
  /// AutoEq's three files.
  case autoEQParametric = "autoeq-parametric"
  case autoEQGraphic = "autoeq-graphic"
  case autoEQFixed = "autoeq-fixed"
  /// One preset of Winamp (`.eqf`), and its library (`winamp.q1`).
  case winamp = "eqf"
  case winampLibrary = "q1"
  /// The library of XMMS and Audacious (`eq.preset`), and a file of one preset.
  case audaciousLibrary = "eq-preset"
  case audacious
  /// Lines of `vlcrc`, or options as they are typed.
  case vlc
  case easyEffects = "easyeffects"
  /// A file for PipeWire's `param_eq`, and a configuration that holds its filters.
  case pipeWireFile = "pipewire-file"
  case pipeWire = "pipewire"
  case rockbox

  /// Usual ending of a file's name, without the dot.
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
    }
  }

  /// Whether a file has bands of a number and kind that may be chosen.
  package var hasFreeBands: Bool {
    switch self {
    case .apo, .autoEQParametric, .pipeWireFile, .easyEffects, .pipeWire, .rockbox: true
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

  /// For people.
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
    }
  }
}

extension PresetFormat {
  /// What a file of this name is usually; nil for endings that say nothing.
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
      default: Self.allCases.first { name.hasSuffix("." + $0.fileExtension) && $0 != .audaciousLibrary }
      }
    guard let format else { return nil }
    self = format
  }
}
