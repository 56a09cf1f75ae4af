internal import AudioEffects
internal import AudioEncoding
package import Base
internal import DecodingService
package import LibraryTracks
package import MediaModel
package import MediaRendering
package import MediaStore
package import UserData

/// What is played: a recording of the library, or a part of one.
package struct PlayItem: Hashable, Sendable {
  package var recordingID: Int64
  /// The number of the part; nil for the whole recording.
  package var part: Int?

  package init(_ recordingID: Int64, part: Int? = nil) {
    self.recordingID = recordingID
    self.part = part
  }
}

/// By what the loudness of tracks is made even.
package enum LoudnessLevelling: String, CaseIterable, Sendable {
  case track, album, off

  package var next: LoudnessLevelling {
    switch self {
    case .track: .album
    case .album: .off
    case .off: .track
    }
  }
}

/// A track with everything that playing it needs, but for its samples.
package struct PlayedTrack: Sendable {
  package let source: RecordingSource
  /// Of the recording.
  package let frames: Range<Int64>
  package let chain: EffectChain
  /// nil if it is heard without one, or through one that was named.
  package let presetName: String?
  package let title: String?
  package let artist: String?
  package let measures: Measures?
  package let album: AlbumLoudness?
  /// A file with its cover, for other programs.
  package var coverFile: BytePath?

  /// - Parameters:
  ///   - chain: nil for the preset that applies to the track.
  ///   - listener: for whom it applies.
  package init(
    _ source: RecordingSource, through chain: EffectChain? = nil, heardBy listener: Listener = .owner,
    in store: MediaStore
  ) throws {
    let track = source.track
    self.source = source
    frames = try TrackPart().frames(of: source.readableTrack)
    let preset = try chain == nil ? RenderedTrack.preset(of: track, heardBy: listener, in: store) : nil
    self.chain = chain ?? preset?.chain ?? .neutral
    presetName = preset?.name.text
    (title, artist) = (track.title, track.artist)
    let detail = try store.tracks.detail(ofRecording: track.recordingID, preferring: track.files.first)
    measures = detail?.measures
    album = detail?.album
  }

  package var sampleRateInHz: Int { max(1, source.track.format.sampleRateInHz ?? 1) }

  package var durationInSeconds: Double { Double(frames.count) / Double(sampleRateInHz) }

  /// What names it: `Artist - Title`, else the name of its file.
  package var label: String {
    let words = [artist, title].compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty
      ? source.track.files.first?.lastComponent.displayString ?? "track" : words.joined(separator: " - ")
  }

  /// The gain of ReplayGain 2.0 from what was measured, in dB, at which the true peak of the decoded track, or of its
  /// album, stays below full scale. 0 if nothing was measured.
  package func gainInDB(_ levelling: LoudnessLevelling) -> Double {
    guard levelling != .off, let own = measures?.replayGainInDB else { return 0 }
    let ofAlbum = levelling == .album && album?.replayGainInDB != nil
    let wanted = ofAlbum ? album?.replayGainInDB ?? own : own
    let peak = (ofAlbum ? album?.truePeakInDBTP : nil) ?? measures?.truePeakInDBTP ?? 0
    return min(wanted, -peak)
  }

  /// The format of its samples after its effects, if nothing else is said by a sink.
  func format(decodedAs format: AudioFormat) -> AudioFormat {
    var format = format
    if ChannelOrder.permutation(from: format.channelOrder, channelCount: format.channelCount) != nil {
      format.channelOrder = .standard
    }
    return format
  }

  /// How many frames it becomes in a sink with another rate.
  package func frameCount(atRateInHz rate: Int) throws -> Int64 {
    let format = AudioFormat(
      sampleRateInHz: sampleRateInHz, channelCount: max(1, source.track.format.channelCount ?? 1))
    let count = try EffectSequence(chain, format: format).outputFrameCount(for: Int64(frames.count))
    guard rate != sampleRateInHz else { return count }
    return try SampleRateConverter(format, toSampleRate: rate).outputFrameCount(for: count)
  }
}
