package import Base

/// The landmarks of a recording: the peaks of its spectrum over time that survive noise, loss and playback.
///
/// docs/formats.md has the layout of ``blob``.
package struct Landmarks: Hashable, Sendable {
  package struct Peak: Hashable, Sendable {
    /// Of the columns of 256 samples at 11,025 Hz: 23.2 ms each.
    package var column: Int32
    /// On the ``LandmarkScale``.
    package var unit: UInt8
    /// How far it stands out, `0...15` in steps of 3 dB.
    package var strength: UInt8
    /// Where within its unit the frequency is, `-0.5...0.5`; not stored.
    package var fraction: Float

    package init(column: Int32, unit: UInt8, strength: UInt8, fraction: Float = 0) {
      self.column = column
      self.unit = unit
      self.strength = strength
      self.fraction = fraction
    }
  }

  package static let columnsPerSecond = 11_025.0 / 256

  /// The length of the recording.
  package var columnCount: Int32
  /// In ascending order of column, and within a column of unit.
  package var peaks: [Peak]

  package init(columnCount: Int32, peaks: [Peak]) {
    self.columnCount = columnCount
    self.peaks = peaks
  }

  package var durationInSeconds: Double { Double(columnCount) / Self.columnsPerSecond }

  /// Whether there are too few peaks to say that something does not match: silence, hum, drones.
  package var isWeak: Bool { Double(peaks.count) < 2 * durationInSeconds || peaks.count < 12 }
}

/// The landmarks by which one asks what an excerpt is.
package struct ExcerptLandmarks: Hashable, Sendable {
  /// Four times as many as a recording has stored.
  package let usual: Landmarks
  /// Ten times as many, for excerpts of which the usual ones find nothing. They take longer to look up.
  package let dense: Landmarks

  package init(usual: Landmarks, dense: Landmarks) {
    self.usual = usual
    self.dense = dense
  }

  package var durationInSeconds: Double { usual.durationInSeconds }

  /// Whether there are too few peaks to say that something does not match.
  package var isWeak: Bool { usual.isWeak }
}

extension Landmarks {
  /// The landmarks of a part, whose first column becomes 0.
  package func part(_ columns: Range<Int32>) -> Landmarks {
    let columns = columns.clamped(to: 0..<columnCount)
    var (low, high) = (0, peaks.count)
    while low < high {
      let middle = (low + high) / 2
      if peaks[middle].column < columns.lowerBound { low = middle + 1 } else { high = middle }
    }
    let inside = peaks[low...].prefix { $0.column < columns.upperBound }.map { peak in
      Peak(
        column: peak.column - columns.lowerBound, unit: peak.unit, strength: peak.strength, fraction: peak.fraction)
    }
    return Landmarks(columnCount: Int32(columns.count), peaks: inside)
  }
}

extension Landmarks {
  private static let magic: [UInt8] = Array("LMK1".utf8)
  private static let pause: UInt8 = 0xFF
  /// A peak has four bits for the columns since the one before.
  private static let longestAdvance = 15
  /// More than any file has: 23 days.
  package static let largestColumnCount: Int32 = 1 << 26

  package var blob: [UInt8] {
    var writer = ByteWriter(capacity: 12 + 3 * peaks.count)
    writer.append(raw: Self.magic)
    writer.append(UInt32(columnCount))
    writer.append(UInt32(peaks.count))
    var column: Int32 = 0
    for peak in peaks {
      var advance = Int(peak.column - column)
      while advance > Self.longestAdvance {
        let skipped = min(advance - Self.longestAdvance, 255)
        writer.append(Self.pause)
        writer.append(UInt8(skipped))
        advance -= skipped
      }
      writer.append(peak.unit)
      writer.append(peak.strength << 4 | UInt8(advance))
      column = peak.column
    }
    return writer.bytes
  }

  /// - Throws: If bytes are missing or left over, if a peak lies outside the scale or the recording, or if a column has
  ///   more peaks than the scale has units.
  package init(blob: [UInt8]) throws(ByteReader.Failure) {
    var reader = ByteReader(blob)
    guard try reader.readBytes(4).elementsEqual(Self.magic) else { throw reader.failure("not landmarks") }
    let columnCount = try reader.read(UInt32.self)
    let count = Int(try reader.read(UInt32.self))
    guard columnCount <= UInt32(Self.largestColumnCount), 2 * count <= reader.remainingCount else {
      throw reader.failure("ends before \(count) peaks")
    }
    var peaks: [Peak] = []
    peaks.reserveCapacity(count)
    var column: UInt32 = 0
    while peaks.count < count {
      let unit = try reader.read(UInt8.self)
      let rest = try reader.read(UInt8.self)
      guard unit != Self.pause else {
        column += UInt32(rest)
        guard column < columnCount else { throw reader.failure("a pause ends after the recording") }
        continue
      }
      column += UInt32(rest & 15)
      guard unit < LandmarkScale.unitCount, column < columnCount else {
        throw reader.failure("a peak outside the scale or the recording")
      }
      // Each is compared with those around it, so there must not be more of them than the scale has room for.
      let index = peaks.count - LandmarkScale.unitCount
      if index >= 0, peaks[index].column == Int32(column) { throw reader.failure("too many peaks in a column") }
      peaks.append(Peak(column: Int32(column), unit: unit, strength: rest >> 4))
    }
    guard reader.remainingCount == 0 else { throw reader.failure("\(reader.remainingCount) bytes too many") }
    self.init(columnCount: Int32(columnCount), peaks: peaks)
  }
}
