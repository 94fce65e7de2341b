import type { LanguageWords } from '../table.js';

const AD = '(?:reklam\\p{L}*|banner\\p{L}*|afiş\\p{L}*|kampanya\\p{L}*|görsel\\p{L}*|ilan\\p{L}*|kreatif\\p{L}*)';
const MONTHS = 'ocak|şubat|mart|nisan|mayıs|haziran|temmuz|ağustos|eylül|ekim|kasım|aralık';

/** The words of Turkish. */
export const TURKISH: LanguageWords = {
  language: 'tr',
  isSpaced: true,
  hasVerbsLast: true,
  common:
    've|bir|için|bu|ile|olsun|lütfen|kadar|da|de|çok|olmalı|lazım|değil|indirim|hemen|sadece|olarak|gibi|kelime\\p{L}*|istiyoruz|buton|tl',
  months: MONTHS,
  orders: [
    `(?:(?:lütfen|merhaba,?|bize)\\s+)*(?<subject>[^.!?\\n]{2,70}?)\\s(?:için|hakkında|ile ilgili)\\s(?:bir |birkaç )?(?:[\\p{L}]+ ){0,2}?${AD}(?<rest>.*)$`,
    '(?<subject>[^.!?\\n]{2,70}?)\\s?(?:tanıtan|tanıtmak|duyuran)(?<rest>.*)$',
    `(?<subject>[^.!?\\n]{2,70}?)(?:(?<=m[ıiuü]z|l[ae]r|s[ıiuü])n?[ıiuü]n)?\\s${AD}\\s(?:hazırla|yap|oluştur|tasarla|çiz)\\p{L}*(?:\\s(?:mısınız|misiniz|mısın|misin|musunuz|müsünüz))?(?<rest>.*)$`,
    `(?:lütfen )?(?:bir )?${AD}[^.]{0,20}(?:hazırla\\p{L}*|oluştur\\p{L}*|tasarla\\p{L}*)(?<rest>.*)$`,
  ],
  promote: '',
  determiner: '(?:bizim|bu|bir)\\s+',
  newness: 'yeni\\s+',
  newWord: 'Yeni',
  audience: 'hedef kitle|gençler için|aileler için|kadınlar için',
  detail: 'ki|çünkü',
  joints: 'için|ile|ve|de|da|bir',
  labels: {
    mustNot:
      'kullanmayın|kaçının|olmasın|yapmayın|istemedikler\\p{L}+|kullanılmayacak|yasak(?:lar)?|kaçınılacak|olmaması gerekenler',
    headline: 'başlı[kğ]\\p{L}*|başlık|slogan|manşet',
    body: 'metin|açıklama|alt başlık',
    action: 'buton\\p{L}*|düğme(?: metni)?|eylem çağrısı|buton(?: metni)?|cta|harekete geçirici mesaj',
    product: 'ürün|hizmet|etkinlik|konu',
    brand: 'marka|müşteri',
    offer: 'teklif|kampanya içeriği|indirim|ana mesaj|avantajlar|mesaj',
    audience: 'kime(?=\\s?[:：])|kimin için|hedef kitle',
    tone: 'tarz|görünüm|hava(?=\\s?[:：])|ton|üslup|stil|renkler|görsel|tasarım',
    must: 'zorunlu|mutlaka|yer alması gerekenler',
    legal: 'dipnot|şartlar|alt not|yasal (?:metin|uyarı|not)|yasal|koşullar',
    language: 'dil',
    code: '(?:indirim |kupon )?kodu?',
    deadline: 'kampanya dönemi|geçerlilik|tarih(?:ler)?|son tarih|süre',
    note: 'not(?=\\s?[:：])|notlar',
    context:
      'ölçüler|formatlar|mecralar|kampanya|amaç|hedef|bütçe|teslim|boyut(?:lar)?|format|mecra|iletişim|arka plan|brief|proje',
  },
  directive:
    'hedef kitle|ton(?:u)?|olmalı|hissettirmeli|görünmeli|ünlem|cta|buton|müşteri|ekte|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|bütçe|üslup|tarzda|renkler',
  directiveStart: '(?:lütfen|kullan\\p{L}*|dikkat|istiyoruz|bizce)',
  greeting: '(?:merhaba(?:lar)?|selam(?:lar)?|iyi günler|günaydın|sayın)(?: \\p{L}+)?[,!.]?',
  signOff: '(?:teşekkür\\p{L}*|saygılar\\p{L}*|iyi çalışmalar|sevgiler|kolay gelsin)',
  include: '(?:mutlaka belirtin)',
  includeTail: '(?:\\p{L}*) (?:mutlaka )?(?:belirtin|vurgulayın|ekleyin|yer alsın)',
  never:
    '(?:bahsetmeyin|belirtmeyin|kullanmayın|yazmayın|söylemeyin|göstermeyin|kullanılmasın|geçmesin|kaçının|yer almasın)',
  topics: { price: 'fiyat\\p{L}*', discount: 'indirim oranı', date: 'tarih\\p{L}*', competitor: 'rakip\\p{L}*' },
  legal:
    '(?:koşullar|şartlar) (?:geçerlidir|uygulanır)[^.]*|stoklarla sınırlı\\p{L}*|\\+18|detaylar (?:için )?[^.]*|kampanya koşulları[^.]*',
  event:
    '(?:(?:yaz|kış|bahar|sonbahar|yılbaşı|bayram|sezon sonu) (?:indirim\\p{L}*|kampanya\\p{L}*|fırsat\\p{L}*)|efsane cuma|black friday)',
  deadline: `(?:(?:sadece )?(?:\\d{1,2} (?:${MONTHS})(?:['’]?\\p{L}*)?|pazar(?: günü)?(?:ne)?|hafta sonu(?:na)?|ay sonu(?:na)?|bugün|yarın) (?:tarihine )?kadar|bu hafta sonu|sadece bugün|\\d{1,2}(?: (?:${MONTHS}))?\\s?[-–]\\s?\\d{1,2} (?:${MONTHS}))`,
  offers:
    "(?:%|yüzde )\\d{1,3}(?:['’]\\p{L}+)?(?: varan| kadar)? indirim|1 alana 1 bedava|\\d alana \\d (?:bedava|hediye)|ücretsiz kargo|ilk ay (?:ücretsiz|bedava)|ikincisi (?:bedava|yarı fiyatına)",
  gains: 'ücretsiz|bedava|hediye|faizsiz|aidatsız|komisyonsuz|indirim|deneme|iade|bonus',
  code: '(?<code>[A-Z0-9][A-Z0-9_-]{2,19}) kodu(?:yla| ile)?',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Kod: ${code}`,
  actions: {
    shop: ['Hemen al', 'Al'],
    book: ['Hemen rezerve et', 'Rezerve et'],
    reserve: ['Masa ayırt', 'Ayırt'],
    order: ['Hemen sipariş ver', 'Sipariş ver'],
    join: ['Hemen kaydol', 'Kaydol'],
    download: ['Uygulamayı indir', 'İndir'],
    subscribe: ['Abone ol'],
    try: ['Ücretsiz dene', 'Dene'],
    quote: ['Teklif al'],
    donate: ['Bağış yap'],
    drive: ['Test sürüşü al', 'Test sürüşü'],
    apply: ['Hemen başvur', 'Başvur'],
    visit: ['Ziyaretini planla', 'Ziyaret et'],
    watch: ['Hemen izle', 'İzle'],
    learn: ['Daha fazla bilgi', 'Bilgi al'],
  },
  signs: {
    drive: 'test sürüş\\p{L}*',
    donate: 'bağış\\p{L}*',
    apply: 'iş ilan\\p{L}*|başvur\\p{L}*',
    quote: 'sigorta\\p{L}*|kredi\\p{L}*',
    book: 'otel\\p{L}*|uçuş\\p{L}*|tatil\\p{L}*|rezervasyon\\p{L}*|tur',
    join: 'kayıt\\p{L}*|kurs\\p{L}*|webinar|seminer\\p{L}*',
    try: 'deneme\\p{L}*|yazılım\\p{L}*',
    download: 'uygulama\\p{L}*|indirin',
    order: 'pizza|yemek|sipariş\\p{L}*|kahve',
    visit: 'sergi\\p{L}*|müze\\p{L}*|açılış\\p{L}*',
    shop: 'indirim\\p{L}*|mağaza\\p{L}*|ayakkabı\\p{L}*|koleksiyon\\p{L}*|alışveriş',
  },
  sponsored: 'Sponsorlu',
};
