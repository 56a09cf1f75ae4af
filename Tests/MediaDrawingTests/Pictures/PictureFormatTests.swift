import Foundation
import FoundationXML
import MediaDrawing
import MediaModel
import Testing

struct PictureFormatTests {
  private func waveform() throws -> WaveformPicture {
    let values = (0..<600).flatMap { point -> [Int16] in
      let level = Int16(point % 90 * 300)
      return [-level, level]
    }
    return WaveformPicture(
      size: try PictureSize(width: 300, height: 120),
      peaks: WaveformPeaks(
        sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 2, resolution: .bits16, values: values))
  }

  private func spectrogram() throws -> SpectrogramPicture {
    let steps = (0..<80).flatMap { x in (0..<80).map { band in UInt8(abs(x - band)) } }
    let grid = SpectrumGrid(columnsPerSecond: 4, bandCount: 80, steps: steps)
    return SpectrogramPicture(size: try PictureSize(width: 300, height: 200), section: SpectrogramSection(grid))
  }

  /// Names of elements and values of attributes, in order.
  private func elements(_ svg: [UInt8]) throws -> [(name: String, attributes: [String: String])] {
    final class Collector: NSObject, XMLParserDelegate {
      var elements: [(name: String, attributes: [String: String])] = []

      func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
      ) {
        elements.append((name, attributes))
      }
    }
    let collector = Collector()
    let parser = XMLParser(data: Data(svg))
    parser.delegate = collector
    try #require(parser.parse(), "\(String(describing: parser.parserError))")
    return collector.elements
  }

  @Test func `an SVG is XML of the size that was asked for`() throws {
    let elements = try elements(waveform().bytes(as: .svg))
    let root = try #require(elements.first)
    #expect(root.name == "svg")
    #expect(root.attributes["width"] == "300px" && root.attributes["height"] == "120px")
  }

  @Test func `a waveform is a path a channel, in its colour`() throws {
    var picture = try waveform()
    picture.hasAxis = false
    picture.colors.waveform = [PictureColor(255, 0, 0), PictureColor(0, 0, 255)]
    let shapes = try elements(picture.bytes(as: .svg)).filter { $0.name == "path" || $0.name == "rect" }
    let fills = shapes.compactMap { $0.attributes["style"] }
    #expect(fills.filter { $0.contains("fill:rgb(100%,0%,0%)") }.count == 1)
    #expect(fills.filter { $0.contains("fill:rgb(0%,0%,100%)") }.count == 1)
    // A rectangle a column begins with a move; a closed one moves once more.
    let path = try #require(shapes.first { $0.attributes["style"]?.contains("100%,0%,0%") ?? false }?.attributes["d"])
    #expect(path.split(separator: "M").count >= 300)
  }

  @Test func `a spectrogram is an image, its scale of colours another`() throws {
    let images = try elements(spectrogram().bytes(as: .svg)).filter { $0.name == "image" }
    #expect(images.count == 2)
    #expect(images.allSatisfy { $0.attributes["xlink:href"]?.hasPrefix("data:image/png;base64,") ?? false })
  }

  @Test func `what an SVG refers to is there, and once`() throws {
    for svg in try [waveform().bytes(as: .svg), spectrogram().bytes(as: .svg)] {
      let elements = try elements(svg)
      let names = elements.compactMap { $0.attributes["id"] }
      #expect(Set(names).count == names.count)
      let references = elements.compactMap { $0.attributes["xlink:href"] }.filter { $0.hasPrefix("#") }
      #expect(!references.isEmpty && Set(references.map { String($0.dropFirst()) }).isSubset(of: Set(names)))
    }
  }

  @Test func `a PDF begins and ends as one, and has no date`() throws {
    let text = String(decoding: try waveform().bytes(as: .pdf), as: UTF8.self)
    #expect(text.hasPrefix("%PDF-1."))
    #expect(text.hasSuffix("%%EOF\n"))
    #expect(text.contains("/MediaBox [ 0 0 300 120 ]"))
    #expect(!text.contains("Date"))
  }

  @Test(arguments: PictureFormat.allCases)
  func `the same picture gives the same bytes, whatever was drawn before`(format: PictureFormat) throws {
    let first = try (waveform().bytes(as: format), spectrogram().bytes(as: format))
    _ = try spectrogram().bytes(as: .pdf)
    let second = try (waveform().bytes(as: format), spectrogram().bytes(as: format))
    #expect(first == second)
  }
}
