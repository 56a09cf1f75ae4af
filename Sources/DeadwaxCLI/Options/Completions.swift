internal import ArgumentParser
internal import LibraryQueries
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// What shells offer as the value of an option.
enum Completions {
  /// Names of fields, after what was already typed of a list.
  static let fields = CompletionKind.custom { _, _, prefix in
    let typed = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return MediaStore.fields.map { typed + $0.name }
  }

  /// Names of the lists in the user's library.
  static let lists = CompletionKind.custom { _, _, _ in
    names { try $0.lists.all().map(\.name) } ?? []
  }

  /// Names of all presets, the built-in ones included.
  static let presets = CompletionKind.custom { _, _, _ in
    names { try $0.presets.all().map(\.name.text) } ?? Preset.builtIn.map(\.name.text)
  }

  /// The hashes of recordings without a file that have presets, list entries or attributes.
  static let orphans = CompletionKind.custom { _, _, _ in
    names { try $0.decisions.orphans().map { OrphanText.shortHash($0.hash) } } ?? []
  }

  /// Names in the user's library; nil if the library has an older schema, because opening it would migrate it, which
  /// takes long and is reported by commands.
  private static func names(_ body: (MediaStore) throws -> [String]) -> [String]? {
    guard let library = try? LibraryOptions.parse([]), let path = try? library.path(),
      (try? MediaStore.isOlder(at: path)) == false
    else { return nil }
    return try? library.reading(body)
  }

  /// Fields of queries, with their colons.
  static let query = CompletionKind.custom { _, _, prefix in
    let typed = prefix.lastIndex(where: { " (-^".contains($0) }).map { prefix[...$0] } ?? ""
    return MediaStore.fields.map { "\(typed)\($0.name):" } + ["\(typed)preset:none"]
  }
}
