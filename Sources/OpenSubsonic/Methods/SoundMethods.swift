internal import AudioEncoding
internal import Base
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// The bytes of songs and covers.
struct SoundMethods {
  let decoders: TrackDecoders
  let files: ServableFiles
  let covers: CoverPictures

  var all: [String: SubsonicMethod] {
    [
      "stream": SubsonicMethod(mayDecode: stream),
      "download": SubsonicMethod(mayDecode: download),
      "getCoverArt": SubsonicMethod(mayDecode: coverArt),
      "getAvatar": SubsonicMethod(mayDecode: { _ in throw SubsonicError.notFound("avatar") }),
    ]
  }

  // MARK: - Streams

  /// What a client gets of a song.
  private enum Form {
    case original
    case encoded(RenderRequest, StreamFormat)
  }

  private func stream(_ call: SubsonicCall) throws -> Answer {
    let id = try call.parameters.required("id")
    let (account, parameters) = (call.account, call.parameters)
    let (form, reference, track, file) = try call.reading { library in
      let (reference, file) = try library.track(ofSong: id)
      let source = decoders.streamSource(of: reference)
      // A password that hears files as they are gets no preset either while a bit rate is lowered.
      let track = try RenderedTrack(
        source, through: account?.hearing == .presets ? nil : .neutral, heardBy: call.listener, in: library.store,
        withArtwork: false)
      let gain = try account?.gain.gainInDB(of: reference, in: library.store)
      let isChanged = track.chain != .neutral || gain != nil
      let form = try self.form(of: file, isChanged: isChanged, gain: gain, rate: track.chain.rate, parameters)
      return (form, reference, track, file)
    }
    switch form {
    case .original: return try files.answer(to: call.call, file, of: reference)
    case .encoded(let request, let format):
      let stream = TrackStream(track, as: format, request, decoders)
      let tag = "\(track.revision)-\(format.rawValue)-\(request)"
      return .decoding {
        try stream.reply(to: call.call, taggedWith: tag) { _ in [("Cache-Control", "no-store")] }
      }
    }
  }

  private func download(_ call: SubsonicCall) throws -> Answer {
    let id = try call.parameters.required("id")
    let (track, file) = try call.reading { try $0.track(ofSong: id) }
    return try files.answer(to: call.call, file, of: track).map { reply in
      var reply = reply
      reply.makeAttachment(named: file.path.lastComponent.displayString)
      return reply
    }
  }

  private static let lastMomentInSeconds = 0.1

  /// The file as it is, unless the sound is changed, a lower bit rate is asked for, or the start is cut off.
  private func form(
    of file: FileDetail, isChanged: Bool, gain: Double?, rate: Double, _ parameters: Fields
  ) throws(SubsonicError) -> Form {
    // In kbit/s; 0 means any.
    let limit = try parameters.integer("maxBitRate", in: 0...10_000).flatMap { $0 == 0 ? nil : Int($0) }
    let offset = try parameters.integer("timeOffset", in: 0...1_000_000_000) ?? 0
    let wanted = parameters["format"]?.lowercased()
    let isSlowEnough = limit.map { (file.format?.bitRateInBitsPerSecond ?? .max) <= $0 * 1000 } ?? true
    let isInFormat = wanted.map { isFile(file, inFormat: $0) } ?? true
    if wanted == "raw" || isInFormat && isSlowEnough, !isChanged, offset == 0 { return .original }
    let format = self.format(named: wanted, hasLimit: limit != nil)
    var request = RenderRequest(kind: format.kind)
    request.gainInDB = gain
    // Seconds of what is heard.
    if offset > 0 {
      var start = Double(offset) * rate
      // The duration of a song is rounded up, too: at what a player takes for its end is its last moment.
      if let duration = file.format?.durationInSeconds, offset <= WholeSeconds.of(duration / rate) {
        start = min(start, max(0, duration - Self.lastMomentInSeconds))
      }
      request.part.startInSeconds = start
    }
    // Bit rates are meant for stereo.
    if limit != nil { request.downmix = .always }
    request.lossy = lossy(format, limit: limit, sampleRateInHz: file.format?.sampleRateInHz)
    return .encoded(request, format)
  }

