import Foundation
import Testing
import TestSupport

/// Groups, numbers about them, orders at random and remarks of `ls`, with the scanned fixtures.
struct GroupedListsTests {
  private func run(_ arguments: String...) async throws -> CommandOutcome {
    try await ScannedFixtures.audio.value.called.run(arguments)
  }

  private func rows(_ arguments: String...) async throws -> [[String]] {
    let outcome = try await ScannedFixtures.audio.value.called.must(["ls", "--format", "tsv"] + arguments)
    return outcome.text.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
  }

  @Test func `levels have means, extremes and medians`() async throws {
    let found = try await rows("--avg", "lufs", "--min", "lufs", "--max", "lufs", "--median", "lufs", "lufs:..0")
    #expect(found.first == ["avg_lufs", "min_lufs", "max_lufs", "median_lufs"])
    let levels = try await rows("--fields", "lufs", "lufs:..0").dropFirst().compactMap { Double($0[0]) }.sorted()
    let expected = [
      levels.reduce(0, +) / Double(levels.count), levels[0], levels[levels.count - 1],
      (levels[(levels.count - 1) / 2] + levels[levels.count / 2]) / 2,
    ]
    // The columns are rounded to six decimal places.
    let measured = try #require(found.last).compactMap { Double($0) }
    #expect(measured.count == 4 && zip(measured, expected).allSatisfy { abs($0 - $1) < 1e-5 }, "\(found)")
  }

  @Test func `a list may come as one value or as several`() async throws {
    for (several, one) in [
      (["--max", "lufs", "--max", "peak"], ["--max", "lufs,peak"]),
      (
        ["--fields", "id", "--fields", "codec", "--sort", "codec", "--sort", "id-"],
        ["--fields", "id,codec", "--sort", "codec,id-"]
      ),
      (["--group-by", "codec", "--group-by", "rate", "--count"], ["--group-by", "codec,rate", "--count"]),
    ] {
      let called = try await ScannedFixtures.audio.value.called
      let expected = try await called.must(["ls", "--format", "tsv"] + one).text
      #expect(try await called.must(["ls", "--format", "tsv"] + several).text == expected && !expected.isEmpty)
    }
  }

  @Test(arguments: ["lufs", "year", "rate"])
  func `what cannot be added up is refused`(field: String) async throws {
    let outcome = try await run("ls", "--group-by", "codec", "--sum", field)
    #expect(outcome.status == 64 && outcome.errorText.contains("--avg"), "\(outcome)")
  }

  @Test(arguments: [("added", 10), ("added:day", 10), ("mtime:month", 7), ("added:year", 4)])
  func `times are grouped by day, month or year`(key: String, length: Int) async throws {
    let found = try await rows("--group-by", key, "--count").dropFirst()
    #expect(found.allSatisfy { $0[0].count == length }, "\(found)")
    #expect(found.compactMap { Int($0[1]) }.reduce(0, +) == 25)
  }

  @Test func `only dates and times have months`() async throws {
    for key in ["title:month", "added:week"] {
      #expect(try await run("ls", "--group-by", key).status == 64, "\(key)")
    }
  }

  @Test func `an order at random is repeated with its seed, and pages do not overlap`() async throws {
    let all = try await rows("--fields", "path")
    let first = try await rows("--fields", "path", "--sort", "random:7")
    #expect(try await rows("--fields", "path", "--sort", "random:7") == first)
    #expect(try await rows("--fields", "path", "--sort", "random:8") != first)
    #expect(first != all && Set(first) == Set(all))
    #expect(try await rows("--fields", "path", "--sort", "random:7", "--limit", "5") == Array(first.prefix(6)))
    #expect(try await rows("--fields", "path", "--sort", "random").count == all.count)
  }

  @Test func `a query that finds nothing says how it was understood`() async throws {
    let loose = try await run("ls", "artist:=Lathe & Lantern")
    #expect(loose.status == 0 && loose.errorText.contains("artist is \"Lathe\"") && loose.errorText.contains("quotes"))
    #expect(try await run("ls", "-q", "artist:=Lathe & Lantern").errorText.isEmpty)
    #expect(try await run("ls", "preset:nope").errorText.contains("no preset 'nope'"))
    #expect(try await run("ls", "preset:bass").errorText == "deadwax: nothing found\n")
    #expect(try await run("ls", "title:Lacquer").errorText.isEmpty)
    #expect(try await run("ls", "ext:.opus", "--count").text == run("ls", "ext:opus", "--count").text)
  }

  @Test func `numbers that say little without their unit have it in tables`() async throws {
    let table = try await run("ls", "title:Lacquer", "--fields", "bitrate,silence_end,rate,cutoff").text
    #expect(table.contains("71 kbit/s") && table.contains("0.01 s") && table.contains("24 kHz"), "\(table)")
    #expect(try await rows("title:Lacquer", "--fields", "rate").last == ["24000"])
  }
}
