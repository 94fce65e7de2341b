import type { CopyLanguage } from './table.js';

/** How people ask for an ad without naming one, or behind a word for one, as whole patterns of a sentence; see `orders` of the language's words. */
type RequestWords = {
  /** In front of "we want to promote": "this month". */
  readonly when?: string;
  /** "We would like to", up to the verb. */
  readonly want: string;
  /** "Promote", "push", up to the subject. */
  readonly promote: string;
  /** "Can you make something for", up to the subject. */
  readonly something: string;
  /** "I am writing about", up to the ad, with what links the ad to its subject behind it. */
  readonly writing: string;
  readonly link: string;
  /** "It is about", up to the subject. */
  readonly about: string;
};

const AD =
  '(?:ads?|adverts?|banners?|anzeigen?|annonces?|bannières?|pub|anuncios?|annunci[o]?|anúncios?|advertenties?|banera|banery?|bannere[rn]?|bannern?|bannern|bannere?t|banneru|bannerul|баннера?|рекламы|банера?|реклами|διαφήμιση|campaigns?|kampagne|campagne|campaña|campagna|campanha|kampani[aię]|кампании|кампанії|kampan[ěi]|kampanje[n]?|annonse[n]?|annonce[n]?|annons(?:en)?|reclama|reklam[yuaę]|anzeige|بانر|إعلان|באנר|מודעה)';

