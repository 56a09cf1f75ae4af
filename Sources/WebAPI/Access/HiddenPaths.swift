internal import Base
package import HTTPServing
package import LibraryServing
internal import LibraryQueries
internal import LibraryTracks
internal import QueryLanguage

/// Leaves paths out of the answers for pages of other sites, which may see the library but not where it is, and refuses queries
/// by paths: what they find or count says the same, letter by letter.
package struct HiddenPaths: Middleware {
  private let library: LibraryAccess

  package init(_ library: LibraryAccess) { self.library = library }

  package func reply(to exchange: inout Exchange, _ next: any HTTPApplication) async throws -> Reply {
    guard exchange.call.otherSite != nil else { return try await next.reply(to: &exchange) }
    var reply: Reply
    do {
      try await refusePaths(in: exchange)
      reply = try await next.reply(to: &exchange)
    } catch let problem as HTTPProblem {
      reply = next.reply(to: problem, of: exchange.call)
    }
    // If nobody knows what to hide, the error that this throws is all that is sent.
    let folders = try await exchange.queues.reading.run(for: exchange.call.client) { [library] in
      try library.reading { try $0.roots.all().map(\.path) } + [library.path.parent]
    }
    return reply.filtered(by: PathFilter(folders: folders))
  }

  private func refusePaths(in exchange: Exchange) async throws {
    let texts = exchange.call.query.all.filter { $0.name == "q" || $0.name == "sort" }
    guard !texts.isEmpty else { return }
    let asks = try await exchange.queues.reading.run(for: exchange.call.client) { [library] in
      try library.reading { store in
        texts.contains { name, value in
          // The route says what is wrong with a query that is none.
          let queries = name == "q" ? [value] : value.split(separator: ",").map { Self.query(sortedBy: $0) }
          return queries.contains { (try? store.asksForPaths($0)) == true }
        }
      }
    }
    if asks { throw HTTPProblem(403, "pages of other sites cannot ask for paths") }
  }

  /// A query with one term of a list to sort by: `year`, `year-` or `-year`.
  private static func query(sortedBy term: Substring) -> String {
    let isSign = { (character: Character) in " +-".contains(character) }
    let name = term.drop(while: isSign).reversed().drop(while: isSign).reversed()
    return String(name) + "+"
  }
}

/// Leaves out of a JSON document the members that are paths, by their names, and puts "…" in the place of each other text that
/// contains the path of a folder of the library.
///
/// Blanks between values are left out, too. A document that is not JSON may come out changed.
struct PathFilter: DocumentFilter {
  /// Of the members that are paths, or their parts.
  static let names: Set<String> = ["path", "path_bytes", "parent", "root", "folder", "reading"]
  private static let hidden = Array("\"…\"".utf8)

  /// Whether each open container is an object, the outermost first.
  private var isObject: [Bool] = []
  /// For each open object, whether a member of it has been sent; of lists nothing.
  private var hasMembers: [Bool] = []
  /// The text that is being read, with its quotation marks.
  private var text: [UInt8]?
  private var isEscaped = false
  private var expectsName = false
  /// How many containers are open around the member that is being left out; nil while none is.
  private var depthOfHidden: Int?
  /// As JSON writes them, without quotation marks.
  private let folders: [[UInt8]]
  /// Whether everything of the file system is in the library.
  private let hasWholeFileSystem: Bool

  init(folders: [BytePath]) {
    let paths = folders.map(\.withoutTrailingSlashes)
    hasWholeFileSystem = paths.contains { $0.bytes.isEmpty || $0.bytes == [UInt8(ascii: "/")] }
    self.folders = paths.filter { $0.bytes.count > 1 }.map {
      Array(JSONValue.string($0.displayString).text.utf8.dropFirst().dropLast())
    }
  }

  mutating func passed(_ bytes: [UInt8]) -> [UInt8] {
    var passed: [UInt8] = []
    passed.reserveCapacity(bytes.count)
    for byte in bytes {
      if text != nil { readText(byte, &passed) } else { read(byte, &passed) }
    }
    return passed
  }

  private mutating func readText(_ byte: UInt8, _ passed: inout [UInt8]) {
    text?.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if byte == UInt8(ascii: "\"") {
      finishText(&passed)
    }
  }

  private mutating func finishText(_ passed: inout [UInt8]) {
    defer { text = nil }
    guard let text else { return }
    guard expectsName else {
      if depthOfHidden == nil { passed += isPath(text) ? Self.hidden : text }
      return
    }
    expectsName = false
    guard depthOfHidden == nil else { return }
    guard !Self.names.contains(String(decoding: text.dropFirst().dropLast(), as: UTF8.self)) else {
      depthOfHidden = isObject.count
      return
    }
    if hasMembers[hasMembers.count - 1] { passed.append(UInt8(ascii: ",")) }
    hasMembers[hasMembers.count - 1] = true
    passed += text
  }

  private mutating func read(_ byte: UInt8, _ passed: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\""):
      text = [byte]
      return
    case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): return
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      if depthOfHidden == nil { passed.append(byte) }
      isObject.append(byte == UInt8(ascii: "{"))
      hasMembers.append(false)
      expectsName = byte == UInt8(ascii: "{")
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if depthOfHidden == isObject.count { depthOfHidden = nil }
      _ = isObject.popLast()
      _ = hasMembers.popLast()
      expectsName = false
      if depthOfHidden == nil { passed.append(byte) }
    case UInt8(ascii: ",") where isObject.last == true:
      // Sent before the next member that is.
      if depthOfHidden == isObject.count { depthOfHidden = nil }
      expectsName = true
    default:
      if depthOfHidden == nil { passed.append(byte) }
    }
  }

  /// Whether a text contains the path of a folder.
  private func isPath(_ text: [UInt8]) -> Bool {
    if hasWholeFileSystem, text.count > 1, text[1] == UInt8(ascii: "/") { return true }
    return folders.contains { folder in
      guard let first = folder.first, text.count >= folder.count else { return false }
      // Few texts have a slash at all.
      var rest = text[...]
      while let place = rest.firstIndex(of: first) {
        if rest[place...].starts(with: folder) { return true }
        rest = rest[(place + 1)...]
      }
      return false
    }
  }
}
