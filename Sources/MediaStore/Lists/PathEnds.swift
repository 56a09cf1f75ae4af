internal import MediaModel

/// Files by the ends of their paths: how one is found whose folders are called otherwise where a path comes from.
struct PathEnds {
  private struct Part: Equatable {
    let text: String
    let folded: String

    init(_ text: Substring) {
      self.text = String(text)
      folded = TextFolding.fold(self.text)
    }
  }

  /// Components that must agree, the file's name among them.
  private static let leastCount = 2

  private let wanted: Set<String>
  /// By the folded name of the file: the components of paths, the last one first.
  private var files: [String: [(parts: [Part], recordingID: Int64)]] = [:]

  /// - Parameter paths: All that will be asked for.
  init(wanted paths: [BytePath]) {
    wanted = Set(paths.compactMap { Self.parts(of: $0).first?.folded })
  }

  /// Whether a file of this name may be found.
  func wants(_ name: String) -> Bool { wanted.contains(TextFolding.fold(name)) }

  mutating func add(_ path: BytePath, recordingID: Int64) {
    let parts = Self.parts(of: path)
    guard let name = parts.first?.folded, wanted.contains(name) else { return }
    files[name, default: []].append((parts, recordingID))
  }

  /// The sound whose path agrees longest from its end, at least in two components; nil where several sounds do.
  ///
  /// Case, accents and how they are encoded do not count, unless they decide among several.
  func recordingID(at path: BytePath) -> Int64? {
    let parts = Self.parts(of: path)
    guard let name = parts.first?.folded, let candidates = files[name] else { return nil }
    var best = (count: 0, exactCount: 0)
    var found: Set<Int64> = []
    for (others, id) in candidates {
      let same = zip(parts, others).prefix { $0.folded == $1.folded }
      let agreement = (count: same.count, exactCount: same.count { $0.text == $1.text })
      if agreement > best { (best, found) = (agreement, []) }
      if agreement == best { found.insert(id) }
    }
    return best.count >= Self.leastCount && found.count == 1 ? found.first : nil
  }

  private static func parts(of path: BytePath) -> [Part] {
    path.displayString.split(separator: "/").reversed().map(Part.init)
  }
}
