import type { LanguageWords } from '../table.js';

const AD =
  '(?:annunci[o]?|banner|pubblicità|creatività|campagn[ae]|manifest[oi]|locandin[ae]|post|spot|grafic[ahe]+|visual|inserzion[ei])';
const MONTHS = 'gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre';
const PLEASE =
  '(?:(?:per favore,?|per cortesia,?|vorremmo|vorrei|abbiamo bisogno di|ci serv(?:e|ono|irebbe)|potete|potreste|puoi|avremmo bisogno di|ho bisogno di|ci piacerebbe|avere)\\s+)*';

/** The words of Italian. */
export const ITALIAN: LanguageWords = {
  language: 'it',
  isSpaced: true,
  hasListedBans: true,
  common:
    'il|gli|della?|dei|delle|per|con|nostr[oaie]|un[oa]?|fino|sono|alla?|di|che|è|la|le|lo|del|al|nel|sul|non|e|ma|più|ciao|buongiorno|vorremmo|ci|serve|dal|senza|pulsante|grazie|abbiamo',
  months: MONTHS,
  orders: [
    `${PLEASE}(?:(?:cre|gener|progett|realizz|fai|fate|fare|prepar|scriv|svilupp)\\p{L}*\\s+)?[^.!?\\n]{0,70}?(?<!\\p{L})${AD}(?!\\p{L})(?:\\s+(?:b2b|b2c|online|display|digitale|pubblicitari[oae]))?(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:per|su|sul|sulla|con|di|dedicat[oa] a|che (?:promuova|annunci|presenti)|:)\\s*(?<subject>.*)$`,
    '(?:ci (?:serve|servirebbe|vuole)|vorremmo|abbiamo bisogno di) (?:qualcosa|una cosa|un pezzo) per\\s+(?:[^:.!?]{2,30}:\\s+)?(?<subject>.*)$',
    `${PLEASE}(?:promuov\\p{L}*|annunci(?:a|are)|present(?:a|are)|pubblicizza\\p{L}*|lanci(?:a|are|amo)|far conoscere)\\s+(?<subject>.*)$`,
    "(?:lancio|apertura|inaugurazione|promozione) (?:di|del|della|dei|delle|dell['’])\\s*(?<subject>.*)$",
    '(?:lanciamo|apriamo|inauguriamo|presentiamo|stiamo lanciando)\\s+(?<subject>.*)$',
    `${PLEASE}(?:cre|gener|progett|realizz|prepar)\\p{L}*\\s+[^.!?\\n]{0,60}(?<!\\p{L})${AD}(?<rest>.*)$`,
  ],
  promote:
    "(?:(?:per )?(?:promuovere|annunciare|presentare|lanciare|far conoscere)|(?:il )?lancio (?:di|del|della|dei|delle|dell['’])|(?:l['’])?(?:apertura|inaugurazione) (?:di|del|della|dei|delle|dell['’]))",
  presents: '(?:offre|vende|noleggia|produce|cerca|lancia|apre|presenta|assume)',
  determiner: "(?:i|il|lo|la|gli|le|un[oa]?|nostr[oaie]|tutt[ie]|del|della|dei|delle)\\s+|l['’]|un['’]|dell['’]",
  newness: 'nuov[oaie]\\s+',
  newWord: 'Novità',
  audience:
    'per (?:giovani|famiglie|donne|uomini|genitori|studenti|persone|chi|professionisti)|rivolt[oaie] a|dedicat[oa] a chi|target|pensat[oa] per',
  detail: 'che|con|perché|così|dove|grazie',
  joints:
    'su|di|del|della|dei|per|con|e|a|al|un|il|lo|la|i|gli|le|sconto|risparmia|sugli|sulle|sui|sulla|sul|da|dal|in|nel',
  labels: {
    mustNot:
      'niente(?=\\s?[:：])|non mettere|no(?=\\s?[:：])|da (?:evitare|non dire|non (?:menzionare|usare))|non (?:dire|menzionare|usare|citare)|evitare|vietat[oi]|esclusioni',
    headline: 'frase principale|titolo|headline|slogan|claim|payoff',
    body: 'testo|body(?: copy)?|descrizione|sottotitolo',
    action: "call[- ]to[- ]action|cta|pulsante|bottone|invito all['’]azione",
    product: 'prodott[oi]|servizio|oggetto della campagna|evento|tema|cosa (?:promuoviamo|vendiamo)',
    brand: 'marca|brand|cliente',
    offer:
      'offerta|promozione|promo|sconto|vantaggi|benefici|messaggi?o?(?: chiave| principale)?|punti (?:chiave|di forza)|plus',
    audience: 'per chi|destinatari|target|pubblico|destinatari|a chi|audience',
    tone: 'atmosfera|tono(?: di voce)?|stile|mood|immagini|visual|colori|grafica|look|design|logo',
    must: 'obbligatori[oae]?|da (?:inserire|includere|menzionare)|includere|inserire|deve (?:contenere|esserci)|indispensabile|must',
    legal:
      'scritta piccola|asterisco|clausole|piè di pagina|note legali|nota legale|legale|disclaimer|condizioni|dicitura(?: legale| obbligatoria)?|avvertenze?',
    language: 'lingua',
    code: 'codice(?: sconto| promo)?',
    deadline: 'validità|valid[ao](?: fino)?|date|periodo|scadenza|durata',
    note: 'nota|note(?=\\s?[:：])',
    context:
      'campagna|obiettiv[oi]|budget|tempi|tempistiche|consegna|formati?|dimensioni|misure|canali|contatt[oi]|contesto|brief|progetto|oggetto|da|a|link|concorrenti|concorrenza|note|referente',
  },
  directive:
    "(?:parliamo|ci rivolgiamo|si rivolge|rivolto) (?:a|ai|agli|alle)|(?:deve|devono|dovrebbe) (?:\\p{L}+ ){0,3}?(?:essere|avere|trasmettere|comunicare|risultare|sembrare|invitare|evocare)|tono|call[- ]to[- ]action|cta|pubblico|punti esclamativi|foto di stock|linee guida|l['’]annuncio|il (?:banner|cliente|pulsante|testo)|la (?:grafica|campagna precedente)|in allegato|allegat[oi]|l['’]anno scorso|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|budget|urgente|prima bozza|bozze|approvazione|cliché|gergo|stile|rivolt[oaie] a|dare del (?:tu|lei)",
  directiveStart:
    "(?:per favore,?\\s+|e\\s+)?(?:usa(?:re|te)?|mant[ei]n\\p{L}*|evit\\p{L}*|il tono|stile|colori|formato|adatt\\p{L}*|ridimensiona\\p{L}*|qualcosa|niente|nessun\\p{L}*|vorremmo|vogliamo|vorrei|pensavamo|pensiamo|credo|parla(?:te)?|rivolg\\p{L}*|fai in modo|fate in modo|ricord\\p{L}*|tenete|tieni|come (?:concordato|sempre|d['’]accordo)|vi (?:mando|invio|passo)|ti (?:mando|invio|passo)|resto|fatemi|attendo|immagini)",
  greeting:
    '(?:ciao|buongiorno|buonasera|salve|gentil[ei]|car[oaie])(?: (?:a tutti|team|ragazzi|tutti|[A-Z]\\p{L}+))?(?:[,!.]|\\s*$)',
  signOff:
    '(?:grazie(?: mille| in anticipo)?|cordiali saluti|saluti|un saluto|a presto|buona giornata|distinti saluti|buon lavoro)',
  include:
    '(?:per favore )?(?:bisogna |ricordat\\p{L}* di |non dimenticat\\p{L}* di |è importante |importante )?(?:menziona(?:re|te)?|includ(?:i|ere|ete)|inseri(?:sci|re|te)|sottolinea(?:re|te)?|evidenzia(?:re|te)?|specifica(?:re|te)?|cita(?:re|te)?|aggiung(?:i|ere|ete)|dire)(?: anche| che)?:?',
  includeTail: '(?:deve|devono) (?:comparire|apparire|esserci|essere (?:visibil|present|indicat)\\p{L}*)(?: [^.]*)?$',
  never:
    'non (?:\\p{L}+ )?(?:menzion\\p{L}*|us[ai]\\p{L}*|cit\\p{L}*|dire|dite|parl\\p{L}*|nomin\\p{L}*|scriv\\p{L}*|mostr\\p{L}*|promett\\p{L}*|indic\\p{L}*|inseri\\p{L}*|mett\\p{L}*|confront\\p{L}*|includ\\p{L}*)|senza (?:menzionare|citare|parlare|indicare|nominare|usare)|evit(?:a|are|ate|iamo)|niente (?:prezzi|promesse|concorrenti|cliché|inglesismi|esclamativi|superlativi)|nessun (?:prezzo|riferimento)',
  topics: {
    price: 'prezz[oi]|cost[oi]|tariff[ae]',
    discount: 'scont[oi]|promozioni',
    date: 'dat[ae]|scadenza',
    competitor: 'concorren\\p{L}+|competitor',
  },
  legal:
    'bevi responsabilmente|bere responsabilmente|il gioco (?:è vietato|può causare)[^.]*|vietato ai minori[^.]*|leggere attentamente[^.]*|messaggio pubblicitario con finalità promozionale[^.]*|termini e condizioni[^.]*|fino a esaurimento scorte|salvo approvazione[^.]*|taeg[^.]*|i risultati possono variare[^.]*|regolamento (?:completo )?(?:su|sul)[^.]*|è un dispositivo medico[^.]*|prima della sottoscrizione[^.]*|offerta soggetta[^.]*',
  event:
    '(?:saldi(?: (?:estivi|invernali|di fine stagione))?|offerte di natale|black friday|svendita|festa (?:della mamma|del papà)|grande apertura|open day)',
  deadline: `(?:(?:solo |valid[oa] |solo )?(?:fino a\\p{L}*|entro(?: (?:il|la|l['’]))?|prima del) (?:oggi|domani|mezzanotte|(?:la )?fine (?:del mese|di (?:${MONTHS}))|domenica|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|\\d{1,2}(?!\\d|\\s?[%€$])(?:[ /](?:${MONTHS}|\\d{1,2}))?(?: 20\\d\\d)?)|questo weekend|solo oggi|dal(?:l['’])? ?\\d{1,2}(?: (?:${MONTHS}))? al(?:l['’])? ?\\d{1,2} (?:${MONTHS})|(?:dal|il|a partire dal) \\d{1,2} (?:${MONTHS}))`,
  offers:
    "(?:fino al(?:l['’])? ?)?\\d{1,3} ?(?:%|€|euro) di sconto|sconto (?:fino al(?:l['’])? ?|del(?:l['’])? ?|di )\\d{1,3} ?(?:%|€|euro)|[-–−]\\s?\\d{1,2} ?%|(?:2|3|due|tre) (?:x|per) (?:1|2|uno|due)(?!\\p{N})|prim[oa] (?:mese|lezione|consegna|visita|seduta|settimana) (?:gratis|gratuit[oa]|in omaggio)|metà prezzo",
  gains:
    'gratis|gratuit[oaie]|omaggio|senza (?:costi|spese|impegno|vincoli|commissioni|interessi)|cashback|bonus|sconto|inclus[oaie]|prova|garanzia|regalo|rimborso|tasso zero',
  sale: {
    saving: '(?:risparmia(?:re)?|sconti? del|riduzione del) +(?:fino al? +)?(?:il +)?',
    onSale: 'scont[oi]|saldi|riduzione|offert[ae]',
    reduces: 'sul?|sulla|sulle|sui|sugli|in meno|fino',
    off: 'di sconto|in meno',
    upTo: 'fino al?',
    percentOff: (percent, upTo) => `${upTo ? 'Fino al ' : ''}${percent}% di sconto`,
    amountOff: (amount, upTo) => `${upTo ? 'Fino a ' : ''}${amount} di sconto`,
  },
  code: '(?:con |usando |usa )?(?:il )?codice(?: sconto| promo)?:? [«"“]?(?<code>[A-Z0-9][A-Z0-9_-]{2,19})[»"”]?',
  on: (offer, subject) => `${subject}: ${offer.charAt(0).toLowerCase()}${offer.slice(1)}`,
  codeLine: (code) => `Codice: ${code}`,
  actions: {
    shop: ['Acquista ora', 'Acquista'],
    book: ['Prenota ora', 'Prenota'],
    reserve: ['Prenota un tavolo', 'Prenota'],
    order: ['Ordina ora', 'Ordina'],
    join: ['Iscriviti'],
    download: ['Scarica l’app', 'Scarica'],
    subscribe: ['Abbonati'],
    try: ['Prova gratis', 'Prova'],
    quote: ['Chiedi un preventivo', 'Preventivo'],
    donate: ['Dona ora', 'Dona'],
    drive: ['Prenota la prova', 'Prova'],
    apply: ['Candidati'],
    visit: ['Pianifica la visita', 'Visita'],
    watch: ['Guarda ora', 'Guarda'],
    learn: ['Scopri di più', 'Scopri'],
  },
  signs: {
    drive: 'test drive|prova su strada',
    donate: 'dona\\p{L}*|raccolta fondi|5x1000|5 per mille',
    apply: 'candida\\p{L}*|lavora con|assumiamo|offerte di lavoro|cerchiamo',
    quote: 'assicura\\p{L}*|preventiv[oi]|mutu[oi]|prestit[oi]|polizz[ae]',
    reserve: 'ristorante|tavolo',
    book: 'prenot\\p{L}*|vol[oi]|hotel|viagg[io]+|vacanz[ae]|crociera|spa|soggiorno|weekend',
    subscribe: 'abbona\\p{L}*|newsletter',
    join: 'iscri\\p{L}*|registra\\p{L}*|corso|corsi|webinar|palestra|lezion[ei]',
    try: 'prova gratuita|software|piattaforma|demo',
    download: 'scaric\\p{L}*|app',
    order: 'consegna|pizza|menu|ordina\\p{L}*|a domicilio',
    watch: 'film|serie|trailer|puntat[ae]',
    visit: 'mostra|museo|fiera|inaugurazione|visita\\p{L}*|ingresso|open day|showroom',
    shop: 'saldi|scont[oi]|acquist\\p{L}*|negozio|scarpe|collezione|olio|offert[ae]|ordine',
  },
  sponsored: 'Sponsorizzato',
};
