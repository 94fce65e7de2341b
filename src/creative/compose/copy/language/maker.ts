import type { CopyLanguage } from './table.js';

/** The words of a brief for whoever makes the ad, in sentences without label or order, as alternatives of regular expressions. */
type MakerWords = {
  /** What an ad is made of, as a sentence about it begins. */
  readonly part: string;
  /** How that is to be, and where it is to be had. */
  readonly asks: string;
  /** The beginning of a courtesy, of when the ad is needed, and of whom to ask. */
  readonly courtesy: string;
  /** What is said at parting: all of a sentence, but for a name. */
  readonly signOff?: string;
  /** A first version of the ad, anywhere. */
  readonly draft: string;
};

const MAKER: Readonly<Record<CopyLanguage, MakerWords>> = {
  en: {
    part: '(?:the |our |your |any |some |all )?(?:(?:main|hero|background|cover|product|key) )?(?:pictures?|pics?|images?|photos?|visuals?|imagery|logos?|backgrounds?|colou?rs?|fonts?|typefaces?|typography|layouts?|designs?|headlines?|titles?|buttons?|texts?|copy|wording|illustrations?)(?!\\s(?:(?:your|to|an?|it|us|me|with)(?!\\p{L})|\\d))',
    asks: 'should|must|can|could|may|might|needs? to|ha(?:s|ve) to|goes|go|stays?|sits?|belongs?|(?:is|are|will|would) (?:to )?be|attached|enclosed|as (?:in|per)|like (?:in|on|last)|according to|in the (?:top|bottom|upper|lower|middle|cent)\\p{L}*|on the (?:left|right)|top (?:left|right)|bottom (?:left|right)|up to you|preferably|ideally',
    courtesy:
      "(?:i |we )?hope (?:you|this|all|that|everyone)|(?:just )?(?:let|give) (?:me|us) (?:know|a (?:shout|call|ring))|any questions|if (?:you have|there are|anything)[^.]* (?:questions?|unclear)|we need (?:it|this|them) (?:by|for|before|on)|(?:it['’]s |this is |pretty |kind of )?urgent|looking forward to (?:seeing|hearing|your)|shout if|ping me|see (?:attached|enclosed)|(?:please )?find attached",
    signOff: 'have a (?:\\p{L}+ )?(?:day|week|weekend|evening|one)|take care|all the best',
    draft: '(?:first|rough|initial|a) (?:draft|version|proof|mock-?up)s?',
  },
  de: {
    part: '(?:(?:das|die|der|den|dem|unser|unsere|alle|als|auf dem|im|in der) )?(?:bild|bilder|bildern|foto|fotos|motiv|motive|logo|logos|hintergrund|hintergrundfarbe|farben?|schrift|schriften|schriftart|layout|design|gestaltung|überschrift|headline|titel|knopf|button|texte?|grafik|grafiken|illustrationen|formate?|größen?)',
    asks: 'soll(?:te|ten|en)?|muss|müssen|müsste|darf|dürfen|dürfte|kann|können|könnte|kommt|kommen|gehört|gehören|bleibt|bitte|anbei|angehängt|hängen an|im anhang|beigefügt|wie (?:im|in|auf|bei|immer)|laut|gemäß|nach|oben|unten|links|rechts|mittig|gerne|wäre|wären|am besten|euch überlassen|egal',
    courtesy:
      '(?:ich |wir )?hoff(?:e|en|entlich)|bei (?:rück)?fragen|falls (?:noch )?(?:fragen|etwas|was|ihr)|meld(?:et|e|en sie) (?:euch|dich|sich)|gebt (?:mir|uns|gern)|wir (?:brauchen|bräuchten|benötigen) (?:das|es|ihn|sie|die) (?:ganze )?(?:bis|zum|für|am)|ist (?:leider )?(?:eilig|dringend)|eilt|(?:ich |wir )?freue?n? (?:mich|uns) (?:auf|über)|anbei|im anhang',
    signOff:
      "(?:(?:ein(?:en|e)?|noch|euch|habt) ){0,3}schön(?:en|e|es) (?:tag|woche|wochenende|abend|feierabend|rest)(?: noch)?|macht['’]?s gut|bis (?:bald|dann|später)",
    draft: '(?:erste[nrs]?|einen|den|dem) (?:entwurf|entwürfe|aufschlag|vorschlag)|vorentwurf',
  },
  fr: {
    part: "(?:(?:l['’]|la |le |les |nos |notre |vos |sur (?:la |le |l['’])|pour (?:la |le |l['’]|les )|en |côté ))?(?:images?|photos?|visuels?|logos?|fond|arrière-plan|couleurs?|typo(?:graphie)?s?|polices?|mise en page|maquette|design|titre|accroche|bouton|textes?|illustrations?|tailles?|formats?)",
    asks: "devra(?:it|ient)?|doit|doivent|peut|peuvent|pourra(?:it|ient)?|va|vont|se (?:place|met|situe)\\p{L}*|reste\\p{L}*|ci-joints?|ci-jointes?|en pièces? jointes?|en (?:haut|bas) à|comme (?:dans|sur|la|d['’]habitude)|selon|d['’]après|conform\\p{L}*|à (?:gauche|droite)|serai(?:t|ent)|plutôt|de préférence|au choix|libre",
    courtesy:
      "(?:j['’]|nous )?esp[éè]r(?:e|ons|ant)|(?:n['’])?hésite[zr]? pas|pour toute question|tenez-moi|tiens-moi|il (?:nous|me) (?:le|la|les) faut|c['’]est (?:assez |plutôt |très )?urgent|au plaisir|dans l['’]attente|hâte de|(?:vous trouverez )?ci-joints?|en pièces? jointes?",
    signOff:
      '(?:bonne|belle|excellente) (?:fin de \\p{L}+|journée|soirée|semaine|continuation|réception)|bon week-?end|bises|bisous|à (?:très vite|plus|bientôt)',
    draft: '(?:première|une) (?:version|ébauche|proposition|maquette|piste)|premier jet',
  },
  es: {
    part: '(?:(?:el |la |las |los |nuestr[oa] |en (?:el |la |las )|de ))?(?:imagen|imágenes|fotos?|fotografías?|visual(?:es)?|logos?|logotipo|fondo|colores|color|tipografías?|fuentes?|letra|diseño|maquetación|título|titular|botón|textos?|ilustraci(?:ón|ones)|tamaños?|medidas?|formatos?)',
    asks: 'deb(?:e|en|ería|erían)|tienen? que|puede|pueden|podría|va|van|se (?:pone|coloca)|queda|quedan|adjunt[oa]s?|en adjunto|como (?:en|el|siempre|la)|según|conforme|de acuerdo con|arriba|abajo|a la (?:derecha|izquierda)|centrad[oa]|sea|sean|ojalá|de preferencia|preferible|libre',
    courtesy:
      '(?:espero|esperamos) que|que (?:tengas?|tengáis|tengan|paséis|pases|pasen|estés|estén|estéis)|cualquier (?:duda|cosa|pregunta)|si (?:tienes|tenéis|tienen|hay) (?:alguna |algún )?(?:dudas?|preguntas?)|(?:lo|la|los|las) necesit(?:amos|o) (?:para|antes)|es urgente|(?:nos |me )?urge|quedamos a la espera|quedo a la espera|adjunt[oa]s?|os adjunto|les adjunto',
    signOff:
      '(?:buen|feliz) (?:día|finde|fin de semana|tarde|semana)|buenas? (?:tardes?|semana)|un beso|besos|nos vemos',
    draft: '(?:primer|un) (?:boceto|borrador)|primera (?:versión|propuesta)',
  },
  it: {
    part: "(?:(?:il |lo |la |le |i |gli |l['’]|nell['’]|nella |nelle |sulla |sull['’]|nel |sullo |il nostro |i nostri ))?(?:immagin[ei]|foto|fotografi[ae]|visual|logo|loghi|sfondo|colori|colore|font|carattere|tipografia|grafica|layout|design|titolo|bottone|pulsante|testo|testi|illustrazion[ei]|misure|formati|dimensioni)",
    asks: 'dev(?:e|ono)|dovrebb(?:e|ero)|può|possono|potrebb(?:e|ero)|va|vanno|sta|resta|in allegato|allegat[oaie]|come (?:da|nel|nella|sempre|al solito)|secondo|in (?:alto|basso)|a (?:destra|sinistra)|al centro|sarebb(?:e|ero)|si (?:vede|dovrebbe)|preferibilmente|a (?:vostra|tua) scelta|liber[oaie]',
    courtesy:
      "(?:spero|speriamo|spero che)(?: \\p{L}+){0,2} (?:bene|stia\\p{L}*|tutto)|per (?:qualsiasi|ogni|eventuali) (?:domand[ae]|dubbi[o]?|cosa|chiariment[oi]|informazion[ei])|se (?:avete|hai|ci sono) (?:domande|dubbi)|(?:ci|mi) (?:serve|servirebbe|servono) (?:entro|per)|è (?:un po['’] |molto )?urgente|in attesa|in allegato|allego|vi allego|ti allego",
    signOff:
      'buon (?:pomeriggio|weekend|fine settimana|proseguimento|lavoro)|buona (?:giornata|serata|settimana)|un abbraccio|a presto|ci sentiamo',
    draft: '(?:prima|una) (?:bozza|versione|proposta)',
  },
  pt: {
    part: '(?:(?:a |o |as |os |nosso |nossa |na |no |nas |da |de ))?(?:imagem|imagens|fotos?|fotografias?|arte|logos?|logotipo|logomarca|fundo|cores|cor|fontes?|tipografia|letra|layout|design|título|botão|textos?|ilustraç(?:ão|ões)|tamanhos?|medidas?|formatos?)',
    asks: 'dev(?:e|em|eria|eriam)|t[eê]m que|precisam?|podem?|poderia|fica|ficam|vai|vão|em anexo|anex[oa]s?|anexad[oa]s?|como (?:no|na|o|a|sempre)|conforme|segundo|de acordo com|em cima|embaixo|à (?:direita|esquerda)|centralizad[oa]|seja|sejam|de preferência|livre',
    courtesy:
      '(?:espero|esperamos) que|qualquer (?:dúvida|coisa|questão)|se (?:tiverem?|tiver|houver) (?:alguma )?(?:dúvidas?|perguntas?)|precis(?:amos|o) (?:disso|disto|dele|dela)|é urgente|(?:seguem?|vão|vai|envio|mando) (?:em )?anexos?|fico (?:no aguardo|à disposição|à espera)|aguard(?:o|amos)',
    signOff:
      '(?:boa|ótima|excelente) (?:semana|tarde|noite|sexta)|(?:bom|ótimo) (?:dia|fim de semana|trabalho|final de semana)|beijos?|beijinhos|até (?:logo|breve|já)',
    draft: '(?:primeir[oa]|um|uma) (?:rascunho|esboço|versão|layout|proposta)',
  },
  nl: {
    part: "(?:(?:het |de |een |ons |onze |op (?:de |het )|in (?:de |het )|als ))?(?:foto['’]?s?|beeld(?:en)?|afbeelding(?:en)?|plaatje|logo['’]?s?|achtergrond|kleur(?:en)?|lettertypes?|typografie|vormgeving|ontwerp|layout|titel|kop|knop|tekst(?:en)?|illustraties?|formaten|afmetingen)",
    asks: 'moet(?:en)?|mag|mogen|kan|kunnen|zou(?:den)?|komt|komen|hoort|blijft|graag|bijgevoegd|in de bijlage|zoals (?:in|op|altijd)|volgens|conform|boven(?:aan|in)?|onder(?:aan|in)?|links(?:boven|onder)?|rechts(?:boven|onder)?|het liefst|liefst|vrij',
    courtesy:
      'hopelijk|(?:ik )?hoop (?:dat|jullie)|laat (?:het )?(?:maar |me |ons |gerust )*(?:even )?weten|bij vragen|als (?:er|jullie|je) (?:nog )?vragen|(?:we|wij|ik) (?:hebben|heb) (?:het|dit|hem|ze) (?:\\p{L}+ ){0,2}nodig|het is (?:nogal )?(?:spoed|dringend)|graag (?:voor|uiterlijk|vóór)|in de bijlage|bijgevoegd|zie bijlage',
    signOff:
      '(?:nog een )?(?:fijne|prettige|goede) (?:dag|week|avond|middag)(?: nog)?|fijn weekend|tot (?:snel|gauw|later)',
    draft: 'eerste (?:ontwerp|versie|opzet|schets|voorstel)|(?:een|het) conceptontwerp',
  },
  pl: {
    part: '(?:(?:na |nasze |nasz |w |jako ))?(?:zdjęci(?:e|a|u|ach)|obraz(?:ek|ki|ku)?|grafik(?:a|i|ę)?|grafice|logo|logotyp|tło|kolor(?:y|ystyka)?|czcionk[ai]|font[y]?|krój pisma|układ|projekt graficzny|nagłówek|tytuł|przycisk|tekst[y]?|ilustracj[ae]|rozmiary|formaty|wymiary)',
    asks: 'mus(?:i|zą)|ma|mają|powin(?:ien|na|no|ny)|może|mogą|w załącz\\p{L}+|załączon\\p{L}+|zgodnie z|według|wg|jak (?:w|na|zawsze|ostatnio)|w (?:prawym|lewym) |na (?:górze|dole|środku)|po (?:prawej|lewej)|u góry|najlepiej|niech|mile widzian\\p{L}+|dowoln\\p{L}+',
    courtesy:
      'mam nadzieję|w razie (?:pytań|wątpliwości|czego)|jeśli (?:są|macie|będą|będziecie)|daj(?:cie)? znać|proszę o kontakt|(?:potrzebuj\\p{L}+|potrzebne) (?:tego|to|jest|są|go|ich)|to (?:dość )?pilne|pilne|w załącz\\p{L}+|załącz(?:am|amy|ono)|czekam\\p{L}*',
    signOff: '(?:miłego|dobrego|udanego|spokojnego) \\p{L}+|do (?:usłyszenia|zobaczenia)',
    draft: '(?:pierwsz\\p{L}+|wstępn\\p{L}+) (?:projekt|wersj|szkic|propozycj)\\p{L}*',
  },
  tr: {
    part: '(?:görsel\\p{L}*|fotoğraf\\p{L}*|resim\\p{L}*|resm\\p{L}+|logo\\p{L}*|arka ?plan\\p{L}*|renk\\p{L}*|yazı ?tip\\p{L}*|font\\p{L}*|tasarım\\p{L}*|başlık\\p{L}*|buton\\p{L}*|düğme\\p{L}*|metin\\p{L}*|metn\\p{L}+|boyut\\p{L}*|ölçü\\p{L}*)',
    asks: '\\p{L}*(?:sın|sin|sun|sün|malı|meli|malıdır|melidir|abilir|ebilir|ayım|eyim|alım|elim)|ekte(?:dir)?|ekledim|ekliyorum|yerleştirin|kullanın|koyun|gibi|uygun',
    courtesy:
      'umarım|sorunuz|soru(?:nuz|n|lar)?\\p{L}* (?:olursa|varsa)|herhangi bir soru|[^.]{2,30}(?:kadar|için|önce) (?:lazım|gerek(?:iyor)?|gerekli|istiyoruz|bekliyoruz|yetişmeli)|ekte|haber (?:verin|bekliyorum)',
    signOff:
      '[iİ]yi (?:günler|çalışmalar|akşamlar|haftalar|hafta sonları)|kolay gelsin|kendine iyi bak|görüşmek üzere|acil',
    draft: 'ilk taslak\\p{L}*|ilk taslağ\\p{L}*|taslak\\p{L}*|taslağ\\p{L}+',
  },
  ru: {
    part: '(?:(?:на |наш |все |в ))?(?:фото|фотографи\\p{L}+|картинк\\p{L}+|изображени\\p{L}+|логотип\\p{L}*|лого|фон|фоне|цвет(?:а|овая гамма)?|шрифт\\p{L}*|макет|дизайн|заголовок|кнопк[аеу]|текст\\p{L}*|иллюстраци\\p{L}+|размеры?|форматы?)',
    asks: 'долж(?:ен|на|но|ны)|может|могут|можно|нужн\\p{L}+|лучше|желательно|во вложени\\p{L}+|прилага\\p{L}+|прикреп\\p{L}+|по (?:брендбуку|гайдлайн\\p{L}*|правому|левому)|как (?:в|на|всегда|обычно)|согласно|справа|слева|сверху|снизу|вверху|внизу|по центру|пусть|на ваш(?:е)? (?:выбор|усмотрение)',
    courtesy:
      'надеюсь|надеемся|если (?:будут|есть|что|возникнут|появятся)|по (?:всем|любым) вопросам|(?:нужно|нужен|нужна|надо|требуется) (?:к|до|это|всё|все|его)|(?:это )?срочно|во вложении|прикрепля\\p{L}+|прилага\\p{L}+|жд(?:у|ём|ем)',
    signOff: '(?:хорошего|доброго|приятного|отличного|хороших|отличных) \\p{L}+|до (?:связи|встречи)|обнимаю',
    draft: '(?:перв\\p{L}+|чернов\\p{L}+) (?:макет|вариант|верси|эскиз|набросок)\\p{L}*|черновик\\p{L}*',
  },
  ja: {
    part: '(?:[^。、]{1,8}の)?(?:メイン|キー|商品|背景|全体の|顔)?(?:写真|画像|イメージ|ビジュアル|イラスト|ロゴ(?:マーク)?|背景|色味|配色|カラー|フォント|書体|文字|テキスト|文言|文章|見出し|キャッチ|デザイン|レイアウト|ボタン|サイズ)(?:と(?:写真|画像|ロゴ|背景|色|文字|ボタン))?(?:は|には|も|を|が|の|について)',
    asks: 'ください|下さい|お願い|かまいません|構いません|添付|準じ|準拠|配置|希望|ほしい|欲しい|大丈夫です|可です|必須|不要|OK|お任せ|おまかせ|どおり|通りです|統一|使用します|頂けます|いただけ',
    courtesy:
      '.{0,20}(?:お疲れ様です|お疲れさまです|お世話に|ご無沙汰)|(?:何か)?(?:ご不明|ご質問|不明点|質問).{0,20}(?:ください|下さい|連絡|ます)|.{1,12}(?:まで|中)に(?:必要|納品|いただ|頂|ほしい|欲しい|お願い)|お手数|お忙しい|取り急ぎ|急ぎ|引き続き',
    draft: '初稿|ラフ(?:案)?を|たたき台|初校',
  },
  zh: {
    part: '(?:主|背景|产品)?(?:图片|照片|配图|画面|主图|插图|logo|标志|商标|背景|颜色|色调|配色|字体|文字|文案|排版|版式|设计|标题|按钮|尺寸)(?:和(?:图片|照片|logo|标志|文案|背景))?',
    asks: '要|放|见附件|在附件|附件|可以|请|按|按照|希望|最好|统一|参考|尽量|左上|右上|左下|右下|居中|不限|随意',
    courtesy:
      '希望(?:大家|您|你|一切)|(?:有|如有|若有)(?:任何)?(?:问题|疑问)|(?:.{1,8})(?:之前|以前|前)(?:要|给|需要|交|发)|比较急|很急|急用|加急|附件(?:是|里|有|中)|见附件|辛苦',
    signOff: '(?:祝(?:您|你|大家)?)?(?:好|周末愉快|工作顺利)',
    draft: '初稿|草稿|初版',
  },
  ko: {
    part: '(?:메인 |배경 |제품 )?(?:사진|이미지|그림|비주얼|로고|배경|색상|컬러|글꼴|폰트|서체|문구|텍스트|글|레이아웃|디자인|제목|버튼|사이즈)(?:과 (?:로고|문구)|와 (?:로고|사진|문구))?(?:은|는|이|가|을|를|에|에는|도|의)\\s',
    asks: '주세요|주십시오|바랍니다|부탁|괜찮|좋겠|첨부|됩니다|돼요|하면 (?:돼|됩)|원합니다|해야|있으면|맡기겠|자유',
    courtesy:
      '(?:잘|건강히) 지내|(?:궁금|문의|질문).{0,16}(?:연락|주세요|말씀)|[^.]{1,14}까지 (?:필요|부탁|받)|급하|급합|급해|첨부|수고',
    signOff: '(?:좋은|즐거운|행복한) (?:하루|주말)(?: 되세요| 보내세요)?',
    draft: '시안(?:을|은|이)?|초안(?:을|은|이)?',
  },
  ar: {
    part: '(?:(?:في |على |من ))?(?:و)?(?:الصورة|الصور|صورة|الشعار|اللوجو|الخلفية|الألوان|اللون|الخطوط|الخط|التصميم|العنوان|الزر|النص|النصوص|المقاسات|الأحجام)(?: والشعار| والصور| والنصوص)?',
    asks: 'يجب|ينبغي|يمكن|لازم|يكون|تكون|يفضل|نفضل|مرفقة|مرفق|في المرفقات?|حسب|وفق|كما في|مثل|في (?:الزاوية|الأعلى|الأسفل|المنتصف|اليمين|اليسار)|أعلى|يمين|يسار|تظهر|حر',
    courtesy:
      '(?:أتمنى|نتمنى|آمل|نأمل) (?:أن|لكم)|(?:إذا|في حال|لو) (?:كان|كانت|عندكم|وجود|لديكم|احتجتم|في)|لأي (?:استفسار|سؤال)|(?:نحتاجه|نحتاجها|نريده|نريدها|أحتاجه|مطلوب) (?:قبل|بحلول|يوم|في)|(?:الأمر |الموضوع )?(?:عاجل|مستعجل)|مرفق|تجدون|في انتظار',
    signOff: 'يوم(?:كم)? سعيد|نهاركم سعيد',
    draft: 'المسودة|مسودة|النسخة الأولى|التصور الأول',
  },
  he: {
    part: '(?:ב|ה|על ה|את ה)?(?:תמונה|תמונות|צילום|לוגו|רקע|צבעים|צבע|גופן|גופנים|פונט|פונטים|עיצוב|כותרת|כפתור|טקסט|טקסטים|מידות|גדלים)(?: וה(?:לוגו|תמונות|טקסטים))?',
    asks: 'צריכה|צריך|צריכים|יכולה|יכול|יכולים|חייבת|חייב|חייבים|מצורפים|מצורף|מצורפת|לפי|כמו|שיהיה|שתהיה|תהיה|יהיה|בפינה|למעלה|למטה|בצד|במרכז|רצוי|עדיף|חופשי',
    courtesy:
      '(?:מקווה|מקווים)|(?:אם|במידה ו?) (?:יש|יהיו|משהו)|לכל שאלה|(?:צריכים|צריך|נצטרך) (?:את זה|את הבאנר|אותו|אותה|אותם)|דחוף|(?:זה )?קצת דחוף|מצורפ(?:ים|ת)?',
    signOff: '(?:שיהיה|המשך|שיהיה לכם) (?:יום|שבוע|ערב)(?: נעים| טוב| מקסים)?|סוף שבוע(?: נעים)?|נשתמע|נדבר',
    draft: 'סקיצה|סקיצות|טיוטה',
  },
  hi: {
    part: '(?:(?:हमारा |मुख्य ))?(?:तस्वीर|तस्वीरें|फोटो|फ़ोटो|चित्र|लोगो|बैकग्राउंड|पृष्ठभूमि|रंग|फ़ॉन्ट|फॉन्ट|डिज़ाइन|डिजाइन|शीर्षक|बटन|टेक्स्ट|साइज़|आकार)',
    asks: 'चाहिए|रखें|रखिए|सकता है|सकते हैं|सकती है|संलग्न|करें|कीजिए|दिखाएं|दिखाइए|लगाएं|हो|हों|अनुसार',
    courtesy:
      'आशा है|उम्मीद है|(?:कोई|कुछ) (?:भी )?(?:सवाल|प्रश्न|दिक्कत)|(?:हमें|मुझे) (?:यह|ये|इसे) .{2,30}(?:तक|पहले) चाहिए|(?:यह )?(?:बहुत )?(?:जरूरी|ज़रूरी|अर्जेंट) है|संलग्न|जल्दी चाहिए',
    signOff: 'आपका दिन शुभ(?: हो)?',
    draft: 'ड्राफ्ट|ड्राफ़्ट|मसौदा',
  },
  th: {
    part: '(?:ใน|ตัว|ส่วน)?(?:รูปภาพ|รูป|ภาพ|โลโก้|พื้นหลัง|แบ็คกราวด์|สี|ฟอนต์|ฟ้อนต์|ตัวอักษร|เลย์เอาต์|ดีไซน์|หัวข้อ|ปุ่ม|ข้อความ|ขนาด)(?:และ(?:โลโก้|รูป|ข้อความ))?',
    asks: 'ควร|วาง|ให้|ขอ|เป็น|ตาม|อยู่|แนบ|ได้|ใช้|ต้อง|อยาก|มุม|ไม่เอา|\\d+\\s?[x×]\\s?\\d+',
    courtesy: 'หวังว่า|มีคำถาม|หากมี|ถ้ามี|สงสัย|ต้องใช้(?:ภายใน|ก่อน|วัน)|ขอภายใน|ด่วน|ส่งภายใน|แนบ|ตามไฟล์แนบ|รบกวนด้วย|ฝากด้วย',
    draft: 'แบบร่าง|ดราฟ(?:ต์|ท์)?',
  },
  sv: {
    part: '(?:(?:på |i |vår |våra |som ))?(?:bild(?:en|er|erna)?|foto(?:n|t|na)?|logg(?:a|an|or)|logotyp(?:en)?|bakgrund(?:en|er)?|färg(?:en|er|erna)?|typsnitt(?:et)?|font(?:en)?|layout(?:en)?|design(?:en)?|rubrik(?:en)?|knapp(?:en)?|text(?:en|er|erna)?|illustration(?:en|er)?|storlek(?:en|ar|arna)?|format(?:en)?)(?: och \\p{L}+)?',
    asks: 'ska(?:ll)?|bör|får|måste|kan|kunde|skulle|ligger|hamnar|gärna|bifogas|bifogad\\p{L}*|finns (?:bifogad|i)|enligt|som (?:i|på|vanligt|förra)|uppe|nere|till (?:höger|vänster)|längst|helst|valfri\\p{L}*|vore',
    courtesy:
      '(?:jag |vi )?hoppas|säg (?:till|bara)|hör av (?:dig|er)|vid frågor|om (?:ni|du|något|det är) [^.]{0,24}(?:undrar|frågor|oklart)|vi behöver (?:den|det|dem) (?:till|senast|innan|på)|(?:det )?(?:är )?(?:lite )?bråttom|bifogar|bifogat|se bilaga',
    signOff:
      'ha (?:en \\p{L}+ \\p{L}+|det (?:så )?(?:gott|bra|fint))|(?:trevlig|fin|skön) (?:dag|helg|kväll|vecka)|vi hörs|kram|allt gott|ta hand om dig',
    draft: '(?:första|ett) utkast|första (?:version|förslag|skiss)\\p{L}*',
  },
  da: {
    part: '(?:(?:på |i |vores |som ))?(?:billede(?:t|r|rne)?|foto(?:s|et|er|erne)?|logo(?:et)?|baggrund(?:en)?|farve(?:n|r|rne)?|skrifttype(?:n|r)?|font(?:en)?|layout(?:et)?|design(?:et)?|overskrift(?:en)?|knap(?:pen)?|tekst(?:en|er)?|illustration(?:en|er)?|størrelse(?:n|r|rne)?|format(?:er|et)?)(?: og \\p{L}+)?',
    asks: 'skal|bør|må|kan|kunne|skulle|ligger|gerne|vedhæftet|vedlagt|vedhæftede|ifølge|efter|som (?:i|på|altid|sidst)|øverst|nederst|til (?:højre|venstre)|helst|valgfri\\p{L}*|ville',
    courtesy:
      '(?:jeg |vi )?håber|sig (?:til|endelig|bare)|skriv (?:endelig|bare|hvis)|ved spørgsmål|hvis (?:I|i|der|du) [^.]{0,24}spørgsmål|vi skal bruge (?:det|den|dem) (?:på|til|senest|inden)|(?:det )?haster|(?:jeg )?vedhæfter|vedhæftet|se vedhæftede',
    signOff:
      'hav (?:en \\p{L}+ \\p{L}+|det (?:godt|rart))|(?:god|fortsat god|rigtig god) (?:dag|weekend|aften|uge)|vi ses|vi snakkes|knus',
    draft: '(?:første|et) udkast|første (?:version|forslag|skitse)\\p{L}*',
  },
  nb: {
    part: '(?:(?:på |i |vår |våre |som ))?(?:bilde(?:t|r|ne)?|foto(?:et|er|ene)?|logo(?:en|et)?|bakgrunn(?:en)?|farge(?:n|r|ne)?|skrifttype(?:n|r)?|font(?:en|er)?|layout(?:en)?|design(?:et)?|overskrift(?:en)?|tittel(?:en)?|knapp(?:en)?|tekst(?:en|er)?|illustrasjon(?:en|er)?|størrelse(?:n|r|ne)?|format(?:er|et)?)(?: og \\p{L}+)?',
    asks: 'skal|bør|må|kan|kunne|skulle|ligger|gjerne|vedlagt|vedlegges|i vedlegg\\p{L}*|ifølge|etter|som (?:i|på|vanlig|sist)|øverst|nederst|til (?:høyre|venstre)|helst|valgfri\\p{L}*|hadde',
    courtesy:
      '(?:jeg |vi )?håper|si (?:fra|ifra)|bare (?:spør|ta kontakt|si)|ta (?:gjerne )?kontakt|ved spørsmål|hvis (?:dere|det|du) [^.]{0,24}(?:lurer|spørsmål)|vi trenger (?:den|det|dem) (?:til|på|innen|før)|(?:det )?haster|(?:jeg )?legger ved|vedlagt|se vedlegg',
    signOff:
      'ha (?:en \\p{L}+ \\p{L}+|det (?:bra|fint))|(?:god|fin|fortsatt god) (?:dag|helg|kveld|uke)|vi snakkes|klem|alt godt',
    draft: '(?:første|et) utkast|første (?:versjon|forslag|skisse)\\p{L}*',
  },
  el: {
    part: '(?:(?:η |το |τα |οι |ο |στη |στην |στο |στις |στα ))?(?:εικόνα|εικόνες|φωτογραφί(?:α|ες)|λογότυπ(?:ο|α)|φόντο|χρώματα|χρώμα|γραμματοσειρ(?:ά|ές)|σχέδιο|τίτλος|κουμπί|κείμενο|κείμενα|διαστάσεις|μεγέθη)(?: και (?:το|τα|η|οι) \\p{L}+)?',
    asks: 'πρέπει|μπορεί|μπορούν|θα (?:ήταν|είναι|πρέπει|θέλαμε)|να (?:είναι|δείχνει|μπει|φαίνεται)|επισυνάπτ\\p{L}+|συνημμέν\\p{L}+|όπως|σύμφωνα|βάσει|πάνω|κάτω|δεξιά|αριστερά|στο κέντρο|κατά προτίμηση|ελεύθερ\\p{L}+',
    courtesy:
      'ελπίζω|ελπίζουμε|για (?:ό,?τι|οποιαδήποτε|κάθε) (?:απορία|ερώτηση|διευκρίνιση|άλλο)|αν (?:έχετε|υπάρχ\\p{L}+|χρειαστ\\p{L}+)|(?:το|τα|τη|την) (?:χρειαζόμαστε|θέλουμε|χρειάζομαι) (?:μέχρι|έως|ως|για|πριν)|(?:είναι )?επείγ\\p{L}+|επισυνάπτ\\p{L}+|συνημμέν\\p{L}+|περιμένω',
    signOff: 'καλ(?:ή|ό) (?:συνέχεια|μέρα|ημέρα|βδομάδα|εβδομάδα|σαββατοκύριακο|απόγευμα)|τα λέμε|φιλιά',
    draft: '(?:πρώτο|ένα) (?:δείγμα|προσχέδιο|σχέδιο)|πρώτη (?:πρόταση|εκδοχή)|προσχέδιο',
  },
  uk: {
    part: '(?:(?:на |наш |всі |усі |у |в ))?(?:фото|світлин\\p{L}+|фотографі\\p{L}+|картинк\\p{L}+|зображенн\\p{L}+|логотип\\p{L}*|лого|тло|тлі|фон|кольор\\p{L}+|колір|шрифт\\p{L}*|макет|дизайн|заголовок|кнопк[аиу]|текст\\p{L}*|ілюстраці\\p{L}+|розміри?|формати?)(?: та \\p{L}+)?',
    asks: 'ма(?:є|ють)|мусить|повин(?:ен|на|но|ні)|може|можуть|можна|потрібн\\p{L}+|краще|бажано|у вкладенн\\p{L}+|додаю|додано|за (?:брендбуком|гайдлайн\\p{L}*)|як (?:у|в|на|завжди)|згідно|праворуч|ліворуч|вгорі|угорі|внизу|зверху|знизу|по центру|хай|нехай|на ваш розсуд',
    courtesy:
      'сподіва\\p{L}+|якщо (?:будуть|є|виникнуть|щось|будете)|з усіх питань|(?:потрібно|потрібен|потрібна|треба) (?:до|на|це|його)|(?:це )?терміново|у вкладенні|додаю|чека(?:ю|ємо)',
    signOff: "(?:гарного|доброго|приємного|чудового|гарних) \\p{L}+|до (?:зв[’'ʼ]язку|зустрічі)|обіймаю",
    draft: '(?:перш\\p{L}+|чорнов\\p{L}+) (?:макет|варіант|версі|ескіз)\\p{L}*|чернетк\\p{L}+',
  },
  cs: {
    part: '(?:(?:na |naše |v |jako ))?(?:fot(?:ka|ky|ce|kách|o)|fotografi(?:e|i|ích)|obráz(?:ek|ky|ku)|logo|loga|pozadí|barv[ya]|písmo|font[y]?|rozvržení|design|grafika|titulek|nadpis|tlačítko|text[y]?|ilustrace|rozměry|formáty|velikosti)(?: a \\p{L}+)?',
    asks: 'má|mají|mus(?:í|ejí)|měl[aoiy]?(?: by)?|by (?:měl\\p{L}?|mohl\\p{L}?)|může|mohou|patří|v příloze|přiložen\\p{L}*|přikládám|podle|dle|jako (?:v|na|vždy|minule)|vpravo|vlevo|nahoře|nahoru|dole|dolů|uprostřed|nejlépe|ideálně|ať|libovoln\\p{L}+',
    courtesy:
      '(?:snad|doufám|doufáme)|kdyby (?:něco|cokoli|byly|bylo|byl)|(?:v případě|s) (?:dotazů|dotazy|otázk\\p{L}+)|(?:jestli|pokud) (?:máte|budete|bude|budou) [^.]{0,16}(?:dotaz|otázk)\\p{L}*|ozvěte se|dejte vědět|potřebujeme (?:to|ho|ji|je) (?:do|na|před)|(?:je to )?(?:dost )?spěchá|spěchá|přikládám|v příloze|těším se',
    signOff: '(?:hezký|pěkný|krásný|hezké|pěkné) (?:den|večer|víkend|odpoledne|zbytek)|mějte se(?: hezky)?|zatím',
    draft: '(?:první|předběžn\\p{L}+) (?:návrh|verz|náčrt|nástřel)\\p{L}*',
  },
  ro: {
    part: '(?:(?:pe |în |ca ))?(?:imagin(?:ea|ile|e)|poz(?:a|ele|ă)|fotografi(?:a|ile|e)|logo(?:-?ul|ului)?|sigla|fundal(?:ul)?|culor(?:i|ile)|font(?:ul|uri|urile)?|grafica|design(?:ul)?|titlu(?:l)?|buton(?:ul)?|text(?:ul|ele)?|ilustrați(?:a|ile)|dimensiun(?:i|ile)|formate(?:le)?)(?: și (?:\\p{L}|-)+)?',
    asks: 'trebuie|ar (?:trebui|putea|fi)|poate|pot|vine|vin|stă|rămâne|atașat[eă]?|atașate|anexat[eă]?|în (?:atașament|anexă)|conform|ca (?:în|pe|de obicei|data)|potrivit|sus|jos|(?:la |în |din )?(?:dreapta|stânga)|la mijloc|să (?:fie|apară|arate)|preferabil|la alegere',
    courtesy:
      '(?:sper|sperăm)(?: că)?|pentru (?:orice|eventuale) (?:întreb\\p{L}+|nelămur\\p{L}+)|dacă (?:aveți|ai|sunt|există)|avem nevoie de (?:el|ea|ele|asta|acest lucru) (?:până|pentru|înainte)|(?:e|este) (?:cam |destul de )?urgent|atașez|atașat|anexez|aștept(?:ăm)?',
    signOff:
      '(?:o )?(?:zi|seară|săptămână) (?:frumoasă|bună|plăcută|minunată)|(?:un )?weekend (?:frumos|plăcut)|pe curând|ne auzim|pupici',
    draft: '(?:prim(?:a|ă|ul)|o) (?:schiță|variantă|versiune|propunere)|ciornă',
  },
};

