import Base
import DecodingService
import MediaDrawing
import MediaExchange
import MediaModel
import MediaRendering
import Synchronization
import Testing
import TestSupport

struct SpectrumRendererTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  private func renderer(
    _ kind: SpectrumKind = .average, width: Int? = nil, height: Int? = nil,
    _ change: (inout SpectrumExtent) -> Void = { _ in }
  ) -> SpectrumRenderer {
    var (extent, look) = (SpectrumExtent(), SpectrumLook())
    change(&extent)
    (look.width, look.height) = (width, height)
    return SpectrumRenderer(kind: kind, extent: extent, look: look)
  }

  /// What is stored of the track; no file can be opened.
  private func stored(_ kind: SpectrumKind = .average) throws -> TrackSpectrum {
    try TrackSpectrum(kind, of: library.unreadableSource(), in: library.store)
  }

  /// Edges, mean and maximum of each band that has levels.
  private func rows(of csv: [UInt8]) -> [[Double]] {
    String(decoding: csv, as: UTF8.self).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",").compactMap { Double($0) } }.filter { $0.count == 4 }
  }

  @Test func `the average is that of the stored bands`() throws {
    let table = SpectrumTable(SineLibrary.spectrum)
    #expect(try renderer().bytes(of: stored(), title: "", as: .csv) == Array(table.csvText.utf8))
    #expect(try renderer().bytes(of: stored(), title: "", as: .json) == Array(table.jsonText.utf8))
  }

  @Test func `a part is decoded, and the sine is in its band`() throws {
    let spectrum = try TrackSpectrum(.average, of: library.source(), in: library.store)
    let text = try renderer { $0.part = TrackPart(startInSeconds: 0.5, endInSeconds: 1.5) }
      .bytes(of: spectrum, title: "", as: .csv)
    let loudest = try #require(rows(of: text).max { $0[2] < $1[2] })
    #expect(loudest[0] <= 1_000 && loudest[1] >= 1_000)
    // A quarter of full scale.
    #expect(abs(loudest[2] - -12.04) < 0.5)
  }

  @Test(arguments: [30.0, 50, 80]) func `low bands are decoded, and a sine is in its band`(hertz: Double) throws {
    let sine = Signal.sine(
      hz: hertz, sampleRateInHz: SineLibrary.rate, frameCount: SineLibrary.frameCount, amplitude: 0.5)
    let source = try library.source(of: Signal.interleave([sine, sine]))
    let text = try renderer { ($0.bandCount, $0.fromHz, $0.toHz) = (31, 20, 20_000) }
      .bytes(of: TrackSpectrum(.average, of: source, in: library.store), title: "", as: .csv)
    let rows = rows(of: text)
    let loudest = try #require(rows.max { $0[2] < $1[2] })
    #expect(loudest[0] <= hertz && hertz < loudest[1])
    // 30 Hz is 1.2 Hz below the edge of its band, so the next one has a tenth of its power.
    #expect(abs(loudest[2] - -6.02) < 1)
    let others = rows.filter { (row: [Double]) -> Bool in row[1] < hertz / 1.2 || row[0] > hertz * 1.3 }
    #expect(others.count >= 28 && others.allSatisfy { $0[2] < -20 })
  }

  @Test func `bands that cannot be decoded are shares of the stored bins, with the reason`() throws {
    let reasons = Mutex<[SegmentReadingError]>([])
    let spectrum = try TrackSpectrum(.average, of: library.unreadableSource(), in: library.store) { reason in
      reasons.withLock { $0.append(reason) }
    }
    let text = try renderer { ($0.bandCount, $0.fromHz, $0.toHz) = (31, 20, 20_000) }
      .bytes(of: spectrum, title: "", as: .csv)
    #expect(rows(of: text).count == 31 && reasons.withLock { $0.count } == 1)
    _ = try renderer { ($0.bandCount, $0.fromHz, $0.toHz) = (3, 100, 800) }.bytes(of: spectrum, title: "", as: .csv)
    #expect(reasons.withLock { $0.count } == 1, "wide bands need no file")
  }

  @Test(arguments: SpectrumKind.allCases)
  func `a picture has the size asked for`(kind: SpectrumKind) throws {
    let bytes = try renderer(kind, width: 300, height: 200).bytes(of: stored(kind), title: "Sine", as: .png)
    #expect(sizeOfPNG(bytes) == [300, 200])
  }

  @Test(arguments: SpectrumKind.allCases)
  func `a part after the end is refused`(kind: SpectrumKind) throws {
    let spectrum = try stored(kind)
    let error = #expect(throws: RenderingError.self) {
      try renderer(kind) { $0.part.startInSeconds = 3 }.bytes(of: spectrum, title: "", as: .csv)
    }
    guard case .nothingInRange(_, durationInSeconds: 2) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `a part of the spectrogram that cannot be decoded is shown as it is stored`() throws {
    let reasons = Mutex<[SegmentReadingError]>([])
    let spectrum = try TrackSpectrum(.spectrogram, of: library.unreadableSource(), in: library.store) { reason in
      reasons.withLock { $0.append(reason) }
    }
    let bytes = try renderer(.spectrogram, width: 300, height: 200) {
      $0.part = TrackPart(startInSeconds: 0.5, endInSeconds: 1)
    }.bytes(of: spectrum, title: "", as: .png)
    #expect(sizeOfPNG(bytes) == [300, 200])
    #expect(reasons.withLock { $0 } == [.file(SineLibrary.path, reason: "gone")])
    #expect(throws: SegmentReadingError.self) {
      try renderer(.spectrogram) { $0.isExact = true }.bytes(of: spectrum, title: "", as: .png)
    }
  }
}
