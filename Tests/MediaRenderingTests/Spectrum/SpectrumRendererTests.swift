import Base
import DecodingService
import MediaDrawing
import MediaExchange
import MediaModel
import MediaRendering
import Synchronization
import Testing

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

  @Test func `the average is that of the stored bands`() throws {
    let table = SpectrumTable(SineLibrary.spectrum)
    #expect(try renderer().bytes(of: stored(), title: "", as: .csv) == Array(table.csvText.utf8))
    #expect(try renderer().bytes(of: stored(), title: "", as: .json) == Array(table.jsonText.utf8))
  }

  @Test func `a part is decoded, and the sine is in its band`() throws {
    let spectrum = try TrackSpectrum(.average, of: library.source(), in: library.store)
    let text = try renderer { $0.part = TrackPart(startInSeconds: 0.5, endInSeconds: 1.5) }
      .bytes(of: spectrum, title: "", as: .csv)
    let rows = String(decoding: text, as: UTF8.self).split(separator: "\n").dropFirst()
      .map { $0.split(separator: ",").compactMap { Double($0) } }.filter { $0.count == 4 }
    let loudest = try #require(rows.max { $0[2] < $1[2] })
    #expect(loudest[0] <= 1_000 && loudest[1] >= 1_000)
    // A quarter of full scale.
    #expect(abs(loudest[2] - -12.04) < 0.5)
  }

  @Test func `bands narrower than the stored bins are counted`() throws {
    var extent = SpectrumExtent()
    (extent.bandCount, extent.fromHz, extent.toHz) = (100, 100, 400)
    let unresolved = try #require(try stored().unresolvedBands(of: extent.averageRequest()))
    #expect(unresolved.count == 100 && abs(unresolved.binWidthInHz - 21.533) < 0.001)
    #expect(try stored().unresolvedBands(of: SpectrumExtent().averageRequest()) == nil)
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
