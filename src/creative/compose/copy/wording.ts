/** The languages that the built-in writer knows words of. */
export const COPY_LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;
/** A language that the built-in writer has words of. */
export type CopyLanguage = (typeof COPY_LANGUAGES)[number];

/** The action that an ad asks for. */
type Action =
  | 'shop'
  | 'book'
  | 'order'
  | 'join'
  | 'download'
  | 'subscribe'
  | 'try'
  | 'quote'
  | 'donate'
  | 'drive'
  | 'apply'
  | 'visit'
  | 'watch'
  | 'learn';

/** The words of a language that the built-in writer reads and writes. Patterns are applied to one sentence. */
export type Wording = {
  /** Words that give the language away. */
  readonly common: RegExp;
  /** An order to make an ad, up to what the ad is about. */
  readonly instruction: RegExp;
  /** "Promote …": the rest is what the ad is about. */
  readonly promote: RegExp;
  /** Sentences about the ad, not for it. */
  readonly directive: RegExp;
  /** Articles and possessives in front of a subject. */
  readonly determiner: RegExp;
  readonly newness: RegExp;
  readonly newWord: string;
  /** A sale or season with a name. */
  readonly event: RegExp;
  /** Until when. */
  readonly deadline: RegExp;
  /** Words just before a percentage or an amount that make it a discount: "save 20%". */
  readonly saving: RegExp;
  /** Words of a sentence that speaks of lower prices; a percentage in it is a discount before `reduces`: "Sale: 20% on boots". */
  readonly onSale: RegExp;
  readonly reduces: RegExp;
  readonly upTo: RegExp;
  readonly percentOff: (percent: string, upTo: boolean) => string;
  readonly amountOff: (amount: string, upTo: boolean) => string;
  readonly on: (offer: string, subject: string) => string;
  /** Words between the parts of a sentence that are left over once the parts are taken out. */
  readonly joints: RegExp;
  readonly actions: Readonly<Record<Action, string>>;
  readonly sponsored: string;
};

/** Words of the message and the offering that tell what to ask for; the first row that matches. */
export const ACTION_SIGNS: readonly (readonly [RegExp, Action])[] = [
  [/test[- ]?drive|probefahrt|essai routier|prueba de conducción/iu, 'drive'],
  [/donat|charity|spende|faire un don|dona(r|ción)|donazion/iu, 'donate'],
  [/\b(apply|hiring|careers?|jobs?|vacanc)|bewerb(en|ung)\b|stellenangebot|emploi|recrut|empleo|lavora con/iu, 'apply'],
  [/\bquote\b|insuranc|versicherung|assurance|seguro\b|assicura|mortgage|loan/iu, 'quote'],
  [
    /\b(book|reserv|hotel|flight|holiday rental|appointment|spa\b|tour\b|cruise)|buchen|reise|urlaub|flug|réserv|vol\b|séjour|vuelo|prenot/iu,
    'book',
  ],
  [/newsletter|subscri|abonn|suscr[ií]b|abbon/iu, 'subscribe'],
  [/\b(sign[- ]?up|register|webinar|conference|event tickets|membership|join)\b|anmeld|inscri|registr/iu, 'join'],
  [
    /\b(free trial|trial|demo|saas|software|platform)\b|kostenlos testen|essai gratuit|prueba gratis|prova gratuita/iu,
    'try',
  ],
  [/\b(download|install|mobile app|the app|our app|new app)\b|herunterladen|télécharg|descarg|scarica/iu, 'download'],
  [
    /\b(pizza|food|meal|delivery|menu|coffee|burger|lunch|dinner)|essen|lieferung|kaffee|livraison|comida|pedido|consegna/iu,
    'order',
  ],
  [/\b(trailer|stream|episode|movie|film|series|watch (it|now|the))\b/iu, 'watch'],
  [
    /\b(open day|showroom|grand opening|museum|exhibition|near you|restaurant)\b|ausstellung|exposition|exposición/iu,
    'visit',
  ],
  [
    /\b(sale|shop|buy|store|deal|discount|collection|% ?off|save|gear|shoes|boots|clothing|price|free shipping)|rabatt|angebot|kaufen|sale\b|solde|remise|réduction|acheter|achat|boutique|rebajas|descuento|compra|oferta|saldi|sconto/iu,
    'shop',
  ],
];

