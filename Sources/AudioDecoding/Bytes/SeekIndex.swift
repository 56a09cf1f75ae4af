/// File offsets of evenly spaced positions, thinned out as it grows so that its size is bounded.
struct SeekIndex {
  struct Entry: Hashable {
    let position: Int64
    let offset: Int64
  }

  private static let maximumEntryCount = 8192

  /// Distance in positions of two entries; doubled whenever the index is full.
  private(set) var stride: Int64
  private var entries: [Entry] = []
  private var nextPosition: Int64 = 0

  /// - Parameter unit: positions of entries are multiples of it where each position is offered.
  init(unit: Int64) { stride = unit }

  /// Offers the next position; ascending.
  mutating func add(position: Int64, offset: Int64) {
    guard position >= nextPosition else { return }
    entries.append(Entry(position: position, offset: offset))
    nextPosition = (position / stride + 1) * stride
    guard entries.count >= Self.maximumEntryCount else { return }
    stride *= 2
    entries = entries.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
    nextPosition = ((entries.last?.position ?? 0) / stride + 1) * stride
  }

  /// The last entry at or before `position`; nil where there is none.
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
