/// What the name of a file suggests: only whether to open it, never what it contains.
package enum FileNameHint {
  /// An audio extension; if the content is something else, that is reported as a problem.
  case audio
  /// The name says nothing: the file is opened, and is none of the library's if it is not audio. `mod` is one of them,
  /// because Go has files of that name.
  case unknown
  /// A picture, a text, a playlist, …: never opened.
  case other

  package init(pathExtension: String) {
    self =
      Self.audioExtensions.contains(pathExtension)
      ? .audio : Self.otherExtensions.contains(pathExtension) ? .other : .unknown
  }

  private static let audioExtensions: Set<String> = [
    "mp3", "mp2", "mp1", "mpa", "mpga", "wav", "wave", "bwf", "rf64", "w64", "aif", "aiff", "aifc", "afc", "caf", "au",
    "snd",
    "flac", "fla", "ogg", "oga", "opus", "spx", "ogx", "m4a", "m4b", "m4p", "m4r", "mp4", "aac", "adts", "3gp", "wma",
    "asf",
    "ape", "wv", "mpc", "mp+", "mpp", "tta", "dsf", "dff", "mka", "weba", "mkv", "webm", "mov", "ac3", "eac3", "dts",
    "amr", "xm",
    "s3m", "it",
    "mid", "midi", "ra", "ofr", "ofs", "shn", "tak",
  ]

  private static let otherExtensions: Set<String> = [
    "jpg", "jpeg", "jpe", "png", "gif", "bmp", "tif", "tiff", "webp", "avif", "heic", "svg", "ico", "psd", "xcf", "pdf",
    "ps",
    "txt", "md", "nfo", "log", "cue", "m3u", "m3u8", "pls", "xspf", "jspf", "asx", "wpl", "sfv", "md5", "sha1",
    "sha256", "ffp",
    "st5", "accurip", "toc", "htm", "html", "css", "js", "json", "jsonl", "xml", "yaml", "yml", "toml", "ini", "cfg",
    "conf",
    "csv", "tsv", "rtf", "doc", "docx", "odt", "xls", "xlsx", "url", "desktop", "lnk", "db", "sqlite", "sqlite3",
    "sqlite-wal", "sqlite-shm", "zip", "rar", "7z", "tar", "gz", "bz2", "xz", "zst", "par2", "torrent", "part",
    "crdownload", "tmp",
    "lrc", "srt", "ass", "sub", "idx", "exe", "dll", "so", "py", "sh", "bat", "c", "h", "swift", "pyc",
    "pyi", "typed", "go", "sum", "rs", "cc", "cpp", "hh", "hpp", "java", "kt", "cs", "rb", "php", "ts", "tsx", "jsx",
    "mjs", "lua", "sql", "proto", "lock", "rst", "tex", "scss", "cmake", "patch", "diff", "avi",
    "wmv",
    "flv", "mpg", "mpeg", "vob", "dat", "reapeaks", "pkf", "sfk", "asd", "sf2", "ttf", "otf", "eqf", "q1",
  ]
}
