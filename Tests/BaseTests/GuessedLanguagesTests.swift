import Base
import Glibc
import Testing

/// Titles in many languages, which the C library encodes, and what is guessed of their bytes.
struct GuessedLanguagesTests {
  private static let russian = [
    "Кино — Группа крови", "Земфира", "Аквариум", "Выхода нет", "Мумий Тролль", "Наутилус Помпилиус", "Как на войне",
    "Высоцкий Владимир", "Пётр Ильич Чайковский", "Лебединое озеро", "Алла Пугачёва", "МОСКВА", "Белый снег",
  ].map { $0.replacing(" — ", with: " - ") }
  private static let japanese = [
    "津軽海峡冬景色", "はじまりの歌", "宇多田ヒカル", "サザンオールスターズ", "いとしのエリー", "坂本龍一", "戦場のメリークリスマス", "中島みゆき",
    "川の流れのように", "となりのトトロ", "クリスマス・イブ", "赤いスイートピー",
  ]
  private static let titles: [(page: String, titles: [String])] = [
    ("CP1251", russian), ("KOI8-R", russian), ("CP866", russian), ("CP932", japanese), ("EUC-JP", japanese),
    ("CP1251", ["Океан Ельзи", "Обійми", "Скрябін", "Шахтарі", "Ой у лузі червона калина", "Місто весни", "Твої очі"]),
    (
      "GB18030",
      ["邓丽君", "月亮代表我的心", "王菲", "红豆", "周杰伦", "一无所有", "张学友", "忘情水", "李健", "平凡之路", "蓝莲花", "广东爱情故事"]
    ),
    ("BIG5", ["月亮代表我的心", "周杰倫", "青花瓷", "劉德華", "忘情水", "恰似你的溫柔", "挪威的森林", "至少還有你", "靜止", "聽海"]),
    ("CP949", ["김광석", "사랑했지만", "서태지와 아이들", "난 알아요", "이문세", "조용필", "단발머리", "좋은 날", "다시 만난 세계", "보이지 않는 사랑"]),
    (
      "CP1253",
      [
        "Μίκης Θεοδωράκης", "Ζορμπάς", "Μάνος Χατζιδάκις", "Χάρτινο το φεγγαράκι", "Γιώργος Νταλάρας",
        "Στο περιγιάλι το κρυφό", "Διονύσης Σαββόπουλος", "Συννεφιασμένη Κυριακή", "Αγάπη", "ΑΓΑΠΗ ΜΟΥ",
      ]
    ),
    (
      "CP1255",
      ["אריק איינשטיין", "אני ואתה", "שלמה ארצי", "עפרה חזה", "ירושלים של זהב", "שיר המכולת", "היהודים", "לילה טוב"]
    ),
    (
      "CP1256",
      ["أم كلثوم", "إنت عمري", "فيروز", "عبد الحليم حافظ", "قارئة الفنجان", "محمد عبد الوهاب", "نور العين", "كلمات"]
    ),
    ("CP874", ["คาราบาว", "เมดอินไทยแลนด์", "สบาย สบาย", "บังอรเอาแต่นอน", "ลูกทุ่ง", "ปาล์มมี่", "เพลงรัก", "ความรัก"]),
    (
      "CP1250",
      [
        "Antonín Dvořák", "Příliš žluťoučký kůň", "Včelka Mája", "Miłość i złość", "Dziwny jest ten świat, łąka",
        "Gyöngyhajú lány, őrült szél fújt a víz fölött", "Bilo mi je čudno, što će mi život",
        "Nichita Stănescu, Îmbrăţişare",
      ]
    ),
    ("CP1254", ["Barış Manço, Dağlar Dağlar", "Gülümse, şarkı söylemek", "Müslüm Gürses, İtirazım Var", "Gönül Dağı"]),
    (
      "CP1257",
      ["Šiaurės naktis, ąžuolai žydės", "Kai perplauksiu upę, žmonės kaip", "Mīlestība, kas ir mūžīga, šūpoles"]
    ),
  ]

  /// The texts in the encoding, by the C library.
  private static func bytes(of text: String, in page: String) -> [UInt8] {
    guard let converter = iconv_open(page, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return [] }
    defer { iconv_close(converter) }
    var source = Array(text.utf8).map { CChar(bitPattern: $0) }
    var target = [CChar](repeating: 0, count: 4 * source.count)
    let (sourceCount, targetCount) = (source.count, target.count)
    return source.withUnsafeMutableBufferPointer { source in
      target.withUnsafeMutableBufferPointer { target in
        var (input, output) = (source.baseAddress, target.baseAddress)
        var (inputLeft, outputLeft) = (sourceCount, targetCount)
        guard iconv(converter, &input, &inputLeft, &output, &outputLeft) == 0 else { return [] }
        return target.prefix(targetCount - outputLeft).map { UInt8(bitPattern: $0) }
      }
    }
  }

  @Test(arguments: titles.indices) func `a list of titles is read in its encoding`(index: Int) throws {
    let (page, titles) = Self.titles[index]
    let sheet = titles.map { "TITLE \"\($0)\"\n" }.joined()
    let bytes = Self.bytes(of: sheet, in: page)
    try #require(!bytes.isEmpty, "the C library lacks \(page) or one of the letters")
    #expect(GuessedText(bytes).text == sheet)
    #expect(GuessedText(bytes).encoding.rawValue == page)
  }

  @Test(arguments: titles.indices) func `most titles are read in their encoding when nothing else is there`(index: Int)
  {
    let (page, titles) = Self.titles[index]
    let wrong = titles.filter { GuessedText.decoded(Self.bytes(of: $0, in: page)) != $0 }
    #expect(5 * wrong.count <= titles.count, "\(page): \(wrong)")
  }

  private static let western = [
    "Björk", "Ágætis byrjun", "Það er gott að vera hér", "Dýrð í dauðaþögn", "Non, je ne regrette rien",
    "Où est la plage? À la forêt, peut-être, à côté du château, sûr", "Ça alors: créée à bord, dès l’été", "L’Âge d’Or",
    "Die Ärzte – Männer sind Schweine, süß, schön", "¿Qué pasó, corazón?, niño, ¡olé!", "Señor, mañana, él y tú",
    "Você é linda, não há ilusões, coração", "Águas de Março, São Paulo, canções", "Känn ingen sorg för mig Göteborg",
    "Kvinde min, rødgrød, på ø, æble", "Kontroll på kontinentet, øl, både", "Äijö, kylä, pimeää, yötä",
    "Nõmme tänav, öö, süda, õhtu üle mõisa, mäed", "Queensrÿche", "L’estaca, cançó, però això és bo",
    "œuvre à l’œil nu, Citroën", "Perché, città, più, così, è la virtù", "Zoë", "Ænima", "Ørsted", "Müller",
    "Für Élise",
  ]

  @Test(arguments: western.indices) func `languages of Western Europe are left alone`(index: Int) {
    let title = Self.western[index]
    let bytes = Self.bytes(of: title, in: "CP1252")
    #expect(GuessedText.decoded(bytes) == title)
    #expect(TextEncoding.contradicting(latin1: bytes) == nil || bytes.allSatisfy { $0 < 0x80 })
    // Beside each other one in a list.
    for other in Self.western {
      let both = title + "\n" + other
      #expect(GuessedText.decoded(Self.bytes(of: both, in: "CP1252")) == both)
    }
  }
}
