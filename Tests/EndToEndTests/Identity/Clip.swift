import Foundation
import TestSupport
import Testing

/// A file that is retagged, renamed and rewritten at random, each time by a program that leaves its sound alone.
struct Clip {
  /// What must stay as it is, and so which containers and codecs can hold it.
  enum Sound {
    case mpeg, vorbis, opus, muLaw
    case integers(bits: Int, isSurround: Bool)
    case floats
  }

  let number: Int
  let sound: Sound
  /// Below the folder, without its ending.
  private(set) var name: String
  private(set) var ending: String
  /// The commands of bash that were run.
  private(set) var history: [String] = []

  var path: String { "\(name).\(ending)" }

  init(number: Int, sound: Sound, ending: String) {
    (self.number, self.sound, self.ending) = (number, sound, ending)
    name = "\(number)"
  }

  /// Every format that is decoded, each with another sound.
  static let fixtures: [(fixture: String, sound: Sound)] = [
    ("Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", .mpeg),
    ("Lathe & Lantern/Run-out Groove/02 Lacquer.mp3", .mpeg),
    ("Lathe & Lantern/Run-out Groove/03 Rain on the Window.mp3", .mpeg),
    ("Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2", .mpeg),
    ("Public Address/Announcements/01 Test Pressing.mp3", .mpeg),
    ("星屑電機/夜の配線/01 真空管.ogg", .vorbis),
    ("星屑電機/夜の配線/02 配線図.ogg", .vorbis),
    ("星屑電機/夜の配線/03 星屑.opus", .opus),
    ("Public Address/Announcements/02 Auslaufrille.opus", .opus),
    ("صدى البحر/موجات/01 المد.opus", .opus),
    ("صدى البحر/موجات/02 الجزر.opus", .opus),
    ("Émilie Søndergård/Les Échos/01 Marée lente.flac", .integers(bits: 16, isSurround: false)),
    ("Émilie Søndergård/Les Échos/02 Balayage.flac", .integers(bits: 24, isSurround: false)),
    ("Émilie Søndergård/Les Échos/03 Au-delà de l’ouïe.flac", .integers(bits: 24, isSurround: false)),
    ("Émilie Søndergård/Les Échos/04 Six haut-parleurs.flac", .integers(bits: 16, isSurround: true)),
    ("Émilie Søndergård/Les Échos/05 Marée haute.oga", .integers(bits: 16, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/01 Kick.wav", .integers(bits: 16, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/02 String.wav", .integers(bits: 24, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/03 Float.wav", .floats),
    ("The Locked Grooves/Thirty-Three and a Third/04 Long Side.rf64", .integers(bits: 16, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/06 Big End.aiff", .integers(bits: 16, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/07 Core.caf", .integers(bits: 16, isSurround: false)),
    ("The Locked Grooves/Thirty-Three and a Third/08 Sun.au", .muLaw),
  ]

  static let areToolsThere =
    Tool.exist("ffmpeg", "flac", "metaflac", "vorbiscomment", "id3v2", "mid3v2", "bash", "xargs", "sqlite3")
    && (try? Tool.run("bash", "-c", "/usr/bin/python3 -c 'import mutagen'")) != nil
  static let absence = "ffmpeg, flac, vorbis-tools, id3v2 or python3-mutagen is not installed"
}

// MARK: - What a change may be

extension Clip {
  /// Chooses a change that leaves the packets alone: tags, names and folders.
  mutating func retag(_ random: inout RepeatableRandom) -> String {
    let title = String(repeating: "Ä", count: Int.random(in: 1...3000, using: &random)) + "\(random.next() % 1000)"
    let padding = Int.random(in: 0...5000, using: &random)
    var choices: [String?] = [nil, nil]
    switch (sound, ending) {
    case (.mpeg, _):
      choices += [
        "id3v2 -t 'title \(padding)' -c 'comment \(title.prefix(200))' \(path)", "mid3v2 -t '\(title)' \(path)",
        "id3v2 -D \(path)", Self.mutagen(Self.apeScript, path, title, padding),
      ]
    case (.vorbis, _):
      choices += ["vorbiscomment -w -t 'TITLE=\(title)' \(path)", "vorbiscomment -a -t 'COMMENT=\(title)' \(path)"]
      choices.append(Self.mutagen(Self.tagScript, path, title, padding))
    case (_, "flac"):
      choices += [
        "metaflac --remove-tag=TITLE --set-tag='TITLE=\(title.prefix(50))' \(path)",
        "metaflac --preserve-modtime --remove-tag=TITLE --set-tag='TITLE=\(title.prefix(40))' \(path)",
        "metaflac --remove-all --dont-use-padding \(path)", Self.mutagen(Self.tagScript, path, title, padding),
      ]
    case (_, "opus"), (_, "oga"), (_, "wav"), (_, "aiff"):
      choices += [Self.mutagen(Self.tagScript, path, title, padding), Self.mutagen(Self.tagScript, path, "short", 0)]
    default: break
    }
    if let choice = choices.randomElement(using: &random) ?? nil { return done(choice, title: title) }
    return rename(&random)
  }

  private mutating func rename(_ random: inout RepeatableRandom) -> String {
    let old = path
    let folder = ["", "moved/", "moved/deeper/"].randomElement(using: &random) ?? ""
    name = "\(folder)\(number)-\(random.next() % 100_000)"
    return done(
      "mkdir -p \((["."] + path.split(separator: "/").dropLast()).joined(separator: "/")) && mv \(old) \(path)")
  }

  /// Chooses a change of the container or a lossless codec: the samples, or the packets of a lossy codec, stay.
  mutating func rewrite(_ random: inout RepeatableRandom) -> String {
    let old = path
    var command: String
    switch sound {
    case .mpeg:
      let xing = ending == "mp3" ? "-write_xing \(random.next() % 2) " : ""
      command = "ffmpeg -v error -y -i \(old) -map 0:a -c copy \(xing)-f \(ending)"
    case .vorbis, .opus:
      let duration = [0, 20_000, 1_000_000, 5_000_000].randomElement(using: &random) ?? 0
      let format = ending == "opus" ? "opus" : "ogg"
      command = "ffmpeg -v error -y -i \(old) -map 0:a -c copy -page_duration \(duration) -f \(format)"
    case .muLaw:
      ending = ["au", "wav", "caf"].randomElement(using: &random) ?? "au"
      command = "ffmpeg -v error -y -i \(old) -map 0:a -c:a pcm_mulaw -f \(ending)"
    case .floats:
      ending = ["wav", "rf64", "w64", "aiff", "caf", "au"].randomElement(using: &random) ?? "wav"
      command = Self.convert(old, "f32", ending)
    case .integers(let bits, let isSurround):
      let former = ending
      let endings = ["flac", "oga", "wav"] + (isSurround ? [] : ["rf64", "w64", "aiff", "caf", "au"])
      ending = endings.randomElement(using: &random) ?? "flac"
      let isByFLAC = random.next().isMultiple(of: 2)
      if ["flac", "oga"].contains(ending) {
        let level = random.next() % 9
        if isByFLAC, ["flac", "wav", "aiff", "w64", "rf64"].contains(former) {
          command = "flac -s -f -\(level) \(ending == "oga" ? "--ogg " : "")\(old) -o"
        } else if isByFLAC, ["flac", "oga"].contains(former) {
          command = "ffmpeg -v error -y -i \(old) -map 0:a -c copy -f \(ending)"
        } else {
          command = "ffmpeg -v error -y -i \(old) -map 0:a -c:a flac -compression_level \(level) -f \(ending)"
        }
      } else {
        command = Self.convert(old, "s\(bits)", ending)
      }
    }
    return done("\(command) \(number).part && rm \(old) && mv \(number).part \(path)")
  }

  private static func convert(_ old: String, _ form: String, _ ending: String) -> String {
    let codec = "pcm_\(form)\(["aiff", "au", "caf"].contains(ending) ? "be" : "le")"
    let ffmpeg = "ffmpeg -v error -y -i \(old) -map 0:a -bitexact -c:a \(codec) -f"
    switch ending {
    case "rf64": return "\(ffmpeg) wav -rf64 always"
    // ffmpeg counts the bytes between chunks as samples.
    case "w64": return "\(ffmpeg) wav \(old).wav && \(Self.wave64) \(old).wav"
    default: return "\(ffmpeg) \(ending)"
    }
  }

  /// Makes Wave64 of WAV.
  private static let wave64 = """
    /usr/bin/python3 -c '
    import os, struct, sys
    wave = open(sys.argv[1], "rb").read()
    end = bytes.fromhex("f3acd3118cd100c04f8edb8a")
    body, place = b"", 12
    while place < len(wave):
      size = struct.unpack_from("<I", wave, place + 4)[0]
      body += wave[place:place + 4] + end + struct.pack("<Q", size + 24) + wave[place + 8:place + 8 + size]
      body += bytes(-len(body) % 8)
      place += 8 + size + size % 2
    head = b"riff" + bytes.fromhex("2e91cf11a5d628db04c10000") + struct.pack("<Q", len(body) + 40) + b"wave" + end
    open(sys.argv[2], "wb").write(head + body)
    os.remove(sys.argv[1])
    '
    """

  /// Sets the title, with so many bytes of padding.
  private static func mutagen(_ script: String, _ path: String, _ title: String, _ padding: Int) -> String {
    "/usr/bin/python3 -c '\(script)' \(path) '\(title)' \(padding)"
  }

  private static let apeScript = """
    import sys, mutagen.apev2
    tags = mutagen.apev2.APEv2()
    tags["Title"] = sys.argv[2]
    tags.save(sys.argv[1])
    """
  private static let tagScript = """
    import sys, mutagen, mutagen.id3
    file = mutagen.File(sys.argv[1])
    if file.tags is None: file.add_tags()
    if isinstance(file.tags, mutagen.id3.ID3): file.tags.add(mutagen.id3.TIT2(encoding=3, text=[sys.argv[2]]))
    else: file.tags["TITLE"] = [sys.argv[2]]
    file.save(padding=lambda info: int(sys.argv[3]))
    """

  private mutating func done(_ command: String, title: String = "") -> String {
    var shown = command.replacing(Self.tagScript, with: "mutagen").replacing(Self.apeScript, with: "mutagen APEv2")
      .replacing(Self.wave64, with: "wave64")
    if !title.isEmpty { shown = shown.replacing(title, with: "TITLE of \(title.utf8.count) bytes") }
    history.append(shown)
    return command
  }

  /// Tells, with ffmpeg, what the file sounds like: equal before and after a change that leaves the sound alone.
  var oracle: String {
    switch sound {
    case .mpeg, .vorbis, .opus, .muLaw:
      "ffmpeg -v error -i \(path) -map 0:a -c copy -f streamhash -hash md5 -"
    case .integers: "ffmpeg -v error -i \(path) -map 0:a -c:a pcm_s32le -f md5 -"
    case .floats: "ffmpeg -v error -i \(path) -map 0:a -c:a pcm_f32le -f md5 -"
    }
  }
}
