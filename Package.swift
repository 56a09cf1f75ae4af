// swift-tools-version: 6.2
import PackageDescription

// `make index` does without at first: a minute of a first build, for what few need on the first day.
let hasTLS = Context.environment["DEADWAX_TLS"] != "no"

let package = Package(
  name: "deadwax",
  products: [
    .executable(name: "deadwax", targets: ["deadwax"]),
    .executable(name: "deadwax-bench", targets: ["deadwax-bench"]),
    .executable(name: "deadwax-faults", targets: ["deadwax-faults"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
    // What hummingbird passes on of these is used directly; it says which versions.
    .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0", traits: []),
    .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.0"),
    .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.0"),
  ],
  targets: [
    // C libraries: one door each. Those that not every command uses are loaded when they are first used, the others linked.
    .target(name: "CLoader"),
    .target(name: "CALSA", dependencies: ["CLoader"]),
    .target(name: "CCairo", dependencies: ["CLoader"]),
    .target(name: "CChromaprint", dependencies: ["CLoader"]),
    .target(name: "CCurl", dependencies: ["CLoader"]),
    // What pkg-config says would link the library, too.
    .target(
      name: "CDBus", dependencies: ["CLoader"],
      cSettings: [
        .unsafeFlags([
          "-isystem", "/usr/include/dbus-1.0",
          "-isystem", "/usr/lib/x86_64-linux-gnu/dbus-1.0/include",
          "-isystem", "/usr/lib/aarch64-linux-gnu/dbus-1.0/include",
        ])
      ]),
    .target(name: "CExpat", dependencies: ["CLoader"]),
    .target(name: "CFFmpeg", dependencies: ["CLoader"]),
    .target(name: "CFLAC", dependencies: ["CLoader"]),
    .target(name: "CLame", dependencies: ["CLoader"]),
    .target(name: "CMPG123", dependencies: ["CLoader"]),
    .target(name: "CMusepack", dependencies: ["CLoader"]),
    .target(name: "COpenMPT", dependencies: ["CLoader"]),
    .target(name: "COpus", dependencies: ["CLoader"]),
    // Without a header of Pango's.
    .target(name: "CPango", dependencies: ["CLoader"]),
    .target(name: "CPNG", dependencies: ["CLoader"]),
    .target(name: "CSndFile", dependencies: ["CLoader"]),
    .target(name: "CSoxr", dependencies: ["CLoader"]),
    .target(name: "CSpeex", dependencies: ["CLoader"]),
    .target(name: "CVorbis", dependencies: ["CLoader"]),
    .target(name: "CTagLib", linkerSettings: [.linkedLibrary("tag")]),
    .target(name: "CYAML", dependencies: ["CLoader"]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    // The files of web/, the page, as bytes in the program.
    .target(name: "CWebPage"),
    // The commit, if the build is told.
    .target(
      name: "CBuild",
      cSettings: (Context.environment["DEADWAX_COMMIT"] ?? "").isEmpty
        ? [] : [.define("DEADWAX_COMMIT", to: "\"\(Context.environment["DEADWAX_COMMIT"] ?? "")\"")]),

    // What Swift cannot say to the kernel.
    .target(name: "CHeap"),
    .target(name: "CPosix"),
    .target(name: "CWorker"),

    // What all others build on.
    .target(name: "Base", dependencies: ["CPosix", "CZlib"]),
    .target(name: "MediaModel", dependencies: ["Base", "CXXHash"]),
    .target(name: "SignalProcessing"),
    .target(name: "QueryLanguage", dependencies: ["Base", "MediaModel"]),
    .target(name: "WebRequests", dependencies: ["Base", "CCurl"]),

    // The stages, in the order data moves.
    .target(
      name: "AudioDecoding",
      dependencies: [
        "Base", "MediaModel", "SignalProcessing", "CFFmpeg", "CFLAC", "CMPG123", "CMusepack", "COpenMPT", "COpus",
        "CSndFile", "CSpeex",
        "CTagLib",
        "CVorbis", "CXXHash",
      ]),
    .target(name: "TagEditing", dependencies: ["Base", "MediaModel", "AudioDecoding"]),
    .target(name: "AudioAnalysis", dependencies: ["Base", "MediaModel", "SignalProcessing", "CChromaprint"]),
    .target(name: "AudioEffects", dependencies: ["Base", "MediaModel", "SignalProcessing", "CSoxr"]),
    .target(
      name: "AudioEncoding", dependencies: ["Base", "MediaModel", "CFLAC", "CLame", "COpus", "CTagLib", "CVorbis"]),
    .target(name: "MasterComparison", dependencies: ["MediaModel", "SignalProcessing"]),
    .target(name: "Speech", dependencies: ["Base", "MediaModel", "CWorker"]),
    .target(
      name: "DecodingService",
      dependencies: ["Base", "MediaModel", "AudioDecoding", "TagEditing", "AudioAnalysis", "CWorker"]),
    // The library: its file and database, then what is stored in it, by subject.
    .target(
      name: "LibraryDatabase",
      dependencies: [
        "Base", "MediaModel", "CPosix", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "MediaStore",
      dependencies: [
        "Base", "MediaModel", "LibraryDatabase", "CPosix", .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.embedInCode("schema.sql")]),
    .target(name: "UserData", dependencies: ["Base", "MediaModel", "LibraryDatabase", "MediaStore"]),
    .target(
      name: "LibraryQueries",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "LibraryDatabase", "MediaStore", "UserData",
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "LibraryTracks",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "LibraryDatabase", "MediaStore", "UserData", "LibraryQueries",
      ]),
    .target(
      name: "LibraryScanning",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "LibraryDatabase", "MediaStore", "UserData", "LibraryQueries",
        "LibraryTracks",
      ]),
    .target(
      name: "LibraryRecovery",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "LibraryDatabase", "MediaStore", "UserData", "LibraryQueries",
        "LibraryTracks",
      ]),
    .target(
      name: "LibraryMerging",
      dependencies: [
        "Base", "MediaModel", "LibraryDatabase", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks",
        "LibraryScanning", "LibraryRecovery",
      ]),
    .target(
      name: "MediaImport",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "DecodingService", "MediaStore", "LibraryTracks", "LibraryScanning",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "TagWriting",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "TagEditing", "DecodingService", "MediaStore", "UserData",
        "LibraryQueries", "LibraryTracks", "LibraryScanning", "MediaImport", "MediaExchange", "CPosix",
      ]),
    .target(
      name: "SoundIndex", dependencies: ["Base", "MediaModel"], resources: [.embedInCode("Similarity/projection.bin")]),
    .target(
      name: "SoundSearch",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "WebRequests", "AudioAnalysis", "DecodingService", "MediaStore",
        "UserData", "LibraryQueries", "LibraryTracks", "SoundIndex",
      ]),
    .target(name: "MediaDrawing", dependencies: ["Base", "MediaModel", "CCairo", "CPango", "CPNG"]),
    .target(name: "MediaExchange", dependencies: ["Base", "MediaModel", "CExpat", "CYAML"]),
    .target(
      name: "MediaRendering",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioAnalysis", "AudioEffects", "AudioEncoding", "MasterComparison",
        "Speech",
        "DecodingService", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks", "SoundIndex", "MediaDrawing",
        "MediaExchange",
      ]),
    .target(
      name: "MediaPlaying",
      dependencies: [
        "Base", "MediaModel", "AudioAnalysis", "AudioEffects", "AudioEncoding", "DecodingService", "MediaStore",
        "UserData", "LibraryTracks", "MediaDrawing", "MediaRendering", "CALSA", "CDBus",
      ]),
    // The server in layers: HTTP, what is shared of a library, two protocols and what ListenBrainz is told, and all of it together.
    .target(
      name: "HTTPServing",
      dependencies: [
        "Base", .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ]),
    .target(
      name: "LibraryServing",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioEncoding", "DecodingService", "MediaStore", "UserData",
        "LibraryQueries", "LibraryTracks", "LibraryScanning", "MediaImport",
        "MediaDrawing", "MediaRendering", "MediaPlaying", "SoundIndex", "SoundSearch", "HTTPServing",
      ]),
    .target(
      name: "Scrobbling",
      dependencies: ["Base", "MediaModel", "MediaStore", "UserData", "LibraryTracks", "WebRequests", "LibraryServing"]),
    .target(
      name: "WebAPI",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioAnalysis", "AudioEncoding", "DecodingService", "MediaStore",
        "UserData", "LibraryQueries", "LibraryTracks", "LibraryScanning",
        "MediaImport", "TagEditing", "TagWriting", "MediaExchange", "MediaDrawing", "MediaRendering", "SoundIndex",
        "SoundSearch", "HTTPServing", "LibraryServing", "Scrobbling", "CWebPage",
      ]),
    .target(
      name: "OpenSubsonic",
      dependencies: [
        "Base", "MediaModel", "AudioEncoding", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks",
        "LibraryScanning", "MediaImport", "MediaRendering", "MediaPlaying",
        "HTTPServing", "LibraryServing", "Scrobbling",
      ]),
    .target(
      name: "MediaServer",
      dependencies: [
        "Base", "DecodingService", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks", "LibraryScanning",
        "MediaPlaying", "HTTPServing", "LibraryServing", "Scrobbling",
        "WebAPI", "OpenSubsonic", "CHeap",
      ]),
    .target(
      name: "ServerTLS",
      dependencies: [
        "Base", "HTTPServing", .product(name: "HummingbirdTLS", package: "hummingbird"),
        .product(name: "NIOSSL", package: "swift-nio-ssl"),
      ]),
    // The command, which tests call without a process of its own, and the executable.
    .target(
      name: "DeadwaxCLI",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioDecoding", "AudioAnalysis", "AudioEffects", "AudioEncoding",
        "MasterComparison", "Speech", "DecodingService", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks",
        "LibraryScanning",
        "LibraryRecovery", "LibraryMerging", "MediaImport", "TagEditing", "TagWriting", "MediaDrawing", "MediaExchange",
        "MediaRendering",
        "MediaPlaying", "HTTPServing", "LibraryServing", "Scrobbling", "WebAPI", "MediaServer", "SoundIndex",
        "SoundSearch", "WebRequests", .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    .executableTarget(
      name: "deadwax", dependencies: ["DeadwaxCLI", "CBuild"] + (hasTLS ? ["ServerTLS"] : []),
      swiftSettings: hasTLS ? [.define("TLS")] : []),
    // Measures the others; not installed with the command.
    .executableTarget(
      name: "deadwax-bench",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioDecoding", "AudioAnalysis", "AudioEffects", "DecodingService",
        "MediaStore", "LibraryQueries", "LibraryTracks", "LibraryScanning", "MediaImport", "SoundIndex",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["thresholds.json"]),

    // Does to the built command what disks, kernels and people do, for some two hours; not installed with it.
    .executableTarget(
      name: "deadwax-faults",
      dependencies: [
        "Base", "MediaModel", "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Faults"),

    // Tests: one folder a module, and the built command as users type it.
    .target(name: "TestSupport", dependencies: ["Base", "MediaModel"], path: "Tests/TestSupport"),
    // Fuzzing: the targets, the program of `make fuzz`, and what `make test` repeats of it.
    .target(
      name: "Fuzzing",
      dependencies: [
        "Base", "MediaModel", "QueryLanguage", "AudioDecoding", "TagEditing", "DecodingService", "MediaStore",
        "UserData",
        "LibraryQueries", "LibraryTracks", "LibraryScanning", "LibraryRecovery", "LibraryMerging", "MediaImport",
        "MediaDrawing", "MediaExchange", "MediaRendering", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/Fuzzing"),
    .executableTarget(name: "deadwax-fuzz", dependencies: ["Fuzzing", "Base"], path: "Tests/deadwax-fuzz"),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "TestSupport"]),
    .testTarget(name: "BaseTests", dependencies: ["Base", "TestSupport"]),
    .testTarget(name: "MediaModelTests", dependencies: ["Base", "MediaModel", "TestSupport"]),
    .testTarget(name: "WebRequestsTests", dependencies: ["WebRequests", "Base", "TestSupport"]),
    .testTarget(name: "QueryLanguageTests", dependencies: ["Base", "MediaModel", "QueryLanguage", "TestSupport"]),
    .testTarget(
      name: "AudioDecodingTests", dependencies: ["AudioDecoding", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "TagEditingTests", dependencies: ["TagEditing", "AudioDecoding", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "TagWritingTests",
      dependencies: [
        "deadwax", "TagWriting", "TagEditing", "AudioDecoding", "DecodingService", "MediaStore", "LibraryQueries",
        "LibraryTracks", "LibraryScanning", "Base", "MediaModel", "TestSupport",
      ]),
    .testTarget(name: "MasterComparisonTests", dependencies: ["MasterComparison", "TestSupport"]),
    .testTarget(name: "SignalProcessingTests", dependencies: ["SignalProcessing", "TestSupport"]),
    .testTarget(
      name: "AudioAnalysisTests",
      dependencies: ["AudioAnalysis", "SignalProcessing", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "AudioEffectsTests", dependencies: ["AudioEffects", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "AudioEncodingTests", dependencies: ["AudioEncoding", "Base", "MediaModel", "TestSupport"]),
    .testTarget(name: "SpeechTests", dependencies: ["Speech", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "DecodingServiceTests",
      dependencies: ["deadwax", "DecodingService", "AudioDecoding", "Base", "MediaModel", "CWorker", "TestSupport"]),
    .testTarget(
      name: "MediaStoreTests",
      dependencies: [
        "LibraryDatabase", "MediaStore", "UserData", "LibraryQueries", "LibraryTracks", "LibraryScanning",
        "LibraryRecovery", "LibraryMerging", "QueryLanguage", "Base", "MediaModel", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "MediaImportTests",
      dependencies: [
        "Fuzzing", "MediaImport", "DecodingService", "MediaStore", "LibraryQueries", "LibraryTracks", "LibraryScanning",
        "LibraryRecovery", "QueryLanguage", "Base", "MediaModel", "TestSupport",
        .product(name: "Logging", package: "swift-log"), .product(name: "InMemoryLogging", package: "swift-log"),
      ]),
    .testTarget(
      name: "SoundSearchTests",
      dependencies: [
        "SoundSearch", "SoundIndex", "AudioAnalysis", "LibraryTracks", "WebRequests", "Base", "MediaModel",
        "TestSupport",
      ]),
    .testTarget(name: "SoundIndexTests", dependencies: ["SoundIndex", "Base", "MediaModel", "TestSupport"]),
    .testTarget(name: "MediaDrawingTests", dependencies: ["MediaDrawing", "Base", "MediaModel", "TestSupport"]),
    .testTarget(name: "MediaExchangeTests", dependencies: ["MediaExchange", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "MediaRenderingTests",
      dependencies: [
        "MediaRendering", "AudioAnalysis", "AudioEncoding", "Speech", "DecodingService", "MediaStore", "UserData",
        "LibraryTracks", "LibraryScanning", "MediaDrawing", "MediaExchange", "Base", "MediaModel", "TestSupport",
      ]),
    .testTarget(
      name: "MediaPlayingTests",
      dependencies: [
        "MediaPlaying", "AudioEffects", "AudioEncoding", "DecodingService", "MediaStore", "LibraryTracks",
        "LibraryScanning", "MediaRendering", "Base", "MediaModel", "TestSupport",
      ]),
    .testTarget(
      name: "DeadwaxBenchTests",
      dependencies: [
        "deadwax-bench", "deadwax", "Base", "MediaModel", "MediaStore", "LibraryTracks", "LibraryScanning",
        "TestSupport",
      ]),
    .testTarget(
      name: "MediaServerTests",
      dependencies: [
        "deadwax", "HTTPServing", "LibraryServing", "Scrobbling", "WebAPI", "OpenSubsonic", "MediaServer", "MediaStore",
        "UserData", "LibraryQueries", "LibraryTracks", "LibraryScanning",
        "DecodingService", "WebRequests", "CWebPage", "Base", "MediaModel", "TestSupport",
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"), .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOEmbedded", package: "swift-nio"),
      ]),
    // The command, called in the process of the tests; its workers are started from the built one.
    .testTarget(
      name: "DeadwaxCLITests",
      dependencies: [
        "DeadwaxCLI", "deadwax", "DecodingService", "Base", "MediaModel", "MediaStore", "LibraryTracks",
        "LibraryScanning", "LibraryMerging", "TestSupport",
      ]),
    // The built command as users type it; what scans and servers do with folders, faults and clients is a target of its own, so
    // that both are compiled at the same time.
    .testTarget(name: "BuiltCommandTests", dependencies: ["deadwax", "Base", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["deadwax", "Fuzzing", "Base", "MediaModel", "MediaStore", "TestSupport"]),
  ],
  cxxLanguageStandard: .cxx17
)

// The module graph is the architecture: every import states who sees it, and only declared ones compile.
for target in package.targets where target.type != .system {
  target.swiftSettings =
    (target.swiftSettings ?? []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
    ]
}

// Tests see what is internal in these. It is said here and not by `swift test` (--disable-testable-imports), which would compile
// everything again that `swift build` has compiled.
let testable: Set = [
  "AudioAnalysis", "AudioDecoding", "Base", "DecodingService", "HTTPServing", "LibraryMerging", "LibraryQueries",
  "LibraryRecovery", "LibraryScanning", "LibraryServing", "LibraryTracks", "MasterComparison", "MediaImport",
  "MediaServer", "MediaStore", "OpenSubsonic", "Scrobbling", "SoundIndex", "SoundSearch", "Speech", "TagEditing",
  "TagWriting", "UserData", "WebAPI",
  "deadwax-bench",
]
// What is installed has no tests.
for target in package.targets where testable.contains(target.name) && Context.environment["DEADWAX_STATIC"] == nil {
  target.swiftSettings?.append(.unsafeFlags(["-enable-testing"]))
}

// Tests are not optimized, which takes half of their compilation, but for those that compute much themselves: signals and what is
// expected of them.
let computing: Set = [
  "AudioAnalysisTests", "AudioDecodingTests", "AudioEffectsTests", "AudioEncodingTests", "DecodingServiceTests",
  "MasterComparisonTests", "MediaRenderingTests", "SignalProcessingTests", "SoundIndexTests", "SoundSearchTests",
]
for target in package.targets where target.type == .test && !computing.contains(target.name) {
  target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
}

// `make test TESTS=…` builds these test targets and what they need; SwiftPM would compile and link all of them.
if let chosen = Context.environment["DEADWAX_TESTS"], !chosen.isEmpty {
  var wanted = Set(chosen.split(separator: " ").map(String.init))
  var open = package.targets.filter { wanted.contains($0.name) }
  while let target = open.popLast() {
    for dependency in target.dependencies {
      guard case .byNameItem(let name, _) = dependency, wanted.insert(name).inserted else { continue }
      open += package.targets.filter { $0.name == name }
    }
  }
  package.targets.removeAll { !wanted.contains($0.name) }
  package.products.removeAll { !wanted.contains($0.name) }
}
