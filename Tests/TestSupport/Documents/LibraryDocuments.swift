// The documents of commands that work on a whole library. Each has the keys that tests look at.

/// `scan --json`.
package struct ScanDocument: Decodable, Sendable {
  package var schema: Int
  /// Counts of files.
  package var found, new, changed, unchanged, moved, missing, problems: Int
  package var decoded_files: Int
  /// Of an interrupted scan: files that it did not get to.
  package var unread_files: Int
  package var audio_seconds: Double
  package var interrupted: Bool
  package var roots: [String]
}

/// `reanalyze --json`.
package struct ReanalysisDocument: Decodable, Sendable {
  package struct Cause: Decodable, Hashable, Sendable {
    package var kind: String
    package var reason: String
    package var recordings: Int

    package init(kind: String, reason: String, recordings: Int) {
      self.kind = kind
      self.reason = reason
      self.recordings = recordings
    }
  }

  package struct Skipped: Decodable, Sendable {
    package var path: String?
    package var reason: String
  }

  package var schema: Int
  package var recordings, resumed_recordings, recordings_without_decoding: Int
  package var causes: [Cause]
  package var estimated_seconds: Double?
  package var decoded_files: Int
  package var products, changed_products: Int
  package var skipped: [Skipped]
  /// Those of `skipped` whose folder or disk is not there.
  package var away: Int
  package var interrupted: Bool
}

/// `prune --json`.
package struct PruneDocument: Decodable, Equatable, Sendable {
  package var schema: Int
  package var done: Bool
  package var files, recordings, kept_assignments, kept_recordings: Int
  package var product_bytes: Int64
}

/// `status --json`.
package struct StatusDocument: Decodable, Sendable {
  package var schema: Int
  /// Counts by state.
  package var files: [String: Int]
  package var audio_seconds: Double
}

/// `roots --json`.
package struct RootsDocument: Decodable, Sendable {
  package struct Root: Decodable, Sendable {
    package var id: Int
    package var path: String
    package var volume: String?
  }

  package var schema: Int
  package var roots: [Root]
}

/// `list ls --json`; with `--jsonl` each line is an `Item`.
package struct ListsDocument: Decodable, Sendable {
  package struct Item: Decodable, Equatable, Sendable {
    package var name: String
    /// nil for a list of tracks.
    package var query: String?
    /// nil if this version cannot ask the query.
    package var files: Int?

    package init(name: String, query: String?, files: Int?) {
      self.name = name
      self.query = query
      self.files = files
    }
  }

  package var schema: Int
  package var lists: [Item]
}

/// One item of `problems`: a line of `--jsonl`.
package struct ProblemRow: Decodable, Sendable {
  package var path: String
  package var state: String
  package var reason: String?
  package var position_seconds: Double?
  package var attempts: Int
}

/// `merge --json`.
package struct MergeDocument: Decodable, Sendable {
  package struct Counts: Decodable, Equatable, Sendable {
    package var added, same, replaced, different: Int
  }

  package struct Library: Decodable, Sendable {
    package var path: String
    package var roots, files, recordings, products, presets, assignments, lists, attributes, plays: Counts
    package var conflicts: [Conflict]
    package var damaged_products: [[String: String]]
  }

  package struct Conflict: Decodable, Sendable {
    package var of: String
    package var kept, other: String?
    package var new_name: String?
    package var path: String?
  }

  package var schema: Int
  package var dry_run: Bool
  package var kept_at: String?
  package var libraries: [Library]
}

/// `restore --list --json`.
package struct BackupsDocument: Decodable, Sendable {
  package struct Backup: Decodable, Hashable, Sendable {
    package var path: String
    package var schema_version: Int?
    package var files: Int?
    package var presets: Int?
    package var problem: String?
  }

  package var schema: Int
  package var backups: [Backup]
}

/// `doctor --json`; what was not checked is nil.
package struct DoctorDocument: Decodable, Sendable {
  package struct Decoder: Decodable, Sendable {
    package var name: String
    package var problem: String?
  }

  package struct Sandbox: Decodable, Sendable {
    package var active: Bool
    package var landlock_version: Int
    package var calls_filtered: Bool
  }

  package var schema: Int
  package var sound: Bool
  package var library_problem: String?
  package var schema_differences: [String]?
  package var workers_problem: String?
  package var sandbox: Sandbox?
  package var decoders: [Decoder]
  /// Versions by name; those of libraries that cannot be loaded are null.
  package var libraries: [String: String?]
  package var library_problems: [String: String]
}

/// `cache --simulate --json`.
package struct CacheDocument: Decodable, Sendable {
  package var schema: Int
  package var accesses, frames: Int
  package var hits, misses, waits, evictions: Int
  package var bytes, peak_bytes, capacity_bytes: Int
}
