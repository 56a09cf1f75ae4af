import TestSupport
import Testing

@testable import Speech

@Suite(.enabled(if: SpeechSynthesizer.installed != nil, "espeak-ng is not installed"))
struct SpeechSynthesizerTests {
  @Test(arguments: [
    ("Lacquer by Lathe and Lantern", "en"), ("Подмосковные вечера", "ru"), ("صدى البحر", "ar"), ("さくら", "ja"),
    ("강남스타일", "ko"), ("लग जा गले", "hi"), ("Τα παιδιά", "el"), ("שלום", "he"), ("สวัสดี", "th"),
  ])
  func `each script is spoken by a confined process`(text: String, voice: String) throws {
    let samples = try SpeechSynthesizer().samples(of: [SpokenRun(text: text, voice: voice)])
    let seconds = Double(samples.count) / Double(SpeechSynthesizer.sampleRateInHz)
    #expect((0.2...10).contains(seconds))
    #expect(samples.contains { abs($0) > 0.05 } && samples.allSatisfy { abs($0) <= 1 })
    #expect(abs(samples.first ?? 0) > 0.001 && abs(samples.last ?? 0) > 0.001)
  }

  @Test func `runs follow each other, and the same text sounds the same again`() throws {
    let speech = try SpeechSynthesizer()
    let runs = [SpokenRun(text: "One", voice: "en"), SpokenRun(text: "два", voice: "ru")]
    let both = try speech.samples(of: runs)
    let (one, two) = (try speech.samples(of: [runs[0]]), try speech.samples(of: [runs[1]]))
    #expect(both.count == one.count + two.count + 2646)
    #expect(Array(both.prefix(one.count)) == one && Array(both.suffix(two.count)) == two)
  }

  @Test func `espeak-ng has a voice for each language of each script`() throws {
    let table = String(decoding: try Tool.run("espeak-ng", "--voices"), as: UTF8.self)
    let codes = Set(table.split(separator: "\n").dropFirst().compactMap { $0.split(separator: " ").dropFirst().first })
    for language in SpokenScript.allCases.flatMap(\.languages) {
      #expect(codes.contains { $0 == language || $0.hasPrefix("\(language)-") }, "\(language)")
    }
  }
}
