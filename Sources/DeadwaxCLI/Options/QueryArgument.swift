internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import MediaStore
internal import QueryLanguage

/// The query of a command: all of its words, joined by blanks; a path means the files there.
struct QueryArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("Selects files (default: all); id:17 selects track 17.", valueName: "query"),
    completion: Completions.query)
  var words: [String] = []

  var text: String { MediaStore.queryText(of: words) }

  func query(in store: MediaStore) throws -> Query { try store.query(finding: words) }
}

/// Help texts about queries.
enum QueryHelp {
  static let short = "`deadwax help ls` explains queries. Put `--` before a query that begins with a minus sign."

  static let full = """
    QUERY: a file must match all words and terms, which are separated by spaces.
      word "two words"      in title, artist, album, albumartist, genre, file name
      id:17  id:17..23      the tracks with these numbers;  17  is just text
      field:text            text in a field; case and accents do not matter
      field:=text           exactly that, or one of several values
      field:=~text          the same, ignoring case and accents
      field::regex          a regular expression;  (?i) in front ignores case
      field:>5  field:1..9  numbers; also 1..  ..9  >=  <  <=
      field:""              the field is empty
      -term ^term           excludes the term;  -(a b)  the group
      a , b   a OR b        either one;  ( ) groups
      contributor:vale      artist, composer, conductor, performer and so on;
                            also each by its name;  work:  movement:
      preset:warm           played with a preset;  preset:none  with none
      list:evening          tracks of a list, in its order
      album-id:12           an album that `deadwax albums` lists, in all editions
      edition:1             the edition of its album with most tracks
      bpm:120..126 key:8A   tempo and key;  also key:Am key:1m
      bpm(88-175):>160      tempi doubled or halved into that range
      similar:17            sounds like track 17, most similar first
      same:17               same recording as track 17, in any format
      part:overture         has a chapter or part of that name;  parts:>1
      path:sub/dir          in a folder;  path:beet  anywhere in the path
      path:=/music/sub/     exactly that path and everything below it
      /music/sub  ./a.flac  a path: the files there; also sub/a.flac if it exists
      id:53,64  year:1999,2003  codec:flac,mp3  any of these; also state ext
                            container; not other text fields
      year- artist+         sort descending and ascending
      is:duplicate-file  has:artwork  band(1000)>-30  preset:none
      is:corrected          has tag corrections;  is:conflict  and the tag in the
                            file has changed since

    Durations are 3:30 or 2m10s, sizes 10M (10Mi is 10 · 2^20), rates 44.1k,
    dates 2023 or 2023-04; added, mtime, verified also take -2w.. (h d w m y).
    Put `--` before a query that begins with a minus sign, and quotes around one
    with < > ( ) or *.


    """

  static let grammar = """
    Grammar:
      query  = { [ "AND" ] ( term | sort ) }, and alternatives of these
               separated by " , ", " | " or "OR", which bind less
      term   = [ "-" | "^" | "NOT" ] ( word | test | "(" query ")" )
      test   = field ":" value, or number-field followed by a comparison
      value  = text | "=" text | "=~" text | ":" regex | comparison
             | [ from ] ".." [ to ] | \"\"
      comparison = ( ">" | ">=" | "<" | "<=" ) number
      sort   = field ( "+" | "-" )
      word, text = anything up to a space, or in "quotes"; a backslash
               escapes the next character

    At most 1,000 terms, 50 parentheses deep, 64 KB. Regular expressions: literals, . [a-z] \\d \\w \\s \\b ( ) | * + \
    ? {m,n} ^ $, without back-references; with a limit of 20 seconds for a query.


    """

  static let examples = """


    Examples:
      genre:jazz lufs:<-18 cutoff:<16k silence_end:>5 year-
      "slow tide" -live            a phrase, but without a word
      composer:="Clara Schumann" performer:violin movementnumber:2
      (artist:vale , artist:=~beyonce) year:1990..1999
      added:-2w.. state:ok         added in the last two weeks
      band(1000)>-30 band(120)<-50  band levels of the mean spectrum, in dB
      is:duplicate                 files whose sound another file has, too, in any
                                   format (compares all recordings first)
      -is:redundant                each recording once: without the copies that
                                   duplicates would not keep
      is:duplicate-file            files with the same samples; also missing,
                                   excluded, damaged, lossless, clipped, verified
      is:compilation               albums of several artists
      -is:verified , verified:<-1y  never verified, or not within the last
                                   year
      -has:cover                   also artwork (a picture in the tags) lyrics
                                   loudness fingerprint preset parts
      preset:none path:"new/"      without a preset, in a folder
      title::(?i)^the\\b           a regular expression
    """

  static var fields: String {
    "Fields: \(MediaStore.fields.map(\.name).joined(separator: " ")), and every tag by its name, such as label or mood."
  }
}

extension [String] {
  /// A list separated by commas, which can be given as one value or as several; nil if it is not given.
  var joinedList: String? { isEmpty ? nil : joined(separator: ",") }
}

/// Names of fields in the value of an option, separated by commas.
enum FieldList {
  /// - Parameter option: `--fields`, for the message.
  static func fields(_ text: String, _ vocabulary: QueryVocabulary, option: String) throws -> [QueryField] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map {
      try field(String($0.trimmingPrefix(" ")), vocabulary, option: option)
    }
  }

  static func field(_ name: String, _ vocabulary: QueryVocabulary, option: String) throws -> QueryField {
    if let field = vocabulary[name] { return field }
    throw ValidationError(
      "\(option): unknown field '\(name)'" + SpellingSuggestions.question(vocabulary.names(near: name)))
  }
}
