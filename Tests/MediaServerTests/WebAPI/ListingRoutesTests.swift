import Foundation
import TestSupport
import Testing

struct ListingRoutesTests {
  /// If it is remembered, the loop has no end.
  @Test(.timeLimit(.minutes(5))) func `what a query means by a time from now is not remembered`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    let all = try await library.ask("/api/v1/tracks/count").document["files"] as? Int
    let newest = try await library.ask("/api/v1/tracks?sort=added-&limit=1&fields=added").document["rows"]
    let text = try #require((newest as? [[String: Any]])?.first?["added"] as? String)
    // What was added before it will have been, in two seconds.
    let age = try Date.now.timeIntervalSince(Date(text, strategy: .iso8601)) + 2
    let query = "q=added:..-\(String(format: "%.5f", age / 3600))h"
    var count: Int?
    repeat {
      count = try await library.ask("/api/v1/tracks/count?\(query)").document["files"] as? Int
      _ = try await library.ask("/api/v1/tracks/jumps?sort=title&\(query)")
      try await Task.sleep(for: .milliseconds(50))
    } while count != all
    let page = try await library.ask("/api/v1/tracks?from=1001&limit=1&\(query)")
    #expect(page.document["total"] as? Int == all)
  }

  @Test func `pages fit together, and say which result they are of`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    let whole = try await library.ask("/api/v1/tracks?sort=filename&fields=filename")
    func rows(_ answer: HTTPAnswer) -> [Int] {
      (answer.document["rows"] as? [[String: Any]] ?? []).compactMap { $0["file"] as? Int }
    }
    let revision = try #require(whole.document["revision"] as? String)
    var found: [Int] = []
    for from in stride(from: 0, to: 40, by: 7) {
      let page = try await library.ask("/api/v1/tracks?sort=filename&from=\(from)&limit=7&revision=\(revision)")
      #expect(page.document["from"] as? Int == from && page.document["revision"] as? String == revision)
      found += rows(page)
    }
    #expect(found == rows(whole) && found.count > 20)
    for (place, file) in found.enumerated().filter({ $0.offset.isMultiple(of: 5) }) {
      let rank = try await library.ask("/api/v1/tracks/rank?sort=filename&file=\(file)")
      #expect(rank.document["row"] as? Int == place)
    }
    #expect(try await library.ask("/api/v1/tracks/rank?sort=filename&file=999").document["row"] is NSNull)
    // A recording has the place of its first file; a file that is named counts, whatever the recording.
    let shown = try await library.ask("/api/v1/tracks?sort=filename&fields=id&limit=3").document["rows"]
    let recordings = try #require(shown as? [[String: Any]]).compactMap { $0["id"] as? Int }
    try #require(recordings.count == 3 && Set(recordings).count == 3)
    for (target, place) in [
      ("id=\(recordings[1])", 1), ("file=\(found[2])&id=\(recordings[1])", 2), ("file=999&id=\(recordings[1])", nil),
    ] {
      let rank = try await library.ask("/api/v1/tracks/rank?sort=filename&\(target)")
      #expect(rank.document["row"] as? Int == place, "\(target)")
    }
  }
}
