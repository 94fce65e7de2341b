import type { LanguageWords } from '../table.js';

const SIZE = '(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?';

const SV_AD =
  '(?:(?:\\p{L}{3,16}-?)?annons(?:en|er|erna)?|(?:\\p{L}{3,16}-?)?(?:banner|banners|bannrar)|(?:\\p{L}{3,16}-?)?kampanj(?:en|er)?|(?:radio|video|tv-?)?reklam(?:en|film|inslag)?|inlägg|affisch(?:er|en)?|(?:radio)?spot|creatives?)';
const SV_MONTHS = 'januari|februari|mars|april|maj|juni|juli|augusti|september|oktober|november|december';
const SV_PLEASE =
  '(?:(?:snälla|gärna|vi|jag|skulle|vill|kan|kunna|ni|du|behöver|ha|önskar|söker|få|hjälpa oss(?: med)?|hjälp oss(?: med)?|nu)\\s+){0,12}';

/** The words of Swedish. */
export const SWEDISH: LanguageWords = {
  language: 'sv',
  isSpaced: true,
  hasListedBans: true,
  isJoinedByWord: true,
  common:
    'och|för|med|är|på|av|till|inte|ett|en|som|vår|vårt|våra|vi|ni|att|knapp(?:en)?|målgrupp(?:en)?|från|bara|nu|annons\\p{L}{0,2}|rabatt|reklam|erbjudande|köp|boka',
  months: SV_MONTHS,
  orders: [
    `${SV_PLEASE}(?:(?:skapa|gör|göra|ta fram|designa|skriv|skriva|bygg|bygga|producera|utforma)\\s+)?[^.!?:\\n]{0,60}?(?<!\\p{L})${SV_AD}(?!\\p{L})${SIZE}\\s*(?:för|om|till|kring|inför|med|som (?:lyfter|marknadsför|presenterar|berättar om)|:)\\s+(?<subject>.*)$`,
    '(?:(?:nu |i \\p{L}{3,9} )?(?:vi )?(?:lanserar|öppnar|släpper|säljer|startar|inviger|marknadsför)(?: vi)?|vi (?:erbjuder|har|anordnar|söker)|lansera|det (?:gäller|handlar om)|vi behöver något (?:för|till|om))\\s+(?<subject>(?!(?:den |d\\. |kl)?\\d).*)$',
    `${SV_PLEASE}(?:göra reklam|annonsera|marknadsföra|puffa)\\s(?:för |om )?(?<subject>.*)$`,
    `${SV_PLEASE}(?:skapa|gör|göra|ta fram|designa|bygg)\\s+[^.!?\\n]{0,60}(?<!\\p{L})${SV_AD}(?<rest>.*)$`,
  ],
  promote: '(?:lanseringen|öppningen|invigningen|premiären) av',
  presents: '(?:erbjuder|säljer|hyr ut|tillverkar|bygger|söker|lanserar|öppnar|presenterar|har(?: nu| en| ett)?|firar)',
  determiner: '(?:vår|vårt|våra|den|det|de|en|ett|min|mitt|sin|sitt|sina|alla|allt|hela)(?! första)\\s+',
  newness: '(?:helt )?(?:ny|nya|nytt)\\s+',
  newWord: 'Nyhet',
  audience:
    'för (?:dig som|alla som|unga|barnfamiljer|familjer|kvinnor|män|föräldrar|studenter|seniorer|företag som)|riktad till|riktar sig till|målgrupp(?:en)?',
  detail: 'med|som|där|så att|eftersom|vilket',
  joints: 'på|för|med|och|av|nu|spara|rabatt|upp till|hos|till|i|vid|den|det|en|ett|under|från|sin|sitt|sina',
  labels: {
    mustNot:
      'inte med(?=\\s?[:：])|(?:får|ska|bör) (?:inte|ej)(?: (?:nämnas|stå|vara med|användas))?|(?:nämn|använd|skriv) (?:inte|ej)|undvik|tabu|no-?gos?|förbjudet',
    headline: 'huvudrubrik|rubrik(?:en)?|titel|slogan|headline',
    body: 'brödtext|underrubrik|ingress|beskrivning|text',
    action: 'call[- ]to[- ]action|cta|knapp(?:en|text)?|uppmaning',
    product: 'produkt(?:en|er)?|tjänst(?:en)?|vad|ämne|evenemang|tjänster|vara',
    brand: 'varumärke|kund|uppdragsgivare|avsändare|företag',
    offer: 'erbjudande(?:t|n)?|rabatt|kampanjpris|budskap|huvudbudskap|usp(?:ar)?|fördelar|argument|deal',
    audience: 'målgrupp(?:en)?|för vem|mottagare',
    tone: 'bild|stämning|ton(?:alitet|läge|en)?|stil(?:en)?|känsla|bildspråk|bilder|färger|design|manér|look|logotyp',
    must: 'måste (?:vara )?med|ska (?:vara )?med|obligatoriskt|krav|must[- ]haves?|får inte glömmas|glöm inte',
    legal: 'fotnot|liten text|juridisk(?:t| text| rad)?|villkor|finstilt|lagtext|friskrivning|disclaimer|legal',
    language: 'språk',
    code: '(?:rabatt|kampanj)?kod(?:en)?',
    deadline: 'giltig(?:het|t)?(?: till)?|gäller(?: till)?|period|kampanjperiod|datum|slutdatum|tid',
    note: 'obs|not(?=\\s?[:：])',
    context:
      'mått|kampanj|syfte|mål|budget|tidplan|deadline|format|storlek(?:ar)?|kanal(?:er)?|kontakt|bakgrund|brief|projekt|ämnesrad|från|länk|konkurrenter|uppdrag|leverans|medier',
  },
  directive:
    'målgrupp(?:en)?|tonalitet(?:en)?|tonen|(?:ska|bör|får|måste|kan) (?:\\p{L}+ ){0,5}?(?:kännas|låta|upplevas|se ut|vara|verka|signalera)|bildspråk|stockbilder|utropstecken|call[- ]to[- ]action|cta|varumärkets färger|förra året|förra kampanjen|bifogat|bifogad|se bilaga|återkoppling|utkast|annonsen|bannern|texten|rubriken|knappen|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|deadline|budget|brådskande|kunden|vi vänder oss till',
  directiveStart:
    '(?:och\\s+|gärna\\s+|snälla\\s+){0,4}(?:använd|håll|undvik|tonen|stil|färger|format|skala|korta|tala|prata|rikta|tänk|inga (?:emojis?|utropstecken|stockbilder|klyschor|anglicismer)|inte för|vi (?:vill|behöver|skulle|önskar|tänker|hade)|jag (?:vill|behöver|tänker|tycker|skulle)|den (?:ska|får|bör|måste)|det (?:ska|får|bör|måste)|gör den|gör det|gärna|något|nåt|hör av|skicka|återkom|som vi pratade|ser fram|hoppas|behöver den)',
  greeting:
    '(?:hej(?:san)?|god (?:morgon|dag|eftermiddag)|hallå|tjena|bästa)(?: (?!vi |jag )[\\p{L}]+){0,3}?(?:[,!.]|\\s*$)',
  signOff:
    '(?:med vänlig(?:a)? hälsning(?:ar)?|vänliga hälsningar|hälsningar|mvh|tack på förhand|tack så mycket|tack|/\\p{Lu})',
  include:
    '(?:kom ihåg att |glöm inte (?:att )?|se till att |vi vill )?(?:nämn(?:a)?|ta med|skriv(?:a)?|lyft(?:a)?(?: fram)?|betona|berätta|framhäv(?:a)?|glöm inte)(?: gärna| också| absolut| tydligt)?(?: att| om)?:?',
  includeTail: '(?:måste|ska|skall) (?:vara med|nämnas|stå med|finnas med|framgå|synas|stå)(?: [^.]*)?$',
  never:
    '(?:nämn|skriv|använd|visa|säg|ange|lova|jämför|prata|ta med|ha med) (?:\\p{L}{1,20} ){0,2}?(?:inte|ej|aldrig|inga|inget|ingen)|(?:får|ska|bör|vill|kan) (?:vi |man |ni )?(?:\\p{L}{1,20} ){0,2}?(?:inte|ej|aldrig|absolut inte)(?: (?:nämna|nämnas|skriva|skrivas|använda|användas|visa|visas|säga|ange|anges|lova|jämföra|stå|ha|prata om|ta med))?|(?:inte|ej|aldrig) (?:nämna|skriva|använda|visa|säga|ange|lova|jämföra|prata om)|undvik(?:a)?|skippa|inga (?:priser|emojis?|utropstecken|konkurrenter|rabatter|löften|stockbilder|klyschor|superlativ(?:er)?|procent)|inget (?:pris|om)|utan (?:pris|priser|att (?:nämna|skriva|visa|lova))',
  topics: {
    price: 'pris(?:et|er|erna)?|kostnad(?:en|er)?|prisuppgift(?:er)?',
    discount: 'rabatt(?:en|er|erna)?|procent(?:satser)?',
    date: 'datum(?:et)?|slutdatum',
    competitor: 'konkurrent(?:en|er|erna)?|konkurrens(?:en)?|andra märken',
  },
  legal:
    '(?:\\p{L}{0,16})?villkor (?:gäller|tillkommer)|gäller (?:ej|inte|endast|så länge lagret räcker|vid|nya kunder)[^.]{0,80}|så länge lagret räcker|med reservation för[^.]*|effektiv ränta[^.]*|representativt exempel[^.]*|läs (?:bipacksedeln|mer på)[^.]*|\\d\\d-?årsgräns|från 18 år|18\\+|spela ansvarsfullt[^.]*|stödlinjen[^.]*|alkohol kan[^.]*|historisk avkastning[^.]*|att låna kostar pengar[^.]*|kapitalet kan[^.]*',
  event:
    '(?:(?:sommar|vinter|vår|höst|jul|påsk|mellandags|midsommar|jubileums|slut)[- ]?(?:rea|rean|erbjudanden?|kampanj|kollektion(?:en)?|fest|marknad|försäljning)|black friday|rea(?:n)?|öppet hus|nyöppning|premiäröppning)',
  deadline: `(?:gäller |endast |bara |nu )?(?:(?:till(?: och med)?|t\\.?o\\.?m\\.?|senast|före|innan|fram till|fram t\\.o\\.m\\.) (?:den )?(?:(?:på )?(?:mån|tis|ons|tors|fre|lör|sön)dag(?:en)?(?: (?:den )?\\d{1,2} (?:${SV_MONTHS}))?|midnatt|i ?morgon|månadsskiftet|årsskiftet|jul|påsk|midsommar|helgen|\\d{1,2}(?::e)? (?:${SV_MONTHS})(?: 20\\d\\d)?|\\d{1,2}/\\d{1,2}|(?:slutet av |sista )(?:${SV_MONTHS}|månaden|veckan|året))|i ?dag|i helgen|denna (?:vecka|helg|månad)|(?:mellan |från |under )?(?:den )?\\d{1,2}(?: (?:${SV_MONTHS}))? ?(?:–|-|till|och) ?(?:den )?\\d{1,2} (?:${SV_MONTHS})|(?:från(?: och med)? |den |på )?(?:(?:mån|tis|ons|tors|fre|lör|sön)dag(?:en)? )?(?:den )?\\d{1,2}(?::e)? (?:${SV_MONTHS})(?: 20\\d\\d)?|(?:hela |i hela )(?:${SV_MONTHS}))`,
  offers:
    '(?:upp till )?\\d{1,3} ?(?:%|procents?|kr|kronor) (?:rabatt|billigare|avdrag|lägre pris)|(?:två|tre|2|3) för (?:en|ett|två|1|2)|ta 3 betala för 2|(?:första|andra) (?:månaden|varan|plagget) (?:gratis|på köpet|för halva priset)|halva priset',
  gains:
    'gratis|kostnadsfri(?:tt|a)?|utan (?:kostnad|avgift|bindningstid|startavgift|ränta)|på köpet|present|gåva|bonus|cashback|fri (?:frakt|hemleverans|entré|uppsägning)|fritt|ingår|garanti|öppet köp|rabatt(?:er)?|prova|provperiod|provmånad|räntefritt|rea',
  sale: {
    saving: '(?:spara|sparar|sänkt med|rabatt på) +(?:nu +)?(?:upp till +)?',
    onSale: 'rea(?:n)?|rabatt(?:er)?|sänkt|nedsatt|\\p{L}{3,12}rea',
    reduces: 'på|till|lägre',
    off: 'rabatt|billigare|rea',
    upTo: 'upp till',
    percentOff: (percent, upTo) => `${upTo ? 'Upp till ' : ''}${percent} % rabatt`,
    amountOff: (amount, upTo) => `${upTo ? 'Upp till ' : ''}${amount} rabatt`,
  },
  code: '(?:med |ange |använd )?(?:rabatt|kampanj)?kod(?:en)?:? (?<code>[A-ZÅÄÖ0-9][A-ZÅÄÖ0-9_-]{2,19})',
  on: (offer, subject) => `${offer} på ${subject}`,
  codeLine: (code) => `Kod: ${code}`,
  actions: {
    shop: ['Handla nu', 'Handla'],
    book: ['Boka nu', 'Boka'],
    reserve: ['Boka bord'],
    order: ['Beställ nu', 'Beställ'],
    join: ['Anmäl dig', 'Anmäl'],
    download: ['Hämta appen', 'Hämta'],
    subscribe: ['Prenumerera'],
    try: ['Prova gratis', 'Prova'],
    quote: ['Begär offert', 'Offert'],
    donate: ['Ge en gåva', 'Skänk'],
    drive: ['Boka provkörning', 'Provkör'],
    apply: ['Ansök nu', 'Ansök'],
    visit: ['Planera besöket', 'Besök oss'],
    watch: ['Se nu', 'Se'],
    learn: ['Läs mer', 'Mer'],
  },
  signs: {
    drive: 'provkör\\p{L}*',
    donate: 'skänk\\p{L}*|gåv(?:a|or)|insamling(?:en)?',
    apply: 'ansök\\p{L}*|vi söker|lediga jobb|jobb|rekryter\\p{L}*|tjänst som',
    quote: '\\p{L}{0,16}försäkring(?:ar|en)?|bolån\\p{L}*|lån|offert',
    reserve: 'boka bord|bordsbokning|restaurang(?:en)?',
    book: 'boka|bokning\\p{L}*|hotell\\p{L}*|\\p{L}{0,12}resor?|flyg|semester|spa|tid(?:sbokning)?|övernattning',
    subscribe: 'nyhetsbrev|prenum\\p{L}*',
    join: 'anmäl\\p{L}*|kurs(?:en|er)?|webbinarium|medlem\\p{L}*|seminarium',
    try: 'provperiod|prova(?: på)?|programvara|prova gratis|demo',
    download: 'app(?:en)?|ladda ner|hämta',
    order: 'pizza|mat|leverans|kaffe|beställ\\p{L}*|matkass\\p{L}*',
    watch: 'trailer|serie(?:n)?|film(?:en)?|säsong',
    visit: 'utställning(?:en)?|muse(?:um|et)|öppet hus|invigning(?:en)?|mässa(?:n)?|besök\\p{L}*|butik(?:en)?',
    shop: 'rabatt(?:er)?|rea(?:n)?|köp\\p{L}*|handla|\\p{L}{0,16}skor|jackor|kollektion(?:en)?|möbler',
  },
  sponsored: 'Annons',
};

