internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// Waveforms of one track, and their bands.
struct WaveformRoutes {
  let library: LibraryAccess
  let decoders: TrackDecoders
  private let recent = RecentWaveforms()

  var routes: [Route] {
    [
      Route(.get, "/tracks/{id}/beats", "Where the beats of a track are.", beats),
      Route(
        .get, "/tracks/{id}/waveform.dat", "A waveform as audiowaveform's .dat.", parameters, answers: [.bytes],
        mayDecode: { try waveform($0, as: .bytes) { [.pieces(of: $0)] } }),
      Route(
        .get, "/tracks/{id}/waveform.json", "The same as JSON.", parameters,
        mayDecode: { try waveform($0, as: .json) { json(try WaveformPeaks(datBytes: $0)) } }),
      Route(
        .get, "/tracks/{id}/bands", "Levels of the waveform in three bands.", [bandZoom], answers: [.bytes], bands),
    ]
  }

  /// From the onsets that the scan has stored; nothing is decoded.
  private func beats(_ call: Call) throws -> Reply {
    try library.reading { store in
      let id = try call.track(in: store).recordingID
      var tempo: Double?
      if let file = try store.files.all(ofRecording: id).first {
        try store.forEachListRow(ofFiles: [file.id], fields: [QueryField("bpm", .tempo)]) { row in
          if case .real(let beatsPerMinute) = row.value(1) { tempo = beatsPerMinute }
        }
      }
      let beats = try TrackBeats(ofRecording: id, shownTempo: tempo, from: store)
      func toMilli(_ number: Double) -> JSONValue { .number((number * 1_000).rounded() / 1_000) }
      return Reply(
        .object([
          "bpm": beats.map { toMilli($0.beatsPerMinute) } ?? .null,
          "beats_seconds": .array(beats?.seconds.map(toMilli) ?? []),
        ]))
    }
  }

  enum Bits: String, CaseIterable, Sendable {
    case eight = "8"
    case sixteen = "16"
  }

  private let zoom = Parameter<Int64>.integer("zoom", "frames per point, from 2", 2...1 << 31, default: 256)
  private let bits = Parameter<Bits>.choice("bits", "8 or 16")
  private let channels = Parameter<ChannelChoice>.choice("channels", "mix or split")
  private let start = Parameter<Int64>.integer("start", "the first frame", 0...1 << 50, default: 0)
  private let points = Parameter<Int64?>.optionalInteger("points", "how many points", 1...1 << 31)
  private var parameters: [any RouteParameter] { [zoom, bits, channels, start, points] }
  private let bandZoom = Parameter<Int64?>.optionalInteger("zoom", "frames per point", 1...1 << 31)

  private let largestDecodedPointCount: Int64 = 16_384
  private let largestDecodedFrameCount: Int64 = 1 << 22

