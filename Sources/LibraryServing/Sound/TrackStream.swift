package import AudioEncoding
package import HTTPServing
package import LibraryTracks
internal import MediaModel
package import MediaRendering
package import MediaStore

/// The forms in which a track is encoded while it is sent.
package enum StreamFormat: String, CaseIterable, Sendable {
  case flac, opus, wav, vorbis, mp3, raw

  /// In which a track is sent if nothing is said of a format or a bit rate: nothing is lost.
  package static let unlimited = flac

  package var kind: SoundFileKind { self == .vorbis ? .ogg : SoundFileKind(rawValue: rawValue) ?? .raw }

  package var mediaType: String {
    switch self {
    case .flac: "audio/flac"
    case .opus: "audio/ogg; codecs=opus"
    case .wav: "audio/wav"
    case .vorbis: "audio/ogg; codecs=vorbis"
    case .mp3: "audio/mpeg"
    case .raw: MediaType.bytes.rawValue
    }
  }
}

/// A track as it sounds through its preset, encoded while it is sent.
package struct TrackStream: Sendable {
  private let track: RenderedTrack
  private let format: StreamFormat
  private var request: RenderRequest
  private let decoders: TrackDecoders

  package init(_ track: RenderedTrack, as format: StreamFormat, _ request: RenderRequest, _ decoders: TrackDecoders) {
    self.track = track
    self.format = format
    self.request = request
    // Who listens has asked for sound, and perhaps for a format, not for loudspeakers.
    if request.downmix == .never { self.request.downmix = .ifNeeded }
    self.decoders = decoders
  }

  /// The reply with the sound, or those of its bytes that the call asks for; call it on a thread that may decode.
  ///
  /// - Parameters:
  ///   - tag: Of the bytes, if it is known how many they are.
  ///   - headers: Besides those that say what the bytes are.
  /// - Throws: ``HTTPProblem`` if too many tracks are being encoded, or for a range outside of the sound.
  package func reply(
    to call: Call, taggedWith tag: String, headers: (TrackRendering) -> [(String, String)]
  ) throws -> Reply {
    let place = call.isHead ? nil : try decoders.streamPlace(for: call.client)
    let rendering = try TrackRenderer(request).prepare(track)
    let range = try rendering.byteCount.flatMap { try call.range(of: $0, taggedWith: tag) }
    var reply = Reply(
      sending: StreamedBody(byteCount: rendering.byteCount, range: range, place: place) { _ = try rendering.write($0) })
    if let range, let byteCount = rendering.byteCount { reply.makePartial(range, of: byteCount) }
    reply.headers += [
      ("Content-Type", format.mediaType), ("Accept-Ranges", rendering.byteCount == nil ? "none" : "bytes"),
    ]
    reply.headers += track.source.damageHeaders + headers(rendering)
    return reply
  }
}

extension ReplayGain {
  /// nil if nothing is known of the loudness; the track's own if its tags name no album.
  package func gainInDB(of track: TrackReference, in store: MediaStore) throws -> Double? {
    guard self != .off else { return nil }
    if self == .album, let file = track.fileDetails.first?.id,
      let album = try store.files.albumLoudness(ofFile: file)?.replayGainInDB
    {
      return album
    }
    return try store.products.measures(ofRecording: track.recordingID)?.replayGainInDB
  }
}
