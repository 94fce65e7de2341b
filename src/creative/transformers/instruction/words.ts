/** The parts of an ad that an instruction may name. */
export const PARTS = [
  'button color',
  'text color',
  'style',
  'legal',
  'headline',
  'callToAction',
  'eyebrow',
  'ground',
  'logo',
  'picture',
  'click',
  'tone',
  'language',
  'motif',
  'offer',
  'size',
  'body',
] as const;

/** A part of an ad that an instruction may name. */
export type Part = (typeof PARTS)[number];

/** Their words in English, German, French and Spanish; where two begin at one place, the one of the earlier part counts. */
const WORDS: Readonly<Record<Part, string>> = {
  'button color':
    "(?:button|cta)(?:'s)? colou?r|colou?r of the (?:button|cta)|button\\s?farbe|farbe de[sr] (?:button|knopf|schaltfläche)s?|couleur du bouton|color del botón|accent colou?r|akzentfarbe|couleur d'accent|color de acento",
  'text color':
    "(?:text|font|headline|title)(?:'s)? colou?r|colou?r of the (?:text|headline|title)|(?:text|schrift)farbe|couleur du (?:texte|titre)|color del (?:texto|titular|título)",
  style:
    'font(?!\\s?colou?r)s?|typeface|typography|schriftart|schrift(?!farbe)|police|tipografía|fuente|animat\\w+|animier\\w+|animé\\w*|animad\\w*|border|rahmen|bordure|borde',
  legal:
    'lignes? légales?|(?:legal|disclaimer|terms)(?:[\\s-](?:line|text|notice|copy|note))?|small print|fine print|disclaimer|rechtshinweis|kleingedruckte[sn]?|pflichthinweis|mentions? légales?|mention obligatoire|(?:aviso|texto|línea) legal|letra pequeña',
  headline:
    'headline|heading|title|überschrift|schlagzeile|headline|titelzeile|titel|titre|accroche|titular|título|encabezado',
  callToAction:
    "button(?:[\\s-]?text)?|cta|call[\\s-]to[\\s-]action|knopf|schaltfläche|buttontext|bouton|appel à l['’]action|botón|llamada a la acción",
  eyebrow: 'eyebrow|kicker|dachzeile|surtitre|antetítulo',
  ground:
    'background|backdrop|hintergrund(?:farbe)?|arrière[\\s-]plan|fond|fondo|farbe|color(?! scheme)|colour(?! scheme)|couleur',
  logo: 'logo|logotype|logotipo',
  picture: 'picture|photo(?:graph)?|image|visual|bild|foto|visuel|imagen',
  click: 'link|landing[\\s-]?page|click(?:[\\s-]?(?:url|through))?|url|destination|lien|enlace|zielseite|ziel-?url',
  tone: 'tone(?: of voice)?|tonalität|ton|tono|mood|stimmung|ambiance|style|stil|estilo',
  language: 'language|sprache|langue|idioma|translate[sd]?|translation|übersetz\\w*|tradui\\w*|traduc\\w*',
  motif: 'motif|pattern|drawing|muster|dekor|patrón|dibujo',
  offer: 'badge|sticker|offer(?: badge)?|störer|angebot|pastille|offre|insignia|oferta',
  size: 'resize\\w*|adapt\\w*|size|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|größe|redimension\\w*|taille|tamaño|format(?:e|o)?|anpass\\w*',
  body: 'body(?:[\\s-](?:text|copy))?|description|subline|sub-?headline|subtitle|copy|text|fließtext|beschreibung|untertitel|unterzeile|texte|sous-titre|descripción|subtítulo|texto|cuerpo',
};

const PATTERNS = PARTS.map((part) => [part, bounded(WORDS[part])] as const);

/** A part that a text names, and where. */
export type LocatedPart = { readonly part: Part; readonly from: number; readonly to: number };

/** Returns the first part that a text names; undefined where it names none. */
export function findPart(text: string): LocatedPart | undefined {
  let first: LocatedPart | undefined;
  for (const [part, pattern] of PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null && (first === undefined || match.index < first.from))
      first = { part, from: match.index, to: match.index + match[0].length };
  }
  return first;
}

