import Foundation
import TestSupport
import Testing

@testable import LibraryServing

/// The queue of the jukebox, as far as nothing plays.
struct JukeboxMethodsTests {
  private let library: MethodLibrary

  init() async throws { library = try await MethodLibrary() }

  private func control(_ action: String, _ parameters: [(name: String, value: String?)] = []) async throws -> HTTPAnswer
  {
    let fields = parameters.map { (name: $0.name, value: $0.value.map(library.filled)) }
    return try await library.served.call("jukeboxControl", [("action", action)] + fields)
  }

  private func titles() async throws -> [String] {
    let playlist = try await control("get").subsonic["jukeboxPlaylist"] as? [String: Any]
    return (playlist?["entry"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
  }

  @Test func `songs are added, removed, replaced and cleared`() async throws {
    let empty = try #require(try await control("status").subsonic["jukeboxStatus"] as? [String: Any])
    #expect(empty["currentIndex"] as? Int == -1 && empty["playing"] as? Bool == false)
    #expect(try await control("add", [("id", "{song}"), ("id", "{other}"), ("id", "{song}")]).subsonicCode == nil)
    #expect(try await titles() == ["Marée lente", "Lead-in", "Marée lente"])
    #expect(try await control("remove", [("index", "0")]).subsonicCode == nil)
    #expect(try await titles() == ["Lead-in", "Marée lente"])
    for index in ["2", "-1"] { #expect(try await control("remove", [("index", index)]).subsonicCode == 0, "\(index)") }
    #expect(try await control("shuffle").subsonicCode == nil)
    #expect(try await titles().sorted() == ["Lead-in", "Marée lente"])
    #expect(try await control("set", [("id", "{song}")]).subsonicCode == nil)
    #expect(try await titles() == ["Marée lente"])
    #expect(try await control("add", [("id", "nothing")]).subsonicCode == 70)
    #expect(try await control("add", [("id", "{album}")]).subsonicCode == 70)
    #expect(try await titles() == ["Marée lente"])
    #expect(try await control("clear").subsonicCode == nil)
    #expect(try await titles().isEmpty)
    // Nothing to play is no error, and opens no device.
    #expect(try await control("start").subsonicCode == nil)
    #expect(try await control("skip", [("index", "0")]).subsonicCode == 0)
  }

  @Test func `its volume is from 0 to 1`() async throws {
    let set = try await control("setGain", [("gain", "0.25")]).subsonic["jukeboxStatus"] as? [String: Any]
    #expect(set?["gain"] as? Double == 0.25 && set?["volume"] as? Double == 0.25)
    for gain in ["1.5", "-0.1", "loud", "NaN"] {
      #expect(try await control("setGain", [("gain", gain)]).subsonicCode == 0, "\(gain)")
    }
  }

  @Test func `a password without the right to it may not even ask`() async throws {
    let rita = try library.served.password("rita", .manage)
    for action in ["get", "status", "set", "start", "stop", "skip", "add", "clear", "remove", "shuffle", "setGain"] {
      #expect(
        try await library.served.call("jukeboxControl", ["action": action], by: rita).subsonicCode == 50, "\(action)")
    }
  }
}
