import Base
import DecodingService
import LibraryTracks
import MediaDrawing
import MediaExchange
import MediaModel
import MediaRendering
import Testing

struct WaveformRendererTests {
  private let library: SineLibrary

  init() throws { library = try SineLibrary() }

  private func renderer(
    style: WaveformPicture.Style? = nil, _ change: (inout WaveformExtent) -> Void = { _ in }
  ) -> WaveformRenderer {
    var (extent, look) = (WaveformExtent(), WaveformLook())
    change(&extent)
    look.style = style
    return WaveformRenderer(extent: extent, look: look)
  }

  /// What is stored of the track; no file can be opened.
  private func stored() throws -> TrackWaveform {
    try TrackWaveform(of: library.unreadableSource(), in: library.store)
  }

  private let terminal = TerminalCapabilities(environment: [:], isTerminal: false)

  @Test func `data are the stored peaks`() throws {
    let peaks = SineLibrary.peaks
    #expect(try renderer().bytes(of: stored(), title: "", as: .dat) == peaks.datBytes)
    #expect(try renderer().bytes(of: stored(), title: "", as: .json) == Array(peaks.jsonText.utf8))
    #expect(try renderer().bytes(of: stored(), title: "", as: .csv) == Array(peaks.csvText.utf8))
  }

  @Test func `16 bit is decoded from the file`() throws {
    let waveform = try TrackWaveform(of: library.source(), in: library.store)
    let bytes = try renderer { ($0.resolution, $0.zoom) = (.bits16, .framesPerPoint(4_410)) }
      .bytes(of: waveform, title: "", as: .dat)
    let peaks = try WaveformPeaks(datBytes: bytes)
    #expect(peaks.pointCount == 20)
    #expect(abs(Int(peaks.values.max() ?? 0) - 8_192) < 4 && abs(Int(peaks.values.min() ?? 0) + 8_192) < 4)
  }

  @Test(arguments: [.framesPerPoint(300), .pointsPerSecond(50), .fitting] as [WaveformExtent.Zoom])
  func `data at a zoom that is no multiple of the stored one are decoded, never rescaled`(
    zoom: WaveformExtent.Zoom
  ) throws {
    let renderer = renderer { $0.zoom = zoom }
    let waveform = try TrackWaveform(of: library.source(), in: library.store)
    let peaks = try WaveformPeaks(datBytes: renderer.bytes(of: waveform, title: "", as: .dat))
    // The stored peaks are smaller: see ``SineLibrary/peaks``.
    #expect(peaks.values.dropLast(2).allSatisfy { abs(abs($0) - 32) <= 1 })
    let unreadable = try stored()
    for format in [WaveformFormat.dat, .json, .csv, .txt] {
      #expect(throws: SegmentReadingError.self) { try renderer.bytes(of: unreadable, title: "", as: format) }
    }
    let coarse = self.renderer { $0.zoom = .framesPerPoint(300) }
    #expect(try !coarse.bytes(of: unreadable, title: "", as: .svg).isEmpty, "a picture is rescaled")
  }

  @Test func `data for players need no file`() throws {
    let bytes = try WaveformRenderer(extent: WaveformExtent(), look: WaveformLook(), isForPlayers: true)
      .bytes(of: stored(), title: "", as: .json)
    #expect(bytes.split(separator: UInt8(ascii: ",")).count >= SineLibrary.peaks.pointCount)
  }

  @Test(arguments: [(256, false), (512, false), (300, true), (1000, true)])
  func `a file of peaks is rescaled to zooms that are no multiple of its own`(zoom: Int, isRescaled: Bool) throws {
    let document = try PeakDocument(SineLibrary.peaks.datBytes, as: .dat)
    let renderer = renderer { $0.zoom = .framesPerPoint(zoom) }
    #expect(try renderer.rescales(document) == isRescaled)
    let peaks = try WaveformPeaks(datBytes: renderer.bytes(of: document, title: "", as: .dat))
    #expect(peaks.framesPerPoint == zoom)
  }

  @Test(arguments: [(320, 100), (33, 7)])
  func `a picture has the size asked for`(width: Int, height: Int) throws {
    let bytes = try renderer { ($0.width, $0.height) = (width, height) }.bytes(of: stored(), title: "Sine", as: .png)
    #expect(sizeOfPNG(bytes) == [width, height])
  }

  @Test func `a style that needs levels says which product is missing`() throws {
    let waveform = try stored()
    #expect(throws: RenderingError.notStored(.waveformEnergy, SineLibrary.path)) {
      try renderer(style: .bands) { $0.width = 100 }.bytes(of: waveform, title: "", as: .svg)
    }
    let peaks = try PeakDocument(SineLibrary.peaks.datBytes, as: .dat)
    #expect(throws: RenderingError.onlyPeaks) {
      try renderer(style: .rms) { $0.width = 100 }.bytes(of: peaks, title: "", as: .svg)
    }
  }

  @Test func `a drawing of a part after the end is refused`() throws {
    let waveform = try stored()
    for zoom in [nil, WaveformExtent.Zoom.framesPerPoint(512)] {
      #expect(throws: RenderingError.nothingInRange(SineLibrary.path, durationInSeconds: 2)) {
        try renderer { ($0.part.startInSeconds, $0.zoom) = (5, zoom) }
          .drawing(of: waveform, columns: 40, capabilities: terminal)
      }
    }
  }

  @Test func `a drawing has the lines asked for, and RMS needs a picture`() throws {
    var look = WaveformLook()
    look.hasAxis = false
    var extent = WaveformExtent()
    extent.height = 3
    let drawing = try WaveformRenderer(extent: extent, look: look)
      .drawing(of: stored(), columns: 40, capabilities: terminal)
    #expect(drawing.split(separator: "\n").count == 3)
    let waveform = try stored()
    #expect(throws: RenderingError.needsPicture(.rms)) {
      try renderer(style: .rms).drawing(of: waveform, columns: 40, capabilities: terminal)
    }
  }

  @Test func `a file of peaks is converted without a recording`() throws {
    let peaks = SineLibrary.peaks
    let document = try PeakDocument(Array(peaks.jsonText.utf8), as: .json)
    #expect(document.announcedPointCount == peaks.pointCount)
    #expect(try renderer().bytes(of: document, title: "", as: .dat) == peaks.datBytes)
  }

  @Test func `a track of which only the tags are known has no waveform`() throws {
    var track = try library.track()
    track.format.decodedFrameCount = nil
    let source = RecordingSource(track, cache: library.cache)
    #expect(throws: RenderingError.noRecording(SineLibrary.path)) { try TrackWaveform(of: source, in: library.store) }
  }
}
