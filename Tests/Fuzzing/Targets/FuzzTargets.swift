import MediaExchange

/// Every target, by its name.
package enum FuzzTargets {
  package static let all: [any FuzzTarget] = readers + TagEditTarget.all

  private static let readers: [any FuzzTarget] = [
    QueryTextTarget(), QuerySQLTarget(), RegexTarget(),
    WaveformDatTarget(), WaveformJSONTarget(), StoredBlobTarget(),
    JSONTarget(), PresetDocumentTarget(), PresetFileTarget(),
    PlaylistTarget(.m3u8), PlaylistTarget(.xspf), PlaylistTarget(.jspf), PlaylistTarget(.pls), BeetsTarget(),
    DamagedLibraryTarget(), RepairTarget(), MergeTarget(),
    WorkerMessageTarget(), WorkerRequestTarget(), WorkerResultTarget(),
    IgnoreRulesTarget(), TextTarget(), OptionTarget(), PartsTarget(),
    AudioFileTarget("mpeg", ["mp3"]), AudioFileTarget("flac", ["flac"]),
    AudioFileTarget("ogg", ["ogg", "opus", "spx"]),
    AudioFileTarget("pcm", ["wav", "aiff"]), AudioFileTarget("boxes", ["m4a"]),
    AudioFileTarget("frames", ["wv", "tta", "ac3", "eac3", "dts", "aac"]), AudioFileTarget("musepack", ["mpc"]),
    AudioFileTarget("dsd", ["dsf"]), AudioFileTarget("ebml", []), AudioFileTarget("caf", []),
  ]

  package static subscript(name: String) -> (any FuzzTarget)? { all.first { $0.name == name } }
}
