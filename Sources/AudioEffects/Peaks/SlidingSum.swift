/// The sum of the last values, exactly: integers leave nothing behind.
struct SlidingSum {
  private var values: [Int64]
  private var position = 0
  private var sum: Int64

  init(length: Int, initial: Int64) {
    values = [Int64](repeating: initial, count: length)
    sum = initial * Int64(length)
  }

  mutating func next(_ value: Int64) -> Int64 {
    sum += value - values[position]
    values[position] = value
    position += 1
    if position == values.count { position = 0 }
    return sum
  }
}
