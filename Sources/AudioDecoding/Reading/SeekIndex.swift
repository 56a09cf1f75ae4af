/// What is known at evenly spaced positions, thinned out as it grows so that its size is bounded.
struct SeekIndex<Value> {
  struct Entry {
    let position: Int64
    let value: Value
  }

  private let sizeLimit: Int
  private let size: (Value) -> Int
  private var stride: Int64
  private var entries: [Entry] = []
  private var totalSize = 0
  private var nextPosition: Int64 = 0

  /// - Parameters:
  ///   - stride: distance in positions of two entries, doubled whenever the index is full. Entries are at multiples of
  ///     it if each position is offered.
  ///   - sizeLimit: what the sizes of all values may add up to.
  init(stride: Int64, sizeLimit: Int, size: @escaping (Value) -> Int) {
    self.stride = stride
    self.sizeLimit = sizeLimit
    self.size = size
  }

  /// Whether ``add(_:at:)`` would keep a value at `position`.
  func isWanted(at position: Int64) -> Bool { position >= nextPosition }

  /// Offers the value at the next position; positions ascend.
  mutating func add(_ value: Value, at position: Int64) {
    guard isWanted(at: position) else { return }
    entries.append(Entry(position: position, value: value))
    totalSize += size(value)
    nextPosition = (position / stride + 1) * stride
    guard totalSize > sizeLimit else { return }
    stride *= 2
    entries = entries.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    totalSize = entries.reduce(0) { $0 + size($1.value) }
    nextPosition = ((entries.last?.position ?? 0) / stride + 1) * stride
  }

  /// The entry with the greatest position; nil if there is none.
  var last: Entry? { entries.last }

  /// The last entry at or before `position`; nil if there is none.
  func entry(atOrBefore position: Int64) -> Entry? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].position <= position { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : entries[low - 1]
  }
}

/// File offsets by position: some 128 KiB at most.
extension SeekIndex<Int64> {
  init(stride: Int64) { self.init(stride: stride, sizeLimit: 8191, size: { _ in 1 }) }
}
