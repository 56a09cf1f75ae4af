package import MediaModel

/// What a player in a terminal shows: a value, drawn by ``grid(width:height:_:)``.
package struct PlayerScene: Sendable {
  /// A place on the waveform, `0...1` of the track.
  package struct Mark: Hashable, Sendable {
    package var place: Double
    package var label: String

    package init(place: Double, label: String) {
      self.place = place
      self.label = label
    }
  }

  package var title = ""
  package var artist = ""
  /// Such as `3 of 12`.
  package var queue = ""
  /// Codec, rate, preset, gain: from left to right, the least important last.
  package var facts: [String] = []
  package var isPaused = false
  package var positionInSeconds = 0.0
  package var durationInSeconds = 0.0
  package var waveform: PlayerWaveform?
  /// Where the file is damaged.
  package var damage: [Double] = []
  /// Where parts begin.
  package var parts: [Mark] = []
  /// The repeated part; only one end while the other is being chosen.
  package var loop: (start: Double?, end: Double?) = (nil, nil)
  /// Heights of the bars, `0...1`, and of their peaks.
  package var left = FallingBars()
  package var right = FallingBars()
  /// The edges of the bars' bands.
  package var bands = SpectrumBands.standard
  /// Gains in dB of the sliders of the graphic equalizer.
  package var sliders: [Double] = []
  /// The slider that keys move; nil if they do other things.
  package var selectedSlider: Int?
  package var isBypassed = false
  package var volume = 1.0
  package var isMuted = false
  /// Such as `repeat all`.
  package var modes: [String] = []
  /// The last line: a message, or a question with what was typed.
  package var message: String?
  package var showsHelp = false

  package init() {}

  package var part: Double { durationInSeconds > 0 ? min(max(positionInSeconds / durationInSeconds, 0), 1) : 0 }
}

/// Where everything is, in cells.
package struct PlayerLayout: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// Rows of the waveform, over the whole width but for the margins.
  package let waveform: Range<Int>
  /// Columns of the waveform and of everything else.
  package let columns: Range<Int>
  let timeRow: Int?
  /// Rows of the spectrum and the sliders; empty in a small terminal.
  let lower: Range<Int>
  let spectrumColumns: Range<Int>
  /// nil if there is no room for it beside the spectrum; it then takes the spectrum's place while keys move it.
  let sliderColumns: Range<Int>?
  let footerRow: Int?

  static let sliderWidth = 46

  /// - Parameter movesSliders: Whether the sliders are needed even if nothing else fits.
  package init(width: Int, height: Int, movesSliders: Bool = false) {
    self.width = max(0, width)
    self.height = max(0, height)
    let margin = width >= 60 ? 2 : width >= 20 ? 1 : 0
    columns = min(margin, self.width)..<max(min(margin, self.width), self.width - margin)
    let top = height >= 12 ? 3 : min(2, self.height)
    footerRow = height >= 5 ? height - 1 : nil
    let bottom = max(top, footerRow.map { $0 - (height >= 14 ? 1 : 0) } ?? self.height)
    let hasTime = bottom - top >= 3
    let room = bottom - top - (hasTime ? 1 : 0)
    // The waveform gets all of a small terminal, and half of a large one.
    let lowerCount = room >= 8 ? (room - 1) * 11 / 20 : 0
    let end = top + room - (lowerCount > 0 ? lowerCount + 1 : 0)
    waveform = top..<max(top, end)
    timeRow = hasTime ? end : nil
    lower = lowerCount > 0 ? bottom - lowerCount..<bottom : bottom..<bottom
    if columns.count >= Self.sliderWidth + 36 {
      sliderColumns = columns.upperBound - Self.sliderWidth..<columns.upperBound
      spectrumColumns = columns.lowerBound..<columns.upperBound - Self.sliderWidth - 3
    } else {
      sliderColumns = movesSliders ? columns : nil
      spectrumColumns = movesSliders ? columns.lowerBound..<columns.lowerBound : columns
    }
  }

  /// The place in the track, `0...1`, that a cell of the waveform or of the line of times shows; nil for other cells.
  package func part(column: Int, row: Int) -> Double? {
    guard columns.contains(column), waveform.contains(row) || row == timeRow else { return nil }
    return Double(column - columns.lowerBound) / Double(columns.count)
  }
}

/// Bars that rise at once and fall slowly, with their peaks, whatever the number of pictures a second.
package struct FallingBars: Hashable, Sendable {
  private static let fallPerSecond = 0.5
  private static let peakFallPerSecond = 0.35
  private static let holdInSeconds = 0.6

  /// `0...1`.
  package private(set) var heights: [Double] = []
  package private(set) var peaks: [Double] = []
  private var held: [Double] = []

  package init() {}

  /// - Parameters:
  ///   - levels: `0...1`.
  ///   - seconds: Since the last picture.
  package mutating func update(_ levels: [Double], seconds: Double) {
    if heights.count != levels.count {
      heights = levels
      peaks = levels
      held = levels.map { _ in 0 }
    }
    for index in levels.indices {
      heights[index] = max(levels[index], heights[index] - Self.fallPerSecond * seconds)
      held[index] += seconds
      if heights[index] >= peaks[index] {
        (peaks[index], held[index]) = (heights[index], 0)
      } else if held[index] > Self.holdInSeconds {
        peaks[index] = max(heights[index], peaks[index] - Self.peakFallPerSecond * seconds)
      }
    }
  }

  /// The level of a band between -72 and -12 dB as a height: music with weighting A seldom has more in one of 80 bands.
  package static func height(ofLevelInDB level: Float) -> Double { min(max((Double(level) + 72) / 60, 0), 1) }
}
