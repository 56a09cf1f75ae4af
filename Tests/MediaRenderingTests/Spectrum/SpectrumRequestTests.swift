import Glibc
import MediaExchange
import MediaModel
import MediaRendering
import Testing

struct SpectrumRequestTests {
  /// Every bin at one level: white noise.
  private func white(level: Float = -60, rate: Int = 44_100) -> SpectrumSummary {
    let bands = SpectrumSummary.Levels(
      meanInDB: Array(repeating: -40, count: 80), maximumInDB: Array(repeating: -30, count: 80))
    let bins = Array(repeating: level, count: 1025)
    return SpectrumSummary(
      sampleRateInHz: rate, mix: bands,
      channels: [bands, .init(meanInDB: bands.meanInDB.map { $0 - 6 }, maximumInDB: bands.maximumInDB)],
      bins: .init(meanInDB: bins, maximumInDB: bins.map { $0 + 10 }))
  }

  @Test func `the stored bands are used if they are asked for, else the bins`() throws {
    #expect(try SpectrumRequest().selection == .bands)
    #expect(try SpectrumRequest().tables(from: white()) == [SpectrumTable(white())])
    #expect(try SpectrumRequest(bandCount: 40).selection == .bins)
    #expect(try SpectrumRequest(fromHz: 50).selection == .bins)
  }

  @Test func `an octave of noise holds twice the power of the one below`() throws {
    let table = try SpectrumRequest(bandCount: 6, fromHz: 200, toHz: 12_800).tables(from: white())[0]
    #expect(table.bands.count == 6)
    for (low, high) in zip(table.bands, table.bands.dropFirst()) {
      #expect(abs(try #require(high.meanInDB) - #require(low.meanInDB) - 10 * log10(2)) < 0.001)
    }
    // 200 Hz are 9.288 bins of 21.53 Hz; the window lets a bin hear 1.16867 times its width.
    #expect(abs(try #require(table.bands[0].meanInDB) - (-60 + 10 * log10(9.2880 / 1.16867))) < 0.001)
    #expect(abs(try #require(table.bands[0].maximumInDB) - (-50 + 10 * log10(9.2880 / 1.16867))) < 0.001)
  }

  @Test func `any division into bands has the same total power`() throws {
    func power(_ count: Int) throws -> Double {
      try SpectrumRequest(bandCount: count, fromHz: 100, toHz: 10_000).tables(from: white())[0].bands
        .reduce(0) { try $0 + pow(10, #require($1.meanInDB) / 10) }
    }
    let one = try power(1)
    for count in [2, 7, 100, 1000] { #expect(abs(try power(count) / one - 1) < 1e-5) }
  }

  @Test func `silence is silence, however many bins of it`() throws {
    let table = try SpectrumRequest(bandCount: 1, fromHz: 20, toHz: 20_000).tables(from: white(level: -120))[0]
    #expect(table.bands[0].meanInDB == -120)
  }

  @Test func `bands narrower than four bins are counted`() throws {
    let fine = try SpectrumRequest(bandCount: 100, fromHz: 100, toHz: 400).tables(from: white())[0]
    #expect(fine.unresolvedBandCount == 100)
    #expect(try SpectrumRequest(bandCount: 3, fromHz: 100, toHz: 800).tables(from: white())[0].unresolvedBandCount == 0)
    #expect(SpectrumTable(white()).unresolvedBandCount == 0)
  }

  @Test func `above half the rate there is no level`() throws {
    let table = try SpectrumRequest(bandCount: 2, fromHz: 2000, toHz: 8000).tables(from: white(rate: 8000))[0]
    #expect(table.bands.map { $0.meanInDB == nil } == [false, true])
  }

  @Test func `left and right are stored in the standard bands; other bands and parts are decoded`() throws {
    let tables = try SpectrumRequest(splitsChannels: true).tables(from: white())
    #expect(tables.map { $0.bands[0].meanInDB } == [-40, -46])
    #expect(try SpectrumRequest(bandCount: 40, splitsChannels: true).selection == .decoded)
    #expect(try SpectrumRequest(isExact: true).selection == .decoded)
    #expect(
      SpectrumTable.csvText([("left", tables[0]), ("right", tables[1])]).split(separator: "\n").prefix(2)
        == ["low_hz,high_hz,left_mean_db,left_max_db,right_mean_db,right_max_db", "100,106.707,-40,-30,-46,-30"])
  }

  @Test(arguments: [
    (0, 100.0, 200.0), (-1, 100, 200), (5000, 100, 200), (10, 0, 100), (10, 200, 100), (10, 100, 100), (10, .nan, 100),
    (10, 100, .nan), (10, 100, .infinity), (10, 1e-9, 100),
  ])
  func `impossible bands are an error`(count: Int, low: Double, high: Double) {
    #expect(throws: RenderingError.self) { try SpectrumRequest(bandCount: count, fromHz: low, toHz: high) }
  }

  @Test func `strange stored levels do not trap`() throws {
    for bins in [[], [.nan], [.infinity, -.infinity, 300], Array(repeating: Float.nan, count: 1025)] as [[Float]] {
      var summary = white()
      summary.bins = .init(meanInDB: bins, maximumInDB: [])
      let table = try SpectrumRequest(bandCount: 31, fromHz: 1, toHz: 20_000, isSmoothed: true).tables(from: summary)[0]
      #expect(table.bands.count == 31)
    }
  }

  @Test func `smoothing weighs seven bands 1 2 3 5 3 2 1 and leaves three at each end`() throws {
    var summary = white()
    summary.mix.meanInDB = Array(repeating: -120, count: 80)
    summary.mix.meanInDB[40] = 0
    summary.mix.meanInDB[1] = 0
    let bands = try SpectrumRequest(isSmoothed: true).tables(from: summary)[0].bands
    for (offset, weight) in zip(-3...3, [1.0, 2, 3, 5, 3, 2, 1]) {
      #expect(abs(try #require(bands[40 + offset].meanInDB) - 20 * log10(weight / 17)) < 0.01)
    }
    #expect(bands[0...2].map(\.meanInDB) == [-120, 0, -120])
    #expect(abs(try #require(bands[3].meanInDB) - 20 * log10(2 / 17)) < 0.01)
  }
}