  /// Whether a file can be sent for a format: nothing is encoded again into what it is already.
  private func isFile(_ file: FileDetail, inFormat name: String) -> Bool {
    let ending = file.path.pathExtension
    if name == ending { return true }
    let aac = ["aac", "m4a", "m4b", "mp4"]
    if aac.contains(name), file.format?.codec == .aac { return aac.contains(ending) }
    // What is not known becomes MP3.
    return format(named: name, hasLimit: true) == .mp3 && ending == "mp3"
  }

  /// Without a limit nothing is lost; with one, what every client plays.
  private func format(named name: String?, hasLimit: Bool) -> StreamFormat {
    switch name {
    case "opus": .opus
    case "ogg", "oga", "vorbis": .vorbis
    case "wav": .wav
    case "flac": .flac
    case "raw": .unlimited
    case nil: hasLimit ? .mp3 : .unlimited
    default: .mp3
    }
  }

  /// - Parameters:
  ///   - limit: In kbit/s.
  ///   - sampleRateInHz: Of the file.
  private func lossy(_ format: StreamFormat, limit: Int?, sampleRateInHz: Int?) -> LossyEncoding {
    switch format {
    case .mp3:
      LossyEncoding(
        bitRate: limit.map { limit in
          let rate = format.kind.sampleRate(for: sampleRateInHz ?? 44_100)
          return 1000 * SoundFileKind.mp3BitRate(upTo: limit, sampleRateInHz: rate)
        })
    case .opus: LossyEncoding(bitRate: limit.map { min(max($0, 6), 510) * 1000 })
    // Vorbis has a quality for about each bit rate of stereo.
    case .vorbis: LossyEncoding(quality: limit.map(vorbisQuality(below:)))
    case .flac, .wav, .raw: LossyEncoding()
    }
  }

  /// The nominal bit rates of libvorbis for 44.1 kHz stereo, from quality -1 on, in kbit/s.
  private func vorbisQuality(below limit: Int) -> Double {
    let rates = [45, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 500]
    return Double((rates.lastIndex { $0 <= limit } ?? 0) - 1)
  }

  // MARK: - Covers

  private func coverArt(_ call: SubsonicCall) throws -> Answer {
    let id = try call.parameters.required("id")
    // 0 means the picture as it is.
    let size = try call.parameters.integer("size", in: 0...100_000).flatMap { $0 == 0 ? nil : Int($0) }
    guard let cover = try call.reading({ try cover(id, $0) }) else { throw SubsonicError.notFound("cover") }
    return try covers.answer(to: call.call, cover, size: size).map { reply in
      guard id.hasPrefix(CoverID.prefix) else { return reply }
      var reply = reply
      // The id is the hash of the bytes.
      reply.headers.removeAll { $0.0 == "Cache-Control" }
      reply.headers.append(("Cache-Control", "private, max-age=31536000, immutable"))
      return reply
    }
  }

  /// Of the id of a cover, or of a song, album or artist.
  private func cover(_ id: String, _ library: SubsonicLibrary) throws -> Cover? {
    let (browseIndex, store) = (library.browseIndex, library.store)
    if id.hasPrefix(CoverID.prefix) {
      guard let hash = ContentHash(hexadecimal: String(id.dropFirst(CoverID.prefix.count))) else { return nil }
      return try store.pictures.picture(hash).flatMap { try $0.asShown(in: store) }.map { .picture($0) }
    }
    if let album = browseIndex.album(id: id) {
      return try Cover(ofAlbum: browseIndex.albums[album].libraryID, in: store)
    }
    if let artist = browseIndex.artist(id: id) {
      return try (browseIndex.artists[artist].albums + browseIndex.artists[artist].guestAlbums).first
        .flatMap { try Cover(ofAlbum: browseIndex.albums[$0].libraryID, in: store) }
    }
    guard let song = try library.song(library.fileID(ofSong: id)) else { return nil }
    return try Cover(ofFile: song.fileID, recording: song.recordingID, in: store)
  }
}
