// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "deadwax",
  products: [
    .executable(name: "deadwax", targets: ["deadwax"]),
    .executable(name: "deadwax-bench", targets: ["deadwax-bench"]),
    .executable(name: "deadwax-faults", targets: ["deadwax-faults"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // C libraries: one door each.
    .systemLibrary(name: "CMPG123", pkgConfig: "libmpg123", providers: [.apt(["libmpg123-dev"])]),
    .systemLibrary(name: "CSndFile", pkgConfig: "sndfile", providers: [.apt(["libsndfile1-dev"])]),
    .systemLibrary(name: "CFLAC", pkgConfig: "flac", providers: [.apt(["libflac-dev"])]),
    .systemLibrary(name: "CVorbis", pkgConfig: "vorbis", providers: [.apt(["libvorbis-dev"])]),
    .systemLibrary(name: "COpus", pkgConfig: "opus", providers: [.apt(["libopus-dev"])]),
    .systemLibrary(name: "CXXHash", pkgConfig: "libxxhash", providers: [.apt(["libxxhash-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libcairo2-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "CTagLibSystem", pkgConfig: "taglib", providers: [.apt(["libtag1-dev"])]),
    .target(name: "CTagLib", dependencies: ["CTagLibSystem"]),
    .systemLibrary(name: "CSoxr", pkgConfig: "soxr", providers: [.apt(["libsoxr-dev"])]),
    .systemLibrary(
      name: "CSoundTouchSystem", pkgConfig: "soundtouch", providers: [.apt(["libsoundtouch-dev"])]),
    .target(name: "CSoundTouch", dependencies: ["CSoundTouchSystem"]),
    .target(name: "CWorker"),
    // Loaded at run time, so not linked; libchromaprint-dev for its header.
    .target(name: "CChromaprint"),
    // The same, without a header.
    .target(name: "CPango"),

    // The stages, in the order data moves.
    .target(name: "MediaModel"),
    .target(
      name: "AudioDecoding",
      dependencies: ["MediaModel", "CFLAC", "CMPG123", "COpus", "CSndFile", "CTagLib", "CVorbis", "CXXHash"]),
    .target(name: "AudioAnalysis", dependencies: ["MediaModel", "CChromaprint"]),
    .target(name: "AudioEffects", dependencies: ["MediaModel", "CSoundTouch", "CSoxr"]),
    .target(
      name: "MediaStore",
      dependencies: [
        "MediaModel", .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      resources: [.embedInCode("schema.sql")]),
    .target(
      name: "MediaImport",
      dependencies: [
        "MediaModel", "AudioDecoding", "AudioAnalysis", "MediaStore", "CWorker",
        .product(name: "Logging", package: "swift-log"),
      ]),
    .target(
      name: "MediaExport",
      dependencies: ["MediaModel", "CCairo", "CFLAC", "COpus", "CPango", "CTagLib", "CVorbis", "CZlib"]),
    .executableTarget(
      name: "deadwax",
      dependencies: [
        "MediaModel", "AudioDecoding", "AudioAnalysis", "AudioEffects", "MediaStore", "MediaImport", "MediaExport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    // Measures the others; not installed with the command.
    .executableTarget(
      name: "deadwax-bench",
      dependencies: [
        "MediaModel", "AudioDecoding", "AudioAnalysis", "AudioEffects", "MediaStore", "MediaImport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      exclude: ["thresholds.json"]),

    // Does to the built command what disks, kernels and people do, for some two hours; not installed with it.
    .executableTarget(
      name: "deadwax-faults",
      dependencies: [
        "MediaModel", "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      path: "Tests/Faults"),

    // Tests: one folder a module, and the built command as users type it.
    .target(name: "TestSupport", dependencies: ["MediaModel"], path: "Tests/TestSupport"),
    // Fuzzing: the targets, the program of `make fuzz`, and what `make test` repeats of it.
    .target(
      name: "Fuzzing",
      dependencies: [
        "MediaModel", "AudioDecoding", "MediaStore", "MediaImport", "MediaExport", "TestSupport",
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      path: "Tests/Fuzzing"),
    .executableTarget(name: "deadwax-fuzz", dependencies: ["Fuzzing", "MediaModel"], path: "Tests/deadwax-fuzz"),
    .testTarget(name: "FuzzingTests", dependencies: ["Fuzzing", "TestSupport"]),
    .testTarget(name: "MediaModelTests", dependencies: ["MediaModel", "TestSupport"]),
    .testTarget(
      name: "AudioDecodingTests", dependencies: ["AudioDecoding", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "AudioAnalysisTests", dependencies: ["AudioAnalysis", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "AudioEffectsTests", dependencies: ["AudioEffects", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "MediaStoreTests",
      dependencies: [
        "MediaStore", "MediaModel", "TestSupport", .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "MediaImportTests",
      dependencies: [
        "Fuzzing", "MediaImport", "MediaStore", "MediaModel", "TestSupport",
        .product(name: "Logging", package: "swift-log"), .product(name: "InMemoryLogging", package: "swift-log"),
      ]),
    .testTarget(
      name: "MediaExportTests", dependencies: ["MediaExport", "MediaModel", "TestSupport"]),
    .testTarget(name: "DeadwaxBenchTests", dependencies: ["deadwax-bench", "MediaModel", "TestSupport"]),
    .testTarget(
      name: "EndToEndTests", dependencies: ["deadwax", "Fuzzing", "MediaModel", "MediaStore", "TestSupport"]),
  ],
  cxxLanguageStandard: .cxx17
)

// The module graph is the architecture: every import states who sees it, and only declared ones compile.
for target in package.targets where target.type != .system {
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
