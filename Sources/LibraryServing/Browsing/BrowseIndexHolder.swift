internal import Base
internal import Dispatch
internal import Synchronization

/// The browse index of the library as it is, or nearly: a large one is rebuilt beside the calls that use the old one.
package final class BrowseIndexHolder: Sendable {
  private struct State {
    var browseIndex: BrowseIndex?
    /// Of the library that it was made of.
    var revision = ""
    var costInSeconds = 0.0
    var madeAt = 0.0
    var isBeingMade = false
  }

  /// A browse index that costs less is made while the call waits.
  private static let longestWaitInSeconds = 0.3
  /// So often is a large one made at most, in times of what it costs.
  private static let pause = 10.0

  private let state = Mutex(State())
  private let making = Mutex(())
  private let library: LibraryAccess

  package init(_ library: LibraryAccess) { self.library = library }

  /// - Throws: ``StoreError``.
  package func current() throws -> BrowseIndex {
    let revision = try library.fileRevision()
    let (known, isDue) = state.withLock { state -> (BrowseIndex?, Bool) in
      guard let known = state.browseIndex, state.revision != revision else { return (state.browseIndex, false) }
      guard state.costInSeconds > Self.longestWaitInSeconds else { return (nil, false) }
      guard !state.isBeingMade, monotonicSeconds() - state.madeAt > state.costInSeconds * Self.pause else {
        return (known, false)
      }
      state.isBeingMade = true
      return (known, true)
    }
    if isDue {
      DispatchQueue.global(qos: .utility).async { [self] in
        _ = try? make(revision)
        state.withLock { $0.isBeingMade = false }
      }
    }
    return try known ?? make(revision)
  }

  /// One at a time; who waited for another call takes what it made.
  private func make(_ revision: String) throws -> BrowseIndex {
    try making.withLock { _ in
      if let known = state.withLock({ $0.revision == revision ? $0.browseIndex : nil }) { return known }
      let start = monotonicSeconds()
      let browseIndex = try library.reading { try BrowseIndex(of: $0) }
      state.withLock { state in
        (state.browseIndex, state.revision) = (browseIndex, revision)
        (state.costInSeconds, state.madeAt) = (monotonicSeconds() - start, monotonicSeconds())
      }
      return browseIndex
    }
  }
}
