internal import ArgumentParser
internal import MediaModel
internal import MediaStore

/// The query of a command: all of its words, joined by blanks; paths among them mean the files there.
struct QueryArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Which files; everything without it.", valueName: "query"), completion: Completions.query)
  var words: [String] = []

  var text: String { MediaStore.queryText(of: words) }

  func query(in store: MediaStore) throws -> Query { try store.query(text) }
}

/// What help texts say about queries.
enum QueryHelp {
  static let short = "QUERY is what `deadwax help ls` explains. Put `--` before a query that begins with a minus sign."

  static let full = """
    QUERY: words and terms side by side must all hold.
      word "two words"      in title, artist, album, albumartist, genre, file name
      field:text            text in a field; case and accents do not matter
      field:=text           exactly that, or one of several values
      field:=~text          likewise, without case and accents
      field::regex          a regular expression;  (?i) in front ignores case
      field:>5  field:1..9  numbers; also 1..  ..9  >=  <  <=
      field:""              the field has no value
      -term ^term           the opposite;  -(a b)  of a whole group
      a , b   a OR b        one of the two;  ( ) group
      preset:warm           what is heard with a preset;  preset:none  with none
      path:sub/dir          in a folder;  path:beet  anywhere in the path
      path:=/music/sub/     that path and what is below, letter by letter
      /music/sub  ./a.flac  what lies there, as a word of its own
      year- artist+         sort, down and up
      is:duplicate-file  has:artwork  band(1000)>-30  preset:none

    Durations are 3:30 or 2m10s, sizes 10M (10Mi is 10 · 2^20), rates 44.1k, dates 2023 or 2023-04; added and mtime
    also take -2w.. (h d w m y).
    Put `--` before a query that begins with a minus sign, and quotes around one with < > ( ) or *. More: `deadwax help query`.


    """

  static let grammar = """
    Grammar:
      query  = { [ "AND" ] ( term | sort ) }, and alternatives of these
               parted by " , " or " | " or "OR", which bind less
      term   = [ "-" | "^" | "NOT" ] ( word | test | "(" query ")" )
      test   = field ":" value, or number-field followed by a comparison
      value  = text | "=" text | "=~" text | ":" regex | comparison
             | [ from ] ".." [ to ] | \"\"
      comparison = ( ">" | ">=" | "<" | "<=" ) number
      sort   = field ( "+" | "-" )
      word, text = anything up to a blank, or in "quotes"; a backslash
               takes the meaning of the sign behind it

    At most 1,000 terms, 50 parentheses deep, 64 KB. Regular expressions: literals, . [a-z] \\d \\w \\s \\b ( ) | * + ? {m,n} \
    ^ $, without back-references; together they may take 20 seconds.


    """

  static let examples = """


    Examples:
      genre:jazz lufs:<-18 cutoff:<16k silence_end:>5 year-
      "slow tide" -live            words, and none of another
      (artist:vale , artist:=~beyonce) year:1990..1999
      added:-2w.. state:ok         of the last two weeks
      band(1000)>-30 band(120)<-50  levels of bands of the mean spectrum, in dB
      is:duplicate-file            two files of one sound; also missing,
                                   damaged, lossless, clipped
      -has:artwork                 also lyrics loudness fingerprint preset
      preset:none path:"new/"      without a preset, in a folder
      title::(?i)^the\\b           a regular expression
    """

  static var fields: String {
    "Fields: \(MediaStore.fields.map(\.name).joined(separator: " ")), and every tag by its name, such as bpm or label."
  }
}
