internal import AudioAnalysis
internal import Base
internal import DecodingService
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// Spectra of one track: the average, and tiles of the spectrogram.
struct SpectrumRoutes {
  let library: LibraryAccess
  let decoders: TrackDecoders

  var routes: [Route] {
    [
      Route(
        .get, "/tracks/{id}/spectrum", "The mean and maximum level of each band.",
        [bands, low, high, weighting, channels], mayDecode: spectrum),
      Route(
        .get, "/tracks/{id}/spectrogram", "A tile of the spectrogram.",
        [start, zoom, columns, bands, low, high], answers: [.bytes], mayDecode: spectrogram),
      Route(.get, "/tracks/{id}/loudness", "The loudness over time.", mayDecode: loudness),
    ]
  }

  enum Weighting: String, CaseIterable, Sendable {
    case none, a
  }

  private let bands = Parameter<Int64?>.optionalInteger("bands", "how many bands, 8 to 512 (80)", 8...512)
  private let low = Parameter<Double?>.number("low", "the lowest edge in Hz, from 10 (100)", 10...100_000)
  private let high = Parameter<Double?>.number("high", "the highest edge in Hz (18000)", 10...100_000)
  private let weighting = Parameter<Weighting>.choice("weighting", "none or a")
  private let channels = Parameter<ChannelChoice>.choice("channels", "mix or split")
  private let start = Parameter<Int64>.integer("start", "the first frame", 0...1 << 50, default: 0)
  private let zoom = Parameter<Int64>.integer(
    "zoom", "frames per column; 0 as stored", 0...1 << 24, default: 0)
  private let columns = Parameter<Int64?>.optionalInteger("columns", "how many columns, 1 to 1024", 1...1024)

  private let largestTile: Int64 = 1 << 22

  private func spectrum(_ call: Call) throws -> Answer {
    var extent = SpectrumExtent()
    extent.bandCount = try call[bands].map(Int.init)
    (extent.fromHz, extent.toHz) = (try call[low], try call[high])
    extent.weighting = try call[weighting] == .a ? .a : .none
    extent.splitsChannels = try call[channels] == .split
    // Other bands than the stored ones may have to be decoded.
    guard try extent.averageRequest().selection == .bands else {
      return .decoding { [extent] in try spectrum(call, extent) }
    }
    return .reply(try spectrum(call, extent))
  }

  private func spectrum(_ call: Call, _ extent: SpectrumExtent) throws -> Reply {
    try library.reading { store in
      let track = try call.track(in: store)
      let source = decoders.streamSource(of: track)
      let spectrum = try TrackSpectrum(.average, of: source, in: store)
      let renderer = SpectrumRenderer(kind: .average, extent: extent, look: SpectrumLook())
      return call.tagged(try renderer.bytes(of: spectrum, title: "", as: .json), .json).with(source.damageHeaders)
    }
  }

  // MARK: - Loudness

  private let longestCourse: Int64 = 2 * 3600

  private func loudness(_ call: Call) throws -> Answer {
    let track = try library.reading { try call.track(in: $0) }
    let source = decoders.streamSource(of: track)
    guard let rate = track.format.sampleRateInHz, let count = track.format.decodedFrameCount else {
      throw RenderingError.noRecording(nil)
    }
    guard count <= Int64(rate) * longestCourse else { throw HTTPProblem(422, "the track is longer than two hours") }
    return call.decoding(taggedWith: "\(track.hash)-loudness-1") {
      let reader = try source.makeReader()
      var analyzer = LoudnessCourseAnalyzer(format: reader.format)
      try reader.forEachPiece(of: 0..<count) { analyzer.consume($0) }
      let course = analyzer.finish()
      return Reply(
        .object([
          "integrated_lufs": .number(course.integratedInLUFS), "range_lu": .number(course.rangeInLU),
          "step_seconds": .number(LoudnessCourse.stepInSeconds), "momentary_lufs": levels(course.momentaryInLUFS),
          "short_term_lufs": levels(course.shortTermInLUFS),
        ]), isTagged: true
      ).with(source.damageHeaders)
    }
  }

  /// To a tenth, which is more than a plot shows.
  private func levels(_ levels: [Double?]) -> JSONValue {
    .array(levels.map { .number($0.map { ($0 * 10).rounded() / 10 }) })
  }

  // MARK: - Tiles

