internal import Base
internal import DecodingService
internal import Glibc
internal import HTTPServing
internal import LibraryRecovery
internal import LibraryTracks
internal import MediaDrawing
internal import MediaImport
internal import MediaPlaying
internal import MediaRendering
internal import MediaStore
internal import QueryLanguage

/// What a user can do about an error, in this program's commands and options: the libraries say only what happened.
enum ErrorAdvice {
  /// The description of an error, followed by the advice if there is any.
  static func text(of error: any Error) -> String { text("\(error)", advice(for: error)) }

  /// Why a backup cannot be restored, without its path.
  static func message(of error: StoreError) -> String { text(error.message, error.advice) }

  static func text(of problem: LibraryProblem) -> String { text(problem.description, problem.advice) }

  static func text(of reason: ScanReport.SafetyStop.Reason) -> String { text(reason.description, reason.advice) }

  static func text(of reason: ScanReport.Warning.Reason) -> String { text(reason.description, reason.advice) }

  static func text(of reason: ReanalysisReport.Skipped.Reason) -> String { text(reason.description, reason.advice) }

  private static func text(_ description: String, _ advice: String?) -> String {
    advice.map { description + (description.hasSuffix("?") ? " " : "; ") + $0 } ?? description
  }

  private static func advice(for error: any Error) -> String? {
    switch error {
    case let error as StoreError: error.advice
    case ScanError.store(let error): error.advice
    case TrackError.notInLibrary(let file): advice(forUnknown: file)
    case ScanError.containsRoot: "--take-over makes its files part of this folder without losing anything"
    case let error as RenderingError: error.advice
    case OutputError.exists: "--overwrite replaces it"
    case ServerError.noEncryption: "`make build` adds it without recompiling the rest; a proxy can provide it, too"
    case ServerError.cannotListen: "choose another address or port with --host and --port"
    case let error as PlayingError: error.advice
    case SegmentReadingError.changed: "`deadwax scan` reads it again"
    case CorrectionFieldError.unknown:
      "see `deadwax help query` for the fields; `deadwax tags set --new` creates a custom tag"
    case CorrectionFieldError.notATag("rating"), CorrectionFieldError.notATag("starred"):
      "use `deadwax rate` or `deadwax attribute set`"
    case is Pruning.Refusal: "add --accept-missing if it is gone for good"
    case let error as QueryError where error.isAboutField: "`deadwax help query` lists the fields"
    default: nil
    }
  }

  /// - Parameter file: Not in the library, and perhaps not there at all.
  private static func advice(forUnknown file: BytePath) -> String? {
    guard FileIdentity(of: file) != nil else { return "there is no such file" }
    return "`deadwax scan FOLDER` adds the files of a folder, `deadwax identify FILE` finds the track in a file"
  }
}

extension PlayingError {
  fileprivate var advice: String? {
    switch self {
    case .noDevices: "`-o -` pipes the samples to another program"
    case .device: "--device selects another one (`aplay -L` lists them); `-o -` pipes the samples to another program"
    case .deviceLost: "`deadwax play --resume` continues where it stopped"
    case .nothingPlayable, .badSession, .nothingToResume, .noItem: nil
    }
  }
}

extension StoreError {
  fileprivate var advice: String? {
    switch self {
    case .missingLibrary: "`deadwax scan FOLDER` creates one"
    case .corrupt: "`deadwax doctor --repair -o FILE` recovers the readable parts"
    case .damagedProduct: "`deadwax reanalyze --damaged` recomputes it"
    case .shard(_, let problem): problem.advice
    case .damagedLibrary, .fewerUserRows: "`deadwax backup --force` replaces the backup anyway"
    case .builtInPreset: "`deadwax preset copy` makes a copy that can be changed"
    case .presetInUse: "`--force` also deletes the assignments"
    case .listIsQuery: "`deadwax list create` creates a list of tracks"
    case .noSuchList: "`deadwax list ls` shows all lists"
    case .noSuchPreset(_, let near): near.isEmpty ? "`deadwax preset ls` shows all presets" : nil
    case .listExists: "`deadwax list delete` deletes it; `create`, `save` and `import` take `--replace`"
    case .noSuchFile, .sameLibrary, .unsuitableShard, .notALibrary, .newerSchema, .olderSchema, .readOnly, .diskFull,
      .locked, .scanRunning, .watchRunning, .inputOutput, .outputExists, .tookTooLong, .tooDeepQuery, .sql,
      .overlappingRoots, .unsuitableRoot, .noSuchRoot, .presetExists, .unreadablePreset, .nothingToUndo,
      .invalidListName, .invalidAttribute, .notABeetsLibrary:
      nil
    }
  }
}

extension ShardProblem {
  var advice: String {
    switch self {
    case .notAtHand: "`deadwax shards relocate` updates its path, `deadwax shards remove` unregisters it"
    case .changed: "`deadwax shards add` registers its current state"
    case .unusable: "`deadwax doctor -L` checks it, `deadwax shards remove` unregisters it"
    case .register: "delete it, and register the shards again with `deadwax shards add`"
    }
  }
}

extension RenderingError {
  fileprivate var advice: String? {
    switch self {
    case .tooManyLevels: "choose a part with --start and --end, a coarser --zoom or fewer --bands"
    case .nothingInRange: "choose the part with --start and --end"
    case .needsPicture(let style): "write a picture with -o, or leave out --style \(style.rawValue)"
    case .onlyPeaks: "--style bands and --style rms are for tracks"
    case .noRecording: "`deadwax problems` shows why"
    case .notStored: "`deadwax reanalyze --missing` computes it"
    case .noFingerprint: "`deadwax reanalyze --missing` computes the fingerprints that are possible"
    case .noPreset(let id): "`deadwax preset of \(id)` shows why"
    case .differentChannels: "leave out those with more than two"
    case .noTempo: "`deadwax reanalyze --missing` computes the tempi that are possible"
    case .zoom, .spectrum, .missingFrames, .noArtwork, .pictureGone: nil
    }
  }
}

extension LibraryProblem {
  fileprivate var advice: String {
    switch self {
    case .damagedProducts(let count): "`deadwax reanalyze --damaged` recomputes \(count == 1 ? "it" : "them")"
    case .wrongSums: "`deadwax doctor --repair -o FILE` writes a library with correct checksums"
    case .damagedRows: "`deadwax doctor --repair -o FILE` recovers the readable parts"
    }
  }
}

extension ScanReport.SafetyStop.Reason {
  fileprivate var advice: String? {
    switch self {
    case .otherVolume, .empty, .manyVanished: "add --accept-missing if they are gone for good"
    case .unavailable(let error):
      error.code == ENOENT ? "if it has moved, `deadwax roots relocate` keeps the data of its files" : nil
    case .replaced: nil
    }
  }
}

extension ScanReport.Warning.Reason {
  fileprivate var advice: String? {
    switch self {
    case .diskAway: "its entries are kept; add --accept-missing if they are gone for good"
    case .unreadable: "its entries are kept"
    case .absent: "recreate the list"
    case .oddSheet, .noPicture: nil
    }
  }
}

extension ReanalysisReport.Skipped.Reason {
  fileprivate var advice: String? {
    switch self {
    case .otherRecording: "`deadwax scan` reads it"
    case .noFile, .rootAway, .noChromaprint, .writtenWhileRead, .otherLength, .unreadable: nil
    }
  }
}