/** Everything the built-in writer says and listens for, per language. */
export const WORDING: Readonly<Record<CopyLanguage, Wording>> = {
  en: {
    common: /\b(the|our|for|and|with|of|to|your|a|an|is|on)\b/giu,
    instruction:
      /^(?:(?:please|can you|could you|i would like you to|i want you to|let's|we'd like|i'd like)\s+)*(?:i |we )?(?:to\s+)?(?:create|make|build|generate|design|produce|write|draft|prepare|give|need|want|do|run|launch)\s+[^.!?]*?\b(?:ads?|advert(?:isement)?s?|banners?|creatives?|campaigns?|leaderboards?|billboards?|posters?|images?|posts?|spots?|commercials?|rectangles?|skyscrapers?|displays?)\b(?:\s+(?:sets?|units?|campaigns?|creatives?|banners?|ads?|\(?\d+\s?x\s?\d+\)?))*(?:\s*,?\s*(?:for|promoting|about|on|featuring|announcing|advertising|highlighting|that promotes?|that announces|that says|(?:that drives?|to drive) [\w-]+ (?:for|to|of)|to promote|to advertise|to announce|which promotes|with|showing|saying|:))?\s*/iu,
    promote:
      /^(?:please\s+)?(?:promote|promoting|advertise|announce|highlight|feature|showcase|introduce|introducing|push|market|launch|drive [\w-]+ (?:for|of|to)|raise awareness (?:of|for))\s+/iu,
    directive:
      /^(?:please\s+)?(?:use|keep|include|make|avoid|target|goal|objective|tone|style|format|size|ensure|drive|adapt|resize|convert|crop|reformat|optimi[sz]e|shorten|transform|render|add|mention|focus|emphasi[sz]e|put|show|change|replace|it should|should|colou?rs?|with a|the (?:ad|banner|tone|style|image|design|look|headline|button))\b/iu,
    determiner: /^(?:(?:our|the|my|a|an|their|this|its|these)\s+)+/iu,
    newness: /^(?:brand[- ]new|all[- ]new|new)\s+(?:(?:line|range) of\s+)?/iu,
    newWord: 'New',
    event:
      /\b(?:(?:big|annual|mid-season|end[- ]of[- ]season|early)\s+)?(?:(?:summer|winter|spring|autumn|fall|holiday|christmas|easter|halloween|weekend|flash|clearance|anniversary|new year(?:'s)?|valentine'?s(?: day)?|mother'?s day|father'?s day|black friday|cyber monday|back[- ]to[- ]school|season)\s+(?:clearance\s+)?(?:sale|deals?|specials?|offers?|collection|event|savings|promotion|menu)|black friday|cyber monday|back[- ]to[- ]school|grand opening)\b/iu,
    deadline:
      /\b(?:until|till|through|ends?|ending|only)\s+(?:(?:this|next|the end of(?: the)?)\s+)?(?:midnight|tonight|today|tomorrow|weekend|week|month|year|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d{1,2}(?:st|nd|rd|th)?|\d{1,2}(?:st|nd|rd|th)?\s+(?:of\s+)?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*)\b|\b(?:this (?:weekend|week|month)|today)(?: only)?\b/iu,
    saving:
      /\b(?:save|saving|savings of|discounts? of|reduced by|reductions? of|minus)\s+(?:up to\s+)?(?:an? )?(?:extra )?$/iu,
    onSale: /\b(?:discounts?|sale|reduction|reduced|deals?)\b/iu,
    reduces:
      /^\s*(?:(?:on|all|everything|discounts?|sale|savings|reductions?|until|till|this|today)\b|$|[.!?,;:|–—]|-\s)/iu,
    upTo: /\bup to\s*$/iu,
    percentOff: (percent, upTo) => `${upTo ? 'Up to ' : ''}${percent}% off`,
    amountOff: (amount, upTo) => `${upTo ? 'Up to ' : ''}${amount} off`,
    on: (offer, subject) => `${offer} ${subject}`,
    joints:
      /^(?:(?:on|off|of|for|at|with|and|in|get|save|now|discounts?|offering|to|from|an?|up to|by|is|are|saving)\s+)+|(?:[\s,:–—-]+(?:on|off|of|for|at|with|and|in|get|save|now|discounts?|offering|to|from|an?|up to|by|is|are|our|saving))+$/giu,
    actions: {
      shop: 'Shop now',
      book: 'Book now',
      order: 'Order now',
      join: 'Sign up',
      download: 'Get the app',
      subscribe: 'Subscribe',
      try: 'Try it free',
      quote: 'Get a quote',
      donate: 'Donate now',
      drive: 'Book a test drive',
      apply: 'Apply now',
      visit: 'Plan your visit',
      watch: 'Watch now',
      learn: 'Learn more',
    },
    sponsored: 'Sponsored',
  },
  de: {
    common:
      /(?<!\p{L})(der|die|das|und|für|mit|unser(?:e[nmrs]?)?|ein(?:e[nmrs]?)?|auf|bis|ist|zum|zur|wir|sie|ihr(?:e[nmrs]?)?)(?!\p{L})/giu,
    instruction:
      /^(?:bitte\s+)?(?:erstellen? sie|erstelle?|erzeuge?|generiere|gestalte?|baue?|mache?|entwirf|schreibe?)\s+[^.!?]*?(?:anzeigen?|banner|werbung|werbemittel|kampagnen?|creatives?|plakate?)(?!\p{L})\s*(?:(?:für|über|zum|zur|zu|mit|von)\s+)?/iu,
    promote: /^(?:bitte\s+)?(?:bewirb|bewerbe|bewerben sie|wirb für|werbung für|kündige)\s+/iu,
    directive:
      /^(?:bitte\s+)?(?:verwende|nutze|benutze|achte|halte|passe?|ändere|der ton|stil|zielgruppe|farben?|format|skaliere|kürze)(?!\p{L})/iu,
    determiner: /^(?:(?:unser(?:e[nmrs]?)?|der|die|das|den|dem|des|ein(?:e[nmrs]?)?|mein(?:e[nmrs]?)?|alle)\s+)+/iu,
    newness: /^neue[nmrs]?\s+/iu,
    newWord: 'Neu',
    event:
      /(?<!\p{L})(?:(?:sommer|winter|frühjahrs?|frühlings?|herbst|weihnachts|oster)[- ]?(?:schlussverkauf|sale|angebote?|aktion|kollektion|rabatte?)|black friday|schlussverkauf)(?!\p{L})/iu,
    deadline:
      /(?<!\p{L})(?:nur\s+)?(?:bis(?:\s+(?:zum|einschließlich|ende))?\s+(?:mitternacht|heute|morgen|\p{L}+tag|mittwoch|\d{1,2}\.\s?(?:\d{1,2}\.?|\p{L}+)|monatsende|wochenende)|(?:dieses|am) wochenende|heute)(?!\p{L})/iu,
    saving:
      /(?<!\p{L})(?:sparen|spare|spart|rabatte? von|nachlass von|reduziert um)\s+(?:sie\s+|jetzt\s+)?(?:bis zu\s+)?$/iu,
    onSale: /(?<!\p{L})(?:rabatte?|reduziert|günstiger|nachlass|sale|schlussverkauf|angebote?)(?!\p{L})/iu,
    reduces: /^\s*(?:(?:auf|weniger|billiger|bis)(?!\p{L})|$|[.!?,;:|–—]|-\s)/iu,
    upTo: /(?<!\p{L})bis zu\s*$/iu,
    percentOff: (percent, upTo) => `${upTo ? 'Bis zu ' : ''}${percent} % Rabatt`,
    amountOff: (amount, upTo) => `${upTo ? 'Bis zu ' : ''}${amount} Rabatt`,
    on: (offer, subject) => `${offer} auf ${subject}`,
    joints:
      /^(?:(?:auf|für|mit|und|von|jetzt|spare?n?|rabatt|nachlass|bis zu|bei|zum|zur|in|sichern)\s+)+|(?:[\s,:–—-]+(?:auf|für|mit|und|von|jetzt|spare?n?|rabatt|nachlass|bis zu|bei|zum|zur|in|sichern))+$/giu,
    actions: {
      shop: 'Jetzt kaufen',
      book: 'Jetzt buchen',
      order: 'Jetzt bestellen',
      join: 'Jetzt anmelden',
      download: 'Zur App',
      subscribe: 'Abonnieren',
      try: 'Gratis testen',
      quote: 'Angebot anfordern',
      donate: 'Jetzt spenden',
      drive: 'Probefahrt buchen',
      apply: 'Jetzt bewerben',
      visit: 'Besuch planen',
      watch: 'Jetzt ansehen',
      learn: 'Mehr erfahren',
    },
    sponsored: 'Anzeige',
  },
  fr: {
    common: /(?<!\p{L})(le|la|les|des|du|et|pour|avec|notre|nos|une?|sur|jusqu|est|vos?|aux?)(?!\p{L})/giu,
    instruction:
      /^(?:s'il vous plaît,?\s+)?(?:crée[rz]?|génère|générer|générez|conçois|concevez|fais|faites|réalise[rz]?|prépare[rz]?)\s+[^.!?]*?(?:annonces?|bannières?|publicités?|pubs?|créations?|campagnes?|visuels?|affiches?)(?!\p{L})\s*(?:publicitaires?\s+)?(?:(?:pour|sur|avec|de)\s+)?/iu,
    promote: /^(?:promouvoir|promouvez|promeus|annonce[rz]?|présente[rz]?)\s+/iu,
    directive:
      /^(?:utilise[rz]?|garde[rz]?|ajoute[rz]?|évite[rz]?|le ton|style|couleurs?|format|adapte[rz]?|redimensionne[rz]?)(?!\p{L})/iu,
    determiner: /^(?:(?:notre|nos|les?|la|des?|du|une?|mon|ma|mes|tou(?:te)?s)\s+|l['’])+/iu,
    newness: /^nouve(?:aux?|lles?|l)\s+/iu,
    newWord: 'Nouveau',
    event:
      /(?<!\p{L})(?:soldes?(?:\s+(?:d['’](?:été|hiver|automne)|de printemps))?|offres? de (?:noël|printemps|rentrée)|black friday|rentrée)(?!\p{L})/iu,
    deadline:
      /(?<!\p{L})(?:jusqu['’](?:au|à)\s+(?:ce soir|demain|minuit|dimanche|lundi|mardi|mercredi|jeudi|vendredi|samedi|\d{1,2}(?!\d|\s?[%€$])(?:\s+\p{L}+)?)|ce week-end|aujourd['’]hui)(?!\p{L})/iu,
    saving: /(?<!\p{L})(?:économise[rz]?|remises? de|réductions? de|rabais de)\s+(?:jusqu['’]à\s*)?$/iu,
    onSale: /(?<!\p{L})(?:remises?|réductions?|soldes?|rabais|promo(?:tion)?s?)(?!\p{L})/iu,
    reduces: /^\s*(?:(?:sur|de moins|de rabais|jusqu)(?!\p{L})|$|[.!?,;:|–—]|-\s)/iu,
    upTo: /jusqu['’]à\s*$/iu,
    percentOff: (percent, upTo) => `${upTo ? 'Jusqu’à ' : ''}${percent} % de remise`,
    amountOff: (amount, upTo) => `${upTo ? 'Jusqu’à ' : ''}${amount} de remise`,
    on: (offer, subject) => `${offer} sur ${subject}`,
    joints:
      /^(?:(?:sur|de|d|pour|avec|et|à|remise|réduction|économisez|en)\s+)+|(?:[\s,:–—-]+(?:sur|de|pour|avec|et|à|remise|réduction|économisez|en|jusqu))+$/giu,
    actions: {
      shop: 'J’en profite',
      book: 'Réserver',
      order: 'Commander',
      join: 'S’inscrire',
      download: 'Télécharger',
      subscribe: 'S’abonner',
      try: 'Essai gratuit',
      quote: 'Obtenir un devis',
      donate: 'Faire un don',
      drive: 'Réserver un essai',
      apply: 'Postuler',
      visit: 'Préparer ma visite',
      watch: 'Regarder',
      learn: 'En savoir plus',
    },
    sponsored: 'Sponsorisé',
  },
  es: {
    common: /(?<!\p{L})(el|los|las|para|con|nuestr[oa]s?|un|una|del|por|hasta|sus?|y)(?!\p{L})/giu,
    instruction:
      /^(?:por favor,?\s+)?(?:crea[r]?|cree|genera[r]?|genere|diseña[r]?|diseñe|haz|hacer|haga|prepara[r]?)\s+[^.!?]*?(?:anuncios?|banners?|publicidad|creatividad(?:es)?|campañas?|carteles?)(?!\p{L})\s*(?:(?:para|sobre|con|de)\s+)?/iu,
    promote: /^(?:promociona[r]?|promocione|anuncia[r]?|anuncie|presenta[r]?)\s+/iu,
    directive:
      /^(?:usa[r]?|utiliza[r]?|mantén|añade|evita|el tono|estilo|colores|formato|adapta[r]?|redimensiona[r]?)(?!\p{L})/iu,
    determiner: /^(?:(?:nuestr[oa]s?|el|los|las?|un[oa]?s?|mi|tod[oa]s)\s+)+/iu,
    newness: /^nuev[oa]s?\s+/iu,
    newWord: 'Nuevo',
    event:
      /(?<!\p{L})(?:rebajas(?: de (?:verano|invierno|primavera|otoño))?|ofertas de (?:verano|navidad|invierno)|black friday|vuelta al cole)(?!\p{L})/iu,
    deadline:
      /(?<!\p{L})(?:(?:solo\s+)?hasta\s+(?:el\s+)?(?:hoy|mañana|medianoche|domingo|lunes|martes|miércoles|jueves|viernes|sábado|\d{1,2}(?!\d|\s?[%€$])(?:\s+de\s+\p{L}+)?)|este fin de semana|solo hoy)(?!\p{L})/iu,
    saving: /(?<!\p{L})(?:ahorrar?|ahorre|descuentos? del?|rebajas? del?)\s+(?:hasta\s+)?(?:un\s+)?$/iu,
    onSale: /(?<!\p{L})(?:descuentos?|rebajas|rebajad[oa]s?|ofertas?)(?!\p{L})/iu,
    reduces: /^\s*(?:(?:en|sobre|menos|de rebaja|hasta)(?!\p{L})|$|[.!?,;:|–—]|-\s)/iu,
    upTo: /hasta(?: un)?\s*$/iu,
    percentOff: (percent, upTo) => `${upTo ? 'Hasta ' : ''}${percent} % de descuento`,
    amountOff: (amount, upTo) => `${upTo ? 'Hasta ' : ''}${amount} de descuento`,
    on: (offer, subject) => `${offer} en ${subject}`,
    joints:
      /^(?:(?:en|de|para|con|y|a|un|el|descuento|ahorra)\s+)+|(?:[\s,:–—-]+(?:en|de|para|con|y|a|un|el|descuento|ahorra|hasta))+$/giu,
    actions: {
      shop: 'Comprar ahora',
      book: 'Reservar',
      order: 'Pedir ahora',
      join: 'Regístrate',
      download: 'Descargar',
      subscribe: 'Suscribirse',
      try: 'Prueba gratis',
      quote: 'Pide presupuesto',
      donate: 'Donar ahora',
      drive: 'Reserva tu prueba',
      apply: 'Inscríbete',
      visit: 'Planea tu visita',
      watch: 'Ver ahora',
      learn: 'Más información',
    },
    sponsored: 'Patrocinado',
  },
  it: {
    common: /(?<!\p{L})(il|gli|della?|dei|per|con|nostr[oaie]|un[oa']?|fino|sono|alla?)(?!\p{L})/giu,
    instruction:
      /^(?:per favore,?\s+)?(?:crea(?:re)?|genera(?:re)?|progetta(?:re)?|realizza(?:re)?|fai|prepara(?:re)?)\s+[^.!?]*?(?:annunci[o]?|banner|pubblicità|creatività|campagn[ae]|manifest[oi])(?!\p{L})\s*(?:(?:per|su|con|di)\s+)?/iu,
    promote: /^(?:promuovi|promuovere|annuncia(?:re)?|presenta(?:re)?)\s+/iu,
    directive:
      /^(?:usa(?:re)?|mantieni|aggiungi|evita|il tono|stile|colori|formato|adatta(?:re)?|ridimensiona(?:re)?)(?!\p{L})/iu,
    determiner: /^(?:(?:i|il|lo|la|gli|le|un[oa]?|nostr[oaie]|tutt[ie])\s+|l['’]|un['’])+/iu,
    newness: /^nuov[oaie]\s+/iu,
    newWord: 'Novità',
    event: /(?<!\p{L})(?:saldi(?:\s+(?:estivi|invernali|di fine stagione))?|offerte di natale|black friday)(?!\p{L})/iu,
    deadline:
      /(?<!\p{L})(?:fino a\p{L}*\s+(?:oggi|domani|mezzanotte|domenica|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|\d{1,2}(?!\d|\s?[%€$])(?:\s+\p{L}+)?)|questo weekend|solo oggi)(?!\p{L})/iu,
    saving: /(?<!\p{L})(?:risparmia(?:re)?|sconti? del|riduzione del)\s+(?:fino al?\s+)?(?:il\s+)?$/iu,
    onSale: /(?<!\p{L})(?:scont[oi]|saldi|riduzione|offert[ae])(?!\p{L})/iu,
    reduces: /^\s*(?:(?:sul?|sulla|sulle|sui|sugli|in meno|fino)(?!\p{L})|$|[.!?,;:|–—]|-\s)/iu,
    upTo: /fino a[l]?\s*$/iu,
    percentOff: (percent, upTo) => `${upTo ? 'Fino al ' : ''}${percent}% di sconto`,
    amountOff: (amount, upTo) => `${upTo ? 'Fino a ' : ''}${amount} di sconto`,
    on: (offer, subject) => `${offer} su ${subject}`,
    joints:
      /^(?:(?:su|di|per|con|e|a|un|il|sconto|risparmia|sugli|sulle|sui)\s+)+|(?:[\s,:–—-]+(?:su|di|per|con|e|a|un|il|sconto|risparmia|del))+$/giu,
    actions: {
      shop: 'Acquista ora',
      book: 'Prenota ora',
      order: 'Ordina ora',
      join: 'Iscriviti',
      download: 'Scarica l’app',
      subscribe: 'Abbonati',
      try: 'Prova gratis',
      quote: 'Preventivo',
      donate: 'Dona ora',
      drive: 'Prenota la prova',
      apply: 'Candidati',
      visit: 'Pianifica la visita',
      watch: 'Guarda ora',
      learn: 'Scopri di più',
    },
    sponsored: 'Sponsorizzato',
  },
};

/** Returns the language of a text by its common words; English when nothing tells. */
export function detectLanguage(text: string): CopyLanguage {
  const score = (language: CopyLanguage): number => text.match(WORDING[language].common)?.length ?? 0;
  return COPY_LANGUAGES.reduce((best, language) => (score(language) > score(best) ? language : best), 'en');
}