/** Words that begin a command. */
const VERBS =
  'change|set|lose (?:the|that)|make|use|put|replace|update|turn|switch|write|rewrite|let|give|add|remove|delete|drop|omit|hide|shorten|translate|keep|swap|invert|reverse|try|link|leave|take|show|include|mention|say|have|resize|adapt|move|place|enlarge|increase|decrease|get rid|ändere?|setze?|mach(?:e|en)?|verwende|nutze?|nimm|benutze|ersetze|tausche?|schreibe?|lass|gib|füge|entferne|lösche|streiche|kürze|übersetze|zeige|erwähne|verlinke|stelle|färbe|behalte|changez?|mets|mettez|utilisez?|remplacez?|écris|écrivez|enlevez?|enlève|retirez?|supprimez?|ajoutez?|raccourci\\w*|tradui\\w*|modifiez?|passez?|fais|faites|rends|rendez|mentionnez?|gardez?|cambia|cambie|pon|ponga|usa|usad|utiliza|utilice|reemplaza|reemplace|sustituye|escribe|escriba|quita|quite|elimina|elimine|borra|añade|añada|agrega|agregue|acorta|traduce|traduzca|haz|haga|menciona|mencione|mantén|mettre|changer|utiliser|remplacer|écrire|enlever|retirer|supprimer|ajouter|raccourcir|traduire|modifier|rendre|cambiar|poner|usar|utilizar|reemplazar|quitar|eliminar|borrar|añadir|acortar|traducir';
const ARTICLES_ALONE =
  "(?:l['’]|(?:the|a|an|new|another|der|den|die|das|dem|einen?|eine[mrs]?|le|la|les|un|une|el|los|las|una|su|its?|your|our)\\s+)";
const ARTICLES = `(?:${ARTICLES_ALONE})?`;
const ANY_PART = PARTS.map((part) => WORDS[part]).join('|');

/** Where one command ends and the next begins: behind a sign or "and", before a verb, a part or a color with one. */
export const NEXT_COMMAND = new RegExp(
  `\\s*(?:[,;]\\s*(?:and|und|et|y|e|then|dann|puis|luego|but|aber|mais|pero)?|\\s(?:and|und|et|y|then|dann|puis|but|aber|mais|pero))\\s+(?=(?:please\\s|also\\s|bitte\\s|auch\\s|aussi\\s|también\\s|with\\s|mit\\s|avec\\s|con\\s|on\\s|auf\\s|sur\\s|sobre\\s|no\\s|without\\s|ohne\\s|sans\\s|sin\\s)?(?:(?:${VERBS})(?!\\p{L})|${ARTICLES}(?:\\p{L}+(?:e[nmrs]?)?\\s)?(?:${ANY_PART})(?!\\p{L})))|\\s+(?=with an? (?:\\p{L}+\\s){1,2}(?:button|cta)(?!\\p{L}))`,
  'giu',
);

/** The beginning of a command: a request, a verb, a preposition, or the part that it is about. */
export const BEGINS_COMMAND = new RegExp(
  `^(?:(?:please|also|now|then|could you|can you|can we|could we|let['’]s|bitte|auch|nun|kannst du|können sie|s['’]il (?:te|vous) plaît|peux-tu|pouvez-vous|por favor|puedes|puede)[\\s,]+)*(?:(?:${VERBS}|go for (?:an?|the)|i want|i would like|i['’]d like|we want|we['’]d like|ich möchte|wir möchten|je veux|j['’]aimerais|nous voulons|quiero|quisiera|queremos|with|mit|avec|con|on|auf|sur|sobre|in|into|ins|en|al|no|without|ohne|sans|sin|more|less|mehr|plus|moins|más|menos|another|neue[rs]?)(?!\\p{L})|(?:${ARTICLES_ALONE}(?:\\p{L}+\\s)?)?(?:${ANY_PART})(?!\\p{L}))`,
  'iu',
);
/** A verb at the beginning of a command. */
export const BEGINS_VERB = new RegExp(`^(?:${VERBS})(?!\\p{L})`, 'iu');
/** Words of a command that takes something away. */
export const REMOVES = bounded(
  'remove|delete|drop|lose (?:the|that)|omit|hide|without|no|get rid of|take out|take off|enlever|retirer|supprimer|quitar|eliminar|borrar|entferne|lösche|streiche|ohne|weglassen|weg|kein(?:e[nmrs]?)?|enlevez?|enlève|retirez?|supprimez?|sans|quita|quite|elimina|elimine|borra|sin',
);
/** A command that takes away what was named before. */
export const REMOVES_IT =
  /^(?:(?:please|bitte|just|por favor)\s+)*(?:(?:take|leave) (?:it|that|this|them) (?:off|out|away)|(?:remove|delete|drop|lose|omit|hide|get rid of) (?:it|that|this|them)|(?:nimm|lass|mach) (?:es|ihn|sie|das) (?:weg|raus|heraus)|(?:entferne|lösche|streiche) (?:es|ihn|sie|das)|(?:enlevez|enlève|retirez?|supprimez?)-(?:le|la|les)|(?:quíta|elimína|bórra)(?:lo|la|los|las))[.!]?$/iu;
