import Foundation

/// README.md, or a page of docs/manual: its examples and the commands that its text names.
///
/// Lines after `$ ` in blocks marked `console` are examples, which the tests run. A block marked `text` behind them shows what they
/// print. Blocks marked `sh` have commands that tests cannot run, because they need a device, the network or root.
package struct ManualPage: Sendable, CustomStringConvertible {
  /// The commands of one block, in order.
  package struct Block: Sendable {
    package var commands: [String] = []
    /// Lines of the output; one with `…` is shortened, or another one each time.
    package var shownLines: [String] = []
  }

  /// The path in the project, such as `docs/manual/searching.md`.
  package let path: String
  private let lines: [String]

  package init(_ path: String) throws {
    self.path = path
    lines = try String(contentsOf: Corpora.projectRoot.appending(path: path), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The README and all pages of the manual.
  package static let all: [ManualPage] = {
    let folder = Corpora.projectRoot.appending(path: "docs/manual")
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let pages = names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/manual/\($0)" }
    return (["README.md"] + pages).compactMap { try? ManualPage($0) }
  }()

  package var description: String { path }

  package var blocks: [Block] {
    var blocks: [Block] = []
    for (kind, line) in fencedLines {
      switch kind {
      case "console" where line == nil: blocks.append(Block())
      case "console":
        if let line, line.hasPrefix("$ ") { blocks[blocks.count - 1].commands.append(String(line.dropFirst(2))) }
      case "text": if let line, !blocks.isEmpty { blocks[blocks.count - 1].shownLines.append(line) }
      default: break
      }
    }
    return blocks
  }

  /// Words after `deadwax` in blocks that are not run, and in `code` of the text that begins with the command or one of `commands`.
  package func namedCommands(_ commands: Set<String>) -> [[String]] {
    let unrun = fencedLines.filter { $0.kind == "sh" }.compactMap(\.line)
      .flatMap { $0.split { "|;&".contains($0) } }.map(String.init)
    let spans = textLines.joined(separator: " ").split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
    return (unrun + spans).compactMap { text in
      var words = text.split(separator: " ").map(String.init)
      while let first = words.first, first.hasSuffix("deadwax") || first == "sudo" { words.removeFirst() }
      return words.first.map(commands.contains) == true ? words : nil
    }
  }

  /// The first column of the table of exit statuses in the manual.
  package static func exitStatuses() throws -> [String] {
    let rows = try ManualPage("docs/manual/scripting.md").lines.drop { $0 != "## Exit status" }.dropFirst()
      .prefix { !$0.hasPrefix("## ") }.filter { $0.hasPrefix("| ") }
    return rows.flatMap { $0.split(separator: "|")[0].split { !$0.isNumber } }.map(String.init)
  }

  /// The lines inside of fences with the word behind the opening one; nil is that fence itself.
  private var fencedLines: [(kind: String, line: String?)] {
    var fenced: [(String, String?)] = []
    var kind: String?
    for line in lines {
      if line.hasPrefix("```") {
        kind = kind == nil ? String(line.dropFirst(3)) : nil
        if let kind { fenced.append((kind, nil)) }
      } else if let kind {
        fenced.append((kind, line))
      }
    }
    return fenced
  }

  private var textLines: [String] {
    var isFenced = false
    return lines.filter { line in
      if line.hasPrefix("```") { isFenced.toggle(); return false }
      return !isFenced
    }
  }
}