const UNSPACED: ReadonlySet<CopyLanguage> = new Set(['ja', 'zh', 'th', 'ko']);

const compiled = new Map<CopyLanguage, RegExp>();

/** Patterns are compiled when they are first needed, and there are as many as languages. */
function remarkOf(language: CopyLanguage): RegExp {
  const { part, asks, courtesy, signOff, draft } = MAKER[language];
  const [left, right] = UNSPACED.has(language) ? ['', ''] : ['(?<![\\p{L}\\p{M}])', '(?![\\p{L}\\p{M}])'];
  const parting = signOff === undefined ? '(?!)' : `^(?:${signOff})(?:,?\\s\\p{L}+){0,1}[.!\\s]*$`;
  const remark =
    compiled.get(language) ??
    new RegExp(
      `${parting}|^(?:${courtesy})${right}|^(?:${part})${right}[^.!?।。]{0,60}?${left}(?:${asks})${right}|${left}(?:${draft})${right}`,
      'iu',
    );
  compiled.set(language, remark);
  return remark;
}

/** Whether a sentence speaks to whoever makes the ad: how a part of it is to be, when it is needed, what is attached, and courtesies. */
export function isRemark(sentence: string, language: CopyLanguage): boolean {
  return remarkOf(language).test(sentence);
}

