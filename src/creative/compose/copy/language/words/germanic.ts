import type { LanguageWords } from '../table.js';

const AD =
  '(?:anzeigen?|online-anzeigen?|display-?anzeigen?|banner(?:n|s|set)?|displaybanner|werbebanner|werbung|werbemittel|kampagnen?|creatives?|plakate?|(?:[a-z]{3,16}-)?motive?|spots?|stellenanzeigen?|texte?)';
const LINK =
  '(?:zum (?:start|launch|verkaufsstart|beginn) (?:der|des|von|unserer|unseres)|für|über|zum|zur|zu|mit|von|rund um|anlässlich|:)';
const PLEASE =
  '(?:(?:bitte|wir|ich|hätten?|würden?|möchten?|brauchen?|benötigen?|könn(?:en|tet|ten)|kannst du|sie|ihr|uns|gerne?|mir|nun|also|es geht um)\\s+)*';
const MONTHS =
  'januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|jan\\.|feb\\.|okt\\.|nov\\.|dez\\.';

/** The words of German. */
export const GERMAN: LanguageWords = {
  language: 'de',
  isSpaced: true,
  hasCapitalNouns: true,
  isJoinedByWord: true,
  common:
    'der|die|das|und|für|mit|unser(?:e[nmrs]?)?|ein(?:e[nmrs]?)?|auf|bis|ist|zum|zur|wir|sie|ihr(?:e[nmrs]?)?|nicht|soll|bitte|jetzt|bei|auch',
  months: MONTHS,
  orders: [
    `${PLEASE}(?:(?:erstell|erzeug|generier|gestalt|bau|mach|entw[ei]rf|schreib|liefer|realisier|produzier)\\p{L}*\\s+)?[^.!?\\n]{0,70}?(?<![\\p{L}-])${AD}(?![\\p{L}-])(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?(?:\\s+\\p{L}{2,14}(?=\\s+${LINK}))?\\s*${LINK}\\s+(?<subject>.*)$`,
    `${PLEASE}(?:bewirb|bewerben?|bewerbt|wirb für|werben für|kündig\\p{L}*|promote[nt]?|vorstellen)\\s+(?<subject>.*)$`,
    `${PLEASE}(?:erstell|erzeug|generier|gestalt|bau|mach|entw[ei]rf|liefer)\\p{L}*\\s+[^.!?\\n]{0,60}(?<!\\p{L})${AD}(?<rest>.*)$`,
    '(?:wie (?:\\p{L}+ ){0,2}(?:besprochen|vereinbart|angekündigt),? )?(?:für [^.!?,]{2,40} )?(?:brauchen|bräuchten|hätten|suchen) wir (?:gerne? |dringend |noch |bis [\\p{L}\\d.]{2,14} )*(?:etwas|was|eine kleinigkeit)(?: \\p{L}+)? (?:zum|zur|für|über)\\s+(?<subject>.*)$',
    'wir bieten (?:ab sofort |jetzt |neu |auch |wieder |ab \\d{1,2}\\. ?\\p{L}+ )*(?<subject>[^,]*?)(?: an)?(?:,\\s(?<rest>.*))?$',
    '(?:es geht (?:\\p{L}+ ){0,2}um|geht es (?:\\p{L}+ ){0,2}um|wir (?:launchen|bewerben|starten|eröffnen|bringen)|beworben (?:wird|werden)(?: soll(?:en)?)?|thema ist)\\s+(?<subject>.*)$',
  ],
  promote:
    '(?:die (?:einführung|eröffnung|neueröffnung) (?:von|des|der|unserer|unseres)|den (?:launch|start) (?:von|des|der|unserer|unseres))',
  presents:
    '(?:bietet|bieten|liefern?|liefert|verkauft|verkaufen|vermietet|baut|bauen|fertigt|sucht|suchen|präsentiert|startet|eröffnet|lanciert|hat(?: jetzt)?)',
  determiner:
    '(?:unser(?:e[nmrs]?)?|der|die|das|den|dem|des|ein(?:e[nmrs]?)?|mein(?:e[nmrs]?)?|alle|ihr(?:e[nmrs]?)?)\\s+',
  newness: '(?:brand)?neue[nmrs]?\\s+',
  newWord: 'Neu',
  audience:
    'für (?:alle,? die|menschen|kund(?:en|innen)|frauen|männer|familien|junge|eltern|studierende|studenten|berufstätige|singles|senioren|unternehmen mit)|an (?:junge|familien|frauen|männer|eltern|menschen)|zielgruppe',
  detail: 'mit|die|der|das|damit|weil|in den (?:größen|formaten)|welche[rs]?',
  joints:
    'auf|für|mit|und|von|jetzt|sparen?|rabatt|nachlass|bis zu|bei|zum|zur|in|sichern|im|am|den|die|das|der|ein(?:en)?|wieder|erneut',
  labels: {
    mustNot:
      "auf keinen fall|no-?gos?|nicht (?:verwenden|erwähnen|sagen|nennen)|bitte nicht|vermeiden|tabus?|don[’']?ts",
    headline: 'hauptzeile|aufhänger|headline|überschrift|titel|schlagzeile|slogan|claim',
    body: 'subline|fließtext|copy|beschreibung|unterzeile|text',
    action: 'cta-?text|handlungsaufforderung|button-?text|call[- ]to[- ]action|cta|button(?:text)?|schaltfläche|knopf',
    product: 'produkte?|leistung|angebot(?:enes)? produkt|was|thema|gegenstand|dienstleistung|veranstaltung',
    brand: 'marke|kunde|auftraggeber|absender',
    offer:
      'angebot|aktion|rabatt|vorteile?|(?:kunden)?nutzen|mehrwert|kernbotschaft(?:en)?|botschaft(?:en)?|usps?|benefits?|argumente',
    audience: 'wen wollen wir erreichen|zielgruppen?|target|für wen|persona|adressaten',
    tone: 'farbwelt|anmutung|optik|ton(?:alität)?|tonality|stil|look(?: ?& ?feel)?|stimmung|bildwelt|bilder?|(?:bild)?motive?|fotos?|farben?|design|gestaltung|logo|wording',
    must: 'pflicht(?:inhalte?)?|muss rein|muss enthalten(?: sein)?|must[- ]haves?|unbedingt|bitte erwähnen|dos',
    legal:
      'fu(?:ß|ss)note|im kleingedruckten|(?:bitte )?(?:noch )?klein dazu|bedingungen|sternchentext|pflicht(?:angaben?|hinweise?|text)|pflichthinweise?|rechtlicher hinweis|rechtliches|rechtstext|disclaimer|kleingedrucktes|hinweis|fußnote|legal',
    language: 'sprache',
    code: '(?:gutschein|rabatt|aktions)?code',
    deadline: 'gültig(?:keit)?(?: bis)?|zeitraum|aktionszeitraum|laufzeit der aktion|datum|termin',
    note: 'anmerkung|hinweis',
    context:
      'maße|platzierung(?:en)?|kampagne|ziele?|budget|timing|deadline|laufzeit|formate?|größen?|kanäle|medien|ansprechpartner(?:in)?|kontakt|hintergrund|briefing|projekt|abgabe|betreff|(?:von|an)(?=\\s?:)|link|landingpage|wettbewerb(?:er)?|umfang|aufgabe',
  },
  directive:
    'zielgruppe|angesprochen werden|ansprechen (?:wollen|möchten|sollen)|wir sprechen [^.]{0,40} an|tonalität|(?:soll(?:te|en)?|muss|darf) (?:\\p{L}+ ){0,6}(?:wirken|sein|aussehen|klingen|auffordern|rüberkommen|vermitteln|ausstrahlen|transportieren)|bildsprache|stockfotos?|ausrufezeichen|call[- ]to[- ]action|cta|markenfarben|letztes jahr|letzte kampagne|der kunde|im anhang|anbei|siehe anhang|rückmeldung|rückfragen|melde dich|meldet euch|freigabe|entwürfe|ton(?:fall)?|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|die anzeige|das banner|der text|die headline|der button|dringend|budget|deadline|ansprache|(?:patienten|kunden|kundinnen|gäste|leser|käufer|nutzer|besucher)\\p{L}* sind (?:eher|meist|vor allem|überwiegend|hauptsächlich)|werblich|muss (?:nicht |unbedingt )?(?:mit )?rein|reißerisch|seriös und|duzen|siezen|du-form|sie-form',
  directiveStart:
    '(?:bitte\\s+|und\\s+)*(?:verwende[nt]?|nutzt?|nutzen|benutzen?|achte[nt]?|halte[nt]?|passe?n?|ändern?|der ton|stil|farben?|format|skaliere|kürze[nt]?|sprich|sprecht|sprechen|denkt?|kein(?:e[nr]?)? (?:stock|emojis?|anglizismen|preise?|ausrufezeichen|fachsprache)|nicht zu|wir (?:möchten|wollen|brauchen|bräuchten|hätten|wünschen|denken|haben uns)|ich (?:möchte|brauche|hätte|denke|fände)|es (?:soll|darf|muss)|sie (?:soll|darf|muss)|das ganze|insgesamt|gern(?:e)?|mach|macht|schreibt?|liefert?|könnt ihr|können sie|schickt|wie besprochen|vorab|(?:kurze|kleine|schnelle) (?:sache|frage|bitte))',
  greeting:
    '(?:hallo|guten (?:tag|morgen)|liebe[rs]?|sehr geehrte[r]?|hi|moin|servus|grüß gott)(?: (?!wir|ich|bitte)[\\p{L}.-]+){0,4}?(?:[,!]|\\s*$)',
  signOff:
    '(?:mit (?:freundlichen|besten|herzlichen) grüßen|viele grüße|liebe grüße|beste grüße|herzliche grüße|vielen dank|danke|besten dank|lg|vg|mfg|gruß|schöne grüße)',
  include:
    '(?:bitte )?(?:unbedingt )?(?:erwähn(?:en|t|e)?(?: sie)?|nenn(?:en|t|e)?(?: sie)?|weis(?:en|t|e)? (?:sie )?darauf hin,? dass|beton(?:en|t|e)?(?: sie)?|heb(?:en|t)? hervor,? dass|sag(?:en|t)?|wichtig ist|wichtig)(?: unbedingt| bitte| auch)?[:,]?',
  includeTail: '(?:\\s(?:unbedingt|bitte|auch))?\\s(?:erwähnen|nennen|hervorheben|betonen|unterbringen)',
  never:
    '^(?:bitte )?(?:auf keinen fall|keinesfalls|unter keinen umständen)|(?:auf keinen fall|keinesfalls|nicht) (?:das wort|die wörter|den begriff)|(?:bitte )?(?:nicht|niemals|nie|auf keinen fall|keinesfalls|kein(?:e[nmrs]?)?|ohne) (?:(?!kosten|gebühren|risiko|zinsen|versand|grund|vertrag)[\\p{L}“”"»«\\ue100-\\ue163-]+,? ){0,5}(?:nennen|erwähnen|verwenden|benutzen|zeigen|schreiben|sagen|sprechen|versprechen|vergleichen|angeben|werben|nutzen|einsetzen|thematisieren|klingen|wirken|auftauchen)|(?:darf|dürfen|soll|sollen|sollte|sollten|kann) (?:bitte |hier |aber |auch |auf keinen fall |keinesfalls )*nicht (?:vorkommen|auftauchen|erscheinen|drinstehen|stehen|fallen|rein|genannt werden|erwähnt werden|verwendet werden|vorkommt)|(?:taucht|kommt|steht) (?:bitte )?nicht (?:auf|vor|drin)|vermeide[nt]?(?: sie)?|verzichte[nt]?(?: sie)? auf|(?:preise?|konkurrenz|wettbewerber) (?:bitte )?(?:nicht|weglassen)|kein(?:e[nmrs]?)? (?:[\\p{L}-]*(?:versprechen|behauptungen|bilder|fotos|vergleiche|klischees)|preise?|preisangaben?|konkurrenz\\p{L}*|stockfotos|superlative|anglizismen|emojis|fachjargon|floskeln)',
  topics: {
    price: 'preise?n?(?! (?:der|des|von|für|anderer)(?!\\p{L}))|preisangaben?|kosten|preislich\\p{L}*',
    discount: 'rabatte?n?|prozente?|nachlässe',
    date: 'datum|daten|termine?|enddatum',
    competitor: 'konkurrenz|konkurrenten|wettbewerb(?:er)?n?|mitbewerber\\p{L}*',
  },
  legal:
    'es gelten (?:die|unsere)[^.]{0,60}|agb|solange (?:der )?vorrat reicht|zu risiken und nebenwirkungen[^.]*|pflichttext|repräsentatives beispiel|effektiver jahreszins|abgabe nur an[^.]*|ab 18(?: jahren)?|glücksspiel kann süchtig machen|nur für neukunden|ausgenommen[^.]*|tippfehler vorbehalten|alle angaben ohne gewähr|bonität vorausgesetzt|individuelle abweichungen[^.]*|ergebnisse können (?:variieren|abweichen)[^.]*',
  event:
    '(?:(?:sommer|winter|frühjahrs?|frühlings?|herbst|weihnachts|oster|jubiläums|räumungs|mitternachts)[- ]?(?:schlussverkauf|sale|verkauf|angebote?n?|aktion|kollektion|rabatte?|shopping|special)|black friday|schlussverkauf|neueröffnung|tag der offenen tür)',
  deadline: `(?:nur |gültig |noch )?(?:bis(?: (?:zum|einschließlich|ende|spätestens))? (?:mitternacht|heute|morgen|\\p{L}+tag|mittwoch|\\d{1,2}\\.\\s?(?:\\d{1,2}\\.?(?:\\d{2,4})?|(?:${MONTHS})(?: 20\\d\\d)?)|monatsende|jahresende|wochenende|weihnachten|ostern|(?:${MONTHS})(?: 20\\d\\d)?)|(?:dieses|am) wochenende|nur heute|heute|(?:vom )?\\d{1,2}\\.(?:\\s?(?:${MONTHS}|\\d{1,2}\\.))? ?(?:bis|–|-) ?(?:zum )?\\d{1,2}\\.\\s?(?:${MONTHS}|\\d{1,2}\\.(?:\\d{2,4})?)|(?:ab|am|seit)(?: (?:dem|\\p{L}+tag,?))*(?: den)? \\d{1,2}\\.\\s?(?:${MONTHS}|\\d{1,2}\\.(?:\\d{2,4})?)(?: 20\\d\\d)?)`,
  offers:
    '(?:bis zu )?\\d{1,3} ?(?:%|prozent|€|euro) (?:rabatt|nachlass|günstiger|sparen)|(?:zwei|drei|2|3) (?:für|zum preis von) (?:eins|einen|zwei|1|2)|(?:jeder )?(?:erste|zweite) monat gratis',
  gains:
    'gratis|kostenlos\\p{L}*|kostenfrei\\p{L}*|geschenkt|bonus|\\p{L}*bonus|cashback|geschenk|ohne (?:gebühren|versandkosten|grundgebühr|anzahlung|mindestlaufzeit|vertragsbindung)|inklusive|versandkostenfrei|probe(?:monat|training|stunde|woche)|guthaben|sparen|rabatt|gutschein|einstiegsgehalt|garantie|geld[- ]zurück',
  sale: {
    saving: '(?:sparen|spare|spart|rabatte? von|nachlass von|reduziert um) +(?:sie +|jetzt +)?(?:bis zu +)?',
    onSale: 'rabatte?|reduziert|günstiger|nachlass|sale|\\p{L}*schlussverkauf|angebote?',
    reduces: 'auf|weniger|billiger|bis',
    off: 'rabatt|nachlass|günstiger|reduziert',
    upTo: 'bis zu',
    percentOff: (percent, upTo) => `${upTo ? 'Bis zu ' : ''}${percent} % Rabatt`,
    amountOff: (amount, upTo) => `${upTo ? 'Bis zu ' : ''}${amount} Rabatt`,
  },
  code: '(?:mit )?(?:dem |den )?(?:gutschein|rabatt|aktions)?[- ]?code:? [»„“"]?(?<code>[A-Z0-9][A-Z0-9_-]{2,19})[«“”"]?',
  on: (offer, subject) => `${offer} auf ${subject}`,
  codeLine: (code) => `Code: ${code}`,
  actions: {
    shop: ['Jetzt kaufen', 'Kaufen'],
    book: ['Jetzt buchen', 'Buchen'],
    reserve: ['Tisch reservieren', 'Reservieren'],
    order: ['Jetzt bestellen', 'Bestellen'],
    join: ['Jetzt anmelden', 'Anmelden'],
    download: ['Zur App'],
    subscribe: ['Abonnieren', 'Abo'],
    try: ['Gratis testen', 'Testen'],
    quote: ['Angebot anfordern', 'Angebot'],
    donate: ['Jetzt spenden', 'Spenden'],
    drive: ['Probefahrt buchen', 'Probefahrt'],
    apply: ['Jetzt bewerben', 'Bewerben'],
    visit: ['Besuch planen', 'Besuchen'],
    watch: ['Jetzt ansehen', 'Ansehen'],
    learn: ['Mehr erfahren', 'Mehr'],
  },
  signs: {
    drive: 'probefahrt\\p{L}*',
    donate: 'spenden?\\p{L}*',
    apply:
      'bewerben|bewerbung\\p{L}*|stellenangebote?|stellenanzeige|wir suchen|fachkräfte|karriere|ausbildungsplätze|jobs?',
    quote: '\\p{L}*versicherung(?:en)?|kredite?|baufinanzierung',
    reserve: 'tischreservierung\\p{L}*|tisch reservieren|restaurant',
    book: 'buchen|buchung\\p{L}*|\\p{L}*reisen?|urlaub|\\p{L}*flüge?|hotels?|termin(?:e|vereinbarung)?|übernachtung(?:en)?|wellness\\p{L}*|\\p{L}*kurse?',
    subscribe: 'newsletter|abonnier\\p{L}*|abo(?:nnement)?',
    join: 'anmeld\\p{L}*|webinare?|konferenz|mitglied\\p{L}*|probetraining|seminare?',
    try: 'kostenlos testen|testphase|testversion|software|gratis testen|testen|probemonat',
    download: 'herunterladen|\\p{L}*app|download',
    order: 'essen|\\p{L}*lieferung|kaffee|pizza|bestell\\p{L}*|lieferdienst',
    watch: 'trailer|serie|film|staffel|streamen',
    visit: 'ausstellung|museum|tag der offenen tür|neueröffnung|showroom|eröffnung|messe|besuch\\p{L}*',
    shop: 'rabatte?|angebote?|kaufen|sale|\\p{L}*schuhe|\\p{L}*rucksack|\\p{L}*jacken?|online-?shop|kollektion|möbel|\\p{L}*schlussverkauf',
  },
  sponsored: 'Anzeige',
};

