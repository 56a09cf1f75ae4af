internal import Base
internal import MediaModel

/// An equalizer while a file is being read: accepts all values, limits them to the ranges of a preset, and notes what
/// that changed.
struct EqualizerDraft {
  /// Limits for the sum of the gains of a channel: far beyond any useful range, but finite.
  private static let sums = -1_000.0...1_000.0

  private(set) var bands: [EqualizerBand] = []
  /// The gains that apply to all bands, for each channel.
  private(set) var gains = (left: 0.0, right: 0.0)

  /// How many settings of the file were understood, those of filters that are off included.
  private var understoodCount = 0
  private var hasGain = false
  private var lostCount = 0
  /// Why the first filter that could not be read was lost.
  private var firstLoss: ExchangeNote?

  mutating func add(gain: Double, channels: BandChannels = .all) {
    hasGain = true
    func sum(_ old: Double) -> Double { min(max(old + gain, Self.sums.lowerBound), Self.sums.upperBound) }
    if channels != .right { gains.left = sum(gains.left) }
    if channels != .left { gains.right = sum(gains.right) }
  }

  mutating func add(
    _ shape: FilterShape, frequency: Double, gain: Double = 0, width: FilterWidth? = nil, channels: BandChannels = .all,
    isBypassed: Bool = false, at place: ExchangeNote.Place?, notes: inout ExchangeNotes
  ) {
    guard frequency > 0 else {
      return lose("a band at \(DecimalText.number(frequency, places: 3)) Hz is impossible", at: place, notes: &notes)
    }
    understoodCount += 1
    guard bands.count < Equalizer.maximumBandCount else {
      return notes.add("a preset has at most \(Equalizer.maximumBandCount) bands; the rest is ignored", at: place)
    }
    let inRange = Self.clamped(frequency, EqualizerBand.frequencies, "frequency", "Hz", at: place, notes: &notes)
    let level = shape.hasGain ? Self.clamped(gain, EqualizerBand.gains, "gain", "dB", at: place, notes: &notes) : 0
    var breadth: FilterWidth?
    if shape.hasWidth {
      switch width {
      case .octaves(let octaves) where FilterWidth.octaveRange.contains(octaves): breadth = width
      case .octaves(let octaves):
        let quality = FilterWidth.octaves(min(max(octaves, 1e-6), 100)).quality
        breadth = .quality(Self.clamped(quality, FilterWidth.qualities, "Q", "", at: place, notes: &notes))
      case .quality(let quality):
        breadth = .quality(Self.clamped(quality, FilterWidth.qualities, "Q", "", at: place, notes: &notes))
      case nil: breadth = nil
      }
    }
    do throws(PresetError) {
      bands.append(
        try EqualizerBand(
          shape, frequency: inRange, gain: level, width: breadth, channels: channels, isBypassed: isBypassed))
    } catch {
      notes.add("\(error); ignored", at: place)
    }
  }

  /// Counts a filter that the file has but does not use.
  mutating func skip() { understoodCount += 1 }

  /// Notes a filter that could not be read.
  mutating func lose(_ reason: String, at place: ExchangeNote.Place?, notes: inout ExchangeNotes) {
    notes.add("\(reason); ignored", at: place)
    lostCount += 1
    if firstLoss == nil { firstLoss = ExchangeNote(file: notes.file, place: place, text: reason) }
  }

  /// Refuses a file of which nothing was read: it must not become a preset that changes nothing.
  ///
  /// - Parameter format: The name of the format, for the error.
  func requireContent(of format: String) throws(ExchangeError) {
    guard understoodCount == 0 else { return }
    if let firstLoss {
      let what = lostCount == 1 ? "its only filter" : "none of its \(lostCount) filters"
      throw .unreadable("\(format): \(what) can\(lostCount == 1 ? "not" : "") be read; \(firstLoss)")
    }
    guard hasGain else { throw .unreadable("\(format): the file has no filter") }
  }

  /// Adds bands that are within all ranges, such as those of a fit.
  mutating func add(_ fitted: Equalizer, at place: ExchangeNote.Place?, notes: inout ExchangeNotes) {
    for band in fitted.bands {
      add(
        band.shape, frequency: band.frequency, gain: band.gain, width: band.width, channels: band.channels,
        isBypassed: band.isBypassed, at: place, notes: &notes)
    }
  }

  /// The equalizer. If the gains of the channels differ, the quieter channel gets a high shelf below the audible range.
  func equalizer(isCompensated: Bool = false, notes: inout ExchangeNotes) -> Equalizer {
    var draft = self
    let common = max(gains.left, gains.right)
    let difference = gains.left - gains.right
    if difference != 0 {
      let name = difference < 0 ? "left" : "right"
      let text = DecimalText.number(abs(difference), places: 2)
      notes.add("the \(name) channel is \(text) dB quieter; this becomes a high shelf at 1 Hz")
      draft.add(
        .highShelf, frequency: EqualizerBand.frequencies.lowerBound, gain: -abs(difference),
        channels: difference < 0 ? .left : .right, at: nil, notes: &notes)
    }
    let gain = Self.clamped(common, Equalizer.gains, "global gain", "dB", at: nil, notes: &notes)
    return (try? Equalizer(bands: draft.bands, gain: gain, isCompensated: isCompensated)) ?? .flat
  }

  private static func clamped(
    _ value: Double, _ range: ClosedRange<Double>, _ name: String, _ unit: String, at place: ExchangeNote.Place?,
    notes: inout ExchangeNotes
  ) -> Double {
    guard !range.contains(value) else { return value }
    let nearest = value > range.upperBound ? range.upperBound : range.lowerBound
    func text(_ value: Double) -> String { DecimalText.number(value, places: 4) + (unit.isEmpty ? "" : " " + unit) }
    notes.add("\(name) \(text(value)) is out of range; \(text(nearest)) is used", at: place)
    return nearest
  }
}

/// An equalizer that was read from a file, and the name that the file gives it, if any.
struct NamedEqualizer {
  var name: String?
  var equalizer: Equalizer
}

/// A file that another one names, as the caller found it.
package struct IncludedFile: Sendable {
  /// Equal for two names of the same file: a path with its links resolved, for example.
  package var identity: String
  package var bytes: [UInt8]

  package init(identity: String, bytes: [UInt8]) {
    self.identity = identity
    self.bytes = bytes
  }

  /// Finds the file that `name` means in the file with the identity `includer` (nil: the imported file itself); returns
  /// nil if there is none.
  package typealias Finder = (_ name: String, _ includer: String?) -> IncludedFile?
}
