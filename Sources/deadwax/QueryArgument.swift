internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// The query of a command: all of its words, joined by blanks.
struct QueryArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Which files; everything without it.", valueName: "query"), completion: Completions.query)
  var words: [String] = []

  func query(in store: MediaStore) throws -> Query { try store.query(words.joined(separator: " ")) }
}

/// What help texts say about queries.
enum QueryHelp {
  static let short = "QUERY is what `deadwax help ls` explains. Put `--` before a query that begins with a minus sign."

  static let full = """
    QUERY: words and terms side by side must all hold.
      word "two words"      in title, artist, album, albumartist, genre or file name
      field:text            text in a field; case and accents do not matter
      field:=text           exactly that text;  field:=~text  without case and accents
      field::regex          a regular expression;  (?i) in front ignores case
      field:>5  field:1..9  numbers; also 1..  ..9  >=  <  <=
      field:""              the field has no value
      -term ^term           the opposite;  -(a b)  of a whole group
      a , b   a OR b        one of the two;  ( ) group
      path:sub/dir          in a folder;  path:beet  anywhere in the path
      year- artist+         sort, down and up

    Durations are 3:30 or 2m10s, sizes 10M (10Mi is 10 · 2^20), rates 44.1k, dates 2023, 2023-04 or -2w.. (h d w m y).
    Put `--` before a query that begins with a minus sign, and quotes around one with < > ( ) or *.

    """

  static var fields: String {
    "Fields: \(MediaStore.fields.map(\.name).joined(separator: " ")), and every tag by its name, such as bpm or label."
  }
}
