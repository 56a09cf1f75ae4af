internal import Base
package import LibraryDatabase
internal import MediaModel
package import QueryLanguage
internal import UserData

/// The question that a query puts to the search index: files that it does not find cannot satisfy the condition, files
/// that it finds may.
package indirect enum SearchExpression: Hashable {
  /// Trigrams (runs of three characters), all of which must occur.
  case runs([String])
  case all([SearchExpression])
  case any([SearchExpression])

  /// With more, the index would be slower than reading the files.
  private static let mostRuns = 5
  private static let mostBeginnings = 400

  /// The expression in the syntax of FTS5, with every run quoted.
  package var match: String {
    switch self {
    case .runs(let runs): Self.joined(runs.map { "\"\($0.escaping("\"", with: "\""))\"" }, by: "AND")
    case .all(let parts): Self.joined(parts.map(\.match), by: "AND")
    case .any(let parts): Self.joined(parts.map(\.match), by: "OR")
    }
  }

  private static func joined(_ parts: [String], by word: String) -> String {
    parts.count == 1 ? parts[0] : "(\(parts.joined(separator: " \(word) ")))"
  }

  private var runCount: Int {
    switch self {
    case .runs(let runs): runs.count
    case .all(let parts), .any(let parts): parts.reduce(0) { $0 + $1.runCount }
    }
  }

  // MARK: - From conditions

  /// nil if the index does not help.
  package init?(_ condition: QueryCondition, _ context: QueryContext, _ db: Database) throws {
    guard let expression = try Self.expression(condition, context, db), expression.runCount <= 4 * Self.mostBeginnings
    else { return nil }
    self = expression
  }

  private static func expression(
    _ condition: QueryCondition, _ context: QueryContext, _ db: Database
  ) throws -> SearchExpression? {
    switch condition {
    case .all(let parts):
      let known = try parts.compactMap { try expression($0, context, db) }
      return known.count > 1 ? .all(known) : known.first
    case .any(let parts):
      let known = try parts.compactMap { try expression($0, context, db) }
      return known.count == parts.count ? .any(known) : nil
    case .not: return nil
    case .word(let text): return try containing(text, db)
    case .test(let field, let match): return try expression(field, match, context, db)
    }
  }

  private static func expression(
    _ field: QueryField, _ match: QueryMatch, _ context: QueryContext, _ db: Database
  ) throws -> SearchExpression? {
    if field.kind == .path { return try path(match, context, db) }
    if let known = LibraryField.named(field.name) {
      guard known.searched != nil else { return nil }
    } else if !SearchText.isIndexed(field.name.uppercased()) || context.attributeNames.contains(field.name) {
      return nil
    }
    switch match {
    case .contains(let text), .equalsFolded(let text): return try values(text, db)
    case .equals(let text): return try values(TextFolding.fold(text), db)
    default: return nil
    }
  }

  /// Several values of a tag are separate lines in the index, but one text in a column: only the longest is searched
  /// for.
  private static func values(_ text: String, _ db: Database) throws -> SearchExpression? {
    let lines = text.split(whereSeparator: { $0.isNewline || $0 == ";" }).map { $0.drop { $0 == " " } }
    guard let longest = lines.max(by: { $0.unicodeScalars.count < $1.unicodeScalars.count }) else { return nil }
    return try containing(String(longest), db)
  }

  /// The index contains paths relative to the roots, not the paths of the roots.
  private static func path(_ match: QueryMatch, _ context: QueryContext, _ db: Database) throws -> SearchExpression? {
    switch match {
    case .contains(let text):
      guard !context.roots.contains(where: { ($0 + "/").contains(text) }) else { return nil }
      return try containing(text, db)
    case .folder(let folder) where folder.hasPrefix("/"):
      let rests = context.roots.compactMap { root -> Substring? in
        let root = root.hasSuffix("/") ? root : root + "/"
        if folder.hasPrefix(root) { return folder.dropFirst(root.count) }
        // A folder that contains a root.
        return (root.hasPrefix(folder + "/") || root == folder + "/") ? "" : nil
      }
      guard let rest = rests.first, rests.count == 1, !rest.isEmpty else { return nil }
      return try containing(String(rest), db)
    case .folder(let folder):
      let first = folder.prefix { $0 != "/" }
      guard !context.roots.contains(where: { "\($0)/".contains("/\(first)/") }) else { return nil }
      return try containing(folder, db)
    case .equals(let path), .below(let path):
      // What is equal letter by letter is also equal without case and accents.
      let folded = TextFolding.fold(path)
      guard folded.hasPrefix("/"), let end = folded.lastIndex(where: { $0 != "/" }) else { return nil }
      return try self.path(.folder(String(folded[...end])), context, db)
    default: return nil
    }
  }

  /// Whether files must have a text that is shorter than the runs of the index.
  static func hasShortText(_ condition: QueryCondition) -> Bool {
    switch condition {
    case .all(let parts), .any(let parts): parts.contains(where: hasShortText)
    case .word(let text), .test(_, .contains(let text)): text.unicodeScalars.count < 3
    case .not, .test: false
    }
  }

  // MARK: - From texts

  /// What a folded word of three characters and more asks for; nil for shorter ones, and for what is not in the index.
  package init?(word: String) {
    let scalars = Array(word.unicodeScalars)
    guard scalars.count >= 3, !scalars.contains("\0"), !scalars.contains("\n") else { return nil }
    self = .runs(Self.trigrams(of: scalars))
  }

  /// A few trigrams of a long text, evenly spread: each one costs time, and few files contain all of these but not the
  /// text.
  private static func trigrams(of scalars: [Unicode.Scalar]) -> [String] {
    var runs: [String] = []
    let last = scalars.count - 3
    let count = min(last + 1, mostRuns)
    for start in (0..<count).map({ count > 1 ? $0 * last / (count - 1) : 0 }) {
      let run = String(String.UnicodeScalarView(scalars[start..<start + 3]))
      // Compared by scalars: equal strings can have different ones.
      if !runs.contains(where: { $0.unicodeScalars.elementsEqual(run.unicodeScalars) }) { runs.append(run) }
    }
    return runs
  }

  /// Trigrams of a text; for shorter texts, every trigram of the index that begins with it.
  private static func containing(_ text: String, _ db: Database) throws -> SearchExpression? {
    let scalars = Array(text.unicodeScalars)
    // The characters that end lines and texts are not in the index.
    guard !scalars.isEmpty, !scalars.contains("\0"), !scalars.contains("\n") else { return nil }
    if scalars.count >= 3 { return .runs(trigrams(of: scalars)) }
    guard let last = scalars.last, last.value < 0xD7FF, let next = Unicode.Scalar(last.value + 1) else { return nil }
    let end = String(String.UnicodeScalarView(scalars.dropLast() + [next]))
    let runs = try String.fetchAll(
      db, sql: "SELECT term FROM temp.search_run WHERE term >= ? AND term < ? LIMIT ?",
      arguments: [text, end, mostBeginnings + 1])
    guard runs.count <= mostBeginnings else { return nil }
    // No trigram of the index fits: a run that cannot occur finds nothing.
    let none = String(String.UnicodeScalarView((scalars + ["\u{FFFF}", "\u{FFFF}"]).prefix(3)))
    return runs.isEmpty ? .runs([none]) : .any(runs.map { .runs([$0]) })
  }
}
