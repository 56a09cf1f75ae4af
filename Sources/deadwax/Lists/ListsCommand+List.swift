internal import ArgumentParser
internal import MediaModel
internal import MediaStore

extension ListsCommand {
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "ls", abstract: "List the lists.")

    @OptionGroup var library: LibraryOptions
    @OptionGroup var output: OutputOptions
    @OptionGroup var document: DocumentOptions

    func run() throws {
      try library.reading { store in
        let lists = try store.lists()
        guard document.isWanted else {
          var table = TextTable([
            .init(title: "NAME"), .init(title: "FILES", isAlignedRight: true), .init(title: "QUERY"),
          ])
          for list in lists {
            try table.add([list.name, try count(list, store).map(String.init) ?? "?", list.query ?? "–"])
          }
          return try table.finish()
        }
        let items = try lists.map { list in
          JSONValue.object([
            "name": .string(list.name), "query": .string(list.query), "files": .integer(try count(list, store)),
            "changed_at": .string(Timestamp(secondsSince1970: list.changedAt).description),
          ])
        }
        try document.write(items, under: "lists")
      }
    }

    /// nil for a query that this version cannot ask.
    private func count(_ list: SavedList, _ store: MediaStore) throws -> Int? {
      guard let text = list.query else { return list.entryCount }
      do {
        return try store.count(of: try store.query(text))
      } catch let error as QueryError {
        StandardError.line(TerminalText.escaped("list \(list.name): \(error)"))
        return nil
      }
    }
  }
}
