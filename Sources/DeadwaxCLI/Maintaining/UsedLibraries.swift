internal import AudioAnalysis
internal import AudioDecoding
internal import AudioEffects
internal import AudioEncoding
internal import Base
internal import MediaDrawing
internal import MediaExchange
internal import MediaPlaying
internal import MediaStore
internal import WebRequests

/// The C libraries that commands use, as they are on this machine.
enum UsedLibraries {
  static let all =
    DecoderLibraries.all + SoundFileKind.libraries
    + [
      Chromaprint.library, SampleRateConverter.library, XMLEvents.library, YAMLDocument.library, DeviceSink.library,
      RemoteControl.library, WebClient.library,
    ]
    + DrawingLibraries.all + [SharedLibrary(linked: "SQLite", version: MediaStore.databaseVersion)]
}
