package import AudioEncoding
internal import Base
internal import DecodingService
package import LibraryTracks
package import MediaModel
package import MediaStore
package import UserData

/// How tracks become sound files: which part, how loud and in which form.
package struct RenderRequest: Sendable {
  package var kind: SoundFileKind
  package var part = TrackPart()
  /// A gain after the effects that is known before, such as ReplayGain; it comes instead of a target loudness.
  package var gainInDB: Double?
  /// Integrated loudness of the result in LUFS; nil to leave it.
  package var targetLoudness: Double?
  package var peaks = PeakProtection.limit
  /// In WAV and FLAC; nil for ``SoundFileKind/form(holding:)``.
  package var form: SampleForm?
  /// Whether to dither to integers if samples were changed or have more bits than those; 24 hold enough of what is decoded.
  package var dithers = true
  package var lossy = LossyEncoding()
  package var downmix = Downmix.never

  package init(kind: SoundFileKind) { self.kind = kind }
}

/// When a recording of more than two channels is mixed to stereo.
package enum Downmix: Sendable {
  /// One with more channels than a file can have is an error.
  case never
  /// If a file cannot have its channels.
  case ifNeeded
  case always
}

/// A track with its preset, and what the library knows of it before it is decoded.
package struct RenderedTrack: Sendable {
  package let source: RecordingSource
  package let chain: EffectChain
  let measures: Measures?
  let tags: SoundTags

  /// - Parameters:
  ///   - chain: nil for the preset that applies to the track.
  ///   - listener: for whom it applies; nil for the one for whom the connection speaks.
  package init(
    _ source: RecordingSource, through chain: EffectChain? = nil, heardBy listener: Listener? = nil,
    in store: MediaStore, withArtwork: Bool = true
  ) throws {
    let track = source.track
    self.source = source
    let found = try store.files.tagsAndArtwork(
      ofRecording: track.recordingID, preferring: track.files.first, withArtwork: withArtwork)
    let chain = try chain ?? Self.preset(of: track, heardBy: listener, in: store)?.chain ?? .neutral
    self.chain = chain
    measures = try store.products.measures(ofRecording: track.recordingID)
    tags = SoundTags(
      carriedOver: track.part.map { found.tags.named(by: $0) } ?? found.tags, artwork: found.artwork,
      through: chain)
  }

  /// A text that is another one if the sound, the effects or the tags are.
  package var revision: String {
    let frames = source.readableTrack.format.decodedFrameCount ?? 0
    let part = source.track.part?.part.frames
    return "\(source.track.hash)-"
      + String(CRC32.checksum(Array("\(frames) \(part as Any) \(chain) \(tags)".utf8)), radix: 16)
  }

  /// The preset that applies to a track; nil if it is heard without one.
  package static func preset(
    of track: TrackReference, heardBy listener: Listener? = nil, in store: MediaStore
  ) throws -> Preset? {
    let resolution = try store.presets.resolution(
      ofRecording: track.recordingID, preferring: track.files.first, part: track.part?.part.frames, for: listener)
    return try resolution.presetName.map { try store.presets.preset(named: $0).preset() }
  }
}

extension Tags {
  /// The tags of a part of a file with these tags: its own names and number instead of the file's, whose title is that of
  /// the album if it names none.
  fileprivate func named(by numbered: NumberedPart) -> Tags {
    let part = numbered.part.tags
    var values = Dictionary(properties.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    if values["ALBUM"] == nil { values["ALBUM"] = values["TITLE"] }
    values["TITLE"] = [part.title ?? "Part \(numbered.number)"]
    values["TRACKNUMBER"] = ["\(numbered.number)"]
    for name in ["TRACKTOTAL", "LYRICS", "ISRC", "MUSICBRAINZ_TRACKID", "ACOUSTID_ID"] { values[name] = nil }
    for (name, value) in [
      ("ARTIST", part.artist), ("LYRICIST", part.songwriter), ("GENRE", part.genre), ("DATE", part.date),
      ("ISRC", part.isrc),
    ] {
      if let value { values[name] = [value] }
    }
    return Tags(
      values.filter { !$0.key.hasPrefix("CHAPTER") }.map { Property(name: $0.key, values: $0.value) })
  }
}

/// What was done to a track, and what of it did not go into the sound file.
package struct RenderReport: Hashable, Sendable {
  package var gainInDB = 0.0
  /// How far the limiter turned down the loudest moment; nil without a limiter.
  package var greatestReductionInDB: Double?
  /// By how much the target loudness is missed to protect the peaks.
  package var shortfallInLU: Double?
  /// Samples beyond full scale that were cut to it.
  package var clippedSampleCount = 0
  /// Whether a target loudness was ignored, because the track is too short or too quiet to have a loudness.
  package var hasNoLoudness = false
  /// Bands of the equalizer above half the sample rate, which were moved to it.
  package var movedBandCount = 0
  /// Set if the format has other loudspeakers for this number of channels.
  package var channelCountWithOtherLoudspeakers: Int?
  /// Whether a picture is too large for the format.
  package var omitsArtwork = false

  package init() {}
}

/// Writes tracks through their presets as sound files.
package struct TrackRenderer: Sendable {
  private let request: RenderRequest

  package init(_ request: RenderRequest) { self.request = request }

  /// Passes on the bytes of the sound file, from the first to the last.
  ///
  /// - Returns: What was done, and what replaces the first bytes; empty if they stay.
  package func write(
    _ track: RenderedTrack, _ append: ([UInt8]) throws -> Void
  ) throws -> (report: RenderReport, start: [UInt8]) {
    try prepare(track).write(append)
  }

  /// Opens the recording, and measures it if the target loudness needs that.
  package func prepare(_ track: RenderedTrack) throws -> TrackRendering { try TrackRendering(of: track, request) }
}