  private func spectrogram(_ call: Call) throws -> Answer {
    let (first, zoom, count) = (try call[start], try call[zoom], try call[columns])
    let isStored = try zoom == 0 && call[bands] == nil && call[low] == nil && call[high] == nil
    return try library.reading { store in
      let track = try call.track(in: store)
      guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount else {
        throw RenderingError.noRecording(nil)
      }
      let headers = decoders.source(of: track).damageHeaders
      if isStored {
        guard let product = try store.products.product(.spectrogram, ofRecording: track.recordingID) else {
          throw RenderingError.notStored(.spectrogram, nil)
        }
        let tile = SpectrogramTile(
          try SpectrumGrid(blob: product.bytes), sampleRateInHz: rate, firstFrame: first,
          columnCount: count.map(Int.init))
        return .reply(try call.tagged([.pieces(of: tile.bytes)], .bytes).with(headers))
      }
      let length = zoom == 0 ? Int64(rate / 4) : zoom
      let count = min(count ?? 256, max(1, (frameCount - first + length - 1) / length))
      guard first < frameCount else { throw HTTPProblem(422, "start: the track has \(frameCount) frames") }
      guard count * length <= largestTile else {
        throw HTTPProblem(422, "columns: a tile has at most \(largestTile) frames")
      }
      let request = try SpectrumRequest(
        bandCount: Int(try call[bands] ?? 80), fromHz: try call[low] ?? 100, toHz: try call[high] ?? 18_000)
      let edges = request.bands.edgesInHz
      let tag = "\(track.hash)-\(first)-\(length)-\(count)-\(edges.count)-\(edges[0])-\(edges[edges.count - 1])"
      return call.decoding(taggedWith: tag) {
        let recipe = SpectrogramRecipe(
          firstFrame: first, framesPerColumn: Int(length), columnCount: Int(count), edgesInHz: edges)
        let reader = try decoders.source(of: track).makeReader()
        var analyzer = SpectrogramAnalyzer(format: reader.format, recipe)
        let frames = SpectrogramAnalyzer.framesNeeded(for: recipe, sampleRateInHz: reader.format.sampleRateInHz)
        try reader.forEachPiece(of: frames) { analyzer.consume($0) }
        return Reply(SpectrogramTile(analyzer.finish()).bytes, .bytes).with(headers)
      }
    }
  }
}

/// A part of a spectrogram as bytes; docs/api.md has the layout.
struct SpectrogramTile {
  private let sampleRateInHz: Int
  private let firstFrame: Double
  private let framesPerColumn: Double
  private let edgesInHz: [Double]
  private let steps: [UInt8]

  init(_ levels: SpectrogramLevels) {
    sampleRateInHz = levels.sampleRateInHz
    firstFrame = Double(levels.firstFrame)
    framesPerColumn = Double(levels.framesPerColumn)
    edgesInHz = levels.edgesInHz
    steps = levels.levelsInDB.map(DecibelStep.encode)
  }

  /// The stored columns from the one that contains a frame.
  init(_ grid: SpectrumGrid, sampleRateInHz: Int, firstFrame: Int64, columnCount: Int?) {
    self.sampleRateInHz = sampleRateInHz
    framesPerColumn = Double(sampleRateInHz) / grid.columnsPerSecond
    let first = min(Int(Double(firstFrame) / framesPerColumn), grid.columnCount)
    let last = min(first + (columnCount ?? grid.columnCount), grid.columnCount)
    self.firstFrame = Double(first) * framesPerColumn
    edgesInHz = SpectrumBands.stored(count: grid.bandCount)?.edgesInHz ?? []
    steps = edgesInHz.isEmpty ? [] : Array(grid.steps[first * grid.bandCount..<last * grid.bandCount])
  }

  var bytes: [UInt8] {
    let bandCount = max(edgesInHz.count - 1, 0)
    var writer = ByteWriter(capacity: 32 + 4 * edgesInHz.count + steps.count)
    writer.append(UInt32(clamping: sampleRateInHz))
    writer.append(UInt32(bandCount))
    writer.append(UInt32(bandCount == 0 ? 0 : steps.count / bandCount))
    writer.append(UInt32(0))
    writer.append(firstFrame)
    writer.append(framesPerColumn)
    for edge in edgesInHz { writer.append(Float(edge).bitPattern) }
    writer.append(raw: steps)
    return writer.bytes
  }
}
