/// Averages the powers of frames over columns of equal length, for a spectrogram.
///
/// A frame belongs to the column that contains its centre; a column without a frame takes the nearest one.
struct TimeColumns<Value> {
  private let width: Int
  private let frameRate: Int
  private let columnRate: Int
  private let encode: (Float) -> Value
  /// Column after column, `width` values each.
  private(set) var values: [Value] = []
  private var sums: [Float]
  private var coverage: Float = 0
  /// The previous frame and the one being added, scaled as if their windows were completely on the stream.
  private var latest: [Float]
  private var upcoming: [Float]
  private var latestCenter: Int?
  private var openColumn = 0

  /// - Parameters:
  ///   - width: The number of values in a column.
  ///   - columnRate: This many columns are as long as `frameRate` samples.
  ///   - expectedFrameCount: A guess, for reserving memory.
  ///   - encode: Turns a mean power into the value to keep.
  init(
    width: Int, columnRate: Int, perFrames frameRate: Int, expectedFrameCount: Int64, encode: @escaping (Float) -> Value
  ) {
    self.width = width
    self.columnRate = columnRate
    self.frameRate = frameRate
    self.encode = encode
    sums = Array(repeating: 0, count: width)
    latest = sums
    upcoming = sums
    let claimed = (max(expectedFrameCount, 0) / Int64(frameRate)).multipliedReportingOverflow(by: Int64(columnRate))
    let stride = max(width, 1) * MemoryLayout<Value>.stride
    values.reserveCapacity(
      width * Reserve.bounded(claimed.overflow ? .max : claimed.partialValue, bytesPerElement: stride))
  }

  /// The number of columns for `frameCount` samples; the last may be partly filled.
  func columnCount(forFrames frameCount: Int) -> Int {
    let whole = frameCount / frameRate * columnRate
    return whole + (frameCount % frameRate * columnRate + frameRate - 1) / frameRate
  }

  /// Adds the next frame.
  ///
  /// - Parameters:
  ///   - center: The middle of the frame, in samples from the start; not before the middle of the previous frame.
  ///   - coverage: The part of its window, by power, that is on the stream: `0...1`.
  mutating func add(_ powers: UnsafePointer<Float>, center: Int, coverage: Float) {
    let column = center / frameRate * columnRate + center % frameRate * columnRate / frameRate
    let share = 1 / max(coverage, .leastNormalMagnitude)
    for index in 0..<width { upcoming[index] = powers[index] * share }
    if column > openColumn { advance(to: column, center: center) }
    for index in 0..<width { sums[index] += powers[index] }
    swap(&latest, &upcoming)
    self.coverage += coverage
    latestCenter = center
  }

  /// Ends the stream after `columnCount` columns.
  consuming func finish(columnCount: Int) -> [Value] {
    if latestCenter != nil {
      close()
      while values.count < columnCount * width { append(latest) }
    }
    values.removeLast(max(0, values.count - columnCount * width))
    return values
  }

  /// Writes the open column and those without a frame, up to the column of the next frame.
  private mutating func advance(to column: Int, center: Int) {
    if latestCenter != nil { close() }
    while openColumn < column {
      let middle = (Double(openColumn) + 0.5) * Double(frameRate) / Double(columnRate)
      let isNearerToLatest = latestCenter.map { middle - Double($0) <= Double(center) - middle } ?? false
      append(isNearerToLatest ? latest : upcoming)
    }
  }

  /// Writes the open column.
  private mutating func close() {
    let share = 1 / max(coverage, .leastNormalMagnitude)
    for index in 0..<width {
      values.append(encode(sums[index] * share))
      sums[index] = 0
    }
    coverage = 0
    openColumn += 1
  }

  private mutating func append(_ column: [Float]) {
    for value in column { values.append(encode(value)) }
    openColumn += 1
  }
}
