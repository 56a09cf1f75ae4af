package import Base
package import DecodingService
internal import LibraryTracks
internal import MediaModel
package import MediaStore

/// Judges whether a file may be removed because another one is kept.
///
/// Two files are always held against each other directly: that both are like a third one proves nothing.
package final class CopyJudge {
  package struct Options: Sendable {
    /// Folders whose files are kept, most preferred first.
    package var preferredFolders: [BytePath]
    /// Whether titles, artists and albums may contradict each other.
    package var ignoresTags: Bool

    package init(preferring folders: [BytePath] = [], ignoringTags: Bool = false) {
      preferredFolders = folders.map(\.withoutTrailingSlashes)
      ignoresTags = ignoringTags
    }
  }

  /// Why a file is not removed.
  package enum Refusal: String, CaseIterable, Sendable {
    case channels
    case preferred
    case tags
    case damaged
    case unknown
    case master
    case better
    case trimming
    case unmeasured
    case channelCount
    case unaligned
    case unreadable
    case lacking
    case album
    case changed
  }

  enum Verdict: Equatable {
    /// - Parameter reason: as part of a sentence; nil if both are equally good.
    case removable(reason: String?)
    /// - Parameter detail: what exactly, as part of a sentence.
    case refused(Refusal, detail: String?)
  }

  /// A better file gives way to one that has so much more of the sound.
  private static let leastMissingSeconds = 0.5
  /// Gains in headers that differ by less are no loss, in 1/256 dB.
  private static let mostGainDifference = 24 * 256
  private static let cacheLimit = 24
  /// Of DTS-HD.
  private static let coreOnlyNote = "core-only"
  /// Problems of a file that has all that is in it decoded, and only lacks something: its end, frames or pages that are
  /// not there, or the right checksum. Behind all others something may be that nobody has heard.
  private static let problemsWithoutContent: Set<String> = [
    "truncated", Problem.missingFramesCode, "missing-pages", "checksum",
  ]

  /// Opens the samples of a file.
  package typealias Opener = (DuplicateGroup.Member) throws -> any SegmentSource

  private let store: MediaStore
  private let options: Options
  private let open: Opener
  private var sounds: [(id: Int64, sound: StoredSound?)] = []
  private var labels: [Int64: FileLabels?] = [:]

  /// - Parameter open: By default in worker processes.
  package init(_ store: MediaStore, _ options: Options = Options(), opening open: Opener? = nil) {
    self.store = store
    self.options = options
    let workers = CopyWorkers()
    self.open = open ?? { try workers.open($0) }
  }

  /// The place of the first preferred folder that a file is below; their number if it is below none.
  func preference(of member: DuplicateGroup.Member) -> Int {
    options.preferredFolders.firstIndex { member.file.path.isBelowOrEqual(to: $0) } ?? options.preferredFolders.count
  }

  func labels(of member: DuplicateGroup.Member) throws -> FileLabels? {
    if let known = labels[member.file.id] { return known }
    let found = try store.files.labels(ofFile: member.file.id)
    labels[member.file.id] = .some(found)
    return found
  }

  func verdict(keeping kept: DuplicateGroup.Member, removing other: DuplicateGroup.Member) throws -> Verdict {
    if kept.quality.channelCount != other.quality.channelCount { return .refused(.channels, detail: nil) }
    if preference(of: other) < preference(of: kept) { return .refused(.preferred, detail: nil) }
    if !options.ignoresTags, let detail = try contradiction(kept, other) { return .refused(.tags, detail: detail) }
    let isSameStream = kept.file.streamHash != nil && kept.file.streamHash == other.file.streamHash
    if kept.quality.isDamaged, !(isSameStream && other.quality.isDamaged) { return .refused(.damaged, detail: nil) }
    if let detail = try unknownContent(of: other, isSameStream: isSameStream) {
      return .refused(.unknown, detail: detail)
    }
    if kept.recordingID == other.recordingID, try isTrimmedAlike(kept, other, isSameStream: isSameStream) {
      return .removable(reason: kept.quality.advantage(over: other.quality)?.phrase)
    }
    guard try isAsMeasured(kept), try isAsMeasured(other) else { return .refused(.trimming, detail: nil) }
    guard let keptSound = try sound(of: kept), let otherSound = try sound(of: other) else {
      return .refused(.unmeasured, detail: nil)
    }
    // What is stored of a channel is all that is known of it.
    guard min(keptSound.channelCount, otherSound.channelCount) == other.quality.channelCount else {
      return .refused(.channelCount, detail: nil)
    }
    guard let start = kept.offsetInSeconds, let otherStart = other.offsetInSeconds else {
      return .refused(.unaligned, detail: nil)
    }
    let comparison = SoundComparison(keeping: keptSound, removing: otherSound, near: otherStart - start)
    let isFine = kept.quality.canReplace(other.quality) && other.quality.advantage(over: kept.quality) == nil
    // A lossy file may have been made of the lossless one, whatever that was made of.
    if other.quality.codec?.isLossless == true, kept.quality.codec?.isLossless != true {
      return .refused(.better, detail: "a lossless codec")
    }
    if !comparison.isComplete {
      return .refused(.lacking, detail: comparison.differences.map(\.sentence).joined(separator: ", "))
    }
    if isFine {
      return try refusalBySamples(keeping: kept, removing: other, comparison)
        ?? .removable(reason: kept.quality.advantage(over: other.quality)?.phrase)
    }
    // What measures say of a file with holes is no praise of it.
    let reverse = SoundComparison(keeping: otherSound, removing: keptSound, near: start - otherStart)
    if reverse.missingSeconds >= Self.leastMissingSeconds {
      let seconds = (10 * reverse.missingSeconds).rounded() / 10
      return try refusalBySamples(keeping: kept, removing: other, comparison)
        ?? .removable(reason: "has \(seconds) s of sound that this one lacks")
    }
    if let better = other.quality.advantage(over: kept.quality) { return .refused(.better, detail: better.phrase) }
    return .refused(.master, detail: nil)
  }

  /// Whether a file has all of the sound of another one, and some for which that is silent.
  func fills(_ whole: DuplicateGroup.Member, _ holed: DuplicateGroup.Member) throws -> Bool {
    // Most files have no silence, so nothing else needs to be read.
    guard !whole.quality.isDamaged, whole.quality.channelCount == holed.quality.channelCount,
      let start = whole.offsetInSeconds, let other = holed.offsetInSeconds, let holedSound = try sound(of: holed),
      holedSound.longestSilenceInSeconds >= Self.leastMissingSeconds, let wholeSound = try sound(of: whole),
      try isAsMeasured(whole), try isAsMeasured(holed)
    else { return false }
    let reverse = SoundComparison(keeping: holedSound, removing: wholeSound, near: start - other)
    return reverse.missingSeconds >= Self.leastMissingSeconds
      && SoundComparison(keeping: wholeSound, removing: holedSound, near: other - start).isComplete
  }

  /// nil if the decoded samples of the kept file have everything, too.
  private func refusalBySamples(
    keeping kept: DuplicateGroup.Member, removing other: DuplicateGroup.Member, _ comparison: SoundComparison
  ) throws -> Verdict? {
    func isLossless(_ quality: CopyQuality) -> Bool { quality.isLossless && quality.lossyEvidence == nil }
    do {
      let samples = try SampleComparison(
        keeping: open(kept), removing: open(other), as: comparison,
        areLossless: isLossless(kept.quality) && isLossless(other.quality), isDamaged: other.quality.isDamaged)
      guard let seconds = samples.differenceInSeconds else { return nil }
      return .refused(.lacking, detail: "\(Int(seconds)) s after the start of this one it has other sound")
    } catch let error as SegmentReadingError {
      return .refused(.unreadable, detail: error.description)
    }
  }

  // MARK: - What was not decoded

  /// What a file may hold besides the sound that was measured, as part of a sentence; nil if there is nothing.
  ///
  /// - Parameter isSameStream: whether the kept file has the same stream to its last byte, so that what is in it stays.
  private func unknownContent(of member: DuplicateGroup.Member, isSameStream: Bool) throws -> String? {
    let file = member.file
    if file.extractorVersion < ContentNote.firstExtractorVersion {
      return "it was read by an earlier version, which did not look for other content"
    }
    if file.notes.contains(ContentNote.otherStreams) { return "it has other streams" }
    if file.notes.contains(ContentNote.surplus) { return "it has bytes that belong to no known structure" }
    // Even for the same stream: what is missing of it may be in a file beside this one, and not beside the other.
    if file.format?.codec == .hybridWavPack { return "a correction file may belong to it" }
    if isSameStream { return nil }
    if file.format?.container == .trackerModule { return "a module is a copy only if its bytes are the same" }
    if file.notes.contains(Self.coreOnlyNote) { return "only the core of its sound is decoded" }
    let recording = try store.recordings.recording(id: member.recordingID)
    var ofStream = recording?.state == .ok ? nil : recording?.problem
    // Half a frame where the stream was cut, as in `Extraction.judge`: more than a frame would be noted as surplus.
    if file.problem?.code == "truncated", ofStream?.code == "corrupt",
      ofStream?.positionInSeconds ?? 0 == file.problem?.positionInSeconds
    {
      ofStream = nil
    }
    let problems = [file.problem, ofStream].compactMap { $0 }
    return problems.first { !Self.problemsWithoutContent.contains($0.code) }?.reason
  }

  // MARK: - Tags

  private func contradiction(_ one: DuplicateGroup.Member, _ other: DuplicateGroup.Member) throws -> String? {
    guard let one = try labels(of: one), let other = try labels(of: other) else { return nil }
    func differ(_ field: KeyPath<FileLabels, String?>) -> Bool {
      guard let first = one[keyPath: field], let second = other[keyPath: field] else { return false }
      return Self.folded(first) != Self.folded(second)
    }
    let fields: [(KeyPath<FileLabels, String?>, String)] = [
      (\.title, "title"), (\.artist, "artist"), (\.album, "album"),
    ]
    let names = fields.filter { differ($0.0) }.map(\.1)
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }

  /// Without case, accents and repeated blanks.
  static func folded(_ text: String) -> String {
    TextFolding.fold(text).split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  // MARK: - What is stored

  /// Whether two files of one recording are heard alike: they may trim and amplify one stream differently.
  private func isTrimmedAlike(
    _ one: DuplicateGroup.Member, _ other: DuplicateGroup.Member, isSameStream: Bool
  ) throws -> Bool {
    if one.file.format?.decodedFrameCount != other.file.format?.decodedFrameCount { return false }
    guard isSameStream else { return true }
    return Self.isAlike(one.file.declaration, other.file.declaration)
  }

  /// Whether what is stored of its recording is what this file gives.
  private func isAsMeasured(_ member: DuplicateGroup.Member) throws -> Bool {
    Self.isAlike(member.file.declaration, try store.recordings.declaration(of: member.recordingID))
  }

  private static func isAlike(_ one: StreamDeclaration?, _ other: StreamDeclaration?) -> Bool {
    guard let one, let other else { return one == nil && other == nil }
    return one.delayFrameCount == other.delayFrameCount && one.frameCount == other.frameCount
      && abs(one.outputGain.clamped - other.outputGain.clamped) <= mostGainDifference
  }

  private func sound(of member: DuplicateGroup.Member) throws -> StoredSound? {
    if let place = sounds.firstIndex(where: { $0.id == member.recordingID }) {
      let known = sounds.remove(at: place)
      sounds.append(known)
      return known.sound
    }
    let found = try store.recordings.recording(id: member.recordingID).flatMap {
      try StoredSound(ofRecording: $0, in: store)
    }
    if sounds.count == Self.cacheLimit { sounds.removeFirst() }
    sounds.append((member.recordingID, found))
    return found
  }
}

/// Opens files in two workers, which wait for the next pair when they are done.
private final class CopyWorkers {
  private static let count = 2

  private var workers: [PrewarmedWorker] = []

  func open(_ member: DuplicateGroup.Member) throws(SegmentReadingError) -> any SegmentSource {
    // The one that waits longest: the other file of the pair is in the other one.
    var worker = workers.count < Self.count ? try PrewarmedWorker() : workers.removeFirst()
    if !worker.isThere { worker = try PrewarmedWorker() }
    let source = try WorkerSegmentSource(
      member.file.path, recording: member.hash, stream: member.file.streamHash, declaration: member.file.declaration,
      known: member.file.status, isDamaged: member.quality.isDamaged, in: worker)
    workers.append(worker)
    return source
  }
}

extension Int {
  /// Of a gain in a header, which has 16 bits.
  fileprivate var clamped: Int { Swift.min(Swift.max(self, -65_536), 65_536) }
}

extension SoundComparison.Difference {
  /// What the kept file is like, as part of a sentence.
  fileprivate var sentence: String {
    switch self {
    case .length: "it starts later or ends earlier"
    case .silence: "it is silent or quieter somewhere"
    case .covered: "something in it is louder"
    case .channel: "a channel is silent or quieter"
    case .content: "it contains different audio somewhere"
    case .dynamics: "its dynamics differ"
    case .tone: "its tone differs"
    }
  }
}