const NL_AD = '(?:advertenties?|banners?|bannerset|campagnes?|uitingen|uiting|posters?|display[- ]?ads?|ads?)';
const NL_MONTHS = 'januari|februari|maart|april|mei|juni|juli|augustus|september|oktober|november|december';

/** The words of Dutch. */
export const DUTCH: LanguageWords = {
  language: 'nl',
  isSpaced: true,
  isJoinedByWord: true,
  common:
    'de|het|een|en|van|voor|met|onze?|op|tot|is|wij|we|jullie|niet|bij|ook|naar|zijn|nodig|hoi|knop|vanaf|graag|geen',
  months: NL_MONTHS,
  orders: [
    `(?:(?:graag|we|wij|ik|wil(?:len)?|zou(?:den)?|kun(?:nen)? (?:je|jullie|u)|kunt u|alsjeblieft|hebben|nodig)\\s+)*(?:maak|ontwerp|maken|schrijf|bouw)?\\s*[^.!?\\n]{0,60}?(?<!\\p{L})${NL_AD}(?!\\p{L})(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:(?:te )?(?:maken|ontwerpen|schrijven|bouwen|opstellen)\\s+)?(?:voor|over|met|om|rond|:)\\s+(?<subject>.*)$`,
    '(?:(?:graag|we|wij|ik|wil(?:len)?|zou(?:den)?)\\s+)*(?:promoot|promoten|adverte(?:er|ren)|kondig(?:en)?|onder de aandacht brengen)\\s+(?:met |voor )?(?<subject>.*)$',
    '(?:kunnen jullie|kun je|kunt u|willen jullie|wil je)\\s+(?:\\p{L}+\\s+)?(?:iets|wat)\\s+(?:leuks\\s+|moois\\s+)?(?:maken|bedenken|verzinnen)\\s+(?:voor|over)\\s+(?<subject>.*)$',
  ],
  promote: 'de (?:lancering|opening) van',
  presents: '(?:biedt|levert|verkoopt|verhuurt|maakt|zoekt|lanceert|opent|presenteert|heeft)',
  determiner: '(?:onze|ons|de|het|een|mijn|alle)\\s+',
  newness: 'nieuwe?\\s+',
  newWord: 'Nieuw',
  audience: 'voor (?:mensen|jonge|gezinnen|vrouwen|mannen|ouders|studenten)|gericht op|doelgroep',
  detail: 'met|die|dat|omdat|zodat|waarmee',
  joints: 'op|voor|met|en|van|nu|korting|tot|bij|in|de|het|een',
  labels: {
    mustNot: 'niet doen|liever niet|niet (?:gebruiken|noemen|vermelden)|vermijd(?:en)?|no-?gos?',
    headline: 'hoofdregel|kop(?:tekst|regel)?|headline|titel|slogan',
    body: 'bodytekst|subkop|omschrijving',
    action: 'tekst op de knop|call[- ]to[- ]action|cta|knop(?:tekst)?',
    product: 'product|dienst|onderwerp|vacature',
    brand: 'merk|klant',
    offer: 'aanbod|aanbieding|actie|korting|boodschap|usps?|voordelen',
    audience: 'publiek|doelgroep|target|voor wie',
    tone: 'uitstraling|tone? of voice|toon|stijl|sfeer|look|beeld|kleuren',
    must: 'verplicht|moet erin|must[- ]haves?|(?:niet vergeten(?: te)? )?vermelden|niet vergeten',
    legal: 'voetnoot|actievoorwaarden|juridisch|disclaimer|voorwaarden?|kleine lettertjes|wettelijke vermelding',
    language: 'taal',
    code: '(?:kortings|actie)?code',
    deadline: 'geldig(?: tot)?|periode|looptijd actie|datum',
    note: 'opmerking(?:en)?|let op',
    context:
      'maten|afmetingen|campagne|doel(?:stelling)?|budget|timing|deadline|formaat|formaten|kanalen|contact|achtergrond|briefing',
  },
  directive:
    'doelgroep|tone of voice|moet (?:\\p{L}+ ){0,5}(?:aanvoelen|uitstralen|zijn|klinken)|huisstijl|uitroeptekens?|call[- ]to[- ]action|cta|de (?:advertentie|banner|toon|stijl|knop)|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|bijlage|de klant',
  directiveStart:
    '(?:niet (?:met \\p{L}+ )?\\p{L}{3,16}en(?= (?:met|over|van|aan|op|dat))|gebruik|houd|zorg|let op|geen (?:emoji|prijzen|stockfoto)|spreek|richt|maak het|niet te|we willen|het mag|het moet|graag)',
  greeting: '(?:hallo|hoi|beste|goedemorgen|goedemiddag|dag)(?: [\\p{L}]+){0,2}(?:[,!]|\\s*$)',
  signOff: '(?:met vriendelijke groet(?:en)?|groet(?:jes|en)?|alvast bedankt|bedankt|dank|mvg)',
  include: '(?:vermeld|noem|benadruk|zet erin)(?: zeker| ook)?:?',
  includeTail:
    '(?:moet|moeten) (?:er ?(?:in|bij|op)(?: staan)?|vermeld worden|zichtbaar zijn|genoemd worden)(?: [^.]*)?$',
  never:
    '(?:noem|vermeld|gebruik|zeg|toon|schrijf) (?:\\p{L}+ ){0,4}(?:geen|niet|nooit)|geen (?:prijzen|prijs|concurrent\\p{L}*|emoji\\p{L}*)|vermijd|niet (?:noemen|vermelden|gebruiken)',
  topics: {
    price: 'prijs|prijzen|kosten',
    discount: 'kortingen|korting',
    date: 'datums?|data',
    competitor: 'concurrent\\p{L}*|concurrentie',
  },
  legal:
    '(?:actie|algemene)?voorwaarden (?:zijn )?van toepassing|geniet,? maar drink met mate|18\\+|zolang de voorraad strekt|onder voorbehoud[^.]*|let op!? geld lenen kost geld|speel bewust[^.]*',
  event: '(?:zomer|winter|voorjaars|najaars)[- ]?(?:sale|uitverkoop|actie|korting|opruiming)|black friday|uitverkoop',
  deadline: `(?:alleen |geldig |nog )?(?:(?:tot en met|t/m|tot|voor) (?:\\p{L}+dag|morgen|middernacht|\\d{1,2} (?:${NL_MONTHS})|eind (?:${NL_MONTHS}))|alleen vandaag|dit weekend)`,
  offers:
    '(?:tot )?\\d{1,3} ?(?:%|procent|€|euro) korting|(?:1\\+1|2\\+1) gratis|tweede (?:halve prijs|gratis)|halve prijs',
  gains: 'gratis|cadeau|cashback|bonus|zonder (?:kosten|verzendkosten|borg)|korting|proef\\p{L}*',
  code: '(?:met )?(?:de )?(?:kortings|actie)?code:? (?<code>[A-Z0-9][A-Z0-9_-]{2,19})',
  on: (offer, subject) => `${offer} op ${subject}`,
  codeLine: (code) => `Code: ${code}`,
  actions: {
    shop: ['Shop nu', 'Shop'],
    book: ['Boek nu', 'Boek'],
    reserve: ['Reserveer een tafel', 'Reserveer'],
    order: ['Bestel nu', 'Bestel'],
    join: ['Schrijf je in', 'Meld aan'],
    download: ['Download de app', 'Download'],
    subscribe: ['Abonneer', 'Abonneer'],
    try: ['Probeer gratis', 'Probeer'],
    quote: ['Vraag offerte aan', 'Offerte'],
    donate: ['Doneer nu', 'Doneer'],
    drive: ['Plan een proefrit', 'Proefrit'],
    apply: ['Solliciteer nu', 'Solliciteer'],
    visit: ['Plan je bezoek', 'Bezoek'],
    watch: ['Kijk nu', 'Kijk'],
    learn: ['Meer informatie', 'Meer'],
  },
  signs: {
    drive: 'proefrit',
    donate: 'doneer\\p{L}*|donatie',
    apply: 'vacatures?|sollicit\\p{L}*',
    quote: 'verzekering|hypotheek|offerte',
    book: 'boek(?:en)?|reis|hotel|vlucht|vakantie',
    subscribe: 'nieuwsbrief|abonn\\p{L}*',
    join: 'aanmelden|inschrijv\\p{L}*|webinar|cursus',
    try: 'proefperiode|software|gratis proberen',
    download: 'app|downloaden',
    order: 'eten|pizza|koffie|bezorg\\p{L}*|bestel\\p{L}*',
    visit: 'museum|tentoonstelling|opening|bezoek',
    shop: 'korting|kopen|winkel|sale|schoenen|collectie',
  },
  sponsored: 'Advertentie',
};
