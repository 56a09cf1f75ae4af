internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// What shells offer behind an option.
enum Completions {
  /// Names of fields, behind what is typed of a list.
  static let fields = CompletionKind.custom { _, _, prefix in
    let typed = prefix.lastIndex(of: ",").map { prefix[...$0] } ?? ""
    return MediaStore.fields.map { typed + $0.name }
  }
}
