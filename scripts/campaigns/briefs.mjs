// Twelve campaigns of fictional brands, each in four writings: what the sheet shows (../campaign-sheet.mjs).

/**
 * The languages of the sheet, one for each writing.
 * @type {readonly ('en' | 'ar' | 'hi' | 'ja')[]}
 */
export const languages = ['en', 'ar', 'hi', 'ja'];

/** Texts in the order of `languages`. */
const t = (...texts) => texts;

/**
 * `scene` names the picture; a campaign without one has a motif or a block of color. `logo` names a drawn logo. `offer`
 * stands on a badge where the headline does not say it.
 */
export const briefs = [
  {
    brand: { name: 'Nordlys Outdoor', industry: 'outdoor', colors: { primary: '#1b4332', secondary: '#f4a259' } },
    scene: 'mountains',
    logo: 'peak',
    eyebrow: t('Autumn collection', 'مجموعة الخريف', 'शरद संग्रह', '秋の新作'),
    headline: t(
      'Hiking boots for the long way home',
      'أحذية مشي للطريق الطويل إلى البيت',
      'लंबे रास्तों के लिए हाइकिंग बूट',
      '長い帰り道のための登山靴',
    ),
    body: t(
      'Waterproof, light, and resoled for free.',
      'مقاومة للماء وخفيفة، ونعلها يُجدَّد مجانًا.',
      'वाटरप्रूफ़, हल्के, और सोल बदलना मुफ़्त।',
      '防水で軽量。靴底の張り替えは無料です。',
    ),
    offer: t('20% off', 'خصم 20%', '20% की छूट', '20%オフ'),
    action: t('Shop boots', 'تسوّق الآن', 'अभी खरीदें', '今すぐ見る'),
  },
  {
    brand: { name: 'Costa Azura', industry: 'travel', colors: { primary: '#005f73', secondary: '#ee9b00' } },
    scene: 'beach',
    eyebrow: t('Direct flights', 'رحلات مباشرة', 'सीधी उड़ानें', '直行便就航'),
    headline: t(
      'A week by the sea, from €399',
      'أسبوع على البحر ابتداءً من 399 يورو',
      'समुद्र किनारे एक हफ़्ता, €399 से',
      '海辺で過ごす一週間、399ユーロから',
    ),
    body: t(
      'Hotel, transfer and breakfast included.',
      'يشمل الفندق والنقل والإفطار.',
      'होटल, ट्रांसफ़र और नाश्ता शामिल।',
      'ホテル・送迎・朝食つき。',
    ),
    action: t('Find dates', 'اختر الموعد', 'तारीख चुनें', '日程を探す'),
  },
  {
    brand: { name: 'Kettle & Crumb', industry: 'coffee', colors: { primary: '#6f1d1b', secondary: '#ffd9a0' } },
    scene: 'coffee',
    logo: 'cup',
    eyebrow: t('Roasted this morning', 'محمّصة هذا الصباح', 'आज सुबह भुनी हुई', '今朝の焙煎'),
    headline: t(
      'Fresh coffee at your door every Monday',
      'قهوة طازجة عند بابك كل يوم اثنين',
      'हर सोमवार ताज़ी कॉफी आपके दरवाज़े पर',
      '毎週月曜、淹れたての一杯をご自宅へ',
    ),
    body: t(
      'Pause or stop whenever you like.',
      'أوقف الاشتراك متى شئت.',
      'जब चाहें रोकें या बंद करें।',
      'いつでもお休み、解約できます。',
    ),
    offer: t('First bag free', 'الكيس الأول مجانًا', 'पहला पैक मुफ़्त', '初回無料'),
    action: t('Start a box', 'ابدأ اشتراكك', 'बॉक्स शुरू करें', '定期便をはじめる'),
  },
  {
    brand: { name: 'Maison Verel', industry: 'perfume', colors: { primary: '#4a2c2a', secondary: '#d9b77a' } },
    scene: 'perfume',
    eyebrow: t('Eau de parfum', 'عطر', 'इत्र', 'オードパルファム'),
    headline: t(
      'Amber Nocturne, the scent of late evenings',
      'عنبر الليل، عبير الأمسيات المتأخرة',
      'एम्बर नॉक्टर्न, देर शाम की खुशबू',
      'アンバー・ノクターン、夜更けの香り',
    ),
    body: t(
      'In our boutiques from 12 October.',
      'في متاجرنا ابتداءً من 12 أكتوبر.',
      '12 अक्टूबर से हमारे बुटीक में।',
      '10月12日よりブティックにて。',
    ),
    action: t('Discover', 'اكتشف', 'जानें', '詳しく見る'),
  },
  {
    brand: { name: 'Halden', industry: 'furniture', colors: { primary: '#2f5a4d', secondary: '#c8553d' } },
    scene: 'chair',
    eyebrow: t('Made to order', 'يُصنع حسب الطلب', 'ऑर्डर पर बना', '受注生産'),
    headline: t(
      'The armchair that outlives three sofas',
      'كرسي يعيش أطول من ثلاث أرائك',
      'तीन सोफ़ों से ज़्यादा चलने वाली आरामकुर्सी',
      'ソファ三台分、長くつき合える椅子',
    ),
    body: t(
      'Solid oak, wool, and a thirty-year promise.',
      'بلوط وصوف وضمان ثلاثين عامًا.',
      'ठोस ओक, ऊन और तीस साल का वादा।',
      '無垢のオークとウール、三十年保証。',
    ),
    action: t('See the chair', 'شاهد الكرسي', 'कुर्सी देखें', '椅子を見る'),
  },
  {
    brand: { name: 'Lumo', industry: 'software', colors: { primary: '#2b2a8c', secondary: '#5ee6d0' } },
    scene: 'phone',
    logo: 'lumo',
    eyebrow: t('New in 4.0', 'جديد في الإصدار 4', 'नया: 4.0', '4.0の新機能'),
    headline: t(
      'Lumo plans your week in one minute',
      'لومو يرتب أسبوعك في دقيقة واحدة',
      'Lumo एक मिनट में आपका हफ़्ता तय करे',
      'Lumoなら一週間の予定が一分で',
    ),
    body: t(
      'Calendar, tasks and notes in one app.',
      'التقويم والمهام والملاحظات في تطبيق واحد.',
      'कैलेंडर, काम और नोट्स एक ऐप में।',
      '予定・タスク・メモをひとつのアプリに。',
    ),
    action: t('Try it free', 'جرّبه مجانًا', 'मुफ़्त आज़माएँ', '無料で試す'),
  },
  {
    brand: { name: 'Piccolo', industry: 'toys', colors: { primary: '#1d4fd1', secondary: '#ffd23f' } },
    scene: 'balloons',
    eyebrow: t('From age three', 'من عمر ثلاث سنوات', 'तीन साल से', '3歳から'),
    headline: t(
      'Birthday boxes packed with surprises',
      'صناديق عيد ميلاد مليئة بالمفاجآت',
      'सरप्राइज़ से भरे जन्मदिन के बॉक्स',
      'びっくりがつまったお誕生日ボックス',
    ),
    body: t(
      'Ready to play in five minutes.',
      'جاهزة للعب في خمس دقائق.',
      'पाँच मिनट में खेलने को तैयार।',
      '五分であそべます。',
    ),
    action: t('Pick a box', 'اختر صندوقًا', 'बॉक्स चुनें', 'ボックスを選ぶ'),
  },
  {
    brand: { name: 'FreshMart', industry: 'supermarket', colors: { primary: '#c1121f', secondary: '#ffd166' } },
    scene: 'oranges',
    headline: t(
      'Half price fruit all weekend',
      'الفاكهة بنصف السعر طوال العطلة',
      'पूरे वीकेंड फल आधे दाम पर',
      '週末はくだもの半額',
    ),
    body: t(
      'In every store, Friday to Sunday.',
      'في كل الفروع من الجمعة إلى الأحد.',
      'हर स्टोर में, शुक्रवार से रविवार।',
      '全店で、金曜から日曜まで。',
    ),
    offer: t('50% off', 'خصم 50%', '50% छूट', '50%オフ'),
    action: t('See offers', 'شاهد العروض', 'ऑफ़र देखें', 'お買い得を見る'),
  },
  {
    brand: { name: 'Harbour Mutual', industry: 'insurance', colors: { primary: '#0b4f8a', secondary: '#f2a900' } },
    scene: 'home',
    logo: 'anchor',
    headline: t(
      'Home insurance that answers on the first ring',
      'تأمين منزلي يرد من الرنة الأولى',
      'गृह बीमा जो पहली घंटी पर जवाब दे',
      'ワンコールでつながる住まいの保険',
    ),
    body: t(
      'Real people, day and night.',
      'أشخاص حقيقيون ليلًا ونهارًا.',
      'असली लोग, दिन और रात।',
      '担当者が昼も夜もお応えします。',
    ),
    legal: t(
      'Cover is subject to terms and conditions.',
      'تخضع التغطية للشروط والأحكام.',
      'नियम व शर्तें लागू।',
      '補償内容には約款が適用されます。',
    ),
    action: t('Get a quote', 'احصل على عرض', 'कोटेशन लें', '見積もる'),
  },
  {
    brand: { name: 'Tempo', industry: 'sports retail', colors: { primary: '#16181d', secondary: '#d9f13c' } },
    eyebrow: t('Black Friday', 'الجمعة البيضاء', 'ब्लैक फ्राइडे', 'ブラックフライデー'),
    headline: t(
      'Up to 60% off running shoes',
      'خصم حتى 60% على أحذية الجري',
      'रनिंग शूज़ पर 60% तक की छूट',
      'ランニングシューズ最大60%オフ',
    ),
    body: t(
      'Online and in store until Monday.',
      'عبر الإنترنت وفي المتاجر حتى الاثنين.',
      'सोमवार तक ऑनलाइन और स्टोर में।',
      '月曜まで、オンラインと店頭で。',
    ),
    offer: t('60% off', '60%', '60% तक की छूट', '60%オフ'),
    action: t('Shop the sale', 'تسوّق العروض', 'सेल देखें', 'セールへ'),
  },
  {
    brand: { name: 'Civita Museum', industry: 'museum', colors: { primary: '#b3202c', secondary: '#003049' } },
    eyebrow: t('Until 12 January', 'حتى 12 يناير', '12 जनवरी तक', '1月12日まで'),
    headline: t(
      'Color before words: a century of posters',
      'اللون قبل الكلمات: قرن من الملصقات',
      'शब्दों से पहले रंग: पोस्टरों की एक सदी',
      '言葉より先に、色。ポスターの百年',
    ),
    body: t(
      'Three hundred works from twelve countries.',
      'ثلاثمئة عمل من اثنتي عشرة دولة.',
      'बारह देशों की तीन सौ कृतियाँ।',
      '十二か国から三百点。',
    ),
    action: t('Book tickets', 'احجز تذكرتك', 'टिकट बुक करें', 'チケットを予約'),
  },
  {
    brand: { name: 'Stillwater Bank', industry: 'bank', colors: { primary: '#123c34', secondary: '#7fb069' } },
    headline: t(
      'Savings at 3.2%, with nothing to decode',
      'ادخار بعائد 3.2% دون تعقيد',
      '3.2% पर बचत, बिना किसी उलझन के',
      '年3.2%の貯蓄を、わかりやすく',
    ),
    body: t('Open an account in ten minutes.', 'افتح حسابًا في عشر دقائق.', 'दस मिनट में खाता खोलें।', '口座開設は十分で。'),
    legal: t(
      'Variable rate. Deposits protected up to €100,000.',
      'معدل متغير. الودائع محمية حتى 100,000 يورو.',
      'परिवर्तनशील दर। €1,00,000 तक जमा सुरक्षित।',
      '変動金利。預金は10万ユーロまで保護されます。',
    ),
    action: t('Open account', 'افتح حسابًا', 'खाता खोलें', '口座を開く'),
  },
];
