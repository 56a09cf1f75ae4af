import Base
import Foundation
import MediaExchange
import Testing

/// Playlists are read back as they were written, and as other programs write them.
struct PlaylistTests {
  static let entries: [Playlist.Entry] = [
    Playlist.Entry(
      path: BytePath("music/Nora Vale/03 Slow Tide.flac"), title: "Slow Tide", artist: "Nora Vale", album: "Harbour",
      trackNumber: 3, durationInSeconds: 247, hash: "00112233445566778899aabbccddeeff"),
    Playlist.Entry(path: BytePath("../up/ä & <b> \"q\" 100%.mp3"), title: "a & <b>", artist: "x]]>y"),
    Playlist.Entry(path: BytePath("#1/é#?.ogg"), title: "One"),
    Playlist.Entry(path: BytePath("http://no address.opus"), title: "Two"),
    Playlist.Entry(path: BytePath("/abs/夜の配線.opus"), title: "夜の配線", artist: "星屑電機"),
    Playlist.Entry(
      path: BytePath(Array("/abs/".utf8) + [0xFF, 0xFE, 0x0A, 0x25] + Array("41.mp3".utf8)), title: "Bytes"),
  ]

  @Test(arguments: PlaylistFormat.allCases)
  func `what is written is read back`(format: PlaylistFormat) throws {
    let playlist = Playlist(title: "Late <set> & more", entries: Self.entries)
    let read = try format.playlist(from: Array(format.text(of: playlist).utf8))
    #expect(read.entries.map { Self.plain($0.path) } == Self.entries.map(\.path))
    #expect(read.entries.map(\.hash) == Self.entries.map(\.hash))
    #expect(read.entries.map(\.title) == Self.entries.map(\.title))
    #expect(read.entries[0].durationInSeconds == 247 && read.entries[0].artist == "Nora Vale")
    if format != .pls { #expect(read.title == playlist.title) }
    if format == .xspf || format == .jspf {
      #expect(read.entries[0].album == "Harbour" && read.entries[0].trackNumber == 3)
    }
  }

  /// Without the `./` that keeps a name from being read as something else.
  private static func plain(_ path: BytePath?) -> BytePath? {
    path.map { $0.bytes.starts(with: Array("./".utf8)) ? BytePath($0.bytes.dropFirst(2)) : $0 }
  }

  @Test(arguments: PlaylistFormat.allCases, ["\u{0B}", "\u{0C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{1C}"])
  func `a name may contain the other line separators of Unicode`(format: PlaylistFormat, mark: String) throws {
    let playlist = Playlist(entries: [
      Playlist.Entry(path: BytePath("/a\(mark)b.mp3")), Playlist.Entry(path: BytePath("/c")),
    ])
    let read = try format.playlist(from: Array(format.text(of: playlist).utf8))
    #expect(read.entries.map(\.path) == playlist.entries.map(\.path))
  }

  @Test(arguments: ["file:", "file://", "file://localhost", "FILE://"])
  func `a URL without a path names no file`(address: String) throws {
    let playlist = try PlaylistFormat.m3u8.playlist(from: Array("\(address)\na.mp3\n".utf8))
    #expect(playlist.entries.map(\.path) == [nil, BytePath("a.mp3")])
  }

  @Test func `M3U of other programs is understood`() throws {
    let text =
      "\u{FEFF}#EXTM3U\r\n#EXTINF:-1 tvg-id=\"a,b\",Radio\r\nhttp://radio.example/stream\r\n"
      + "#EXTINF:12.5,A - B - C\r\nC:\\Music\\x.mp3\r\r\n# a comment\r\nfile:///home/a%20b.mp3"
    let entries = try PlaylistFormat.m3u.playlist(from: Array(text.utf8)).entries
    #expect(entries.map(\.path) == [nil, BytePath("C:\\Music\\x.mp3"), BytePath("/home/a b.mp3")])
    #expect(entries[1].artist == "A" && entries[1].title == "B - C" && entries[1].durationInSeconds == 12.5)
    let latin = Array("#EXTINF:3,Beyonc".utf8) + [0xE9, 0x0A] + Array("caf".utf8) + [0xE9]
    let entry = try #require(try PlaylistFormat.m3u.playlist(from: latin).entries.first)
    #expect(entry.title == "Beyoncé" && entry.path == BytePath(Array("caf".utf8) + [0xE9]))
  }

  @Test func `a NUL ends a line`() throws {
    let text = "a b.mp3\0\r\n/c.mp3\0\0rest\n\0\nd.mp3"
    let entries = try PlaylistFormat.m3u.playlist(from: Array(text.utf8)).entries
    #expect(entries.compactMap(\.path) == [BytePath("a b.mp3"), BytePath("/c.mp3"), BytePath("d.mp3")])
  }

  @Test func `XSPF of other programs is understood`() throws {
    let text = """
      <?xml version="1.0"?><!DOCTYPE playlist [<!ENTITY a "b">]><!-- <track> -->
      <x:playlist version='1' xmlns:x="http://xspf.org/ns/0/"><x:title> A &amp; B &#x41;&#66;&a; </x:title><x:trackList>
      <x:track a="/>"><x:location>http://a.example/x</x:location><x:location>file:///a%20b.mp3</x:location>
      <x:title><![CDATA[<raw> & ]]></x:title><x:image/><x:duration>1500</x:duration></x:track></x:trackList></x:playlist>
      """
    let playlist = try PlaylistFormat.xspf.playlist(from: Array(text.utf8))
    #expect(playlist.title == "A & B AB&a;")
    let entry = try #require(playlist.entries.first)
    #expect(entry.path == BytePath("/a b.mp3") && entry.title == "<raw> &" && entry.durationInSeconds == 1.5)
  }

  @Test(arguments: [
    ("<playlist><title>a</playlist>", "mismatched tag"), ("<playlist>", "no element found"),
    ("<playlist>a & b</playlist>", "not well-formed"), ("<p/><playlist/>", "junk after document element"),
    ("<playlist a=1/>", "not well-formed"), ("", "an empty document"), (" \n", "an empty document"),
    ("<x/>", "not an XSPF playlist"),
  ])
  func `XML that is not well-formed is refused with its line`(text: String, reason: String) {
    let error = #expect(throws: ExchangeError.self) { try PlaylistFormat.xspf.playlist(from: Array(text.utf8)) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian], [true, false])
  func `XML in UTF-16 is read, whether it declares that or not`(encoding: String.Encoding, declares: Bool) throws {
    let declaration = declares ? #"<?xml version="1.0" encoding="UTF-16"?>"# : ""
    let text = "\u{FEFF}\(declaration)<playlist><title>夜の café</title></playlist>"
    let bytes = try #require(text.data(using: encoding))
    #expect(try PlaylistFormat.xspf.playlist(from: Array(bytes)).title == "夜の café")
  }

  @Test func `blank lines before XML are skipped`() throws {
    let text = "\r\n  <?xml version=\"1.0\"?><playlist><title>a</title></playlist>\n"
    #expect(try PlaylistFormat.xspf.playlist(from: Array(text.utf8)).title == "a")
  }

  @Test func `XML is read in the encoding that it declares`() throws {
    let latin = Array("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><playlist><title>caf".utf8) + [0xE9]
    #expect(try PlaylistFormat.xspf.playlist(from: latin + Array("</title></playlist>".utf8)).title == "café")
  }

  @Test(arguments: PlaylistFormat.allCases)
  func `reading never traps`(format: PlaylistFormat) {
    var random = SystemRandomNumberGenerator()
    let whole = Array(format.text(of: Playlist(title: "t", entries: Self.entries)).utf8)
    for _ in 0..<300 {
      var bytes = Array(whole.prefix(Int.random(in: 0...whole.count, using: &random)))
      for _ in 0..<Int.random(in: 0...8, using: &random) where !bytes.isEmpty {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      let count = (try? format.playlist(from: bytes))?.entries.count ?? 0
      #expect(count <= bytes.count)
    }
  }

  @Test(arguments: [
    ("/a/b/c.mp3", "/a/b", "c.mp3"), ("/a/b/c.mp3", "/a/x/y", "../../b/c.mp3"), ("/c.mp3", "/", "c.mp3"),
    ("/a/b", "/a/b", "../b"), ("/a/bc/d", "/a/b", "../bc/d"),
  ])
  func `a relative path goes through the closest common folder`(file: String, folder: String, expected: String) {
    #expect(PlaylistPath.relative(BytePath(file), to: BytePath(folder)) == BytePath(expected))
  }

  @Test func `rekordbox gets numbers, locations and entities, and each file once`() {
    let tide = RekordboxLibrary.Track(path: BytePath("/m/Slow Tide.flac"), attributes: [("Name", "<T>")])
    let other = RekordboxLibrary.Track(path: BytePath("/m/x.mp3"), attributes: [])
    let text = RekordboxLibrary(name: "a \"b\"", tracks: [tide, other, tide]).text
    #expect(text.contains(#"<TRACK TrackID="1" Name="&lt;T&gt;" Location="file://localhost/m/Slow%20Tide.flac"/>"#))
    #expect(text.contains(#"<COLLECTION Entries="2">"#) && text.ranges(of: "TrackID=").count == 2)
    #expect(text.contains(#"<NODE Type="1" Name="a &quot;b&quot;" Entries="3" KeyType="0">"#))
    let keys = text.split(separator: "\n").filter { $0.contains("Key=\"") }.map { $0.filter(\.isNumber) }
    #expect(keys == ["1", "2", "1"])
  }

  @Test(arguments: [
    #"{"playlist": {"track": [{"location": "/a.mp3", "identifier": "https://x", "trackNum": "3", "duration": "1500"}]}}"#,
    #"{"playlist": {"title": 7, "track": [{"location": ["/a.mp3"], "identifier": 1, "trackNum": 3, "duration": 1500, "title": []}]}}"#,
  ])
  func `JSPF of other programs is understood`(text: String) throws {
    let playlist = try PlaylistFormat.jspf.playlist(from: Array(text.utf8))
    #expect(
      playlist == Playlist(entries: [Playlist.Entry(path: BytePath("/a.mp3"), trackNumber: 3, durationInSeconds: 1.5)]))
  }

  @Test(arguments: [("{", "at byte"), ("[]", "no \"playlist\""), (#"{"playlist": 3}"#, "no \"playlist\"")])
  func `other JSON is refused with a reason`(text: String, reason: String) {
    let error = #expect(throws: ExchangeError.self) { try PlaylistFormat.jspf.playlist(from: Array(text.utf8)) }
    #expect(error?.description.contains(reason) == true, "\(String(describing: error))")
  }

  @Test func `PLS of other programs is understood`() throws {
    let text =
      Array("[Playlist]\r\n file1 = /a b.mp3\r\nTitle1=Caf".utf8) + [0xE9] + Array("\r\nFile2=/caf".utf8)
      + [0xE9] + Array("\nLength2 = 12\nFile03=http://x/y\n".utf8)
    let entries = try PlaylistFormat.pls.playlist(from: text).entries
    #expect(entries.map(\.path) == [BytePath("/a b.mp3"), BytePath(Array("/caf".utf8) + [0xE9]), nil])
    #expect(entries[0].title == "Café" && entries[1].durationInSeconds == 12)
  }

  private static let readings: [(String, [String])] = [
    ("  /m/a b.mp3 \t", ["  /m/a b.mp3 \t", "/m/a b.mp3"]), ("a%20b.mp3", ["a%20b.mp3", "a b.mp3"]),
    ("100%25.mp3", ["100%25.mp3", "100%.mp3"]), ("a+b%zz.mp3", ["a+b%zz.mp3"]), ("/plain.mp3", ["/plain.mp3"]),
    ("file:///m/a%2520b%2Fc.mp3", ["/m/a%20b/c.mp3", "/m/a%2520b%2Fc.mp3"]), (" file:///m/#1 a.mp3 ", ["/m/#1 a.mp3"]),
    ("Macintosh HD:Users:x:a.mp3", ["Macintosh HD:Users:x:a.mp3", "/Users/x/a.mp3"]), ("http://a.example/b.mp3", []),
  ]

  @Test(arguments: readings)
  func `a line names the exact path first, then what it may mean`(line: String, paths: [String]) throws {
    let m3u = try PlaylistFormat.m3u8.playlist(from: Array("#EXTM3U\n\(line)\n".utf8))
    #expect(m3u.entries.map(\.allPaths) == [paths.map { BytePath($0) }])
    // In PLS, blanks before a value are none of it.
    let pls = try PlaylistFormat.pls.playlist(from: Array("[playlist]\nFile1=\(line)\n".utf8))
    let trimmed = paths.map { BytePath(String($0.trimmingPrefix("  "))) }
    #expect(pls.entries.map(\.allPaths).first == PlaylistTests.distinct(trimmed))
  }

  private static func distinct(_ paths: [BytePath]) -> [BytePath] {
    paths.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  @Test func `no file of a PLS is lost to its number`() throws {
    func paths(_ text: String) throws -> [String] {
      try PlaylistFormat.pls.playlist(from: Array(text.utf8)).entries.compactMap { $0.path?.displayString }
    }
    #expect(try paths("[playlist]\nFile1=a\nFile1=b\nFile1=c\nFile2=d") == ["a", "d", "b", "c"])
    #expect(try paths("[playlist]\nFile1=a\nFile2=b\n[playlist]\nFile1=c\nFile2=d") == ["a", "b", "c", "d"])
    #expect(try paths("File=a\nFile=b\nFile 7=c\nFile=d\nFile2000001=e") == ["a", "b", "c", "d", "e"])
    let text = "[playlist]\nFile1=a\nTitle1=A\n[playlist]\nTitle1=B\nFile1=b\nFile=c\nTitle=C\nLength=3"
    let entries = try PlaylistFormat.pls.playlist(from: Array(text.utf8)).entries
    #expect(entries.map(\.title) == ["A", "B", "C"] && entries.last?.durationInSeconds == 3)
  }

  @Test(arguments: ["\"/m/a.mp3\"", "'/m/a.mp3'", "\"file:///m/a.mp3\"", "smb://nas/m/a.mp3", "/m/a.mp3?x=1"])
  func `quotation marks, another machine and a query do not hide a path`(line: String) throws {
    for (format, text) in [(PlaylistFormat.m3u8, line), (.pls, "[playlist]\nFile1=\(line)")] {
      let entry = try #require(try format.playlist(from: Array(text.utf8)).entries.first)
      #expect(entry.allPaths.contains(BytePath("/m/a.mp3")))
    }
  }

  @Test func `a comment that may be the name of a file is an entry that may be none`() throws {
    let text = "#EXTM3U\n#EXTINF:3,A - B\n#1 Hit.mp3\nb.mp3\n# a comment.\n#EXTINF:3,C.mp3\n"
    let entries = try PlaylistFormat.m3u8.playlist(from: Array(text.utf8)).entries
    #expect(entries.map(\.path) == [BytePath("#1 Hit.mp3"), BytePath("b.mp3")])
    #expect(entries.map(\.mayBeComment) == [true, false] && entries.map(\.title) == [nil, "B"])
  }

  @Test func `every location of a track counts, and a file as its identifier`() throws {
    let xspf = """
      <playlist><trackList><track><identifier>file:///b.mp3</identifier><location>http://a.example/x</location>
      <location>../nope.mp3</location><location>a.mp3</location><title>T</title></track></trackList></playlist>
      """
    let jspf =
      #"{"playlist":{"track":[{"title":"T","location":["http://a.example/x","../nope.mp3","a.mp3"],"#
      + #""identifier":["file:///b.mp3"]}]}}"#
    for (format, text) in [(PlaylistFormat.xspf, xspf), (.jspf, jspf)] {
      let entry = try #require(try format.playlist(from: Array(text.utf8)).entries.first)
      #expect(entry.allPaths == ["../nope.mp3", "a.mp3", "/b.mp3"].map { BytePath($0) } && entry.title == "T")
    }
  }

  /// What is declared, and a title in the encoding that Python gave these bytes.
  private static let declared: [(String, String, [UInt8])] = [
    ("windows-1252", "Café", [0x43, 0x61, 0x66, 0xE9]), ("latin1", "Café", [0x43, 0x61, 0x66, 0xE9]),
    ("UTF-8", "Café", [0x43, 0x61, 0x66, 0xE9]), ("", "Café", [0x43, 0x61, 0x66, 0xE9]),
    ("ISO-8859-1", "Café", [0x43, 0x61, 0x66, 0xC3, 0xA9]), ("x-unknown", "Café", [0x43, 0x61, 0x66, 0xE9]),
    ("Windows-1251", "Кино", [0xCA, 0xE8, 0xED, 0xEE]), ("iso-8859-7", "Ελ", [0xC5, 0xEB]),
    ("GBK", "夜曲", [0xD2, 0xB9, 0xC7, 0xFA]), ("Shift_JIS", "夜", [0x96, 0xE9]),
  ]

  @Test(arguments: declared)
  func `XML is read in the encoding that it has, whatever it declares`(
    name: String, title: String, bytes: [UInt8]
  ) throws {
    let declaration = name.isEmpty ? "" : "<?xml version=\"1.0\" encoding=\"\(name)\"?>\n"
    let file = Array("\(declaration)<playlist><title>".utf8) + bytes + Array("</title></playlist>".utf8)
    #expect(try PlaylistFormat.xspf.playlist(from: file).title == title)
  }

  @Test(arguments: [
    ("#EXTM3U\na.mp3", "pls", PlaylistFormat.m3u8), ("#EXTM3U\na.mp3", "m3u", .m3u), ("a.mp3\nb.mp3", "pls", .m3u8),
    ("\u{FEFF}\n[Playlist]\nFile1=a", "m3u", .pls), ("File1=a", "m3u8", .pls), ("File1=a", "pls", .pls),
    ("<?xml version=\"1.0\"?>\n<playlist/>", "m3u", .xspf), ("{\"playlist\": {}}", "xspf", .jspf),
    ("a.mp3", "m3u", .m3u), ("#EXTM3U", "txt", .m3u8),
  ])
  func `the content decides the format`(text: String, name: String, format: PlaylistFormat) {
    #expect(PlaylistFormat.detect(Array(text.utf8), extension: name) == format)
  }

  @Test func `a file of unknown content and name has no format`() {
    #expect(PlaylistFormat.detect(Array("a.mp3".utf8), extension: "txt") == nil)
  }

  @Test func `PLS may count from 0, and what cannot be an entry is counted`() throws {
    let text = "[playlist]\nFile0=/a.mp3\nTitle0=A\nFile1=/b.mp3\nFile-1=/c.mp3\nFile9999999=/d.mp3\nFilex=/e.mp3\n"
    let playlist = try PlaylistFormat.pls.playlist(from: Array(text.utf8))
    #expect(playlist.entries.map(\.path) == [BytePath("/a.mp3"), BytePath("/b.mp3"), BytePath("/d.mp3")])
    #expect(playlist.omittedCount == 2)
    #expect(playlist.entries[0].title == "A")
  }

  @Test func `the encoding of a playlist is guessed from all of it, and paths keep their bytes`() throws {
    // Two titles and paths in Shift-JIS.
    let (title, name): ([UInt8], [UInt8]) = (
      [0x96, 0xE9, 0x82, 0xCC, 0x94, 0x7A, 0x90, 0xFC], [0x89, 0xB9, 0x8A, 0x79, 0x82, 0xCC, 0x96, 0xE9]
    )
    var file = Array("#EXTM3U\n".utf8)
    for _ in 0..<2 { file += Array("#EXTINF:3,".utf8) + title + [0x0A] + name + Array(".mp3\n".utf8) }
    let entries = try PlaylistFormat.m3u.playlist(from: file).entries
    #expect(entries.map(\.title) == ["夜の配線", "夜の配線"])
    #expect(entries[0].allPaths == [BytePath(name + Array(".mp3".utf8)), BytePath("音楽の夜.mp3")])
  }

  @Test(arguments: [[UInt8](), [0xFF, 0xFE]])
  func `a playlist in UTF-16 is read with and without its mark`(mark: [UInt8]) throws {
    let file =
      mark + "#EXTM3U\r\n#EXTINF:3,Café\r\n/m/Café.mp3\r\n".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let entry = try #require(PlaylistFormat.m3u.playlist(from: file).entries.first)
    #expect(entry.title == "Café" && entry.path == BytePath("/m/Café.mp3"))
  }

  @Test func `entries are bounded`() throws {
    let count = Playlist.maximumEntryCount + 3
    let playlist = try PlaylistFormat.m3u.playlist(from: Array(String(repeating: "a\n", count: count).utf8))
    #expect(playlist.entries.count == Playlist.maximumEntryCount && playlist.omittedCount == 3)
  }

  @Test(arguments: [PlaylistFormat.m3u8, .pls])
  func `a name is kept, but stays on its line`(format: PlaylistFormat) throws {
    let names = ["שלום\u{200F}", "a\nb\u{1B}[31m\u{9B}c", "#\u{FE0F}\u{20E3} one"]
    let entries = names.map { Playlist.Entry(path: BytePath("/x"), title: $0) }
    let text = format.text(of: Playlist(title: "a\r\nb", entries: entries))
    #expect(try format.playlist(from: Array(text.utf8)).entries.map(\.title) == [names[0], "a b [31m c", names[2]])
  }

  @Test(arguments: PlaylistFormat.allCases)
  func `no control character of a path or name reaches a terminal, and every path is read back`(
    format: PlaylistFormat
  ) throws {
    let paths = ["/a/\u{1B}[31mred.mp3", "/b/\u{9B}2J.mp3", "/c/\u{7F}\u{7}.mp3"].map { BytePath($0) }
    let entries = paths.map { Playlist.Entry(path: $0, title: "x\u{9B}y\u{7F}") }
    let text = format.text(of: Playlist(title: "t\u{85}", entries: entries))
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || $0 == "\r" || $0 == "\t" || !$0.isControl }, "\(text)")
    #expect(try format.playlist(from: Array(text.utf8)).entries.map(\.path) == paths)
  }

  @Test func `a name that begins like a comment is read as a name`() throws {
    let playlist = Playlist(entries: [Playlist.Entry(path: BytePath("#\u{FE0F}\u{20E3} x.mp3"))])
    let text = PlaylistFormat.m3u8.text(of: playlist)
    #expect(text.utf8.split(separator: 10).last?.starts(with: Array("./#".utf8)) == true)
  }

  @Test(arguments: [
    (#"318 group="a, b",Artist - Title"#, "Title"), (#"3 a="b,Artist - Ti"tle"#, #"Ti"tle"#), ("3,A - B, C", "B, C"),
    (#"3,A - "B, C""#, #""B, C""#),
  ])
  func `attributes may contain commas inside quotation marks`(line: String, title: String) throws {
    let text = "#EXTM3U\n#PLAYLIST: Mine \n#EXTINF:\(line)\nx.mp3\n"
    let playlist = try PlaylistFormat.m3u8.playlist(from: Array(text.utf8))
    #expect(playlist.entries.map(\.title) == [title] && playlist.title == "Mine")
  }

  @Test func `old playlists are read in Windows code page 1252`() throws {
    let text = Array("#EXTINF:200,Guns N".utf8) + [0x92] + Array(" Roses - Bj".utf8) + [0xF6, 10]
    let path = BytePath(Array("Bj".utf8) + [0xF6] + Array("rk.mp3".utf8))
    let entry = try #require(PlaylistFormat.m3u.playlist(from: text + path.bytes + [10]).entries.first)
    #expect(entry.artist == "Guns N’ Roses" && entry.title == "Bjö")
    // A path keeps its bytes; its UTF-8 form is looked for, too.
    #expect(entry.path == path)
    #expect(PlaylistPath.recoded(path) == BytePath("Björk.mp3"))
    #expect(PlaylistPath.recoded(BytePath("Björk.mp3")) == nil)
  }

  @Test func `a truncated playlist is refused`() throws {
    for text in ["<playlist>", "<playlist><trackList><track><title>a</title></track>"] {
      #expect(throws: ExchangeError.self) { try PlaylistFormat.xspf.playlist(from: Array(text.utf8)) }
    }
  }

  @Test(arguments: [true, false], [PlaylistFormat.m3u8, .m3u])
  func `UTF-16 with a byte order mark is read`(isLittleEndian: Bool, format: PlaylistFormat) throws {
    let bytes = "\u{FEFF}#EXTM3U\r\n#EXTINF:3,星屑電機 - 夜\r\nC:\\music\\夜.mp3\r\n".utf16.flatMap { unit in
      let pair = [UInt8(truncatingIfNeeded: unit), UInt8(unit >> 8)]
      return isLittleEndian ? pair : pair.reversed()
    }
    let entries = try format.playlist(from: bytes).entries
    #expect(entries.map(\.path) == [BytePath("C:\\music\\夜.mp3")])
    #expect(entries.map(\.name) == ["星屑電機 - 夜"])
  }

  @Test func `the URL of a radio station is its name`() throws {
    let address = "https://radio.example/live.mp3"
    let texts: [(PlaylistFormat, String)] = [
      (.m3u8, address + "\n"), (.pls, "[playlist]\nFile1=\(address)\n"),
      (.xspf, "<playlist><trackList><track><location>\(address)</location></track></trackList></playlist>"),
    ]
    for (format, text) in texts {
      let entries = try format.playlist(from: Array(text.utf8)).entries
      #expect(entries.map(\.name) == [address] && entries[0].path == nil, "\(format)")
    }
  }
}