/** Where somebody works who writes a brief. */
const DEPARTMENT =
  'marketing\\p{L}*|pr|sales|vertrieb\\p{L}*|agentur|agency|agence|agencia|agenzia|agência|departamento|service|ufficio|team|équipe|equipo|działu?|otdel|отдела?|відділу?|pazarlama\\p{L}*|ekibin\\p{L}*|marknad\\p{L}*|markeds\\p{L}*|markedsf\\p{L}*|kommunikation\\p{L}*|communications?|comunicación|comunicazione|comunicação|komunikac\\p{L}*|μάρκετινγκ|επικοινωνία\\p{L}*|oddělení|markedsavdeling\\p{L}*';
const NAME = '(?:(?:a|o|η|ο|die|der|la|el)\\s)?\\p{Lu}\\p{L}+(?: \\p{Lu}\\p{L}+)?';
/** A name with a department behind it, in front of it, or with words that go before nothing but names. */
const WRITER = new RegExp(
  [
    `^(?:this is|it['’]s|i['’]m|i am|ich bin|hier (?:ist|schreibt|spricht)|ici|je suis|c['’]est|soy|sono|qui è|aqui é|sou|ik ben|hier is|tu|jestem|я|это|це|tady|jsem|sunt|είμαι|εδώ|det är|det er|jeg er|jag är)\\s${NAME}[\\s,].{0,30}?(?<!\\p{L})(?:${DEPARTMENT})(?!\\p{L})`,
    `^(?:my name is|mein name ist|ich heiße|je m['’]appelle|me llamo|mi chiamo|(?:o )?meu nome é|mijn naam is|nazywam się|mam na imię|меня зовут|мене звати|jmenuji se|mă numesc|με λένε|ονομάζομαι|jag heter|jeg hedder|jeg heter)\\s${NAME}`,
    '^ben .{0,30}(?:pazarlama|ekibin|ajans)',
    '^मैं .{2,50} (?:हूँ|हूं)$',
    '^(?:ผม|ดิฉัน|ฉัน|หนู|เรา)?ชื่อ.{2,20}(?:จาก|ฝ่าย|แผนก|ทีม)',
    '^(?:私は)?.{0,16}[部課室]の.{1,8}(?:です|と申します|でございます)$|と申します$',
    '^(?:.{1,8}好[呀啊]?[,，]\\s?)?我是.{1,12}(?:部|公司|店|团队|组)的.{1,6}$',
    '^(?:저는 )?.{0,24}(?:팀장|담당자?|대리|과장|실장|차장|부장|사원|대표|매니저|점장|원장)(?:입니다|예요|이에요|이라고 합니다|라고 합니다)$|^(?:저는 )?.{1,16}(?:팀|부|과|실)\\s\\p{L}{2,4}(?:입니다|이에요|예요)$',
    '^أنا .{2,30}من (?:قسم|فريق|شركة|وكالة)',
    '^(?:אני|כאן) .{2,20}(?:ממחלקת|מצוות|מהשיווק|מחברת|מסוכנות)',
  ].join('|'),
  'iu',
);
/** Whom a message is for, in a line of its own. */
const ADDRESSEE =
  /^(?!お客)[^。、！？]{1,24}(?:様|御中|各位|殿)[、,]?$|^(?:尊敬的)?\p{Script=Han}{1,8}(?:老师|经理|总监?|先生|女士|小姐|同学|各位)[,，、]?(?:您?你?们?好)?$|^\p{Script=Hangul}[\p{Script=Hangul}\s]{0,18}(?:님|귀하|님께|담당자님께|귀중)$/u;
const MAX_WRITER_CHARS = 80;

/** Whether a sentence names whoever writes it with their department, or whom it is for. */
export function namesWriter(sentence: string): boolean {
  if (sentence.length > MAX_WRITER_CHARS || /\p{Nd}/u.test(sentence)) return false;
  return WRITER.test(sentence) || ADDRESSEE.test(sentence);
}

/** A sign-off of a few words with a name behind it. */
const SIGNATURE = /^(?<signOff>[^,\d:%]{2,40}),\s+\p{Lu}\p{L}+(?:\s\p{Lu}\p{L}*\.?)?[.!]?$/u;
const MAX_SIGN_OFF_WORDS = 5;

/** Whether the last sentence of a brief is a sign-off with the name of its writer: "Have fun, Ann". */
export function isSignature(sentence: string): boolean {
  const signOff = SIGNATURE.exec(sentence)?.groups?.signOff;
  return signOff !== undefined && signOff.split(' ').length <= MAX_SIGN_OFF_WORDS;
}
