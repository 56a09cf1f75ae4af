internal import Synchronization

/// How many bytes or places are in use at once, in all and by one client: more than there is room for are refused, so that
/// memory stays bounded and nobody takes what all others need.
package final class InFlightLimiter: Sendable {
  /// Holds its bytes until it is released, with the answer for example.
  package final class Share: Sendable {
    private let client: Client?
    private let budget: InFlightLimiter
    private let count: Mutex<Int>

    fileprivate init(_ count: Int, of client: Client?, _ budget: InFlightLimiter) {
      self.client = client
      self.budget = budget
      self.count = Mutex(count)
    }

    /// Adds to what it holds; false if there is no room.
    func grow(by more: Int) -> Bool {
      guard budget.take(more, for: client) else { return false }
      count.withLock { $0 += more }
      return true
    }

    deinit { budget.giveBack(count.withLock { $0 }, of: client) }
  }

  private struct State {
    var used = 0
    var usedBy: [Client: Int] = [:]
  }

  private let capacity: Int
  private let capacityOfClient: Int
  private let state = Mutex(State())

  /// What is held now.
  var byteCount: Int { state.withLock { $0.used } }

  /// - Parameter client: How much of it one client may hold; nil for all of it.
  package init(capacity: Int, ofClient client: Int? = nil) {
    self.capacity = capacity
    capacityOfClient = client ?? capacity
  }

  /// nil if there is no room. One share alone always has room.
  package func share(of count: Int, for client: Client? = nil) -> Share? {
    take(count, for: client) ? Share(count, of: client, self) : nil
  }

  private func take(_ count: Int, for client: Client?) -> Bool {
    state.withLock { state in
      let own = client.flatMap { state.usedBy[$0] } ?? 0
      guard state.used == 0 || state.used + count <= capacity, own == 0 || own + count <= capacityOfClient else {
        return false
      }
      state.used += count
      if let client { state.usedBy[client] = own + count }
      return true
    }
  }

  private func giveBack(_ count: Int, of client: Client?) {
    state.withLock { state in
      state.used -= count
      guard let client, let own = state.usedBy[client] else { return }
      state.usedBy[client] = own > count ? own - count : nil
    }
  }
}
