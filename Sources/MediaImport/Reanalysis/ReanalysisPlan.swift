package import LibraryScanning
internal import LibraryTracks
package import MediaModel

/// What a reanalysis is going to make, and why. Pure: nothing is opened.
package struct ReanalysisPlan: Sendable {
  /// A recording of which something is to be made.
  struct Item: Sendable {
    /// Without its products, because a plan may have a million recordings.
    var recording: RecordingOutline
    /// What is to be made, and why.
    var reasons: [ProductKind: RedoReason]
    /// The kinds that follow from stored products.
    var derivedKinds: Set<ProductKind>
    /// Whether it is decoded for the hash of its samples, even if no product is wanted.
    var needsSampleHash = false

    var kinds: Set<ProductKind> { Set(reasons.keys) }
  }

  package struct Cause: Hashable, Comparable, Sendable {
    package var kind: ProductKind
    package var reason: RedoReason

    package static func < (left: Cause, right: Cause) -> Bool {
      left.kind == right.kind ? left.reason < right.reason : left.kind < right.kind
    }
  }

  /// In order of ids.
  private(set) var items: [Item] = []
  /// How many recordings have a product made for a reason.
  package private(set) var counts: [Cause: Int] = [:]
  /// Recordings that were read before recordings were known by their samples, and are decoded for that.
  package private(set) var sampleHashCount = 0
  /// Of the recordings that are to be decoded.
  package private(set) var audioInSeconds = 0.0
  /// Recordings whose products all come from stored ones.
  package private(set) var undecodedCount = 0
  /// Recordings that a forced run which is now continued has already done, and when it began.
  package var doneCount = 0
  package var resumedSince: Int64?
  /// How long it will take; nil if the library's pace is not known.
  package var estimateInSeconds: Double?

  package init() {}

  package var recordingCount: Int { items.count }
  package var productCount: Int { counts.values.reduce(0, +) }

  /// Adds a recording, if there is something to make of it.
  ///
  /// - Parameter reasons: The reasons to recompute a product.
  package mutating func add(_ recording: RecordingOutline, kinds: Set<ProductKind>, reasons: Set<RedoReason>) {
    var wanted: [ProductKind: RedoReason] = [:]
    for kind in kinds {
      let stored = recording.products[kind]
      let found =
        recording.damagedKinds.contains(kind)
        ? .damaged
        : ProductRecipe.current(kind).reasonToRedo(version: stored?.version, parameters: stored?.parameters)
      let reason = reasons.contains(.forced) ? found ?? .forced : found
      guard let reason, reasons.contains(.forced) || reasons.contains(reason) else { continue }
      wanted[kind] = reason
      counts[Cause(kind: kind, reason: reason), default: 0] += 1
    }
    let needsSampleHash = reasons.contains(.missing) && recording.lacksSampleHash
    guard !wanted.isEmpty || needsSampleHash else { return }
    if needsSampleHash { sampleHashCount += 1 }
    // A forced run does not trust stored products.
    let derived: Set<ProductKind> =
      reasons.contains(.forced)
      ? []
      : Set(wanted.keys).filter { kind in
        ProductDerivation.source(of: kind, in: recording).map { wanted[$0] == nil } ?? false
      }
    var outline = recording
    outline.products = [:]
    items.append(
      Item(recording: outline, reasons: wanted, derivedKinds: derived, needsSampleHash: needsSampleHash))
    if derived.count == wanted.count, !needsSampleHash {
      undecodedCount += 1
    } else {
      audioInSeconds += recording.durationInSeconds
    }
  }
}

/// Products that follow, to the last byte, from stored ones, so that nothing has to be decoded for them.
///
/// The only such pair is the peaks of the only channel of a mono recording, which are those of its mix at half the
/// zoom. Everything else needs precision that the stored products do not have.
enum ProductDerivation {
  /// The kind of product that a kind may follow from.
  static func source(of kind: ProductKind) -> ProductKind? { kind == .channelWaveform ? .waveform : nil }

  /// The stored product that a kind follows from; nil if it must be decoded.
  static func source(of kind: ProductKind, in recording: RecordingOutline) -> ProductKind? {
    guard recording.channelCount == 1, let source = source(of: kind), let stored = recording.products[source],
      ProductRecipe.current(source).accepts(version: stored.version, parameters: stored.parameters)
    else { return nil }
    return source
  }

  /// The product; nil if the stored bytes are not valid.
  static func product(_ kind: ProductKind, from source: Product) -> Product? {
    guard kind == .channelWaveform, source.kind == .waveform,
      let peaks = try? WaveformPeaks(datBytes: source.bytes),
      peaks.channelCount == 1, peaks.framesPerPoint.isMultiple(of: StoredProducts.framesPerMixPoint),
      peaks.resolution == .bits8
    else { return nil }
    let recipe = ProductRecipe.current(kind)
      .coarsened(by: peaks.framesPerPoint / StoredProducts.framesPerMixPoint)
    return Product(
      kind: kind, version: recipe.version, parameters: recipe.parameters,
      bytes: peaks.rescaled(toFramesPerPoint: 2 * peaks.framesPerPoint).datBytes)
  }
}
