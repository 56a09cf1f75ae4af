/// A dictionary of bounded cost that drops the entries that were not used for the longest time.
///
/// The entries form a list in order of use, linked by their indices in one array.
/// - Complexity: O(1) except for ``inOrderOfUse``, amortised over the growth of the array and the dropped entries, each
///   of which was inserted once.
struct LeastRecentlyUsed<Key: Hashable, Value> {
  private struct Node {
    /// nil while the node is free.
    var entry: (key: Key, value: Value, cost: Int)?
    /// Towards the entry used last; for a free node the next free one.
    var newer: Int?
    var older: Int?
  }

  let capacity: Int
  /// Never above ``capacity``.
  private(set) var totalCost = 0
  private var nodes: [Node] = []
  private var indices: [Key: Int] = [:]
  private var newest: Int?
  private var oldest: Int?
  private var firstFree: Int?

  /// - Parameter capacity: The largest sum of costs.
  init(capacity: Int) { self.capacity = max(0, capacity) }

  var count: Int { indices.count }

  /// The keys from the one used last to the one that would be dropped first.
  var inOrderOfUse: [Key] {
    var keys: [Key] = []
    keys.reserveCapacity(count)
    var next = newest
    while let index = next {
      if let entry = nodes[index].entry { keys.append(entry.key) }
      next = nodes[index].older
    }
    return keys
  }

  /// The value, which is now the one used last.
  mutating func value(for key: Key) -> Value? {
    guard let index = indices[key] else { return nil }
    if index != newest {
      unlink(index)
      linkAsNewest(index)
    }
    return nodes[index].entry?.value
  }

  /// Makes room and stores the value as the one used last; a value that costs more than the capacity is not kept.
  ///
  /// - Parameter cost: Positive.
  /// - Returns: The number of entries that were dropped to make room.
  mutating func insert(_ value: Value, for key: Key, cost: Int) -> Int {
    remove(key)
    guard cost <= capacity else { return 0 }
    var droppedCount = 0
    while totalCost > capacity - cost, let oldest, let entry = nodes[oldest].entry {
      remove(entry.key)
      droppedCount += 1
    }
    let node = Node(entry: (key, value, cost))
    let index: Int
    if let free = firstFree {
      index = free
      firstFree = nodes[free].newer
      nodes[free] = node
    } else {
      index = nodes.count
      nodes.append(node)
    }
    indices[key] = index
    totalCost += cost
    linkAsNewest(index)
    return droppedCount
  }

  mutating func remove(_ key: Key) {
    guard let index = indices.removeValue(forKey: key), let entry = nodes[index].entry else { return }
    totalCost -= entry.cost
    unlink(index)
    nodes[index] = Node(entry: nil, newer: firstFree)
    firstFree = index
  }

  private mutating func unlink(_ index: Int) {
    let (newer, older) = (nodes[index].newer, nodes[index].older)
    if let newer { nodes[newer].older = older } else { newest = older }
    if let older { nodes[older].newer = newer } else { oldest = newer }
  }

  private mutating func linkAsNewest(_ index: Int) {
    nodes[index].newer = nil
    nodes[index].older = newest
    if let newest { nodes[newest].newer = index } else { oldest = index }
    newest = index
  }
}