const DA_AD =
  '(?:(?:\\p{L}{3,16}-?)?annonce(?:n|r|rne)?|(?:\\p{L}{3,16}-?)?banner(?:e|en|s)?|(?:\\p{L}{3,16}-?)?kampagne(?:n|r)?|(?:radio|video|tv-?)?reklame(?:n|r)?|opslag|plakat(?:er)?|(?:radio)?spot|creatives?)';
const DA_MONTHS = 'januar|februar|marts|april|maj|juni|juli|august|september|oktober|november|december';
const DA_PLEASE =
  '(?:(?:gerne|vi|jeg|skal|ville|vil|kan|kunne|i|du|bruge|have|ønsker|mangler|søger|få|hjælpe os(?: med)?|hjælp os(?: med)?|nu)\\s+){0,12}';

/** The words of Danish. */
export const DANISH: LanguageWords = {
  language: 'da',
  isSpaced: true,
  hasListedBans: true,
  isJoinedByWord: true,
  common:
    'og|til|med|på|af|ikke|et|en|som|vores|vi|jer|jeres|er|for|knap(?:pen)?|målgruppe(?:n)?|indtil|uden|kun|nu|efter|hvad|den|det|annonce\\p{L}{0,2}|rabat|reklame|tilbud|køb|kampagne',
  months: DA_MONTHS,
  orders: [
    `${DA_PLEASE}(?:(?:lav|lave|skab|design|skriv|skrive|byg|producer|opret)\\s+)?[^.!?:\\n]{0,60}?(?<!\\p{L})${DA_AD}(?!\\p{L})${SIZE}\\s*(?:for|om|til|omkring|med|der (?:fremhæver|markedsfører|præsenterer|fortæller om)|:)\\s+(?<subject>.*)$`,
    '(?:(?:nu |i \\p{L}{3,9} )?(?:vi )?(?:lancerer|åbner|sælger|starter|indvier|markedsfører)(?: vi)?|vi (?:tilbyder|har|holder|søger)|lancer|det (?:gælder|handler om|drejer sig om)|vi skal bruge noget (?:til|om|for))\\s+(?<subject>(?!(?:den |d\\. |kl)?\\d).*)$',
    `${DA_PLEASE}(?:reklamere|annoncere|promovere|markedsføre)\\s(?:for )?(?<subject>.*)$`,
    `${DA_PLEASE}(?:lav|lave|skab|design|byg)\\s+[^.!?\\n]{0,60}(?<!\\p{L})${DA_AD}(?<rest>.*)$`,
  ],
  promote: '(?:lanceringen|åbningen|indvielsen|premieren) af',
  presents: '(?:tilbyder|sælger|udlejer|producerer|bygger|søger|lancerer|åbner|præsenterer|har(?: nu| en| et)?|fejrer)',
  determiner: '(?:vores|den|det|de|en|et|min|mit|sin|sit|sine|alle|alt|hele)(?! første)\\s+',
  newness: '(?:helt )?(?:ny|nye|nyt)\\s+',
  newWord: 'Nyhed',
  audience:
    'for (?:dig der|alle der|unge|børnefamilier|familier|kvinder|mænd|forældre|studerende|seniorer)|til (?:dig der|unge|børnefamilier|familier med)|rettet mod|henvender sig til|målgruppe(?:n)?',
  detail: 'med|som|der|hvor|så|fordi',
  joints: 'på|for|med|og|af|nu|spar|rabat|op til|hos|til|i|ved|den|det|en|et|fra|sin|sit|sine',
  labels: {
    mustNot:
      'ikke med(?=\\s?[:：])|(?:må|skal|bør) ikke(?: (?:nævnes|stå|være med|bruges))?|(?:nævn|brug|skriv) ikke|undgå|tabu|no-?gos?|forbudt',
    headline: 'overskrift(?:en)?|rubrik|titel|slogan|headline',
    body: 'brødtekst|underoverskrift|underrubrik|beskrivelse|tekst',
    action: 'call[- ]to[- ]action|cta|knap(?:pen|tekst)?|opfordring',
    product: 'produkt(?:et|er)?|ydelse(?:r)?|service|hvad|emne|event|begivenhed|vare',
    brand: 'brand|kunde|afsender|virksomhed|mærke',
    offer: 'tilbud(?:det)?|rabat|budskab(?:er)?|hovedbudskab|usp(?:er)?|fordele|argumenter|deal',
    audience: 'til hvem|målgruppe(?:n)?|for hvem|modtagere',
    tone: 'billede|udtryk|tone(?:n| of voice)?|stil(?:en)?|stemning|billedsprog|billeder|farver|design|look|logo',
    must: 'skal (?:være )?med|obligatorisk|krav|must[- ]haves?|husk(?: at nævne)?|glem ikke',
    legal:
      'fodnote|lille tekst|juridisk(?: tekst| linje)?|jura|vilkår|betingelser|det med småt|disclaimer|legal|lovtekst',
    language: 'sprog',
    code: '(?:rabat|kampagne)?kode(?:n)?',
    deadline: 'gyldig(?:hed)?(?: til)?|gælder(?: til)?|periode|kampagneperiode|dato(?:er)?|slutdato|tid',
    note: 'obs|note',
    context:
      'kampagne|formål|mål|budget|tidsplan|deadline|format(?:er)?|størrelse(?:r)?|kanal(?:er)?|kontakt|baggrund|brief|projekt|emnelinje|fra|link|konkurrenter|opgave|levering|medier',
  },
  directive:
    'målgruppe(?:n)?|tonaliteten|tonen|(?:skal|bør|må|kan) (?:\\p{L}+ ){0,5}?(?:føles|lyde|opleves|se ud|være|virke|signalere)|billedsprog|stockfotos?|udråbstegn|call[- ]to[- ]action|cta|brandets farver|sidste år|sidste kampagne|vedhæftet|se bilag|feedback|udkast|annoncen|banneret|teksten|overskriften|knappen|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|deadline|budget|haster|kunden|vi henvender os til',
  directiveStart:
    '(?:og\\s+|gerne\\s+){0,4}(?:brug|hold|undgå|tonen|stil|farver|format|skaler|forkort|tal|henvend|tænk|ingen (?:emojis?|udråbstegn|stockfotos?|klichéer|anglicismer)|ikke for|vi (?:vil|skal bruge|kunne|ønsker|tænker|mangler)|jeg (?:vil|skal|tænker|synes|kunne)|den (?:skal|må|bør)|det (?:skal|må|bør)|gør den|gør det|gerne|noget|send|vend tilbage|som aftalt|ser frem|håber)',
  greeting: '(?:hej(?:sa)?|god(?:morgen|dag| morgen| dag)|hallo|kære)(?: (?!vi |jeg )[\\p{L}]+){0,3}?(?:[,!.]|\\s*$)',
  signOff:
    '(?:med venlig hilsen|venlig hilsen|bedste hilsner|de bedste hilsner|hilsen|mvh|vh|på forhånd tak|mange tak|tak|kh)',
  include:
    '(?:husk at |glem ikke (?:at )?|sørg for at |vi vil gerne )?(?:nævn(?:e)?|tag(?:e)? med|skriv(?:e)?|fremhæv(?:e)?|understreg(?:e)?|fortæl(?:le)?|husk)(?: gerne| også| endelig| tydeligt)?(?: at| om)?:?',
  includeTail: '(?:skal|må gerne) (?:med|nævnes|stå|fremgå|være med|være synlig)(?: [^.]*)?$',
  never:
    '(?:nævn|skriv|brug|vis|sig|angiv|lov|sammenlign|tal|tag) (?:\\p{L}{1,20} ){0,2}?(?:ikke|aldrig|ingen|intet)|(?:må|skal|bør|vil) (?:vi |man |i )?(?:\\p{L}{1,20} ){0,2}?(?:ikke|aldrig|absolut ikke)(?: (?:nævne|nævnes|skrive|skrives|bruge|bruges|vise|vises|sige|angive|love|sammenligne|stå|have|tale om))?|(?:ikke|aldrig) (?:nævne|skrive|bruge|vise|sige|angive|love|sammenligne|tale om)|undgå|drop|ingen (?:priser|emojis?|udråbstegn|konkurrenter|rabatter|løfter|stockfotos?|klichéer|superlativer|procenter)|intet om|uden (?:pris|priser|at (?:nævne|skrive|vise|love))',
  topics: {
    price: 'pris(?:en|er|erne)?|omkostning(?:er)?',
    discount: 'rabat(?:ten|ter|terne)?|procent(?:er)?',
    date: 'dato(?:en|er)?|slutdato',
    competitor: 'konkurrent(?:en|er|erne)?|konkurrence(?:n)?|andre mærker',
  },
  legal:
    '(?:gælder (?:ikke|kun|så længe lager haves)[^.]{0,80})|så længe lager haves|der tages forbehold for[^.]*|med forbehold for[^.]*|\\p{L}{0,16}betingelser gælder|vilkår gælder|åop[^.]*|debitorrente[^.]*|læs (?:indlægssedlen|mere på)[^.]*|18\\+|fra 18 år|spil ansvarligt[^.]*|stopspillet[^.]*|rofus[^.]*|samlet kreditbeløb[^.]*|mindstepris[^.]*|min\\.? ?pris[^.]*',
  event:
    '(?:(?:sommer|vinter|forårs|efterårs|jule|påske|fødselsdags|jubilæums|slut)[- ]?(?:udsalg(?:et)?|tilbud|kampagne|kollektion(?:en)?|fest|marked)|black friday|udsalg(?:et)?|åbent hus|nyåbning)',
  deadline: `(?:gælder |kun |nu )?(?:(?:til(?: og med)?|t\\.?o\\.?m\\.?|senest|før|inden|indtil|frem til) (?:den )?(?:(?:på )?(?:man|tirs|ons|tors|fre|lør|søn)dag(?:en)?(?: (?:den|d\\.) \\d{1,2}\\.? (?:${DA_MONTHS}))?|midnat|i ?morgen|månedens udgang|årets udgang|jul|påske|weekenden|\\d{1,2}\\.? (?:${DA_MONTHS})(?: 20\\d\\d)?|\\d{1,2}[/.]\\d{1,2}|(?:udgangen af |slutningen af )(?:${DA_MONTHS}|måneden|ugen|året))|i dag|i weekenden|denne (?:uge|weekend|måned)|(?:mellem |fra )?(?:den )?\\d{1,2}\\.?(?: (?:${DA_MONTHS}))? ?(?:–|-|til|og) ?(?:den )?\\d{1,2}\\.? (?:${DA_MONTHS})|(?:fra |den |på |d\\. )?(?:(?:man|tirs|ons|tors|fre|lør|søn)dag(?:en)? )?(?:den |d\\. )?\\d{1,2}\\.? (?:${DA_MONTHS})(?: 20\\d\\d)?|hele (?:${DA_MONTHS}))`,
  offers:
    '(?:op til )?\\d{1,3} ?(?:%|procent|kr\\.?|kroner) (?:rabat|billigere|i rabat|på)|(?:to|tre|2|3) for (?:en|én|et|to|1|2)|(?:tag|køb) 3,? betal for 2|(?:første|anden) (?:måned|vare) (?:gratis|til halv pris)|halv pris|halvpris',
  gains:
    'gratis|uden (?:beregning|gebyr|binding|oprettelse|renter)|gave|bonus|cashback|fri (?:fragt|levering|entré|returret)|inkluderet|inklusive|garanti|rabat(?:ter)?|prøv|prøveperiode|prøvemåned|rentefri(?:t)?|oveni',
  sale: {
    saving: '(?:spar|sparer|nedsat med|rabat på) +(?:nu +)?(?:op til +)?',
    onSale: 'udsalg(?:et)?|rabat(?:ter)?|nedsat|\\p{L}{3,12}udsalg',
    reduces: 'på|til|lavere',
    off: 'rabat|billigere|i rabat',
    upTo: 'op til',
    percentOff: (percent, upTo) => `${upTo ? 'Op til ' : ''}${percent} % rabat`,
    amountOff: (amount, upTo) => `${upTo ? 'Op til ' : ''}${amount} rabat`,
  },
  code: '(?:med |brug )?(?:rabat|kampagne)?kode(?:n)?:? (?<code>[A-ZÆØÅ0-9][A-ZÆØÅ0-9_-]{2,19})',
  on: (offer, subject) => `${offer} på ${subject}`,
  codeLine: (code) => `Kode: ${code}`,
  actions: {
    shop: ['Køb nu', 'Køb'],
    book: ['Book nu', 'Book'],
    reserve: ['Book bord'],
    order: ['Bestil nu', 'Bestil'],
    join: ['Tilmeld dig', 'Tilmeld'],
    download: ['Hent appen', 'Hent'],
    subscribe: ['Abonner'],
    try: ['Prøv gratis', 'Prøv'],
    quote: ['Få et tilbud', 'Tilbud'],
    donate: ['Støt nu', 'Støt'],
    drive: ['Book prøvetur', 'Prøvetur'],
    apply: ['Søg nu', 'Søg'],
    visit: ['Planlæg dit besøg', 'Besøg os'],
    watch: ['Se nu', 'Se'],
    learn: ['Læs mere', 'Mere'],
  },
  signs: {
    drive: 'prøvetur\\p{L}*|prøvekør\\p{L}*',
    donate: 'støt\\p{L}*|donation(?:er)?|indsamling(?:en)?|bidrag',
    apply: 'ansøg\\p{L}*|vi søger|ledige? (?:job|stilling(?:er)?)|job|stilling',
    quote: '\\p{L}{0,16}forsikring(?:er|en)?|boliglån|lån|uforpligtende tilbud',
    reserve: 'book bord|bordreservation|restaurant(?:en)?',
    book: 'book\\p{L}*|hotel\\p{L}*|\\p{L}{0,12}rejser?|fly|ferie|spa|tid|overnatning',
    subscribe: 'nyhedsbrev|abonn\\p{L}*',
    join: 'tilmeld\\p{L}*|kurs(?:us|er)|webinar|medlem\\p{L}*|seminar',
    try: 'prøveperiode|prøv gratis|software|gratis prøve|demo',
    download: 'app(?:en)?|download|hent',
    order: 'pizza|mad|levering|kaffe|bestil\\p{L}*|måltidskasse\\p{L}*',
    watch: 'trailer|serie(?:n)?|film(?:en)?|sæson',
    visit: 'udstilling(?:en)?|muse(?:um|et)|åbent hus|åbning(?:en)?|messe(?:n)?|besøg\\p{L}*|butik(?:ken)?',
    shop: 'rabat(?:ter)?|udsalg(?:et)?|køb\\p{L}*|\\p{L}{0,16}sko|jakker|kollektion(?:en)?|møbler|tilbud',
  },
  sponsored: 'Annonce',
};