const REQUESTS: Readonly<Partial<Record<CopyLanguage, RequestWords>>> = {
  en: {
    when: '(?:this|next) \\p{L}+|for \\p{L}+|in \\p{L}+|now|right now',
    want: "(?:we|i)(?:['’]d| would)? (?:like|love|want|need|are looking|hope|plan|are planning) to|we['’]re (?:looking|planning|hoping) to|help us",
    promote:
      '(?:promote|advertise|push|plug|market|boost|highlight|feature|shout about|get the word out (?:about|on)|spread the word (?:about|on)|show off|do something (?:for|on|about))',
    something:
      '(?:can|could|would) (?:you|u|yous|ye) (?:guys )?(?:please )?(?:do|make|create|design|put together|knock (?:up|together)|whip up|come up with|mock up|run) (?:(?:us|me) )?(?:something|sth|a (?:little |quick |small )?(?:something|story|post|thing)|some (?:display|stuff|bits?)) (?:for|about|on|around)',
    writing:
      "(?:i['’]m|i am|we['’]re|just) (?:writing|emailing|getting in touch|reaching out) (?:about|regarding|re) (?:an?|the|our)",
    link: 'for|about|on',
    about:
      "(?:it|this)(?:['’]s| is) (?:all )?(?:about|regarding|for)|please do (?:a )?(?:story|post|reel|something)(?: (?:for|on) \\p{L}+)? (?:for|about|on)",
  },
  de: {
    when: '(?:diesen|nächsten|im) \\p{L}+|ab sofort|jetzt',
    want: '(?:wir|ich) (?:möchten?|wollen|will|würden gerne?|würde gerne?)(?: gerne?)?|(?:möchten|wollen|würden) wir(?: gerne?)?',
    promote: '',
    something:
      '(?:könntet|könnt|kannst|könntest|könnten|können) (?:ihr|du|sie) (?:uns |mir |bitte |vielleicht |kurz ){0,4}(?:was|etwas|eine kleinigkeit) (?:für|zu|zum|zur|über)',
    writing:
      '(?:ich|wir) (?:schreiben?|melden? (?:mich|uns)) (?:wegen|bezüglich|zu) (?:der|dem|des|einer|eines|unserer)',
    link: 'für|zu|zum|zur|über',
    about: '(?:es|diesmal) (?:geht|dreht sich) (?:dabei |diesmal )?(?:um|alles um)|thema (?:ist|sind)',
  },
  fr: {
    when: '(?:ce|cette) \\p{L}+(?:-ci)?|en \\p{L}+',
    want: '(?:nous|on) (?:aimerions|aimerait|voudrions|voudrait|voulons|veut|souhaitons|souhaite|souhaiterions)(?: bien)?|il faudrait',
    promote:
      '(?:promouvoir|annoncer|pousser|mettre en avant|faire (?:de la pub|la promo(?:tion)?|connaître)(?: pour| de)?|communiquer sur|lancer|valoriser|une (?:petite |jolie )?pub(?:licité)?(?: sur \\p{L}+)? pour)',
    something:
      '(?:pouvez-vous|pourriez-vous|peux-tu|tu peux|vous pouvez|vous pourriez) (?:nous |me )?(?:faire|préparer|créer|concocter|monter) (?:quelque chose|un truc|un visuel|un petit truc) (?:pour|sur|autour de)',
    writing:
      "(?:je (?:vous|t['’]) ?écris|je vous contacte|nous vous écrivons) (?:pour|au sujet de|à propos de|concernant) (?:la|une|l['’]|le|un|notre) ?",
    link: "pour|sur|de|d['’]|des|du",
    about: "il s['’]agit (?:ici )?(?:de(?! \\p{L}+er)|d['’]|des|du)|c['’]est à propos de|nous préparons",
  },
  es: {
    when: '(?:este|esta|para|en) \\p{L}+',
    want: '(?:nos (?:gustaría|interesa)|queremos|querríamos|quisiéramos|necesitamos|me gustaría|vamos a|buscamos)',
    promote:
      '(?:anunciar|promocionar|promover|pautar|empujar|impulsar|publicitar|dar a conocer|destacar|lanzar|hacer publicidad de|difundir)',
    something:
      '¿?(?:podéis|pueden|podrían|podríais|puedes|podrías|nos (?:podéis|pueden|puedes)) (?:hacernos|hacer|prepararnos|preparar|crear|armarnos|armar|diseñar) (?:algo|alguna cosa|una cosita) (?:para|sobre|de|con)',
    writing:
      '(?:os|les|te|le) (?:escribo|contacto|escribimos) (?:por|para|sobre|respecto a) (?:el|la|un|una|nuestro|nuestra)',
    link: 'para|sobre|de|del',
    about:
      '(?:se trata|va) (?:de|del|sobre)|es (?:para|sobre)(?= (?:el|la|los|las|nuestr))|estamos preparando (?:la|una) campaña (?:de|para|sobre)',
  },
  it: {
    when: '(?:questo|questa|a|per) \\p{L}+',
    want: '(?:vorremmo|vogliamo|vorrei|ci piacerebbe|abbiamo bisogno di|dobbiamo)',
    promote:
      '(?:pubblicizzare|promuovere|spingere|lanciare|far conoscere|mettere in evidenza|reclamizzare|comunicare|fare pubblicità (?:a|per))',
    something:
      '(?:riuscite|riesci|potete|potreste|puoi|potresti) (?:a )?(?:farci|fare|prepararci|preparare|crearci|creare|inventarvi) (?:qualcosa|una cosa|una cosina) (?:per|su|sul|sulla|sui|sugli)',
    writing:
      "(?:vi|ti|le) (?:scrivo|contatto|scriviamo) (?:per|riguardo a|in merito a) ?(?:il|lo|la|un|una|al|alla|l['’])",
    link: "per|su|di|del|dei|delle|della|degli|dell['’]",
    about:
      "si (?:tratta|parla) (?:di|del|dei|delle|della|degli|dell['’])|(?:è|sarebbe) per(?= (?:il|lo|la|i|gli|le|l['’]|nostr))|parliamo (?:di|del|dei|delle|della|degli)",
  },
  pt: {
    when: '(?:este|esta|neste|nesta|para|em) \\p{L}+',
    want: '(?:gostaríamos de|gostaria de|queremos|queria|queríamos|vamos|precisamos)',
    promote:
      '(?:anunciar|divulgar|promover|impulsionar|lançar|destacar|fazer (?:propaganda|publicidade) (?:de|da|do|das|dos))',
    something:
      '(?:vocês )?(?:conseguem|podem|poderiam|consegue|pode) (?:nos )?(?:fazer|criar|preparar|montar|bolar) (?:algo|alguma coisa|uma coisinha) (?:para|pra|sobre)',
    writing:
      '(?:escrevo|escrevemos|entro em contato|estou escrevendo) (?:sobre|para|por causa de|a respeito de) ?(?:o|a|um|uma|do|da)',
    link: 'para|sobre|de|da|do|das|dos',
    about:
      '(?:trata-se|se trata|estamos falando) (?:de|da|do|das|dos)|é (?:para|sobre)(?= (?:o|a|os|as|noss))|segue(?:m)?(?: abaixo| aqui)? (?:o|os|as) (?:brief(?:ing)?|dados|infos?|informações) (?:do|da|de|para o|para a) (?:anúncio|banner|campanha|arte) (?:de|da|do|das|dos|para)',
  },
  nl: {
    when: '(?:deze|dit|volgende|in) \\p{L}+|nu',
    want: '(?:(?:we|wij|ik) (?:willen|wil|zouden|zou)|(?:willen|zouden) (?:we|wij))(?: graag)?',
    promote: '(?:reclame maken voor|adverteren (?:voor|met)|promotie maken voor)',
    something:
      '(?:kunnen|kun|kan|zouden) (?:jullie|je|jij|u) (?:ons |misschien |even ){0,3}(?:iets|wat|een dingetje) (?:maken|bedenken|doen|ontwerpen) (?:voor|over|rond)',
    writing:
      '(?:ik|we|wij) (?:mail|schrijf|mailen|schrijven|app) (?:je |jullie )?(?:over|voor|vanwege|in verband met) (?:de|een|het|onze)',
    link: 'voor|over|van',
    about: '(?:het|dit) (?:gaat|draait) (?:deze keer |nu )?om|het onderwerp is',
  },
  pl: {
    when: '(?:w tym|w przyszłym|w|na) \\p{L}+(?: \\p{L}+)?',
    want: '(?:chcielibyśmy|chcemy|chciałabym|chciałbym|planujemy|zamierzamy|potrzebujemy)',
    promote: '(?:zareklamować|promować|wypromować|reklamować|ogłosić|nagłośnić|pokazać|przedstawić)',
    something:
      '(?:czy )?(?:możecie|moglibyście|możesz|mógłbyś|mogłabyś|mogliby państwo) (?:nam )?(?:zrobić|przygotować|stworzyć|zaprojektować) (?:coś|jakiś (?:baner|projekt)) (?:na|o|z)',
    writing: '(?:piszę|piszemy|odzywam się) (?:w sprawie|odnośnie|w temacie)',
    link: 'na|o|promujące(?:go|j)|reklamujące(?:go|j)',
    about: '(?:chodzi|mowa) o|rzecz dotyczy|tematem (?:jest|są)',
  },
  ru: {
    when: 'в (?:этом|следующем|\\p{L}+) ?\\p{L}*',
    want: '(?:мы )?(?:хотим|хотели бы|хочется|планируем|нам нужно|надо)',
    promote:
      '(?:прорекламировать|рекламировать|продвигать|продвинуть|анонсировать|рассказать (?:о|про|об)|запустить рекламу|осветить)',
    something:
      '(?:вы )?(?:можете|сможете|могли бы вы) (?:нам )?(?:сделать|придумать|подготовить|нарисовать) (?:что-нибудь|что-то|нам что-нибудь) (?:про|о|об|по)',
    writing: '(?:пишу|пишем|обращаюсь|беспокою) (?:вам )?(?:по поводу|насчёт|насчет|по вопросу)',
    link: 'про|о',
    about: 'речь (?:про|идёт про|идет про)|это про',
  },
  ja: {
    when: '今月は?|今回は?|来月は?|秋は|春は|夏は|冬は',
    want: '',
    promote: '',
    something: '',
    writing: '',
    link: '',
    about: '',
  },
  zh: {
    want: '(?:我们|我)?(?:想|想要|打算|希望|准备|需要)',
    promote: '(?:推广|宣传|主推|推)(?:一下|我们的)?',
    something: '',
    writing: '',
    link: '',
    about: '(?:这次|本次|本月|这个月|这周)(?:是)?(?:关于|主推|推广|主打|宣传)(?:一下|我们的)?',
  },
  ar: {
    when: 'هذا \\p{L}+',
    want: '(?:نود|نريد|نرغب في|أريد|أود|نحتاج إلى|نحب)',
    promote: '(?:الإعلان عن|الترويج ل|التسويق ل|إبراز|تسليط الضوء على|أن نعلن عن|أن نروج ل)',
    something: '(?:هل )?(?:يمكنكم|تقدرون|تستطيعون|ممكن) (?:عمل|تجهيز|تصميم|تعملون|إعداد) (?:شيء|شي|حاجة) (?:ل|عن)',
    writing: '(?:أكتب|أتواصل|نكتب|أراسلكم) (?:لكم |معكم |إليكم )?(?:بخصوص|بشأن|عن|حول)',
    link: '',
    about: '(?:الموضوع|الأمر|الحديث) (?:عن|حول)|يتعلق الأمر ب',
  },
  he: {
    when: 'החודש|השבוע|הקיץ|החורף',
    want: '(?:אנחנו |אני )?(?:רוצים|רוצה|נרצה|מעוניינים|צריכים|נשמח)',
    promote: '(?:לפרסם|לקדם|לדחוף|להבליט|לשווק)(?: את)?',
    something: '(?:אפשר|תוכלו|תוכל|תוכלי) (?:להכין|לעשות|לעצב) (?:לנו )?(?:משהו|איזה משהו) (?:ל|על|עבור)',
    writing: '(?:אני )?(?:כותבת|כותב|פונה) (?:אליכם |אליך )?(?:בקשר ל|לגבי|בנוגע ל)',
    link: 'של|ל|על|עבור',
    about: 'מדובר (?:ב|על)|(?:זה|הנושא הוא|העניין הוא) (?:על|לגבי)',
  },
  sv: {
    when: '(?:den här|denna|nästa|i|nu i) \\p{L}+|nu',
    want: '(?:vi|jag) (?:skulle (?:gärna )?(?:vilja|behöva)|vill(?: gärna)?|önskar|tänkte|planerar att)|(?:vill|skulle|tänkte) vi(?: gärna| vilja)?',
    promote: '(?:göra reklam för|annonsera|marknadsföra|lyfta(?: fram)?|puffa för|pusha|visa upp|slå på trumman för)',
    something:
      '(?:kan|kunde|skulle) (?:ni|du) (?:kunna |vilja )?(?:fixa|göra|skapa|ta fram|snickra ihop|knåpa ihop|hitta på) (?:oss )?(?:något|nåt|en grej) (?:för|om|till|kring)',
    writing: '(?:jag|vi) (?:skriver|mejlar|hör av (?:mig|oss)) (?:angående|om|gällande|ang\\.?)(?: en| ett)?',
    link: 'för|om|till',
    about: '(?:det|detta) (?:gäller|handlar om|rör)|ämnet är',
  },
  da: {
    when: '(?:denne|næste|i|her i) \\p{L}+|nu',
    want: '(?:vi|jeg) (?:vil(?: gerne)?|kunne (?:godt )?tænke os at|ønsker at|planlægger at)|(?:vil|kunne) vi(?: gerne| godt tænke os at)?',
    promote:
      '(?:reklamere for|lave reklame for|annoncere(?: for)?|markedsføre|fremhæve|promovere|pushe|slå på tromme for|gøre opmærksom på)',
    something:
      '(?:kan|kunne) (?:I|i|du) (?:måske |lige )?(?:lave|strikke|finde på|skabe|fikse) (?:os )?(?:noget|en ting)(?: sammen)? (?:til|om|for)',
    writing: '(?:jeg|vi) (?:skriver|mailer|kontakter (?:jer|dig)) (?:angående|om|vedrørende|vedr\\.?)(?: en| et)?',
    link: 'til|om|for',
    about: '(?:det|dette) (?:handler om|drejer sig om|gælder)|emnet er',
  },
  nb: {
    when: '(?:denne|neste|i|nå i) \\p{L}+|nå',
    want: '(?:vi|jeg) (?:vil(?: gjerne)?|ønsker å|kunne tenkt oss å|har lyst til å|planlegger å)|(?:vil|ønsker) vi(?: gjerne| å)?',
    promote:
      '(?:reklamere for|lage reklame for|annonsere(?: for)?|markedsføre|løfte(?: frem| fram)?|fremheve|promotere|pushe|slå på tromma for)',
    something:
      '(?:kan|kunne) (?:dere|du) (?:lage|fikse|finne på|snekre(?: sammen)?) (?:oss )?(?:noe|en ting) (?:for|om|til)',
    writing: '(?:jeg|vi) (?:skriver|mailer|tar kontakt) (?:angående|om|vedrørende|ang\\.?)(?: en| et)?',
    link: 'for|om|til',
    about:
      '(?:det|dette) (?:gjelder|handler om|dreier seg om)|temaet er|her (?:er|kommer) (?:info(?:en)?|briefen|detaljene) (?:til|for) (?:annonsen|banneren|kampanjen) for',
  },
  el: {
    when: '(?:αυτόν τον|αυτή την|τον|την) \\p{L}+',
    want: '(?:θα θέλαμε|θέλουμε|θα ήθελα|σκεφτόμαστε|σκοπεύουμε)(?: να)?',
    promote: '(?:διαφημίσουμε|προωθήσουμε|προβάλουμε|αναδείξουμε|διαφημίσω|προωθήσω)',
    something:
      '(?:μπορείτε|μπορείς|θα μπορούσατε|γίνεται) να (?:μας )?(?:φτιάξετε|φτιάξεις|κάνετε|ετοιμάσετε|σχεδιάσετε) (?:κάτι|ένα κάτι) για',
    writing: '(?:σας|σου) (?:γράφω|γράφουμε|στέλνω) (?:για|σχετικά με) (?:το|τη|την|ένα|μια)',
    link: 'για|με',
    about: '(?:πρόκειται|είναι) για|αφορά|το θέμα είναι',
  },
  uk: {
    when: '(?:цього|у цьому|в цьому|у|в) \\p{L}+',
    want: '(?:ми )?(?:хочемо|хотіли б|плануємо|нам треба)',
    promote: '(?:прорекламувати|рекламувати|просувати|просунути|анонсувати|розповісти про|висвітлити)',
    something:
      '(?:чи )?(?:ви )?(?:можете|зможете|могли б) (?:нам )?(?:зробити|придумати|підготувати|намалювати) (?:щось|що-небудь) (?:про|щодо)',
    writing: '(?:пишу|пишемо|звертаюся) (?:вам )?(?:щодо|з приводу|стосовно)',
    link: 'про',
    about: '(?:йдеться|мова|ідеться) про',
  },
  cs: {
    when: '(?:tento|tenhle|příští|v|na) \\p{L}+',
    want: '(?:(?:rádi bychom|chtěli bychom|rád bych|ráda bych|chceme|potřebovali bychom|potřebujeme|plánujeme)(?: bychom)?)',
    promote:
      '(?:propagovali|propagovat|podpořit|podpořili|inzerovat|inzerovali|zviditelnit|zviditelnili|upozornit na|upozornili na|propagaci|(?:nějakou )?kampaň na|(?:nějakou )?reklamu na)',
    something:
      '(?:můžete|mohli byste|mohl bys|můžeš) (?:nám )?(?:udělat|připravit|vytvořit|vymyslet|navrhnout) (?:něco|nějakou věc) (?:na|pro|o|k)',
    writing: '(?:píšu|píšeme|ozývám se) (?:vám )?(?:ohledně|kvůli|k)',
    link: 'na|pro|o',
    about: '(?:jde|jedná se) o|tématem (?:je|jsou)',
  },
  ro: {
    when: '(?:luna|săptămâna|în|pentru) \\p{L}+',
    want: '(?:am (?:vrea|dori)|vrem|dorim|ne-ar plăcea|aș (?:vrea|dori)|intenționăm)(?: să)?',
    promote: '(?:promovăm|promovez|anunțăm|facem (?:reclamă|publicitate) (?:la|pentru)|evidențiem|scoatem în față)',
    something:
      '(?:ne )?(?:puteți|ați putea|poți|ai putea) (?:să ne )?(?:face|faceți|pregăti|crea|concepe) (?:ceva|o chestie) (?:pentru|despre|cu)',
    writing: '(?:vă|îți) (?:scriu|scriem|contactez) (?:în legătură cu|pentru|despre|referitor la)',
    link: 'pentru|despre|la|cu',
    about: '(?:este|e) vorba (?:despre|de)|vă rog (?:frumos )?un (?:banner|anunț) (?:pentru|despre)',
  },
};

