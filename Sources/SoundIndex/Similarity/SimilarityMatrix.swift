package import MediaModel

/// The vectors of all recordings of a library, one after the other, to be compared with one of them.
package struct SimilarityMatrix: Sendable {
  /// A recording and its distance.
  package struct Neighbor: Hashable, Sendable {
    package var index: Int
    package var distance: Double

    package init(index: Int, distance: Double) {
      self.index = index
      self.distance = distance
    }
  }

  /// Of the recordings, in any order.
  package private(set) var hashes: [ContentHash]
  /// ``SoundVector/dimensionCount`` coordinates of each.
  private(set) var coordinates: [Int8]

  package init(capacity: Int = 0) {
    hashes = []
    coordinates = []
    hashes.reserveCapacity(capacity)
    coordinates.reserveCapacity(capacity * SoundVector.dimensionCount)
  }

  init(hashes: [ContentHash], coordinates: [Int8]) {
    self.hashes = hashes
    self.coordinates = coordinates
  }

  package var count: Int { hashes.count }

  package mutating func append(_ hash: ContentHash, _ vector: SoundVector) {
    hashes.append(hash)
    coordinates.append(contentsOf: vector.coordinates)
  }

  package func vector(_ index: Int) -> SoundVector {
    let size = SoundVector.dimensionCount
    return SoundVector(Array(coordinates[index * size..<(index + 1) * size]))
  }

  package func index(of hash: ContentHash) -> Int? { hashes.firstIndex(of: hash) }

  /// The nearest recordings, nearest first; of equal distances the first one in the matrix comes first.
  ///
  /// - Complexity: O(n); about 15 ns a recording.
  package func nearest(to vector: SoundVector, count wanted: Int) -> [Neighbor] {
    guard wanted > 0 else { return [] }
    var best = NearestFew(capacity: wanted)
    forEachSquare(from: vector) { index, square in best.add(index, square) }
    return best.sorted.map { Neighbor(index: $0.index, distance: Double($0.square).squareRoot()) }
  }

  /// Calls `body` with the square of the distance of each recording.
  @inline(__always)
  private func forEachSquare(from vector: SoundVector, _ body: (Int, UInt32) -> Void) {
    coordinates.withUnsafeBytes { all in
      vector.coordinates.withUnsafeBytes { query in
        guard let base = all.baseAddress, let own = query.baseAddress else { return }
        let target = (widened(own, 0), widened(own, 16), widened(own, 32), widened(own, 48))
        for index in 0..<count {
          let row = base + index * SoundVector.dimensionCount
          let sum =
            squares(widened(row, 0) &- target.0) &+ squares(widened(row, 16) &- target.1)
            &+ squares(widened(row, 32) &- target.2) &+ squares(widened(row, 48) &- target.3)
          body(index, sum.wrappedSum())
        }
      }
    }
  }
}

/// Sixteen coordinates, wide enough for their differences.
@inline(__always) private func widened(_ bytes: UnsafeRawPointer, _ offset: Int) -> SIMD16<Int16> {
  SIMD16(truncatingIfNeeded: bytes.loadUnaligned(fromByteOffset: offset, as: SIMD16<Int8>.self))
}

/// A difference of two coordinates is at most 254, so its square fits into sixteen bits without a sign.
@inline(__always) private func squares(_ differences: SIMD16<Int16>) -> SIMD16<UInt32> {
  SIMD16(truncatingIfNeeded: SIMD16<UInt16>(truncatingIfNeeded: differences &* differences))
}

/// The few nearest of many: a heap whose first element is the farthest of them.
private struct NearestFew {
  struct Element {
    var square: UInt32
    var index: Int

    /// Whether it comes after another one.
    func isBeyond(_ other: Element) -> Bool { (square, index) > (other.square, other.index) }
  }

  private let capacity: Int
  private var heap: [Element] = []

  init(capacity: Int) {
    self.capacity = capacity
    heap.reserveCapacity(capacity)
  }

  var sorted: [Element] { heap.sorted { $1.isBeyond($0) } }

  @inline(__always) mutating func add(_ index: Int, _ square: UInt32) {
    if heap.count == capacity {
      // Later ones of the same distance come after.
      guard square < heap[0].square else { return }
      heap[0] = Element(square: square, index: index)
      sink()
    } else {
      heap.append(Element(square: square, index: index))
      rise()
    }
  }

  private mutating func rise() {
    var child = heap.count - 1
    while child > 0, heap[child].isBeyond(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var largest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].isBeyond(heap[largest]) { largest = child }
      if largest == parent { return }
      heap.swapAt(parent, largest)
      parent = largest
    }
  }
}
