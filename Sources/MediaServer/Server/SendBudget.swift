internal import Synchronization

/// How many bytes of bodies and answers wait for slow clients: more than there is room for are refused, so memory stays bounded.
final class SendBudget: Sendable {
  /// Holds its bytes until it is released with the answer.
  final class Share: Sendable {
    private let count: Int
    private let budget: SendBudget

    fileprivate init(_ count: Int, of budget: SendBudget) {
      self.count = count
      self.budget = budget
    }

    deinit { budget.used.withLock { $0 -= count } }
  }

  private let capacity: Int
  private let used = Mutex(0)

  /// What is held now.
  var byteCount: Int { used.withLock { $0 } }

  init(capacity: Int) { self.capacity = capacity }

  /// nil if there is no room. One answer alone always has room.
  func share(of count: Int) -> Share? {
    let fits = used.withLock { used in
      guard used == 0 || used + count <= capacity else { return false }
      used += count
      return true
    }
    return fits ? Share(count, of: self) : nil
  }
}
