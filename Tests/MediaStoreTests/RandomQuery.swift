import TestSupport

/// Texts of queries over the fields that ``NaiveFile`` has.
enum RandomQuery {
  static let terms = [
    "ete", "slow", "TIDE", "beyonce", "Beyonc\u{65}\u{301}", "jazz", "'", "100%", "\"slow tide\"", "ärger", "日", "*",
    "3", "flac",
    "title:été", "title:=Été", "title:=~ete", "title:\"\"", "title::^S", "title::(?i)^s.*[de]$", "title:strasse",
    "title:'b",
    "artist:vale", "artist:ac/dc", "artist::[A-Z]{2}", "artist:\"\"", "genre:rock", "genre:=Rock", "genre:=~pop",
    "genre:=\"Rock; Pop\"", "genre:=ock", "genre:live", "filename:b-side",
    "filename:slow",
    "ext:mp3", "ext:=flac", "path:sub/dir", "path:/music/sub", "path:sub", "path:dir2", "path:/sub", "path:slow",
    "state:ok", "state:a", "state:=crashed", "mood:happy", "mood:>100", "mood:-10..0", "mood:\"\"", "mood:=Sad",
    "mood::^\\d",
    "year:1995", "year:1992..1994", "year:..1993", "year:>1997", "year:<=1991", "year:\"\"", "date:1995",
    "date:1993..1996",
    "rate:44.1k", "rate:44100", "rate:>8k", "rate:\"\"", "size:1M", "size:>1M", "size:<=500k", "duration:3:30",
    "duration:<1m",
    "duration:>3m", "duration:210..1h", "rms:-20", "rms:<-9.5", "rms:>=-9.5", "rms:-20.0", "bpm:120", "bpm:\"\"",
    "ow", "zq", "\"*\"", "é", "本", "\"e \"", "d e", "\"slow\ntide\"", "schumann", "3-", "composer:bach",
    "composer:\"clara schumann; bach\"",
    "composer:=Bach", "composer:=~\"j. s.\"", "comment:=ripped", "composer:武満", "composer:徹", "composer:=~\"ω mega\"",
    "comment:\"ripped; with\"", "comment:line",
    "comment:\"line break\"",
    "comment:nul", "comment:#1", "comment:=#1", "musicbrainz_trackid:a74b", "musicbrainz_trackid:=5b11f4ce",
    "mood:3/12",
    "is:duplicate-file", "is:damaged", "has:artwork", "has:loudness", "preset:none", "preset:flat", "lufs:-14",
    "lufs<-14", "lufs:-14.5..", "band(1000)>-30", "band(1k):-31.25", "band(100)<=-30", "band(18000):\"\"", "year>=1995",
    "path:music", "path:usic", "path:/music", "path:/", "path:\"sub/dir/\"", "path:=/music/sub/", "path:=/Music/sub/",
    "path:=/", "path:dir/slow", "hash:\"\"",
  ]

  /// Fields that lists are sorted by: with an index of the files, of the sounds, of the measures, and without one.
  static let sortFields = ["year", "size", "duration", "lufs", "rms", "rate"]

  static func text(depth: Int, using generator: inout RepeatableRandom) -> String {
    let count = Int.random(in: 1...3, using: &generator)
    let parts = (0..<count).map { _ -> String in
      let sign = ["", "", "", "-", "^", "NOT "].randomElement(using: &generator) ?? ""
      if depth < 3, Int.random(in: 0..<3, using: &generator) == 0 {
        return sign + "(" + text(depth: depth + 1, using: &generator) + ")"
      }
      return sign + (terms.randomElement(using: &generator) ?? "x")
    }
    return parts.joined(separator: [" ", " , ", " OR ", " | ", " "].randomElement(using: &generator) ?? " ")
  }
}
