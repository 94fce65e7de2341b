import { FAMILIES, type Family, type FamilyName } from './family.js';

/** The facts that a family is chosen by; words in any language. */
type Understanding = {
  readonly industry?: string | undefined;
  readonly tone?: string | undefined;
  /** The brief, what is offered, and the brand's own line. */
  readonly words: string;
};

/**
 * Returns the family for what is advertised: by the brand's industry, else its tone, else the words of the brief; the first row of
 * the table that matches. Always the same for the same words.
 */
export function chooseFamily({ industry = '', tone = '', words }: Understanding): Family {
  const find = (rows: readonly Row[], text: string): FamilyName | undefined =>
    rows.find(([pattern]) => pattern.test(text))?.[1];
  const name = find(SUBJECTS, industry) ?? find(TONES, tone) ?? find(OCCASIONS, words) ?? find(SUBJECTS, words);
  return FAMILIES[name ?? 'classic'];
}

type Row = readonly [pattern: RegExp, family: FamilyName];

/** Words of industries and of what is offered. */
const SUBJECTS: readonly Row[] = [
  [
    /jewel|watch(es|maker)|luxur|perfum|fragrance|couture|champagne|haute|premium (car|auto)|yacht|\bspa\b|schmuck|parfum|bijou|joyer|gioiell|lujo|lusso|مجوهرات|عطر|ساعات فاخرة|आभूषण|गहने|香水|ジュエリー|腕時計|珠宝|珠寶|腕表|보석|향수|เครื่องประดับ|น้ำหอม/iu,
    'luxury',
  ],
  [
    /\btoys?\b|\bkids?\b|child(ren)?\b|\bgames?\b|gaming|\bpets?\b|candy|sweets|ice cream|amusement|theme park|spielzeug|kinder|haustier|jouet|enfant|juguet|niñ|giocattol|bambin|ألعاب|أطفال|حيوانات أليفة|खिलौन|बच्च|おもちゃ|子ども|玩具|儿童|兒童|장난감|어린이|ของเล่น|เด็ก/iu,
    'playful',
  ],
  [
    /bank|financ|insur|invest|pension|mortgage|\bloans?\b|\bpharma|health\b|healthcare|medic|clinic|hospital|dental|dentist|legal|\blaw\b|tax\b|accounting|b2b|government|versicher|finanz|gesundheit|arzt|zahnarzt|assuranc|banque|santé|seguros\b|salud|banca|assicuraz|salute|بنك|تأمين|صحة|استثمار|बैंक|बीमा|स्वास्थ्य|निवेश|銀行|保険|健康|医療|银行|保险|医疗|保險|醫療|은행|보험|건강|ธนาคาร|ประกัน|สุขภาพ/iu,
    'quiet',
  ],
  [
    /software|saas|cloud|\bapps?\b|telecom|\b5g\b|internet|cyber|artificial intelligence|tech(nology)?\b|electronic|smartphone|laptop|headphone|semiconductor|datacent|تطبيق|تقنية|برمجيات|هاتف|सॉफ़्टवेयर|ऐप|मोबाइल|アプリ|ソフトウェア|クラウド|スマートフォン|软件|软体|軟體|手机|手機|云|앱|소프트웨어|แอป|ซอฟต์แวร์|มือถือ/iu,
    'tech',
  ],
  [
    /food|restaurant|café|coffee|pizza|bakery|bistro|cuisine|travel|touris|hotel|resort|airline|flight|holiday|vacation|cruise|beach|hospitality|wein\b|wine|\breisen?\b|urlaub|kaffee|\bessen\b|voyage|vacances|gastronom|viaje|vacacion|comida|viagg|vacanz|cibo|سفر|فندق|قهوة|مطعم|طعام|यात्रा|होटल|कॉफी|भोजन|旅行|ホテル|コーヒー|料理|酒店|咖啡|美食|餐厅|餐廳|여행|호텔|커피|맛집|ท่องเที่ยว|โรงแรม|กาแฟ|อาหาร/iu,
    'photo',
  ],
  [
    /publish|magazine|newspaper|\bbooks\b|bookshop|bookstore|novels?\b|museum|galler|theat|opera|university|education|\bcourses\b|lessons?\b|furnitur|interior|architect|ceramic|linen|nonprofit|charity|verlag|\bb(uch|ücher)\b|möbel|livre|musée|meuble|libro|muebl|mobili|كتاب|متحف|أثاث|تعليم|किताब|पुस्तक|शिक्षा|फर्नीचर|本屋|書籍|美術館|家具|教育|图书|圖書|책|가구|교육|หนังสือ|เฟอร์นิเจอร์|การศึกษา/iu,
    'editorial',
  ],
  [
    /retail|supermarket|grocer|discount|outlet|hardware store|department store|fast.?food|consumer electronics|automotive dealer|einzelhandel|supermarché|supermercado|supermercato|متجر|سوبرماركت|सुपरमार्केट|スーパー|超市|마트|ซูเปอร์มาร์เก็ต/iu,
    'bold',
  ],
];

/** Words of a brand's voice. */
const TONES: readonly Row[] = [
  [/luxur|elegan|exclusiv|refined|sophisticat|timeless|opulent/iu, 'luxury'],
  [/playful|fun\b|cheerful|whimsical|silly|joyful|friendly and bright/iu, 'playful'],
  [/bold|loud|energetic|urgent|punchy|athletic|daring/iu, 'bold'],
  [/thoughtful|literary|intellectual|artisan|crafted|curious|editorial/iu, 'editorial'],
  [/innovati|futur|technical|smart|sleek|modern/iu, 'tech'],
  [/trust|calm|professional|reassur|reliable|serious|sober|discreet|quiet/iu, 'quiet'],
  [/warm|inviting|hospitable|appetizing|sensory|adventur/iu, 'photo'],
];

/** Words of a sale: what is loud whatever is sold. */
const OCCASIONS: readonly Row[] = [
  [
    /clearance|black friday|cyber monday|mega sale|flash sale|everything must go|half price|two.for.one|ausverkauf|schlussverkauf|räumungs|soldes|liquidaci|rebajas|saldi|تصفية|تخفيضات|महासेल|मेगा सेल|バーゲン|大売出し|清仓|清倉|大促|대박 세일|ลดกระหน่ำ|ลดราคา/iu,
    'bold',
  ],
];
