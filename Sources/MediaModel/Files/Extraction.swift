/// Everything that was found out about the content of a file. A bad file is data for the library, not a failed scan.
package struct Extraction: Hashable, Sendable {
  package var state: FileState
  /// Why `state` is not `ok`.
  package var problem: Problem?
  /// Remarks that do not change the state, such as `extension-mismatch` or `header-lies`.
  package var notes: [String]
  /// What this file gives, by its own headers; its decoded length is nil unless it was decoded.
  package var format: MediaFormat?
  /// nil if the file could not be read.
  package var stream: StreamIdentity?
  /// nil unless all of the file was decoded.
  package var decoded: DecodedStream?
  /// Whether the checksum of the samples that the file has, such as FLAC's MD5, was compared and agreed.
  package var isChecked = false
  package var tags: Tags
  /// Chapters or tracks that the file describes itself; nil if there are none.
  package var parts: PartList?
  package var artwork: [Artwork]
  package var measures: Measures?
  /// Empty if no analysis was requested or possible.
  package var products: [Product]

  package init(
    state: FileState,
    problem: Problem? = nil,
    notes: [String] = [],
    format: MediaFormat? = nil,
    stream: StreamIdentity? = nil,
    decoded: DecodedStream? = nil,
    tags: Tags = Tags(),
    artwork: [Artwork] = [],
    measures: Measures? = nil,
    products: [Product] = []
  ) {
    self.state = state
    self.problem = problem
    self.notes = notes
    self.format = format
    self.stream = stream
    self.decoded = decoded
    self.tags = tags
    self.artwork = artwork
    self.measures = measures
    self.products = products
  }
}

extension Extraction {
  /// That the samples of a recording are frames of another codec, which every file with it says.
  package static let codedSoundNote = "coded-sound"

  /// Whether neither the bytes nor the name are those of a sound: such files are none of the library's.
  package var isNoSound: Bool {
    stream == nil && problem == nil && (state == .unsupported || state == .empty)
  }

  /// Sets state and problem from what the file's own headers and positions say, and from what decoding its stream
  /// showed, in this file or in another one that holds the same stream.
  ///
  /// Call it while ``problem`` is the file's own. The result is the same whichever file was decoded.
  ///
  /// - Parameter frameCount: Frames that the decode gave.
  package mutating func judge(by decoded: DecodedStream, frameCount: Int64) {
    guard state == .ok || state == .damaged else { return }
    let length = contradiction(toFrameCount: frameCount)
    var ofStream = decoded.problem
    // Half a frame where the stream was cut is not a second problem.
    // Without a frame it has no position, because the rate is unknown.
    if length?.code == "truncated", ofStream?.code == "corrupt",
      ofStream?.positionInSeconds ?? 0 == length?.positionInSeconds
    {
      ofStream = nil
    }
    // If all the audio that was promised is there, only the numbers of its frames are wrong.
    if ofStream?.code == Problem.missingFramesCode, format?.declaredFrameCount == frameCount { ofStream = nil }
    if let rate = format?.sampleRateInHz, let channelCount = format?.channelCount,
      ProductCoarseness.factor(frameCount: frameCount, sampleRateInHz: rate, channelCount: channelCount) > 1
    {
      notes.append(ProductCoarseness.note)
    }
    problem = problem ?? ofStream ?? length
    state = problem == nil ? .ok : .damaged
    if frameCount == 0, problem == nil {
      state = .empty
      problem = Problem(code: "empty", reason: "no audio frames")
    }
  }

  /// With parts that end with the recording, whose length may only be known from another file's decode, and with notes
  /// about what is wrong with them.
  package var withSettledParts: Extraction {
    guard let found = parts else { return self }
    var settled = self
    settled.parts = (format?.decodedFrameCount ?? format?.declaredFrameCount).flatMap { found.cut(toFrameCount: $0) }
    settled.notes += (settled.parts ?? found).notes
    return settled
  }

  /// Whether a header promises another length than its packets have, for containers in which only decoding tells.
  private func contradiction(toFrameCount count: Int64) -> Problem? {
    guard let format, let declared = format.declaredFrameCount, let rate = format.sampleRateInHz, declared != count,
      Codec.countedByDecoding.contains(where: { $0 == format.codec }), count < declared || format.codec == .flac
    else { return nil }
    return count < declared
      ? .truncated(frameCount: count, declaredFrameCount: declared, sampleRateInHz: rate)
      : .longerThanHeader(frameCount: count, declaredFrameCount: declared, sampleRateInHz: rate)
  }
}

/// The result of the last attempt to read a file.
package enum FileState: String, CaseIterable, Sendable {
  /// Decoded to the end, with the length that the header declares.
  case ok
  /// Something was decoded, but less than declared, or the header contradicts itself.
  case damaged
  /// Zero bytes, or a container without a single frame of audio.
  case empty
  /// Not audio, or in a format without a decoder; tags are kept.
  case unsupported
  /// The file system refused to read it; the next scan tries again.
  case unreadable
  /// A worker made no progress before its deadline.
  case timeout
  /// A worker died or violated the protocol.
  case crashed
  /// Longer or larger than the limits allow.
  case oversize
  /// Changed while it was read; the next scan reads it again.
  case pending
  /// No longer in its folder; everything about its recording is kept.
  case missing
}

/// Remarks that say that a file holds something that was not decoded: what that is, nobody knows.
///
/// They are among ``Extraction/notes``, and change neither the state nor the identity of a file. A file with one of them
/// is not removed for another one (docs/decisions/0088).
package enum ContentNote {
  /// Another track: with sound, a film, or texts other than chapters; or a part of a chain that is not decoded.
  package static let otherStreams = "other-streams"
  /// Bytes that belong neither to the stream, nor to the structure of the container, nor to tags, and are no padding; or
  /// sound that the headers cut off.
  package static let surplus = "surplus"
  /// Rows that an earlier version of the extractor wrote do not have them.
  package static let firstExtractorVersion = 7
}
