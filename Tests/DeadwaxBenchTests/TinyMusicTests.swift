import Foundation
import Testing
import TestSupport

@testable import deadwax_bench

struct TinyMusicTests {
  @Test func `each file has a name and a sound of its own, below albums of artists`() throws {
    let folder = try TestSupport.TemporaryFolder()
    try TinyMusic.make(fileCount: 120, in: folder.url)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).filter { $0.hasSuffix(".wav") }
    #expect(paths.count == 120)
    #expect(Set(try paths.map { try folder.bytes(of: $0) }).count == 120)
    #expect(Set(paths.compactMap { $0.split(separator: "/").first }).count == 3)
    #expect(Set(paths.map { $0.split(separator: "/").dropLast() }).count == 12)
  }
}
