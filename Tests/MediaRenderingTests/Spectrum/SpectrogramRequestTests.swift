import MediaDrawing
import MediaModel
import MediaRendering
import Testing

struct SpectrogramRequestTests {
  private func selection(
    frameCount: Int64 = 441_000, storedRate: Double? = 4, _ change: (inout SpectrogramRequest) -> Void
  ) throws -> SpectrogramRequest.Selection {
    var request = SpectrogramRequest()
    change(&request)
    return try request.selection(sampleRateInHz: 44_100, frameCount: frameCount, columnsPerSecond: storedRate)
  }

  private func recipe(_ change: (inout SpectrogramRequest) -> Void) throws -> SpectrogramRecipe? {
    guard case .decoded(let recipe) = try selection(change) else { return nil }
    return recipe
  }

  @Test func `the stored spectrogram is used if it is fine enough`() throws {
    #expect(try selection { _ in } == .stored(columnsPerSecond: nil))
    #expect(try selection { $0.zoom = .framesPerColumn(11_025) } == .stored(columnsPerSecond: nil))
    #expect(try selection { $0.zoom = .framesPerColumn(44_100) } == .stored(columnsPerSecond: 1))
    #expect(try selection { $0.zoom = .fitting(columnCount: 40) } == .stored(columnsPerSecond: nil))
    // 5,512 frames per column are a little less than a quarter of a second.
    var fourASecond = SpectrogramRequest()
    fourASecond.zoom = .columnsPerSecond(4)
    for rate in [22_050, 11_025, 48_000] {
      let stored = try fourASecond.selection(sampleRateInHz: rate, frameCount: 1_000_000, columnsPerSecond: 4)
      #expect(stored == .stored(columnsPerSecond: nil), "\(rate)")
    }
    #expect(try selection { ($0.fromHz, $0.toHz) = (200, 9_000) } == .stored(columnsPerSecond: nil))
  }

  @Test func `finer columns, other bands, a window and exactness are decoded`() throws {
    #expect(try recipe { $0.zoom = .framesPerColumn(11_024) }?.columnCount == 41)
    #expect(try recipe { $0.zoom = .columnsPerSecond(100) }?.framesPerColumn == 441)
    #expect(try recipe { $0.zoom = .fitting(columnCount: 100) }?.framesPerColumn == 4_410)
    #expect(try recipe { $0.bandCount = 80 }?.framesPerColumn == 11_025)
    #expect(try recipe { $0.fromHz = 50 }?.edgesInHz.first == 50)
    #expect(try recipe { $0.toHz = 20_000 }?.edgesInHz.last == 20_000)
    #expect(try recipe { $0.windowFrameCount = 512 }?.windowFrameCount == 512)
    #expect(try recipe { $0.isExact = true }?.edgesInHz == SpectrumBands.standard.edgesInHz)
  }

  @Test func `a part begins and ends with a frame, and columns do not outnumber frames`() throws {
    let part = try recipe { ($0.startInSeconds, $0.endInSeconds, $0.zoom) = (1.5, 2, .fitting(columnCount: 441)) }
    #expect(part?.firstFrame == 66_150)
    #expect(part?.framesPerColumn == 50)
    #expect(part?.columnCount == 441)
    let short = try recipe { ($0.startInSeconds, $0.endInSeconds, $0.zoom) = (1, 1.001, .fitting(columnCount: 441)) }
    #expect(short?.framesPerColumn == 1)
    #expect(short?.columnCount == 44)
    let cut = try recipe { ($0.startInSeconds, $0.endInSeconds, $0.zoom) = (9, 100, .framesPerColumn(100)) }
    #expect(cut?.columnCount == 441)
  }

  @Test func `text has fewer levels than a picture`() throws {
    func fits(_ frameCount: Int64, isForText: Bool) -> Bool {
      (try? selection(frameCount: frameCount) { ($0.zoom, $0.isForText) = (.framesPerColumn(100), isForText) }) != nil
    }
    let columns = Int64(SpectrogramRequest.maximumLevelCountOfText / 80)
    #expect(fits(100 * columns, isForText: true) && !fits(100 * columns + 1, isForText: true))
    #expect(fits(100 * columns + 1, isForText: false))
    #expect(!fits(100 * Int64(SpectrogramRequest.maximumLevelCount / 80) + 1, isForText: false))
  }

  @Test func `linear bands are equally wide`() throws {
    let edges = try recipe { ($0.bandCount, $0.fromHz, $0.toHz, $0.scale) = (4, 1_000, 9_000, .linear) }?.edgesInHz
    #expect(edges == [1_000, 3_000, 5_000, 7_000, 9_000])
  }

  @Test(
    arguments: [
      (10.0, nil, nil), (1e300, nil, nil), (5, 5, nil), (5, 4, nil), (.nan, 0, nil), (0, nil, -1), (0, nil, 44_101),
    ] as [(Double, Double?, Int?)])
  func `an empty part and an impossible zoom are errors`(start: Double, end: Double?, perSecond: Int?) {
    #expect(throws: RenderingError.self) {
      try selection {
        ($0.startInSeconds, $0.endInSeconds) = (start, end)
        if let perSecond { $0.zoom = .columnsPerSecond(perSecond) }
      }
    }
  }

  @Test func `more levels than memory has are refused`() {
    #expect(throws: RenderingError.tooManyLevels(columnCount: 1 << 40, bandCount: 80)) {
      try selection(frameCount: 1 << 40) { $0.zoom = .framesPerColumn(1) }
    }
  }

  @Test func `only a part in a width may be shown coarser if no file can be read`() {
    var request = SpectrogramRequest()
    #expect(!request.acceptsStored)
    request.zoom = .fitting(columnCount: 100)
    #expect(request.acceptsStored)
    request.bandCount = 20
    #expect(!request.acceptsStored)
  }

  @Test func `fewer columns are the mean power of those that they cover`() throws {
    // 0 dB, -10 dB, ... as steps of half a decibel above -120.
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 1, steps: [240, 220, 200, 240, 240])
    let section = SpectrogramSection(grid).coarsened(toColumnsPerSecond: 2)
    #expect(section.columnsPerSecond == 2 && section.columnCount == 3)
    #expect(abs(section.levelInDB(column: 0, band: 0) - -2.596) < 0.001)
    #expect(abs(section.levelInDB(column: 1, band: 0) - -2.967) < 0.001)
    #expect(section.levelInDB(column: 2, band: 0) == 0)
    let odd = SpectrogramSection(grid).coarsened(toColumnsPerSecond: 4 / 1.5)
    #expect(odd.columnCount == 4)
    #expect(abs(odd.levelInDB(column: 0, band: 0) - -1.549) < 0.001)
  }
}
