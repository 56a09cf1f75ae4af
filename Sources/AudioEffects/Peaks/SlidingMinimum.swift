/// The smallest of the last values; amortised O(1) each.
struct SlidingMinimum {
  private let length: Int64
  /// Ascending values with the time of each, as a ring.
  private var entries: [(time: Int64, value: Int64)]
  private var head = 0
  private var count = 0
  private var time: Int64 = 0

  init(length: Int) {
    self.length = Int64(length)
    entries = [(time: Int64, value: Int64)](repeating: (0, 0), count: length + 1)
  }

  /// The smallest of this value and those before it, `length` in all.
  mutating func next(_ value: Int64) -> Int64 {
    while count > 0, entries[place(count - 1)].value >= value { count -= 1 }
    entries[place(count)] = (time, value)
    count += 1
    if entries[head].time <= time - length {
      head = place(1)
      count -= 1
    }
    time += 1
    return entries[head].value
  }

  private func place(_ index: Int) -> Int {
    let place = head + index
    return place < entries.count ? place : place - entries.count
  }
}