/** Orders whose verb stands behind the subject, or that are written without spaces, as whole patterns. */
const WHOLE: Readonly<Partial<Record<CopyLanguage, readonly string[]>>> = {
  de: [
    '(?:(?:(?:diesen|nächsten|im) \\p{L}+|jetzt|für \\p{L}+),? )?(?:wir (?:möchten|wollen|würden)|(?:möchten|wollen|würden) wir)(?: gerne?| jetzt)? (?:für )?(?<subject>[^.!?:]{3,80}?) (?:bewerben|pushen|promoten|vorstellen|anbieten|hervorheben|ankündigen|werbung machen|bekannt machen|in den fokus rücken)(?<rest>[:,].*)?$',
    '(?:könntet|könnt|kannst|könntest) (?:ihr|du) (?:uns |mir |bitte ){0,3}(?:was|etwas) (?:für|zu|zum|zur|über) (?<subject>[^.!?:]{3,80}?) (?:basteln|machen|bauen|gestalten|entwerfen|zaubern|erstellen)[?]?(?<rest>[:,].*)?$',
  ],
  nl: [
    '(?:zou|kun|kunnen|zouden|kan) (?:je|jullie|u) (?:voor ons |ons )?een (?:banner|advertentie|post) (?:kunnen )?(?:maken|ontwerpen) (?:rond|voor|over) (?<subject>.*)$',
    '(?:(?:deze|dit|volgende|in) \\p{L}+ )?(?:(?:we|wij) (?:willen|zouden)|(?:willen|zouden) (?:we|wij))(?: graag)? (?<subject>(?!reclame|een )[^.!?:]{3,80}?) (?:promoten|pushen|adverteren|onder de aandacht brengen|in de kijker zetten|aanprijzen)(?<rest>[:,].*)?$',
  ],
  cs: [
    '(?:prosím|prosíme) o (?:přípravu|návrh|vytvoření) (?:banneru|reklamy|inzerátu) (?:k|na|pro|ke) (?<subject>.*)$',
  ],
  tr: [
    '(?:[^,:.]{2,40} olarak )?(?<subject>[^.!?:]{3,80}?) (?:duyurmak|tanıtmak|öne çıkarmak|paylaşmak) (?:istiyor\\p{L}*|isteriz|isterdik)$',
    '(?<subject>[^.!?:]{3,80}?) için (?:bir şey|birşeyler|bir şeyler)(?: \\p{L}+){1,4}[?]?$',
    "(?<subject>[^.!?:]{3,80}?)(?:n[ıiuü]n)? (?:banner|reklam|ilan)[\\p{L}']* (?:için|hakkında|konusunda|ile ilgili) yazıyor\\p{L}+$",
    '(?:konu|konumuz):? (?<subject>[^.!?:]{3,80})$',
    "(?<subject>[^.!?:]{3,80}?) için (?:\\p{L}+['’]?\\p{L}* )?(?:bir )?(?:reklam|banner|ilan|afiş)(?: \\p{L}+){0,2} (?:lazım|gerekiyor|rica ed\\p{L}+|istiyor\\p{L}+)$",
  ],
  pl: [
    '(?:czy )?(?:możecie|moglibyście|możesz|mógłbyś|mogłabyś) (?:nam )?(?:zrobić|przygotować|stworzyć|zaprojektować) (?:coś|jakiś (?:baner|projekt)) dla (?<genitive>(?!nas)[^.!?:]{3,80}?)[?]?(?<rest>:.*)?$',
  ],
  ru: [
    '(?:вы )?(?:можете|сможете|могли бы вы) (?:нам )?(?:сделать|придумать|подготовить|нарисовать) (?:что-нибудь|что-то) для (?<genitive>(?!нас)[^.!?:]{3,80}?)[?]?(?<rest>:.*)?$',
    '(?:речь|разговор)(?: идёт| идет)? об? (?<about>[^.!?:]{3,80})$',
    'нужн\\p{L} (?:реклам\\p{L}|баннер\\p{L}{0,2}|объявлени\\p{L})\\s(?<genitive>(?!для |про |о )[^.!?:]{3,80}?)(?: (?:в|на) (?:инстаграм\\p{L}*|соцсет\\p{L}+|сайт\\p{L}*|вк|facebook|instagram))?(?<rest>:.*)?$',
  ],
  uk: [
    '(?:чи )?(?:ви )?(?:можете|зможете|могли б) (?:нам )?(?:зробити|придумати|підготувати|намалювати) (?:щось|що-небудь) для (?<genitive>(?!нас)[^.!?:]{3,80}?)[?]?(?<rest>:.*)?$',
    'потрібн\\p{L} (?:реклам\\p{L}|банер\\p{L}{0,2}|оголошення)\\s(?<genitive>(?!для |про )[^.!?:]{3,80}?)(?: (?:в|на|у) (?:інстаграм\\p{L}*|соцмереж\\p{L}+|сайт\\p{L}*|facebook|instagram))?(?<rest>:.*)?$',
  ],
  ja: [
    '(?:今回は|今月は|来月は|次は)?(?<subject>[^。、:：]{2,40}?)(?:を|に関する|の|についての)(?:宣伝|告知|PR|プッシュ|訴求|アピール|推し|ご紹介|紹介)(?:したい|をしたい|をお願い|です|となります)[^。]*[。]?$',
    '(?<subject>[^。、:：]{2,40}?)を(?:打ち出した|訴求する|紹介する|PRする|宣伝する|告知する|メインにした|使った)(?:バナー|広告|クリエイティブ|ビジュアル)[^。]*[。]?$',
  ],
  zh: [
    '(?:能|可以|请|麻烦|能否|可否)?(?:你们|您|大家)?(?:帮我们|帮忙|帮)?(?:给|为|做|设计|出|制作)(?:[一几]?[个组张款套条])*(?<subject>[^,，。!?？:：]{2,24}?)(?:做|设计|出|制作|的)(?:[一几]?[个组张款套条])*(?:横幅|banner|广告|海报|图)[^,，。]{0,6}$',
    '(?:这次|本次)(?:是)?关于(?<subject>[^,，。!?？:：]{2,24}?)的(?:横幅|banner|广告|海报|推广|活动)[。]?$',
  ],
  ko: [
    '(?:이번에는|이번엔|이번 건은|이번은|다음은) (?<subject>[^.!?:]{2,40}?)\\s?(?:입니다|이에요|예요|건입니다|관련입니다)$',
  ],
  hi: [
    '(?:क्या आप )?(?:हमारे |हमारी |हमारा )?(?<subject>[^।?:]{3,60}?) के लिए (?:कुछ|एक चीज़) (?:बना|तैयार|डिज़ाइन)[^।]*$',
    '(?:बात|यह) (?<subject>[^।?:]{3,60}?) (?:की|के बारे में) (?:है|हैं)$',
  ],
  th: [
    '(?:อยาก|ต้องการ|เราอยาก)(?:จะ)?(?:โปรโมต|โปรโมท|โฆษณา|ประชาสัมพันธ์|ดัน)(?<subject>.*)$',
    '(?:รบกวน|ช่วย|ขอ|ฝาก|อยากให้)(?:ช่วย)?(?:ทำ|ออกแบบ|จัดทำ|สร้าง)(?:แบนเนอร์|โฆษณา|ป้าย|ภาพ|อาร์ตเวิร์ก)(?!สำหรับ|เพื่อ|ให้|ของ|เกี่ยว)(?:โปร)?(?<subject>[^\\s]{4,60}?)(?:ให้)?(?:หน่อย|ด้วย|ที)?(?:นะ)?(?:คะ|ค่ะ|ครับ)?(?:\\s(?<rest>.*))?$',
    'เรื่อง(?:แบนเนอร์|โฆษณา)?(?<subject>[^\\s]{4,60}?)(?:นะ)?(?:คะ|ค่ะ|ครับ)(?:\\s(?<rest>.*))?$',
  ],
};