  /// - Parameter encoded: What is sent for the bytes of a .dat.
  private func waveform(
    _ call: Call, as mediaType: MediaType, _ encoded: @escaping @Sendable ([UInt8]) throws -> [DocumentPart]
  ) throws -> Answer {
    let framesPerPoint = try call[zoom]
    let request = WaveformRequest(
      zoom: .framesPerPoint(Int(framesPerPoint)), resolution: try call[bits] == .eight ? .bits8 : .bits16,
      splitsChannels: try call[channels] == .split)
    let first = try call[start] / framesPerPoint
    let wanted = try call[points]
    return try library.reading { store in
      let key = RecentWaveforms.Key(
        revision: try store.revision(), recordingID: try call.id(), framesPerPoint: framesPerPoint,
        resolution: request.resolution, splitsChannels: request.splitsChannels)
      if let known = recent.waveform(for: key) {
        let reply = try call.tagged(try encoded(known.part(from: first, count: wanted)), mediaType)
        return .reply(reply.with(known.damageHeaders))
      }
      let track = try call.track(in: store)
      let source = decoders.source(of: track)
      let damageHeaders = source.damageHeaders
      let waveform = try TrackWaveform(of: source, in: store)
      let stored = waveform.inventory
      let selection = try request.selection(from: stored)
      guard case .decoded(var decoding) = selection else {
        try ClientDisconnect.check()
        let peaks = try waveform.peaks(for: selection)
        try ClientDisconnect.check()
        let whole = EncodedWaveform(try request.result(from: peaks, of: stored), damageHeaders: damageHeaders)
        try ClientDisconnect.check()
        recent.note(whole, for: key)
        let reply = try call.tagged(try encoded(whole.part(from: first, count: wanted)), mediaType)
        return .reply(reply.with(damageHeaders))
      }
      let last = min((wanted ?? .max - first) + first, (stored.frameCount + framesPerPoint - 1) / framesPerPoint)
      let count = max(0, last - first)
      guard count <= largestDecodedPointCount, count * framesPerPoint <= largestDecodedFrameCount else {
        throw HTTPProblem(
          422,
          "points: decoded parts have at most \(largestDecodedPointCount) points and \(largestDecodedFrameCount) frames"
        )
      }
      let name =
        "\(track.hash)-\(framesPerPoint)-\(request.resolution.rawValue)-\(request.splitsChannels)-\(first)-\(count)"
      // A part that begins beyond the end is empty.
      let start = min(first * framesPerPoint, stored.frameCount)
      decoding.frames = start..<max(start, min(last * framesPerPoint, stored.frameCount))
      return call.decoding(taggedWith: name) { [decoding] in
        let peaks = try library.reading { store in
          try TrackWaveform(of: decoders.source(of: track), in: store).peaks(for: .decoded(decoding))
        }
        let result = try request.result(from: peaks, of: stored)
        return try Reply(DocumentStream(encoded(result.datBytes)), type: mediaType.rawValue).with(damageHeaders)
      }
    }
  }

  /// ``WaveformPeaks/jsonText``, whose numbers are written while they are sent.
  private func json(_ peaks: WaveformPeaks) -> [DocumentPart] {
    var document = DocumentDraft()
    document.append(peaks.jsonStart)
    let step = 1 << 12
    let values = peaks.values
    document.append(
      DocumentItems(count: (values.count + step - 1) / step, separator: [UInt8(ascii: ",")]) { range, take in
        for place in range {
          let part = values[place * step..<min((place + 1) * step, values.count)]
          guard take(place, [.bytes(Array(part.map { String($0) }.joined(separator: ",").utf8))]) else { return }
        }
      })
    document.append(WaveformPeaks.jsonEnd)
    return document.parts
  }

  private func bands(_ call: Call) throws -> Reply {
    let zoom = try call[bandZoom]
    return try library.reading { store in
      try ClientDisconnect.check()
      let id = try call.id()
      guard let product = try store.products.product(.waveformEnergy, ofRecording: id) else {
        throw HTTPProblem(404, "the bands of this track are not stored")
      }
      let headers = try decoders.source(of: call.track(in: store)).damageHeaders
      guard let zoom else { return try call.tagged([.pieces(of: product.bytes)], .bytes).with(headers) }
      var energy = try WaveformEnergy(blob: product.bytes)
      guard zoom.isMultiple(of: Int64(energy.framesPerPoint)) else {
        throw HTTPProblem(422, "zoom: a multiple of \(energy.framesPerPoint)")
      }
      let step = Int(zoom) / energy.framesPerPoint
      energy.points = stride(from: 0, to: step == 1 ? 0 : energy.points.count, by: step).map {
        energy.mean(of: $0..<min($0 + step, energy.points.count))
      }
      if step == 1 { return try call.tagged([.pieces(of: product.bytes)], .bytes).with(headers) }
      energy.framesPerPoint = Int(zoom)
      return try call.tagged([.pieces(of: energy.blob)], .bytes).with(headers)
    }
  }
}