/** What tells the writer to leave prices out. */
export const NO_PRICES = 'Do not mention prices.';
/** Subjects that may be taken out of the words of an ad, each with what tells the writer so. */
export const TAKEN_OUT: readonly (readonly [pattern: RegExp, brief: string])[] = [
  [bounded('prices?|preise?|prix|precios?'), NO_PRICES],
  [bounded('discounts?|rabatte?|remises?|réductions?|descuentos?'), 'Do not mention discounts.'],
  [bounded('dates?|deadline|datum|termin|fechas?'), 'Do not mention dates.'],
];
/** Verbs of a command that adds something. */
const ADDS =
  'add|insert|put(?: in)?|include|place|show|attach|embed|füge?|ergänze?|setze?|baue?|zeige?|ajoute[rz]?|insère|insérer|insérez|mets|mettez|mettre|affiche[rz]?|añad[aei]r?|añade|agrega|agregue|pon|ponga|poner|inserta|inserte|incluye';
/** A command that adds one thing and says no more of it. */
export const ADDS_ONE = new RegExp(
  `^(?:(?:please|also|bitte|auch|por favor)\\s+)?(?:${ADDS})\\s+(?:noch\\s+|auch\\s+)?(?:an?|one|some|another|ein(?:e[nmrs]?)?|une?|una?|otro|otra)\\s+\\p{L}[\\p{L}’'-]*(?:\\s[\\p{L}’'-]+){0,3}[.!]?$`,
  'iu',
);
/** Things that no ad has here, each with why, and what can be had instead. */
export const UNAVAILABLE: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [
    bounded('count-?down\\w*|timers?|clock|compte à rebours|minuteur|cuenta (?:atrás|regresiva)|temporizador'),
    'an ad here does not count; say until when the offer holds, as in: change the text to "Only until Sunday"',
  ],
  [
    bounded(
      'animations?|gifs?|motion|transitions?|parallax|bewegung|animación|mouvement|movimiento|effects?|effekte?|effets?|efectos?',
    ),
    'a picture does not move; ask for a video format, or another tone or motif',
  ],
  [
    bounded('videos?|vidéos?|vídeos?|clips?|film(?:s|e)?'),
    'this format shows no video; build for a video format by target_format_id',
  ],
  [
    bounded('sounds?|music|audio|jingle|voice-?over|musik|ton(?:spur)?|musique|son|música|sonido'),
    'this format has no sound; build for an audio or video format by target_format_id',
  ],
  [
    bounded('qr(?:[- ]?codes?)?|bar ?codes?|barcodes?|strichcodes?|código de barras|code[- ]barres'),
    'codes are not drawn here; send one as a picture, or say where a click leads',
  ],
  [
    bounded(
      'maps?|(?:stadt)?karte|cartes?|mapas?|forms?|formulare?|formulaires?|formularios?|sliders?|carousels?|karussell|dropdowns?|search bar|chat ?bot|quiz|poll|game|spiel|jeu|juego',
    ),
    'layouts have no such part; they have a headline, a text, a button, a legal line, a badge, a logo and a picture',
  ],
];
/** Words behind a quotation that is to stand on the part that was named before. */
export const ON_IT = /(?<!\p{L})(?:drauf|darauf|on it|in it|dessus|encima)[.!]?$/iu;
/** Words of a command that leaves something as it is. */
export const KEEPS =
  /^\s*(?:please\s|bitte\s)?(?:keep|leave|(?:don['’]t|do not) (?:change|touch)|behalte|ändere nicht|ne (?:changez|touchez) pas|no (?:cambies|cambie|toques)|lass|gardez?|laissez?|mantén|deja|mantener)(?!\p{L})/iu;
/** A size that a part is to have, and nothing else: "bigger logo". */
export const RESIZES = new RegExp(
  `^(?:an? |the |ein(?:en|e)? |un |une |una )?(?:bigger|larger|smaller|huge|größere[nrs]?|kleinere[nrs]?|plus (?:grande?|petite?)|más (?:grande|pequeñ[oa]))\\s(?:${ANY_PART})[.!\\s]*$|^(?:${ARTICLES})(?:${ANY_PART})\\s(?:bigger|larger|smaller|größer|kleiner|plus (?:grande?|petite?)|más (?:grande|pequeñ[oa]))[.!\\s]*$`,
  'iu',
);
/** Words of what a brief says for the writer. */
export const TELLS = bounded(
  'mention|say that|include|erwähne|erwähnen|mentionnez?|menciona|mencione|emphasi[sz]e|highlight|betone|insistez?|destaca',
);
export const SHORTER = bounded('short(?:er|en)|kürzer|kürze|raccourci\\w*|plus courte?|más cort[oa]|acorta');
export const SWAPS =
  /(?<!\p{L})(?:invert|swap|reverse|exchange|vertausche?|invertier|inverse[rz]?|inviert[ea])(?:\p{L}*)[^.!?]{0,40}(?:colou?rs?|farben|couleurs|colores)/iu;
export const OTHER = bounded(
  'another|other|different|new|ander(?:e[nmrs]?|n)|neue[nmrs]?|autre|nouveau|différent|otro|otra|nuevo|distinto',
);

/** What stands between a part and the words that it is to have. */
export const BEFORE_VALUE =
  /^\s*(?:["']\s*)?(?:(?:should|must|has to|shall|soll|doit|debe|needs to)\s+)?(?:to\s+(?:say|read|be)|to|as|into|with|by|says?|reads?|saying|reading|be|say|read|:|=|→|->|zu|auf|in|durch|mit|lautet?|lauten|soll|par|en|à|pour|dire|por|a|con|diga|dice|decir|is|ist|est|es)(?=[\s:"“„«\ue100-\ue1ff]|$)[\s:]*/iu;
/** German verbs that end such words. */
export const BEHIND_VALUE = /\s+(?:lauten|heißen|stehen|sein|ändern|ersetzen|setzen|machen|haben)\s*$/iu;
/** Words that describe what they do not say. */
export const VAGUE =
  /^(?:something|somewhat|be\s|more|less|a (?:bit|little)|mehr|etwas|kürzer|größer|kleiner|plus\s|moins\s|más|menos|algo|quelque|bigger|larger|smaller|bolder|bold|uppercase|lowercase|better|shorter|punchier|catchier|the (?:top|bottom|left|right|cent))/iu;
/** Words about size and place, which follow from the layout. */
export const ARRANGES = bounded(
  'bigger|larger|smaller|huge|tiny|enlarge|increase|decrease|move|centers?|centred?|left|right|top|bottom|größer|kleiner|links|rechts|oben|unten|plus grande?|plus petite?|à gauche|à droite|más grande|más pequeñ[oa]|izquierda|derecha|bold(?:er)?|italic|uppercase|fett|kursiv',
);

/** Words of a voice, each with the one that layouts are chosen by. */
export const TONES: readonly (readonly [pattern: RegExp, tone: string])[] = [
  [
    bounded(
      'elegant\\w*|luxur\\w*|premium|edler|edel|exklusiv\\w*|hochwertig\\w*|élégante?|luxueu\\w+|lujos[oa]|exclusiv[oa]|sophisticat\\w+|posh|refined',
    ),
    'elegant',
  ],
  [
    bounded(
      'playful\\w*|fun(?:nier|ny)?|cheerful|verspielt\\w*|lustig\\w*|fröhlich\\w*|ludique|amusante?|joyeu\\w+|divertid[oa]|alegre|juguet\\w+',
    ),
    'playful',
  ],
  [
    bounded(
      'bold\\w*|loud\\w*|energetic|urgent\\w*|punchy|punchier|laut\\w*|energisch\\w*|mutig\\w*|frech\\w*|audacieu\\w+|énergique|percutant\\w*|atrevid[oa]|enérgic[oa]|llamativ[oa]',
    ),
    'bold',
  ],
  [
    bounded('thoughtful|literary|editorial|crafted|nachdenklich\\w*|réfléchi\\w*|artisan\\w*|reflexiv[oa]'),
    'thoughtful',
  ],
  [
    bounded(
      'modern\\w*|innovative?|futuristic|technical|sleek|technisch\\w*|innovativ\\w*|moderne|innovante?|tecnológic[oa]|modern[oa]|innovador\\w*',
    ),
    'modern',
  ],
  [
    bounded(
      'serious|calm\\w*|trust\\w*|professional|sober|quiet\\w*|reassuring|seriös\\w*|ruhig\\w*|sachlich\\w*|sérieu\\w+|calme|sobre|professionnel\\w*|seri[oa]|tranquil[oa]|profesional|sobri[oa]',
    ),
    'calm',
  ],
  [bounded('warm\\w*|inviting|adventurous|herzlich\\w*|chaleureu\\w+|accueillante?|cálid[oa]|acogedor\\w*'), 'warm'],
];

function bounded(source: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${source})(?![\\p{L}\\p{N}])`, 'iu');
}
