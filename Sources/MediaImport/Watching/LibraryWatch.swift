package import Base
internal import LibraryTracks
package import Logging
package import MediaStore

/// When a watch scans.
package struct WatchOptions: Sendable {
  /// Of each scan; its `folders` are those to watch, or empty for all roots.
  package var scan: ScanOptions
  /// A scan begins after so many seconds without another change …
  package var quietTimeInSeconds = 2.0
  /// … or so many after the first one.
  package var longestDelayInSeconds = 30.0
  /// Between two looks whether a root's disk came back, or there are other roots.
  package var checkIntervalInSeconds = 2.0
  /// Between two attempts to scan while another process does.
  package var retryIntervalInSeconds = 10.0
  /// Between two scans of everything, if some folders cannot be watched.
  package var wholeScanIntervalInSeconds = 600.0

  package init(scan: ScanOptions) { self.scan = scan }
}

/// What a watch tells.
package enum WatchEvent: Sendable {
  /// Everything was scanned once, and so many folders are watched.
  case watching(folderCount: Int)
  case scanned(ScanReport)
  /// Some folders are not watched because of the system's limit; everything is scanned now and then instead.
  case limited(intervalInSeconds: Double)
  /// Another scan of the library is running; this one follows.
  case postponed
  /// A folder that was named is not there.
  case failed(ScanError)
}

/// Watches the folders of a library and scans what changes in them, until the stop signal comes.
///
/// It scans by ``LibraryScan``, so whatever a lost event hides, the next scan of that folder finds. Other scans of the
/// library may run in the meantime, but only one watch.
package final class LibraryWatch {
  private let store: MediaStore
  private let options: WatchOptions
  private let stop: StopSignal
  private let log: Logger
  private let onEvent: (WatchEvent) throws -> Void
  /// When the next scan begins, and when the next look at the roots and the next scan of everything are due, in seconds.
  private var firstChange: Double?
  private var lastChange = 0.0
  private var earliestScan = 0.0
  private var nextCheck = 0.0
  private var nextWholeScan: Double?
  /// Whether everything was scanned once.
  private var isReady = false

  package init(
    store: MediaStore, options: WatchOptions, stop: StopSignal, log: Logger = .silent,
    onEvent: @escaping (WatchEvent) throws -> Void
  ) {
    self.store = store
    self.options = options
    self.stop = stop
    self.log = log
    self.onEvent = onEvent
  }

  /// Scans everything, then what changes.
  ///
  /// - Throws: ``StoreError/watchRunning(_:)``; `SystemError` if there is no inotify; what the first scan throws, and
  ///   what `onEvent` does.
  package func run() throws {
    let lock = try store.beginWatching()
    defer { lock.release() }
    let named = options.scan.folders
    let roots =
      named.isEmpty ? try store.roots.all().map(\.path) : try named.map { try ScanFolders.resolvedOrKnown($0) }
    var folders = try WatchedFolders(roots)
    folders.noteReplacedRoots()
    // Watched before it is scanned: nothing that happens in between is lost.
    try scan(&folders)
    isReady = true
    if stop.number == nil { try onEvent(.watching(folderCount: folders.count)) }
    while stop.number == nil {
      let due = [nextScan, nextCheck, nextWholeScan].compactMap(\.self).min() ?? nextCheck
      stop.wait(for: folders.descriptor, upToSeconds: due - monotonicSeconds())
      if stop.number != nil { break }
      try note(&folders)
      if let next = nextScan, monotonicSeconds() >= next { try scan(&folders) }
    }
  }

  /// nil if there is nothing to scan.
  private var nextScan: Double? {
    firstChange.map {
      max(earliestScan, min(lastChange + options.quietTimeInSeconds, $0 + options.longestDelayInSeconds))
    }
  }

  private func note(_ folders: inout WatchedFolders) throws {
    let now = monotonicSeconds()
    if try folders.noteEvents() { lastChange = now }
    if now >= nextCheck {
      // Other commands add and remove some.
      if options.scan.folders.isEmpty { folders.setRoots(try store.roots.all().map(\.path)) }
      folders.noteReplacedRoots()
      nextCheck = now + options.checkIntervalInSeconds
    }
    if let next = nextWholeScan, now >= next {
      folders.noteAll()
      nextWholeScan = now + options.wholeScanIntervalInSeconds
    }
    if folders.hasChanges, firstChange == nil { firstChange = now }
  }

  private func scan(_ folders: inout WatchedFolders) throws {
    firstChange = nil
    let parts = folders.takeChanged { stop.number == nil }
    if folders.isLimited, nextWholeScan == nil {
      try onEvent(.limited(intervalInSeconds: options.wholeScanIntervalInSeconds))
      nextWholeScan = monotonicSeconds() + options.wholeScanIntervalInSeconds
    }
    var options = options.scan
    options.folders = parts
    let report: ScanReport
    do throws(ScanError) {
      report = try LibraryScan(store: store, options: options, stop: stop, log: log).run()
    } catch {
      return try fail(error, parts, &folders)
    }
    try onEvent(.scanned(report))
  }

  /// Goes on after what may pass: another scan, or a named folder that is not there now.
  private func fail(_ error: ScanError, _ parts: [BytePath], _ folders: inout WatchedFolders) throws {
    switch error {
    case .store(.scanRunning):
      folders.note(parts)
      earliestScan = monotonicSeconds() + options.retryIntervalInSeconds
      try onEvent(.postponed)
    case .notAFolder where isReady: try onEvent(.failed(error))
    default: throw error
    }
  }
}
