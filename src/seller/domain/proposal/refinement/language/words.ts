/** A word of an ask in English, as the reader of plans takes it. */
type AskWord =
  | 'drop'
  | 'without'
  | 'raise'
  | 'reduce'
  | 'set'
  | 'move'
  | 'add'
  | 'only'
  | 'more'
  | 'less'
  | 'double'
  | 'halve'
  | 'keep'
  | 'replace'
  | 'split';

/** A language that asks are written in. */
export type AskLanguage = {
  /** A letter that only its script has. */
  readonly script: RegExp;
  /** Whether its words have no blanks between them. */
  readonly isUnspaced: boolean;
  /** A letter that means "and" and is written to the verb behind it. */
  readonly and?: string;
  /** Its verbs, by the English ones; a star stands for the endings of a word. */
  readonly verbs: Readonly<Partial<Record<AskWord, string>>>;
  /** Its other words, in the order in which they are replaced: a pattern, and the English for it. */
  readonly others: readonly (readonly [pattern: string, english: string])[];
};

/** A share or an amount of money, as the reader of plans takes it. */
const SHARE = '(?=\\s?(?:\\d|half))';

const LATIN = /[a-z]/iu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HANGUL = /\p{Script=Hangul}/u;
const HAN = /\p{Script=Han}/u;
const THAI = /\p{Script=Thai}/u;
const ARABIC = /\p{Script=Arabic}/u;

