import Foundation
import Testing
import TestSupport

/// `cache --simulate`: what the cache of decoded segments does with a list of accesses.
struct CacheCommandTests {
  private func simulate(_ list: String, _ options: [String] = []) async throws -> CommandOutcome {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "list")
    try Data(list.utf8).write(to: file)
    return try await ScannedFixtures.audio.value.called.run(["cache", "--simulate", file.path] + options)
  }

  @Test func `what was decoded for one access is there for the next`() async throws {
    let outcome = try await simulate(
      "# two seconds, twice\n1 3 title:Lacquer\n\n1 3 title:Lacquer\n1 2 title:Balayage\n")
    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
    let lines = outcome.text.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0].hasPrefix("1 3 ") && lines[0].contains(": 0 hits, ") && !lines[0].contains(" 0 misses"))
    #expect(lines[1].contains(" 0 misses, ") && !lines[1].contains(": 0 hits, "))
    #expect(lines[2].contains(": 0 hits, "))
    #expect(lines[3].hasPrefix("3 accesses: "))
  }

  @Test func `blanks at the ends of lines are no part of a track's name`() async throws {
    let outcome = try await simulate(" 1 3 title:Lacquer \t\r\n\t1\t3  title:Lacquer\r\n \r\n")
    #expect(outcome.status == 0 && outcome.text.contains("2 accesses: "), "\(outcome)")
    let one = try await simulate("0 1 1 \n")
    #expect(one.status == 0 && one.text.hasPrefix("0 1 1: "), "\(one)")
  }

  @Test func `a path in a list has the bytes that it has`() async throws {
    let music = try MusicFolder("damaged/clean.mp3")
    let deadwax = try DeadwaxCommand.called()
    try Tool.run("sh", "-c", #"cd "$0" && mv clean.mp3 "$(printf 'caf\351.mp3')""#, music.path)
    try await deadwax.must(["scan", "-q", music.path])
    let list = Data("0 0.1 \(music.path)/caf".utf8) + [0xE9] + Data(".mp3\n".utf8)
    let outcome = try await deadwax.run(["cache", "--simulate", "-"], standardInput: list)
    #expect(outcome.status == 0 && outcome.text.contains("1 access: "), "\(outcome)")
  }

  @Test(arguments: [1, 8])
  func `several threads read what one reads, within the capacity`(jobs: Int) async throws {
    var random = RepeatableRandom(seed: 5)
    let titles = ["title:Lacquer", "title:Balayage", "title:Float", "title:Kick"]
    let list = (0..<200).map { _ in
      let start = Double.random(in: 0..<3, using: &random)
      return "\(start) \(start + 0.5) \(titles[Int.random(in: 0..<4, using: &random)])\n"
    }.joined()
    let outcome = try await simulate(list, ["--json", "--cache-size", "2MiB", "--jobs", "\(jobs)"])
    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
    let figures = try outcome.document(CacheDocument.self)
    #expect(figures.schema == 1 && figures.accesses == 200 && figures.capacity_bytes == 2 << 20)
    #expect(figures.peak_bytes <= figures.capacity_bytes && figures.bytes <= figures.peak_bytes)
    #expect(figures.evictions > 0 && figures.hits > 0 && figures.hits + figures.misses + figures.waits >= 200)
    let whole = try await simulate(list, ["--json"]).document(CacheDocument.self)
    #expect(figures.frames == whole.frames && whole.evictions == 0)
  }

  @Test(arguments: [
    "1 title:Lacquer", "2 1 title:Lacquer", "1 1 title:Lacquer", "x 2 title:Lacquer", "1 2 nothing at all",
  ])
  func `a line that is no access is status 64`(line: String) async throws {
    let outcome = try await simulate("0 1 title:Lacquer\n\(line)\n")
    #expect(outcome.status == 64 && outcome.standardOutput.isEmpty, "\(outcome)")
  }

  @Test func `an empty list and a list that is not there`() async throws {
    let empty = try await simulate("")
    #expect(empty.status == 0 && empty.text.hasPrefix("0 accesses: 0 hits"), "\(empty)")
    let absent = try await ScannedFixtures.audio.value.called.run(["cache", "--simulate", "/no/such/list"])
    #expect(absent.status == 64 && absent.errorText.contains("/no/such/list"), "\(absent)")
  }
}