/** Returns the patterns of sentences that ask for an ad in a language, with the group of the subject in its case. */
export function requestsOf(language: CopyLanguage, group: 'subject' | 'accusative'): readonly string[] {
  const words = REQUESTS[language];
  const whole = (WHOLE[language] ?? []).map((pattern) => pattern.replace('?<about>', '?<subject>'));
  if (words === undefined) return whole;
  const { when, want, promote, something, writing, link, about } = words;
  const space = SPACELESS.has(language) ? '' : '\\s';
  const early = when === undefined ? '' : `(?:(?:${when}),? )?`;
  const subject = `(?<${group}>.*)$`;
  const patterns = [
    promote === '' ? '' : `${early}(?:${want})${space}(?:${promote})${subjectBehind(language)}${subject}`,
    something === '' ? '' : `(?:${something})${subjectBehind(language)}${NOT_US}${subject}`,
    writing === '' ? '' : `(?:${writing})\\s?${AD}\\s?(?:(?:${link})\\s)?${subject}`,
    about === '' ? '' : `(?:${about})${subjectBehind(language)}${subject}`,
  ];
  return [...whole, ...patterns.filter((pattern) => pattern !== '')];
}

const SPACELESS: ReadonlySet<CopyLanguage> = new Set(['zh']);
/** Languages in which what leads to the subject may be joined to it. */
const JOINING: ReadonlySet<CopyLanguage> = new Set(['zh', 'ar', 'he']);

/** What is made for whoever asks is not named by that: "something for us". */
const NOT_US =
  '(?!(?:us|me|uns|mich|nous|moi|nosotros|mí|noi|me|nós|mim|ons|mij|nas|mnie|нас|меня|мене|oss|os|μας|mig|meg|mine)(?![\\p{L}]))';

/**
 * Returns the pattern of what stands between the words in front of a subject and the subject: a space, or nothing after
 * an apostrophe or where words join.
 */
function subjectBehind(language: CopyLanguage): string {
  return JOINING.has(language) ? '\\s?' : "(?:\\s+|(?<=['’]))";
}