const NB_AD =
  '(?:(?:\\p{L}{3,16}-?)?annonse(?:n|r|ne)?|(?:\\p{L}{3,16}-?)?banner(?:e|en|s)?|(?:\\p{L}{3,16}-?)?kampanje(?:n|r)?|(?:radio|video|tv-?)?reklame(?:n|r|film)?|innlegg|plakat(?:er)?|(?:radio)?spot|creatives?)';
const NB_MONTHS = 'januar|februar|mars|april|mai|juni|juli|august|september|oktober|november|desember';
const NB_PLEASE =
  '(?:(?:gjerne|vi|jeg|skal|skulle|ville|vil|kan|kunne|dere|du|trenger|ha|ønsker|søker|få|hjelpe oss(?: med)?|hjelp oss(?: med)?|nå)\\s+){0,12}';

/** The words of Norwegian. */
export const NORWEGIAN: LanguageWords = {
  language: 'nb',
  isSpaced: true,
  hasListedBans: true,
  isJoinedByWord: true,
  common:
    'og|til|med|på|av|ikke|et|en|som|vår|vårt|våre|vi|dere|er|for|å|knapp(?:en)?|målgruppe(?:n)?|frem|uten|kun|nå|etter|hva|den|det|trenger|hei|får|gjelder|annonse\\p{L}{0,2}|rabatt|reklame|tilbud|kjøp|kampanje',
  months: NB_MONTHS,
  orders: [
    `${NB_PLEASE}(?:(?:lag|lage|skap|design|skriv|skrive|bygg|produser|utform)\\s+)?[^.!?:\\n]{0,60}?(?<!\\p{L})${NB_AD}(?!\\p{L})${SIZE}\\s*(?:for|om|til|rundt|med|som (?:fremhever|markedsfører|presenterer|forteller om)|:)\\s+(?<subject>.*)$`,
    '(?:(?:nå |i \\p{L}{3,9} )?(?:vi )?(?:lanserer|åpner|selger|starter|slipper|markedsfører)(?: vi)?|vi (?:tilbyr|har|arrangerer|søker)|lanser|det (?:gjelder|handler om|dreier seg om)|vi trenger noe (?:til|om|for))\\s+(?<subject>(?!(?:den |d\\. |kl)?\\d).*)$',
    `${NB_PLEASE}(?:reklamere|annonsere|promotere|markedsføre)\\s(?:for )?(?<subject>.*)$`,
    `${NB_PLEASE}(?:lag|lage|skap|design|bygg)\\s+[^.!?\\n]{0,60}(?<!\\p{L})${NB_AD}(?<rest>.*)$`,
  ],
  promote: '(?:lanseringen|åpningen|premieren) av',
  presents: '(?:tilbyr|selger|leier ut|produserer|bygger|søker|lanserer|åpner|presenterer|har(?: nå| en| et)?|feirer)',
  determiner: '(?:vår|vårt|våre|den|det|de|en|et|ei|min|mitt|sin|sitt|sine|alle|alt|hele)(?! første)\\s+',
  newness: '(?:helt )?(?:ny|nye|nytt)\\s+',
  newWord: 'Nyhet',
  audience:
    'for (?:deg som|alle som|unge|barnefamilier|familier|kvinner|menn|foreldre|studenter|seniorer)|til (?:deg som|unge|barnefamilier)|rettet mot|henvender seg til|målgruppe(?:n)?',
  detail: 'med|som|der|hvor|slik at|fordi',
  joints: 'på|for|med|og|av|nå|spar|rabatt|opptil|inntil|hos|til|i|ved|den|det|en|et|fra|sin|sitt|sine',
  labels: {
    mustNot:
      '(?:må|skal|bør) ikke(?: (?:nevnes|stå|være med|brukes))?|(?:nevn|bruk|skriv) ikke|unngå|tabu|no-?gos?|forbudt|ikke (?:nevn|bruk|skriv)',
    headline: 'hovedoverskrift|overskrift(?:en)?|tittel|slagord|headline',
    body: 'brødtekst|underoverskrift|undertittel|ingress|beskrivelse|tekst',
    action: 'call[- ]to[- ]action|cta|knapp(?:en|etekst)?|oppfordring',
    product: 'produkt(?:et|er)?|tjeneste(?:n|r)?|hva|tema|arrangement|vare',
    brand: 'merkevare|merke|kunde|avsender|bedrift|oppdragsgiver',
    offer: 'tilbud(?:et)?|rabatt|budskap|hovedbudskap|usp(?:er)?|fordeler|argumenter|deal',
    audience: 'målgruppe(?:n)?|for hvem|mottakere',
    tone: 'bilde|uttrykk|tone(?:n| of voice)?|stil(?:en)?|stemning|bildespråk|bilder|farger|design|look|logo',
    must: '(?:må|skal) (?:være )?med|obligatorisk|krav|must[- ]haves?|husk(?: å nevne)?|ikke glem',
    legal:
      'liten tekst|fotnote|småskrift|juridisk(?: tekst| linje)?|jus|vilkår|betingelser|liten skrift|forbehold|disclaimer|legal|lovtekst',
    language: 'språk',
    code: '(?:rabatt|kampanje)?kode(?:n)?',
    deadline: 'gyldig(?:het)?(?: til)?|gjelder(?: til)?|periode|kampanjeperiode|dato(?:er)?|sluttdato|tid',
    note: 'obs|merk',
    context:
      'kampanje|formål|mål|budsjett|tidsplan|deadline|frist|format(?:er)?|størrelse(?:r)?|kanal(?:er)?|kontakt|bakgrunn|brief|prosjekt|emne|fra|lenke|konkurrenter|oppgave|levering|medier',
  },
  directive:
    'målgruppe(?:n)?|tonaliteten|tonen|(?:skal|bør|må|kan) (?:\\p{L}+ ){0,5}?(?:føles|låte|oppleves|se ut|være|virke|signalisere)|bildespråk|stockfoto(?:er)?|utropstegn|call[- ]to[- ]action|cta|merkefargene|i fjor|forrige kampanje|vedlagt|se vedlegg|tilbakemelding|utkast|annonsen|banneret|teksten|overskriften|knappen|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|deadline|budsjett|haster|kunden|vi henvender oss til',
  directiveStart:
    '(?:og\\s+|gjerne\\s+){0,4}(?:bruk|hold|unngå|tonen|stil|farger|format|skaler|forkort|snakk|henvend|tenk|ingen (?:emojis?|utropstegn|stockfoto(?:er)?|klisjeer)|ikke for|vi (?:vil|trenger|kunne|ønsker|tenker)|jeg (?:vil|trenger|tenker|synes|kunne)|den (?:skal|må|bør)|det (?:skal|må|bør)|gjør den|gjør det|gjerne|noe|send|kom tilbake|som avtalt|ser frem|håper)',
  greeting: '(?:hei(?:san)?|god (?:morgen|dag)|hallo|kjære)(?: (?!vi |jeg )[\\p{L}]+){0,3}?(?:[,!.]|\\s*$)',
  signOff: '(?:med vennlig hilsen|vennlig hilsen|beste hilsen|hilsen|mvh|på forhånd takk|mange takk|tusen takk|takk)',
  include:
    '(?:husk å |ikke glem (?:å )?|sørg for å |vi vil gjerne )?(?:nevn(?:e)?|ta med|skriv(?:e)?|fremhev(?:e)?|understrek(?:e)?|fortell(?:e)?|husk|få med)(?: gjerne| også| tydelig)?(?: at| om)?:?',
  includeTail: '(?:må|skal) (?:med|nevnes|stå|fremgå|være med|være synlig|komme frem)(?: [^.]*)?$',
  never:
    '(?:nevn|skriv|bruk|vis|si|oppgi|lov|sammenlign|snakk|ta med) (?:\\p{L}{1,20} ){0,2}?(?:ikke|aldri|ingen|intet)|(?:må|skal|bør|vil|kan) (?:vi |man |dere )?(?:\\p{L}{1,20} ){0,2}?(?:ikke|aldri|absolutt ikke)(?: (?:nevne|nevnes|skrive|skrives|bruke|brukes|vise|vises|si|oppgi|love|sammenligne|stå|ha|snakke om))?|(?:ikke|aldri) (?:nevne|nevn|skrive|skriv|bruke|bruk|vise|vis|si|oppgi|love|lov|sammenligne|sammenlign|snakke om)|unngå|dropp|ingen (?:priser|emojis?|utropstegn|konkurrenter|rabatter|løfter|stockfoto(?:er)?|klisjeer|superlativer|prosenter)|intet om|uten (?:pris|priser|å (?:nevne|skrive|vise|love))',
  topics: {
    price: 'pris(?:en|er|ene)?|kostnad(?:en|er)?',
    discount: 'rabatt(?:en|er|ene)?|prosent(?:er)?',
    date: 'dato(?:en|er)?|sluttdato',
    competitor: 'konkurrent(?:en|er|ene)?|konkurranse(?:n)?|andre merker',
  },
  legal:
    'gjelder (?:ikke|kun|så langt lageret rekker)[^.]{0,80}|så langt (?:lageret|beholdningen) rekker|med forbehold om[^.]*|vi tar forbehold om[^.]*|\\p{L}{0,16}betingelser gjelder|vilkår gjelder|eff\\.? ?rente[^.]*|effektiv rente[^.]*|nom\\.? ?rente[^.]*|les (?:pakningsvedlegget|mer på)[^.]*|18-årsgrense[^.]*|aldersgrense[^.]*|fra 18 år|18\\+|spill ansvarlig[^.]*|hjelpelinjen[^.]*|min\\.? ?pris[^.]*|historisk avkastning[^.]*',
  event:
    '(?:(?:sommer|vinter|vår|høst|jule|påske|bursdags|jubileums|slutt)[- ]?(?:salg(?:et)?|tilbud|kampanje|kolleksjon(?:en)?|fest|marked)|black friday|åpen dag|åpent hus|nyåpning)',
  deadline: `(?:gjelder |kun |bare |nå )?(?:(?:til(?: og med)?|t\\.?o\\.?m\\.?|senest|før|innen|frem til|fram til) (?:den )?(?:(?:på )?(?:man|tirs|ons|tors|fre|lør|søn)dag(?:en)?(?: (?:den )?\\d{1,2}\\.? (?:${NB_MONTHS}))?|midnatt|i ?morgen|månedsskiftet|årsskiftet|jul|påske|helgen|\\d{1,2}\\.? (?:${NB_MONTHS})(?: 20\\d\\d)?|\\d{1,2}[/.]\\d{1,2}|(?:utgangen av |slutten av )(?:${NB_MONTHS}|måneden|uken|året))|i dag|i helgen|denne (?:uken|helgen|måneden)|(?:mellom |fra )?(?:den )?\\d{1,2}\\.?(?: (?:${NB_MONTHS}))? ?(?:–|-|til|og) ?(?:den )?\\d{1,2}\\.? (?:${NB_MONTHS})|(?:fra |den |på )?(?:(?:man|tirs|ons|tors|fre|lør|søn)dag(?:en)? )?(?:den )?\\d{1,2}\\.? (?:${NB_MONTHS})(?: 20\\d\\d)?|hele (?:${NB_MONTHS}))`,
  offers:
    '(?:opptil |inntil |opp til )?\\d{1,3} ?(?:%|prosent|kr\\.?|kroner) (?:rabatt|avslag|billigere)|(?:to|tre|2|3) for (?:en|én|ett|to|1|2)|(?:ta|kjøp) 3,? betal for 2|(?:første|andre) (?:måned|måneden|vare) (?:gratis|til halv pris)|halv pris|halve prisen',
  gains:
    'gratis|uten (?:kostnad|gebyr|binding|bindingstid|etablering|renter)|gave|bonus|cashback|fri (?:frakt|levering|entré|retur)|inkludert|garanti|åpent kjøp|rabatt(?:er)?|prøv|prøveperiode|prøvemåned|rentefri(?:tt)?|med på kjøpet',
  sale: {
    saving: '(?:spar|sparer|satt ned|rabatt på) +(?:nå +)?(?:opptil +|inntil +|opp til +)?',
    onSale: 'salg(?:et)?|rabatt(?:er)?|nedsatt|\\p{L}{3,12}salg',
    reduces: 'på|til|lavere',
    off: 'rabatt|avslag|billigere',
    upTo: 'opptil|inntil|opp til',
    percentOff: (percent, upTo) => `${upTo ? 'Opptil ' : ''}${percent} % rabatt`,
    amountOff: (amount, upTo) => `${upTo ? 'Opptil ' : ''}${amount} rabatt`,
  },
  code: '(?:med |bruk )?(?:rabatt|kampanje)?kode(?:n)?:? (?<code>[A-ZÆØÅ0-9][A-ZÆØÅ0-9_-]{2,19})',
  on: (offer, subject) => `${offer} på ${subject}`,
  codeLine: (code) => `Kode: ${code}`,
  actions: {
    shop: ['Kjøp nå', 'Kjøp'],
    book: ['Bestill nå', 'Bestill'],
    reserve: ['Bestill bord'],
    order: ['Bestill nå', 'Bestill'],
    join: ['Meld deg på', 'Bli med'],
    download: ['Last ned appen', 'Last ned'],
    subscribe: ['Abonner'],
    try: ['Prøv gratis', 'Prøv'],
    quote: ['Få et tilbud', 'Tilbud'],
    donate: ['Støtt nå', 'Støtt'],
    drive: ['Bestill prøvekjøring', 'Prøvekjør'],
    apply: ['Søk nå', 'Søk'],
    visit: ['Planlegg besøket', 'Besøk oss'],
    watch: ['Se nå', 'Se'],
    learn: ['Les mer', 'Mer'],
  },
  signs: {
    drive: 'prøvekjør\\p{L}*',
    donate: 'støtt\\p{L}*|donasjon(?:er)?|innsamling(?:en)?|bidra',
    apply: 'søknad\\p{L}*|vi søker|ledig(?:e)? (?:jobb(?:er)?|stilling(?:er)?)|jobb|stilling',
    quote: '\\p{L}{0,16}forsikring(?:er|en)?|boliglån|lån|uforpliktende tilbud',
    reserve: 'bestill bord|bordbestilling|restaurant(?:en)?',
    book: 'bestilling|hotell\\p{L}*|\\p{L}{0,12}reiser?|fly|ferie|spa|time|overnatting|booking',
    subscribe: 'nyhetsbrev|abonn\\p{L}*',
    join: 'meld\\p{L}*|påmelding\\p{L}*|kurs(?:et)?|webinar|medlem\\p{L}*|seminar',
    try: 'prøveperiode|prøv gratis|programvare|demo',
    download: 'app(?:en)?|last ned',
    order: 'pizza|mat|levering|kaffe|bestill\\p{L}*|matkasse\\p{L}*',
    watch: 'trailer|serie(?:n)?|film(?:en)?|sesong',
    visit: 'utstilling(?:en)?|muse(?:um|et)|åpent hus|åpen dag|åpning(?:en)?|messe(?:n)?|besøk\\p{L}*|butikk(?:en)?',
    shop: 'rabatt(?:er)?|salg(?:et)?|kjøp\\p{L}*|\\p{L}{0,16}sko|jakker|kolleksjon(?:en)?|møbler|tilbud',
  },
  sponsored: 'Annonse',
};
