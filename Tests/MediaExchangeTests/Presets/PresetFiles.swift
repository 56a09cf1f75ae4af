import Base
import Foundation
import MediaExchange
import MediaModel
import TestSupport

/// One small file of each format, with the values that its test expects.
enum PresetFiles {
  static let apo = """
    # warm desk speakers
    Preamp: -4.5 dB
    Filter 1: ON LSC Fc 105 Hz Gain 4.5 dB Q 0.70
    Filter 2: ON PK Fc 220 Hz Gain -2.4 dB Q 0.90
    Filter 3: ON PK Fc 2900 Hz Gain 3.6 dB Q 1.80
    Filter 4: ON HSC Fc 10000 Hz Gain -1.5 dB Q 0.70

    """

  static let autoEQFixed =
    "Preamp: -5.9 dB\n"
    + zip(
      [31, 62, 125, 250, 500, 1_000, 2_000, 4_000, 8_000, 16_000],
      [5.5, 0.3, -1.2, -2.0, 0.4, 1.1, -0.8, 2.9, 3.0, -6.1]
    )
    .enumerated().map { "Filter \($0.offset + 1): ON PK Fc \($0.element.0) Hz Gain \($0.element.1) dB Q 1.41\n" }
    .joined()

  static let autoEQGraphic =
    "GraphicEQ: " + made(seed: 1).map { "\(Int($0.frequency)) \($0.gain)" }.joined(separator: "; ")

  static let winamp: [UInt8] = {
    var bytes = Array("Winamp EQ library file v1.1".utf8) + [0x1A, 0x21, 0x2D, 0x2D]
    bytes += Array("Warm".utf8) + [UInt8](repeating: 0, count: 253)
    return bytes + [0x10, 0x15, 0x1A, 0x1F, 0x22, 0x25, 0x1F, 0x1D, 0x18, 0x18, 0x2A]
  }()

  static let audacious = """
    [Presets]
    Preset0=Warm
    [Warm]
    Preamp=-4
    Band0=6
    Band1=4
    Band2=2
    Band3=0
    Band4=-1
    Band5=-2
    Band6=0
    Band7=1
    Band8=3
    Band9=3

    """

  static let vlc = """
    # Bands gain (string)
    equalizer-bands=6 4 2 0 -1 -2 0 1 3 3
    equalizer-preamp=8

    """

  static let easyEffects = """
    {"output":{"blocklist":[],"plugins_order":["equalizer#0"],
     "equalizer#0":{"bypass":false,"input-gain":-4.5,"output-gain":0.0,"mode":"IIR","num-bands":2,"split-channels":false,
      "left":{"band0":{"type":"Lo-shelf","mode":"APO (DR)","slope":"x1","solo":false,"mute":false,"gain":4.5,"frequency":105.0,"q":0.7,"width":4.0},
              "band1":{"type":"Bell","mode":"APO (DR)","slope":"x1","solo":false,"mute":false,"gain":-2.4,"frequency":220.0,"q":0.9,"width":4.0}},
      "right":{"band0":{"type":"Lo-shelf","mode":"APO (DR)","slope":"x1","solo":false,"mute":false,"gain":4.5,"frequency":105.0,"q":0.7,"width":4.0},
               "band1":{"type":"Bell","mode":"APO (DR)","slope":"x1","solo":false,"mute":false,"gain":-2.4,"frequency":220.0,"q":0.9,"width":4.0}}}}}
    """

  static let pipeWire = """
    # A sink with an equalizer
    context.modules = [
      { name = libpipewire-module-filter-chain
        args = {
          node.description = "Desk speakers"
          filter.graph = {
            nodes = [
              { type = builtin name = eq label = param_eq
                config = { filters = [
                  { type = bq_highshelf freq = 0 gain = -4.5 q = 1.0 }
                  { type = bq_lowshelf freq = 105, gain = 4.5, q = 0.7 }
                  { type = bq_peaking freq = 220 gain = -2.4 q = 0.9 }
                ] } }
            ]
          }
        }
      }
    ]
    """

  static let camillaDSP = """
    filters:
      gain:
        type: Gain
        parameters:
          gain: -4.5
      low:
        type: Biquad
        parameters:
          type: Lowshelf
          freq: 105
          gain: 4.5
          q: 0.7
    pipeline:
      - type: Filter
        channels: [0, 1]
        names:
          - gain
          - low

    """

  static let rockbox = """
    eq enabled: on
    eq precut: 45
    eq filter 0: 105, 7, 45, LOW_SHELF
    eq filter 1: 220, 9, -24, PEAK
    eq filter 9: 10000, 7, -15, HIGH_SHELF

    """

  /// All of them, with the format that detection should find.
  static let all: [(format: PresetFormat, name: String, bytes: [UInt8])] = [
    (.autoEQParametric, "Desk ParametricEQ.txt", Array(apo.replacingHash.utf8)),
    (.apo, "config.txt", Array((apo + "Include: other.txt\n").utf8)),
    (.autoEQFixed, "Desk FixedBandEQ.txt", Array(autoEQFixed.utf8)),
    (.autoEQGraphic, "Desk GraphicEQ.txt", Array(autoEQGraphic.utf8)),
    (.winamp, "Warm.eqf", winamp),
    (.winampLibrary, "winamp.q1", winamp + winamp.suffix(268)),
    (.audaciousLibrary, "eq.preset", Array(audacious.utf8)),
    (
      .audacious, "Warm.preset",
      Array(audacious.replacing("[Presets]\nPreset0=Warm\n[Warm]", with: "[Equalizer preset]").utf8)
    ),
    (.vlc, "vlcrc", Array(vlc.utf8)),
    (.easyEffects, "Desk.json", Array(easyEffects.utf8)),
    (.pipeWire, "sink-eq.conf", Array(pipeWire.utf8)),
    (.rockbox, "desk.cfg", Array(rockbox.utf8)),
    (.camillaDSP, "desk.yml", Array(camillaDSP.utf8)),
    (.json, "desk.json", Array((try? Preset(name: PresetName("Desk"), chain: .neutral).document.text.utf8) ?? "".utf8)),
  ]

  /// A curve like those of AutoEq: 127 points in tenths of a decibel, at most −0.2 dB, smooth below 2 kHz and jagged above.
  static func made(seed: UInt64) -> [GainCurve.Point] {
    var random = RepeatableRandom(seed: seed)
    var hills: [(pitch: Double, height: Double, width: Double)] = []
    for _ in 0..<5 {
      hills.append(
        (
          .random(in: 4...11, using: &random), .random(in: -7...7, using: &random),
          .random(in: 0.5...1.6, using: &random)
        ))
    }
    for _ in 0..<6 {
      hills.append(
        (
          .random(in: 11...14, using: &random), .random(in: -5...5, using: &random),
          .random(in: 0.12...0.4, using: &random)
        ))
    }
    let frequencies = (0..<127).map { (20 * pow(1.0563, Double($0))).rounded(.down) }
    let gains = frequencies.map { frequency in
      hills.reduce(0) { $0 + $1.height * exp(-pow((log2(frequency) - $1.pitch) / $1.width, 2)) }
    }
    let highest = gains.max() ?? 0
    return zip(frequencies, gains).map {
      GainCurve.Point(frequency: $0, gain: (($1 - highest - 0.2) * 10).rounded() / 10)
    }
  }
}

extension String {
  /// Without the comment, which AutoEq's files do not have.
  fileprivate var replacingHash: String {
    split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n") + "\n"
  }
}
