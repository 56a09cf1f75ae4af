/// Averages the powers of frames over columns of equal length, for a spectrogram.
///
/// A frame belongs to the column that contains its centre; a column without a frame takes the nearest one.
struct TimeColumns<Value> {
  private let width: Int
  private var frameRate: Int
  private let columnRate: Int
  private let encode: (Float) -> Value
  private let decode: (Value) -> Float
  /// How often the columns are still to be joined in pairs.
  private var dueJoinCount = 0
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
  ///   - decode: The reverse.
  init(
    width: Int, columnRate: Int, perFrames frameRate: Int, expectedFrameCount: Int64,
    encode: @escaping (Float) -> Value, decode: @escaping (Value) -> Float
  ) {
    self.width = width
    self.columnRate = columnRate
    self.frameRate = frameRate
    self.encode = encode
    self.decode = decode
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
    let frameRate = frameRate << dueJoinCount
    let whole = frameCount / frameRate * columnRate
    return whole + (frameCount % frameRate * columnRate + frameRate - 1) / frameRate
  }

  /// Adds the next frame.
  ///
  /// - Parameters:
  ///   - center: The middle of the frame, in samples from the start; not before the middle of the previous frame.
  ///   - coverage: The part of its window, by power, that is on the stream: `0...1`.
  mutating func add(_ powers: UnsafePointer<Float>, center: Int, coverage: Float) {
    while dueJoinCount > 0, openColumn.isMultiple(of: 2) { join() }
    let column = center / frameRate * columnRate + center % frameRate * columnRate / frameRate
    let share = 1 / max(coverage, .leastNormalMagnitude)
    for index in 0..<width { upcoming[index] = powers[index] * share }
    if column > openColumn { advance(to: column, center: center) }
    for index in 0..<width { sums[index] += powers[index] }
    swap(&latest, &upcoming)
    self.coverage += coverage
    latestCenter = center
  }

  /// Joins each two columns, as soon as an even number is complete, and makes the following ones as long.
  mutating func coarsen() { dueJoinCount += 1 }

  /// A last column without a partner stays.
  private mutating func join() {
    let count = (openColumn + 1) / 2
    for column in 0..<openColumn / 2 {
      for index in 0..<width {
        let (first, second) = (values[2 * column * width + index], values[(2 * column + 1) * width + index])
        values[column * width + index] = encode((decode(first) + decode(second)) / 2)
      }
    }
    if count > openColumn / 2 {
      for index in 0..<width { values[(count - 1) * width + index] = values[(openColumn - 1) * width + index] }
    }
    values.removeLast((openColumn - count) * width)
    openColumn = count
    frameRate *= 2
    dueJoinCount -= 1
  }

  /// Ends the stream after `columnCount` columns.
  consuming func finish(columnCount: Int) -> [Value] {
    if latestCenter != nil {
      close()
      while dueJoinCount > 0 { join() }
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