/** The languages of asks beside English. */
export const ASK_LANGUAGES: readonly AskLanguage[] = [
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'verzicht*, nicht mehr, streich*, entfern*, lösch*, raus, rausnehmen, rauswerfen, weglassen, wegfallen, herausnehmen',
      without: 'ohne',
      raise: 'erhöh*, steiger*, hochsetzen, aufstocken, anheben, hebt, hebe',
      reduce: 'reduzier*, senk*, kürz*, verringer*, herabsetzen, runter, runtersetzen',
      set: 'fließ*, setz*, stelle, stellt, stellen, gebe, geben, gib, gebt, lege, legt, legen, leg, packe, packt, packen, investier*, stecke, steckt, stecken, änder*, mache, macht, machen',
      move: 'verschieb*, verlager*, umschichten, umbuchen',
      add: 'füg*, hinzufügen, ergänz*, dazunehmen, aufnehmen',
      only: 'nur, ausschließlich',
      more: 'mehr',
      less: 'weniger',
      double: 'verdoppel*, verdopple',
      halve: 'halbier*',
      keep: 'behalt*, bleib*, lass, lasse, lasst, lassen, beibehalten',
      replace: 'ersetz*, tausch*',
      split: 'verteil*, aufteilen, teil, teile, teilt',
    },
    others: [
      ['(?:das|dieses|deren|dessen) Geld|(?:deren|dessen) (?:Anteil|Etat)|(?:dieses|deren|dessen) Budget', 'that'],
      ['(?:den|der) Rest', 'the rest'],
      ['halbe[- ]halbe|gleichmäßig|zu gleichen Teilen', 'evenly'],
      ['(?:die )?Hälfte', 'half'],
      ['Gesamtbudget|Budgets?|Etats?', 'budget'],
      ['um', 'by'],
      ['auf|zu|nach|in|für', 'to'],
      ['von|vom|aus', 'from'],
      ['durch|gegen', 'with'],
      ['und|dann', 'and'],
      ['bitte|hinzu|dazu|das|die|der|den|dem|wir|es', ''],
    ],
  },
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'plus besoin, laisse tomber, laissez tomber, laisser tomber, supprim*, retire, retirez, retirer, enlev*, élimin*, vire*, virez, abandonn*',
      without: 'sans',
      raise: 'augmente, augmentez, augmenter, monte, montez, monter, relève, relevez, relever',
      reduce: 'rédui*, diminu*, baiss*',
      set: 'met, mets, mettez, mettre, passe, passez, passer, porte, portez, porter, fixe, fixez, fixer, donne, donnez, donner, alloue*, consacr*',
      move: 'déplac*, transférez, transférer, transfère, bascul*',
      add: 'ajout*, rajout*',
      only: 'ne gardez que, ne garder que, ne laissez que, uniquement, seulement',
      more: 'plus de, davantage de',
      less: 'moins de',
      double: 'doublez, doubler',
      keep: 'garde, gardez, garder, conserve, conservez, conserver, laiss*',
      replace: 'remplac*',
      split: 'réparti*, divisez, diviser',
    },
    others: [
      ['merci de|veuillez|pourriez-vous|pouvez-vous|il faut', ''],
      ['moitié[- ]moitié', 'evenly'],
      ["(?:leur|sa) part|(?:cet|l[’'])\\s?argent|ce budget", 'that'],
      ['(?:le )?reste', 'the rest'],
      ['à parts égales|équitablement', 'evenly'],
      ['(?:la )?moitié', 'half'],
      ['budget total|budget', 'budget'],
      [`de${SHARE}`, 'by'],
      ['à|au|aux|sur|vers|en|pour|dans', 'to'],
      ['de|du|des', 'from'],
      ['par', 'with'],
      ['et|puis', 'and'],
      ["s[’']il (?:vous|te) plaît|svp|merci|le|la|les", ''],
      ["[ld][’']", ''],
    ],
  },
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'prescind*, ya no necesitamos, ya no queremos, quita, quitad, quitar, quite, quiten, elimina, eliminad, eliminar, elimine, eliminen, saca, sacad, sacar, saque, saquen',
      without: 'sin',
      raise: 'sube, suba, suban, subid, subir, aument*, incrementa, incrementad, incrementar, incremente',
      reduce: 'reduce, reduz*, reducid, reducir, baja, bajad, bajar, baje, bajen, rebaj*, disminu*, recort*',
      set: 'se lleve, se lleven, vaya, vayan, pon, poned, ponga, pongan, poner, pasa, pasad, pasar, pase, da, dad, dale, dadle, fija, fijad, fijar, destina, destinad, destinar, asign*, dedica, dedicad, dedicar, deja, dejad, dejar',
      move: 'mueve*, mueva*, mover, mueve, traslada*, transfier*',
      add: 'añad*, agrega, agregad, agregar, agregue, incluye, incluya, incluid, incluir',
      only: 'solo, sólo, solamente, únicamente',
      more: 'más',
      less: 'menos',
      double: 'duplica, duplicad, duplicar',
      keep: 'mantén, mantene*, mantenga*',
      replace: 'reemplaz*, sustituye, sustituya, sustituid, sustituir, cambia, cambiad, cambiar, cambie, cambien',
      split: 'repart*, dividid, dividir, divida',
    },
    others: [
      ['su parte|ese dinero|el dinero|ese presupuesto|eso', 'that'],
      ['(?:el |lo )?(?:resto|demás)', 'the rest'],
      ['mitad y mitad|a partes iguales|por igual|equitativamente', 'evenly'],
      ['(?:la )?mitad', 'half'],
      ['presupuesto total|presupuesto', 'budget'],
      [`(?:en )?un${SHARE}`, 'by'],
      ['a|al|en|para|hacia', 'to'],
      ['de|del|desde', 'from'],
      ['por|con', 'with'],
      ['y|e|luego', 'and'],
      ['por favor|el|la|los|las', ''],
    ],
  },
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'não precisamos mais, não queremos mais, dispens*, tira, tire, tirem, tirar, remova, removam, remover, retire, retirem, retirar, exclua, excluam, excluir, corte, cortem, cortar, elimine, eliminem, eliminar',
      without: 'sem',
      raise: 'aument*, suba, subam, subir, sobe, eleve*',
      reduce: 'reduz*, diminu*, baixe, baixem, baixar',
      set: 'coloca, coloque, coloquem, colocar, ponha, ponham, põe, passe, passem, passar, defina, definam, definir, deixe, deixem, dê, dá, destine, destinem, destinar, invista, invistam',
      move: 'mova, movam, transfira, transfiram, transferir, realoc*',
      add: 'adicion*, acrescent*, inclua*, incluir',
      only: 'só, apenas, somente',
      more: 'mais',
      less: 'menos',
      double: 'dobre, dobrem, dobrar, duplique',
      keep: 'mantenha*, manter',
      replace: 'substitua, substituam, substituir, troque, troquem, trocar',
      split: 'divida, dividam, dividir, distribua, distribuam, distribuir',
    },
    others: [
      ['(?:a )?parte del[ea]s?|(?:esse|o) dinheiro|essa verba|tudo|isso', 'that'],
      ['(?:o )?(?:resto|restante)', 'the rest'],
      ['meio a meio|em partes iguais|igualmente', 'evenly'],
      ['(?:a )?metade', 'half'],
      ['orçamento total|orçamento|verba total|verba', 'budget'],
      [`em${SHARE}`, 'by'],
      ['a|ao|à|aos|às|em|no|na|nos|nas|para|pra', 'to'],
      ['de|do|da|dos|das', 'from'],
      ['por', 'with'],
      ['e|depois', 'and'],
      ['dá para|por favor|o|os|as', ''],
    ],
  },
  {
    script: KANA,
    isUnspaced: true,
    verbs: {
      drop: '外して, 外し, 外す, 不要, いらない, いりません, 削除, やめて, 除いて, 除外, なくして, なしに, なしで, 抜いて, カット',
      raise: '増やして, 増やす, 上げて, 引き上げ, 増額, 増加',
      reduce: '減らして, 減らす, 下げて, 引き下げ, 減額, 削減',
      set: '変更, 設定, にして, してください, してほしい',
      move: '移して, 移す, 移せ, 移し, 回して, 振り替え, 移動',
      add: '追加, 加えて',
      only: 'だけ, のみ',
      double: '2倍に, 倍に, 倍増',
      keep: '維持, そのまま',
      split: '分けて, 配分, 割り振',
    },
    others: [
      ['その予算を|その分を|その分は', ' that '],
      ['残り(?:は|を)?', ' the rest '],
      ['均等に|等分に', ' evenly '],
      ['(?:の)?半分', ' half '],
      ['(?:総|合計)?予算(?:を|は|も)?', ' budget '],
      ['(\\d[\\d.]*\\s?(?:%|[A-Z]{3}))(?:に|へ|まで)', ' to $1 '],
      ['(?<!to )(?<![\\d.])(\\d[\\d.]*\\s?%)(?:だけ|ほど)?(?=\\s*(?:を|ずつ)?\\s*\\ue000(?:raise|reduce))', ' by $1 '],
      ['(?:の)?(?:割合|比率|配分|シェア)(?:を|は)', ' '],
      ['([^\\s\\ue000\\ue001、。]+)から', ' from $1 '],
      ['([^\\s\\ue000\\ue001、。]+)[へに](?=\\s|\\ue000)', ' to $1 '],
      ['を|は|も|、|と|ください|お願いします|下さい', ' '],
    ],
  },
  {
    script: HANGUL,
    isUnspaced: true,
    verbs: {
      drop: '빼고, 빼주, 빼 주, 빼줘, 제외하고, 제외해, 제외, 삭제하고, 삭제해, 삭제, 없애고, 없애',
      without: '없이',
      raise: '늘려, 늘리고, 올려, 올리고, 높여, 증액, 인상',
      reduce: '줄여, 줄이고, 낮춰, 낮추고, 감액, 삭감',
      set: '변경, 바꿔, 바꾸고, 설정, 맞춰, 배정, 해주세요, 해 주세요',
      move: '옮겨, 옮길, 옮기고, 이동, 돌려',
      add: '추가, 넣어',
      double: '두 배로, 2배로',
      keep: '유지',
      split: '나눠, 배분',
    },
    others: [
      ['그 예산을|그 예산은|그 돈을|그만큼', ' that '],
      ['나머지(?:는|를)?', ' the rest '],
      ['균등하게|똑같이|동일하게', ' evenly '],
      ['절반(?:을|은)?', ' half '],
      ['(?:총\\s?)?예산(?:을|은|도)?', ' budget '],
      ['(\\d[\\d.]*\\s?(?:%|[A-Z]{3}))(?:으로|로|까지)', ' to $1 '],
      ['(?<!to )(?<![\\d.])(\\d[\\d.]*\\s?%)(?:만큼|씩)?(?=\\s*(?:를|을)?\\s*\\ue000(?:raise|reduce))', ' by $1 '],
      ['비중(?:을|은|도)?|비율(?:을|은)?', ' '],
      ['([가-힣A-Za-z]+)에서', ' from $1 '],
      ['([가-힣A-Za-z]+?)(?:으로|로|에)(?=\\s)', ' to $1 '],
      ['(?<=%\\s?)[를을](?=\\s)', ' '],
      ['(?<=[가-힣A-Za-z])(?:을|를|은|는|이|가|도)(?=\\s)|주세요|주십시오|줘|하고|해서', ' '],
    ],
  },
  {
    script: HAN,
    isUnspaced: true,
    verbs: {
      drop: '移除, 刪除, 删除, 拿掉, 去掉, 取消, 刪掉, 不要, 剔除',
      raise: '提高, 增加, 調高, 调高, 提升, 上調',
      reduce: '減少, 减少, 降低, 調低, 调低, 縮減, 下調',
      set: '改為, 改为, 改成, 調整為, 调整为, 調整到, 設為, 设为, 調到, 分配給, 放在',
      move: '轉移, 转移, 移動, 轉(?=[到給]), 转(?=[到给]), 撥(?=[到給]), 移(?=到), 移(?=\\s?\\d), 挪',
      add: '加入, 新增, 添加, 加上',
      only: '只要, 只保留, 只留',
      double: '加倍, 翻倍',
      keep: '保留, 維持, 维持',
      split: '平分, 分配',
    },
    others: [
      ['(?:這|这|那)(?:筆|笔|部分)(?:預算|预算|錢|钱)', ' that '],
      ['其餘|其余|剩下的?|剩餘', ' the rest '],
      ['平均|均等', ' evenly '],
      ['一半', ' half '],
      ['全部|所有', ' all '],
      ['(?:總|总)?(?:預算|预算)', ' budget '],
      ['(?:到|至|為|为)(?=\\s?\\d)', ' to '],
      ['(?<=(?:raise|reduce)\\ue001\\s{0,3})(?=\\d[\\d.]*\\s?%)', ' by '],
      ['到|至|給|给', ' to '],
      ['從|从', ' from '],
      ['然後|然后|並且?|并且?|再|、|，|；', ' and '],
      ['請|请|將|将|把|的|佔比|占比|比例|了|謝謝|谢谢', ' '],
    ],
  },
  {
    script: THAI,
    isUnspaced: true,
    verbs: {
      drop: 'ตัด, ลบ, เอาออก, เอา(?=[^.\\n]{1,40}ออก), ไม่เอา, ยกเลิก',
      raise: 'เพิ่ม, ขยับขึ้น, ปรับขึ้น',
      reduce: 'ลด, ปรับลด',
      set: 'เปลี่ยนเป็น, เปลี่ยน, ปรับเป็น, ปรับ, ใส่, ตั้ง, ให้',
      move: 'ย้าย, โยก',
      only: 'เฉพาะ, เท่านั้น, เหลือแค่',
      keep: 'คงไว้, เก็บไว้',
      split: 'แบ่ง',
    },
    others: [
      ['เงินส่วนนั้น|งบส่วนนั้น|งบนั้น', ' that '],
      ['ที่เหลือ', ' the rest '],
      ['เท่าๆ\\s?กัน|เท่ากัน', ' evenly '],
      ['ครึ่งหนึ่ง|ครึ่ง', ' half '],
      ['งบประมาณรวม|งบประมาณ|งบรวม|งบ', ' budget '],
      ['(?:เป็น|เหลือ|ถึง)(?=\\s?\\d)', ' to '],
      ['(?<=(?:raise|reduce)\\ue001\\s{0,3})(?=\\d[\\d.]*\\s?%)|อีก(?=\\s?\\d)|ลง(?=\\s?\\d)', ' by '],
      ['ไปที่|ไปยัง|ไป', ' to '],
      ['จาก', ' from '],
      ['แล้ว|และ', ' and '],
      ['ออก|สัดส่วน|ช่วย|กรุณา|หน่อย|ครับ|ค่ะ|ขอ|โฆษณา', ' '],
    ],
  },
  {
    script: ARABIC,
    isUnspaced: false,
    and: 'و',
    verbs: {
      drop: 'لم نعد بحاجة, لا نحتاج, احذف*, أزل, أزيلوا, ألغ*, استبعد*, شيلوا',
      without: 'بدون',
      raise: 'ارفع*, زد, زيدوا, زيادة, رفع',
      reduce: 'خفض*, قلل*, تخفيض, انقص*',
      set: 'أعطوا, أعط, اجعل*, غير, غيروا, ضع, ضعوا, خصص*, عدل*',
      move: 'نقل, انقل*, حول, حولوا',
      add: 'أضف, أضيفوا, إضافة',
      only: 'فقط',
      more: 'المزيد من',
      double: 'ضاعف*',
      keep: 'أبق*, اترك*',
      replace: 'استبدل*',
      split: 'قسم*, وزع*',
    },
    others: [
      ['حصتها|حصته|هذا المبلغ|هذه الميزانية|المبلغ', 'that'],
      ['الباقي|البقية', 'the rest'],
      ['بالتساوي', 'evenly'],
      ['نصف', 'half'],
      ['و(?:ال)?ميزانية(?: الإجمالية)?', 'and budget'],
      ['الميزانية(?: الإجمالية)?|ميزانية', 'budget'],
      ['بنسبة|بمقدار', 'by'],
      ['إلى|الى|على|في', 'to'],
      ['من', 'from'],
      ['ثم', 'and'],
      ['هل يمكن|نريد|من فضلك(?:م)?|رجاء|حصة|نسبة', ''],
    ],
  },
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'vazgeç*, çıkar, çıkarın, çıkaralım, çıkartın, kaldır*, sil, silin, iptal',
      raise: 'artır*, arttır*, yükselt*',
      reduce: 'azalt*, düşür*, indir, indirin',
      set: 'gitsin, ver, verin, verelim, yap, yapın, yapalım, ayarla*, koy, koyun, ayır*, olsun',
      move: 'taşı*, kaydır*, aktar*',
      add: 'ekle*',
      only: 'sadece, yalnızca',
      more: 'daha fazla',
      less: 'daha az',
      keep: 'koru*, kalsın, tut, tutun',
      split: 'böl*, paylaştır*, dağıt*',
    },
    others: [
      ['payı(?=\\s.{1,30}gitsin)|(?:o|bu) (?:parayı|bütçeyi)', 'that'],
      ['(?:geri )?kalan(?:ı|ını)?', 'the rest'],
      ['eşit(?: olarak)?', 'evenly'],
      ['yarısı(?:nı)?|yarı', 'half'],
      ['(?:toplam )?bütçe(?:yi|si|sini|miz|mizi|nin)?', 'budget'],
      ["(\\d[\\d.]*\\s?(?:%|[A-Z]{3}))[’']?(?:[yn]?[aeıiuü]|[dt][ae]n)", 'to $1'],
      ["(\\p{L}{3,20}?)[’']?[dt][ae]n(?=\\s)", 'from $1'],
      ["(?<=from \\p{L}{1,20} )(\\p{L}{3,20}?)[’']?(?:y?[ae])(?=\\s)", 'to $1'],
      ['(?<!to )(?<![\\d.])(\\d[\\d.]*\\s?%)(?: oranında|(?=\\s*\\ue000(?:raise|reduce)))', 'by $1'],
      ['ve|sonra', 'and'],
      ['lütfen|reklamları|reklamlarını|reklamı|payını|payı|olarak|için', ''],
    ],
  },
  {
    script: LATIN,
    isUnspaced: false,
    verbs: {
      drop: 'rezygnuj*, rezygnujemy, usuń*, wyrzuć*, skreśl*, wytnij*, zrezygnuj*, usunąć',
      without: 'bez',
      raise: 'zwiększ*, podnieść, podnieś*, podwyższ*',
      reduce: 'zmniejsz*, obniż*, zredukuj*, ogranicz*',
      set: 'idzie, idą, trafia, ustaw*, daj*, przeznacz*, zmień*, dajcie, wrzuć*',
      move: 'przenieś*, przesuń*, przesun*',
      add: 'dodaj*, dodać, dołóż*',
      only: 'tylko, wyłącznie, jedynie',
      more: 'więcej',
      less: 'mniej',
      double: 'podwój*',
      keep: 'zostaw*, zachowaj*, utrzymaj*',
      replace: 'zamień*, zastąp*',
      split: 'podziel*, rozdziel*',
    },
    others: [
      ['(?:ich|jego|jej) część|te pieniądze|ten budżet|te środki', 'that'],
      ['(?:resztę|reszta|pozostałe)', 'the rest'],
      ['po równo|równo|równomiernie', 'evenly'],
      ['połowę|połowa', 'half'],
      ['(?:całkowity )?budżet(?:u|em)?', 'budget'],
      [`o${SHARE}`, 'by'],
      ['do|na|w', 'to'],
      ['z|ze|od', 'from'],
      ['i|oraz|potem', 'and'],
      ['czy możemy|prosimy|chcemy|proszę|udział', ''],
    ],
  },
];
