import MediaRendering
import Testing

struct WaveformZoomTests {
  private func frames(_ zoom: WaveformZoom, rate: Int = 44_100, count: Int64 = 176_400) throws(RenderingError) -> Int {
    try zoom.framesPerPoint(sampleRateInHz: rate, frameCount: count)
  }

  @Test(arguments: [
    (WaveformZoom.framesPerPoint(256), 256), (.pointsPerSecond(50), 882), (.pointsPerSecond(1000), 44),
    (.range(startInSeconds: 1, endInSeconds: 3, pointCount: 200), 441),
    (.range(startInSeconds: 0, endInSeconds: 1.00001, pointCount: 7), 6300), (.fitting(pointCount: 800), 220),
  ])
  func `frames are rounded down as audiowaveform does`(zoom: WaveformZoom, expected: Int) throws {
    #expect(try frames(zoom) == expected)
  }

  @Test(arguments: [
    WaveformZoom.framesPerPoint(1), .framesPerPoint(0), .framesPerPoint(-5), .framesPerPoint(.max),
    .framesPerPoint(.min), .pointsPerSecond(0), .pointsPerSecond(-1), .pointsPerSecond(.max),
    .pointsPerSecond(22_051), .fitting(pointCount: 0), .fitting(pointCount: -3),
    .range(startInSeconds: 3, endInSeconds: 1, pointCount: 10),
    .range(startInSeconds: 1, endInSeconds: 1, pointCount: 10),
    .range(startInSeconds: -1, endInSeconds: 1, pointCount: 10),
    .range(startInSeconds: 0, endInSeconds: .nan, pointCount: 10),
    .range(startInSeconds: 0, endInSeconds: .infinity, pointCount: 10),
    .range(startInSeconds: 0, endInSeconds: 1e300, pointCount: 10),
    .range(startInSeconds: 0, endInSeconds: 0.001, pointCount: 1000),
  ])
  func `an impossible zoom is an error`(zoom: WaveformZoom) {
    #expect(throws: RenderingError.self) { try frames(zoom) }
  }

  @Test func `the error names the range that the rate allows`() {
    #expect(throws: RenderingError.zoom(reason: "at 8000 Hz there can be 1 to 4000 points per second, not 5000")) {
      try frames(.pointsPerSecond(5000), rate: 8000)
    }
  }

  @Test(arguments: [0, 1, 500] as [Int64])
  func `a recording too short for the width gets the finest zoom`(count: Int64) throws {
    #expect(try frames(.fitting(pointCount: 800), count: count) == 2)
  }

  @Test func `a recording too long for a zoom is an error, not a trap`() {
    #expect(throws: RenderingError.self) { try frames(.fitting(pointCount: 1), count: .max) }
  }

  @Test(arguments: [(-1.0, 1), (.nan, 1), (.infinity, 1), (1e18, 1)])
  func `a start that is not a time is an error`(start: Double, width: Int) {
    let stored = WaveformInventory(sampleRateInHz: 44_100, frameCount: 1000, channelCount: 1, mix: nil, channels: nil)
    #expect(throws: RenderingError.self) {
      try WaveformView(zoom: .framesPerPoint(256), startInSeconds: start, pointCount: width, of: stored)
    }
  }

  @Test func `the frames of an absurdly wide view end at the largest number`() throws {
    let stored = WaveformInventory(sampleRateInHz: 44_100, frameCount: 1000, channelCount: 1, mix: nil, channels: nil)
    let view = try WaveformView(zoom: .framesPerPoint(256), startInSeconds: 1, pointCount: .max, of: stored)
    #expect(view.frames == Int64(172 * 256)..<Int64.max)
  }
}
