import Foundation
import Testing
import TestSupport

/// One module writes files below the roots of a library. What else writes, writes something else, and is listed here.
struct OneWriterTests {
  /// Calls that make, replace, shorten or remove files, or open them for writing.
  private static let calls = [
    #"\bO_(WRONLY|RDWR|CREAT|TRUNC|TMPFILE)\b"#,
    #"(?<![.\w])(?<!func )(rename|renameat2?|unlink|unlinkat|link|linkat|truncate|ftruncate|fopen|creat|mkstemp|fchmod|fchown|futimens|utimensat)\("#,
    #"\bGlibc\.(rename|unlink|link|truncate)\b"#,
    #"\b(rename|unlink)\)"#,
    #"\bfor(WritingTo|WritingAtPath|Updating)\b"#,
    #"\.write\(to: (?!&|message)"#,
    #"\bcreateFile\("#,
    #"\b(remove|move|copy|replace|link)Item(At)?\("#,
    #"\bdw_(exchange_names|copy_range|copy_attributes|open_nameless)\("#,
    #"\bSYS_renameat2\b"#,
  ]

  /// Files outside the module with such calls: how many, and what they write. What measures the command is not part of it.
  private static let others: [String: (count: Int, what: String)] = [
    "AudioDecoding/Formats/ASF/ASFTags.swift": (1, "a name in memory"),
    "AudioDecoding/Tags/ID3v2Contents.swift": (1, "a name in memory"),
    "Base/Files/CacheFolder.swift": (7, "the cache of pictures"),
    "Base/Files/PrivateFile.swift": (9, "files of a user's state"),
    "Base/Output/OutputFile.swift": (4, "what -o names, which protects music"),
    "Base/Output/PendingOutput.swift": (10, "what -o names, which protects music"),
    "CPosix/CPosix.c": (3, "files without a name"),
    "CPosix/Files.c": (4, "what the module calls"),
    "CPosix/Terminal.c": (1, "terminals"),
    "CPosix/include/CPosix.h": (4, "what the module calls"),
    "CTagLib/CTagLib.cpp": (1, "refuses to write"),
    "CWorker/CWorker.c": (1, "a file of the kernel"),
    "CWorker/program.c": (1, "/dev/null"),
    "DeadwaxCLI/Listening/PlayMemory.swift": (1, "what was played"),
    "DeadwaxCLI/Program/Program.swift": (1, "/dev/null"),
    "DecodingService/Segments/LeastRecentlyUsed.swift": (2, "a list in memory"),
    "DecodingService/WorkerPool/WorkerProcess.swift": (1, "/dev/null"),
    "LibraryRecovery/Backups/LibraryRestoring.swift": (1, "the library"),
    "LibraryRecovery/Backups/MediaStore+Backup.swift": (1, "backups of the library"),
    "LibraryTracks/Shards/ShardRegister.swift": (4, "the register beside the library"),
    "MediaPlaying/Remote/RemoteControl.swift": (4, "D-Bus"),
    "MediaStore/Copies/LibraryCopy.swift": (5, "copies of the library"),
    "MediaStore/File/LibraryFile.swift": (4, "the library and its locks"),
    "MediaStore/File/LibraryLeftovers.swift": (5, "what a killed process left beside the library"),
    "MediaStore/File/LibraryLocation.swift": (2, "the library"),
    "MediaStore/File/ProcFS.swift": (1, "reads /proc"),
    "MediaStore/Pages/ForeignWAL.swift": (2, "the library's log"),
    "MediaStore/Store/MediaStore.swift": (1, "a temporary library"),
    "SoundIndex/Index/SoundIndex+Update.swift": (3, "the index beside the library"),
    "SoundIndex/Index/SoundIndex.swift": (1, "the index beside the library"),
  ]

  private static func count(in text: String) throws -> Int {
    try calls.reduce(0) { count, pattern in
      count
        + (try NSRegularExpression(pattern: pattern)).numberOfMatches(
          in: text, range: NSRange(text.startIndex..., in: text))
    }
  }

  /// Without comments.
  private static func code(of file: URL) throws -> String {
    try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
      !$0.drop { $0 == " " }.hasPrefix("//")
    }.joined(separator: "\n")
  }

  private static func sources() throws -> [String] {
    let folder = Corpora.projectRoot.appending(path: "Sources").path
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { name in
      ["swift", "c", "cpp", "h"].contains(URL(filePath: name).pathExtension)
    }.sorted()
  }

  @Test func `no other code makes, opens for writing, replaces or removes files, but what is listed`() throws {
    var found: [String: Int] = [:]
    for name in try Self.sources() where !name.hasPrefix("TagWriting/") && !name.hasPrefix("deadwax-bench/") {
      let count = try Self.count(in: Self.code(of: Corpora.projectRoot.appending(path: "Sources/\(name)")))
      if count > 0 { found[name] = count }
    }
    for (name, count) in found.sorted(by: { $0.key < $1.key }) {
      #expect(
        Self.others[name]?.count == count,
        "\(name) has \(count) such calls: if it cannot write music, say here what it writes")
    }
    #expect(Set(Self.others.keys).subtracting(found.keys).isEmpty)
  }

  @Test func `the module has such calls`() throws {
    let names = try Self.sources().filter { $0.hasPrefix("TagWriting/") }
    let count = try names.reduce(0) {
      try $0 + Self.count(in: Self.code(of: Corpora.projectRoot.appending(path: "Sources/\($1)")))
    }
    #expect(count > 5)
  }

  @Test func `only four commands and the owner's page use it`() throws {
    let users = try Self.sources().filter { name in
      guard !name.hasPrefix("TagWriting/") else { return false }
      return try Self.code(of: Corpora.projectRoot.appending(path: "Sources/\(name)")).contains(/TagWriter\b/)
    }
    #expect(
      users == [
        "DeadwaxCLI/UserData/Tags/TagsUndoCommand.swift", "DeadwaxCLI/UserData/Tags/WritingCommand.swift",
        "WebAPI/Writing/FileWriting.swift",
      ])
    // What players speak cannot reach it.
    let manifest = try Self.code(of: Corpora.projectRoot.appending(path: "Package.swift"))
    for name in ["LibraryServing", "OpenSubsonic"] {
      let target = try #require(manifest.components(separatedBy: "name: \"\(name)\"").dropFirst().first)
      #expect(!target.prefix { $0 != "]" }.contains("\"TagWriting\""), "\(name)")
    }
    let commands = try Self.sources().filter { name in
      try Self.code(of: Corpora.projectRoot.appending(path: "Sources/\(name)")).contains("WritingCommand(")
    }
    #expect(
      commands == [
        "DeadwaxCLI/Exporting/ArtworkCommand+Embedding.swift", "DeadwaxCLI/UserData/Tags/TagsWriteCommand.swift",
      ])
  }
}
