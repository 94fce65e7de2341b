import type { LanguageWords } from '../table.js';

const AD =
  '(?:annonces?|bannières?|publicités?|pubs?|créations?|créas?|campagnes?|visuels?|affiches?|posts?|spots?|encarts?|habillages?|textes?|messages?)';
const LINK =
  "(?:publicitaires?\\s+)?(?:(?:display|digitales?|web)\\s+)?(?:pour|sur|avec|autour de|à propos de|annonçant|qui (?:annonce|présente|met en avant)|afin de promouvoir|de|d['’]|:)";
const MONTHS = 'janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre';
const PLEASE =
  "(?:(?:s['’]il (?:vous|te) plaît,?|merci de(?: bien vouloir)?|pourriez[- ]vous|pouvez[- ]vous|peux[- ]tu|nous (?:aimerions|souhaitons|souhaiterions|voulons|voudrions|avons besoin d['’e]|cherchons)|j['’]aimerais|je voudrais|il nous (?:faut|faudrait)|on (?:aimerait|voudrait|veut)|avoir|nous)\\s*)*";

/** The words of French. */
export const FRENCH: LanguageWords = {
  language: 'fr',
  isSpaced: true,
  hasListedBans: true,
  common:
    'le|la|les|des|du|et|pour|avec|notre|nos|une?|sur|jusqu|est|vos?|votre|aux?|dans|pas|ne|en|de|nous|qui|que|ce|cette|bonjour|il|faut|dès|merci|bouton|sans',
  months: MONTHS,
  orders: [
    '(?:pour [^,.!?:]{2,30}?,? )?(?:nous (?:lançons|ouvrons|proposons|organisons|sortons)|on (?:part sur|lance|propose|ouvre)|il s’agit de)\\s+(?<subject>.*)$',
    `${PLEASE}(?:(?:cré|gén[éè]r|con[çc]o|fai|réalis|prépar|rédig|propos|imagin|développ)\\p{L}*\\s+)?[^.!?\\n]{0,70}?(?<!\\p{L})${AD}(?!\\p{L})(?:\\s+(?:b2b|b2c|display|digitale?s?))?(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*${LINK}\\s*(?<subject>.*)$`,
    `${PLEASE}(?:promouvoir|pousser|vendre|promouvez|promeus|annonce[rz]?|présente[rz]?|mettre en avant|mettez en avant|lancer|faire connaître)\\s+(?<subject>.*)$`,
    "(?:brief ?: ?)?(?:lancement|promotion|ouverture|sortie) (?:de |d['’]|du |des )(?<subject>.*)$",
    `${PLEASE}(?:cré|gén[éè]r|con[çc]o|réalis|prépar)\\p{L}*\\s+[^.!?\\n]{0,60}(?<!\\p{L})${AD}(?<rest>.*)$`,
  ],
  promote:
    "(?:(?:pour )?(?:promouvoir|annoncer|présenter|faire connaître)|(?:le )?(?:lancement|sortie) (?:de|du|des|d['’])|(?:l['’])?ouverture (?:de|du|des|d['’]))",
  presents: '(?:propose|vend|loue|fabrique|recherche|recrute|cherche|lance|ouvre|présente|organise|offre)',
  determiner: "(?:notre|nos|les?|la|des?|du|une?|mon|ma|mes|tou(?:te)?s|leurs?|cette?|ces)\\s+|[ld]['’]",
  newness: 'nouve(?:aux?|lles?|l)\\s+',
  newWord: 'Nouveau',
  audience:
    "pour (?:les (?:jeunes|familles|femmes|hommes|parents|étudiants|personnes|professionnels|amateurs|seniors|actifs)|ceux qui|celles? qui)|cible|destinée?s? aux?|à destination des?|auprès des?|qui s['’]adresse",
  detail: 'qui|que|avec|afin|parce que|grâce|dont|où',
  joints: "sur|de|d|pour|avec|et|à|au|aux|remise|réduction|économisez|en|dès|par|du|des|le|la|les|l['’]",
  labels: {
    mustNot:
      'à ne pas mettre|pas de(?=\\s?[:：])|surtout pas(?=\\s?[:：])|à (?:ne pas (?:dire|mentionner|faire|utiliser)|éviter|proscrire)|ne pas (?:dire|mentionner|utiliser)|interdits?|éviter|exclusions?|mots interdits',
    headline: 'phrase d.accroche|accroche|titre|headline|slogan|signature',
    body: 'texte|corps de texte|description|sous-titre|baseline',
    action: "sur le bouton(?:,? (?:on|vous) \\p{L}+)?|call[- ]to[- ]action|cta|bouton|appel à l['’]action",
    product: 'produits?|service|offre produit|objet de la campagne|sujet|événement',
    brand: 'marque|client|annonceur',
    offer: 'offre|promotion|promo|remise|bénéfices?|message(?: clé)?|messages clés|avantages?|arguments?',
    audience: 'cibles?|public(?: visé)?|audience|destinataires?|pour qui',
    tone: 'charte(?: graphique)?|ton(?: de voix)?|style|ambiance|univers|visuels?|images?|couleurs?|design|look|logo',
    must: 'obligatoire|à (?:mentionner|inclure)|doit (?:contenir|figurer)|inclure|impératifs?',
    legal:
      'petits caractères|astérisque|mentions?(?: (?:légales?|obligatoires?))?|légal|mention réglementaire|disclaimer|conditions',
    language: 'langue',
    code: 'code(?: promo)?',
    deadline: 'validité|dates?|période|valable|durée',
    note: 'notes?|remarque',
    context:
      'campagne|objectifs?|budget|timing|délais?|deadline|formats?|tailles?|dimensions|canaux|contact|contexte|brief|projet|de la part de|objet|lien|concurrence|livrables?|support|rappel',
  },
  directive:
    "(?:doit|doivent|devra) (?:\\p{L}+ ){0,4}?(?:être|rester|avoir|transmettre|évoquer|donner|inspirer|paraître|inciter)|cible|le ton|public visé|call[- ]to[- ]action|cta|charte(?: graphique)?|points? d['’]exclamation|photos? de stock|l['’]annonce|la bannière|le visuel|le client|ci-joint|en pièce jointe|l['’]an dernier|retour avant|première version|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|couleurs|dynamique,|jargon|clichés|budget|urgent|validation|le bouton|maquettes?",
  directiveStart:
    "(?:merci de\\s+|veuillez\\s+|et\\s+)?(?:ne pas \\p{L}{2,14}(?:er|ir|re)|pour (?:rappel|info\\p{L}*)|il nous (?:le|la|les) faut|c['’]est pour (?:les|des|un public|lundi|mardi|mercredi|jeudi|vendredi|demain)|on s['’]adresse|on vise|nous visons|nous nous adressons|utilise[rz]?|garde[rz]?|évite[rz]?|style|couleurs?|format|adapte[rz]?|redimensionne[rz]?|reste[rz]?|privilégie[rz]?|pense[rz]?|soye[zr]|parle[rz]|adresse[rz]|fais|faites|pas (?:de|d['’]|trop)|rien de|plutôt|on (?:veut|voudrait|aimerait|pense)|nous (?:souhaitons|voulons|aimerions|pensons)|je (?:pense|voudrais)|quelque chose|ce sera|il faut|il faudrait|cela doit|ça doit|n['’]hésite|comme convenu|suite à|vous trouverez|un ton|ton|ambiance|dites)",
  greeting: "(?:bonjour|salut|bonsoir|coucou|chère?s?)(?:(?: à tous| l['’]équipe| [A-Z]\\p{L}+))?(?:\\s?[,!.]|\\s*$)",
  signOff:
    "(?:merci(?: d['’]avance| beaucoup)?(?!\\s+de)|cordialement|bien à vous|bonne journée|à bientôt|belle journée|bien cordialement)",
  include:
    "(?:merci de |pensez à |n['’]oubliez pas (?:de )?|profitez-en pour |il faut |bien )*(?:glisse[rz]?|dire|mentionne[rz]?|inclu(?:re|ez|s)|précise[rz]?|indique[rz]?|insiste[rz]? sur(?: le fait que)?|met(?:tre|tez) en avant|rappele[rz]|ajoute[rz]?)(?: bien| que)?\\s?:?",
  includeTail: '(?:doit|doivent) (?:apparaître|figurer|être (?:visible|mentionné|présent)\\p{L}*)(?: [^.]*)?$',
  never:
    "(?:ne |n['’])(?:\\p{L}+ )?(?:mentionn\\p{L}*|parl\\p{L}*|utilis\\p{L}*|cit\\p{L}*|évoqu\\p{L}*|met\\p{L}*|indiqu\\p{L}*|promett\\p{L}*|affich\\p{L}*|di(?:tes|re|s)|montr\\p{L}*|pas (?:mentionner|parler|utiliser|citer|évoquer|mettre|indiquer|promettre|afficher|dire|écrire|montrer|comparer))|évite[rz]?|sans (?:mentionner|parler|citer|évoquer|indiquer|utiliser)|pas de (?:prix|promesse|mention|superlatifs?|jargon|points? d['’]exclamation|photos?|clichés?|concurrent\\p{L}*)|aucune? (?:mention|prix|référence)",
  topics: {
    price: 'prix(?! barrés?(?!\\p{L}))|tarifs?|coûts?',
    discount: 'réductions?|remises?|promotions?',
    date: 'dates?',
    competitor: 'concurren\\p{L}+',
  },
  legal:
    "l['’]abus d['’]alcool[^.]*|à consommer avec modération|pour votre santé[^.]*|mangerbouger\\S*|un crédit vous engage[^.]*|offre soumise à conditions[^.]*|voir conditions[^.]*|conditions (?:générales|en magasin|sur)[^.]*|dans la limite des stocks[^.]*|jouer comporte des risques[^.]*|interdit aux mineurs|hors frais[^.]*|sous réserve[^.]*|taeg[^.]*|(?:les )?résultats (?:peuvent varier|variables)[^.]*",
  event:
    "(?:soldes?(?: (?:d['’](?:été|hiver|automne)|de printemps))?|offres? de (?:noël|printemps|rentrée)|black friday|vente privée|journées? portes ouvertes|fête des (?:mères|pères)|saint[- ]valentin)",
  deadline: `(?:(?:seulement |valable |uniquement )?(?:jusqu['’](?:au|à)|avant(?: le)?|d['’]ici(?: le)?) (?:la fin du mois|ce soir|demain|minuit|noël|(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: soir| prochain| \\d{1,2} (?:${MONTHS}))?|fin (?:${MONTHS})|\\d{1,2}(?:er)?(?!\\d|\\s?[%€$])(?:[ /.](?:${MONTHS}|\\d{1,2}))?(?: 20\\d\\d)?)|ce week-end|aujourd['’]hui seulement|du \\d{1,2}(?:er)?(?: (?:${MONTHS}))? au \\d{1,2} (?:${MONTHS})|(?:à partir du|dès le|le) \\d{1,2}(?:er)? (?:${MONTHS})|en (?:${MONTHS}))`,
  offers:
    "(?:jusqu['’]à )?[-–−]\\s?\\d{1,2} ?%|(?:jusqu['’]à )?\\d{1,3} ?(?:%|€|euros) (?:de (?:remise|réduction|rabais)|offerts|de moins|remboursés)|(?:le |la )?(?:\\d|un|deux|premi[eè]re?|2e|deuxième|second)\\p{L}* (?:mois|séance|cours|nuit|article|semaine|consultation|entretien|livraison) (?:offerte?s?|gratuite?s?|à (?:moitié prix|[-–]\\s?\\d+ ?%))|(?:un|deux|1|2|3|trois) (?:acheté|achetée|pour le prix)s?[^,.;]{0,30}",
  gains:
    "gratuite?s?|gratuitement|offerte?s?|cadeau|sans (?:frais|engagement|abonnement|dépôt)|cashback|bonus|remboursée?s?|remise|réduction|offre|essai|garantie?|inclus\\p{L}*|crédit d['’]impôt",
  sale: {
    saving: "(?:économise[rz]?|remises? de|réductions? de|rabais de) +(?:jusqu['’]à *)?",
    onSale: 'remises?|réductions?|soldes?|rabais|promo(?:tion)?s?',
    reduces: 'sur|de moins|de rabais|jusqu',
    off: 'de (?:remise|réduction|rabais)',
    upTo: "jusqu['’]à",
    percentOff: (percent, upTo) => `${upTo ? 'Jusqu’à ' : ''}${percent} % de remise`,
    amountOff: (amount, upTo) => `${upTo ? 'Jusqu’à ' : ''}${amount} de remise`,
  },
  code: '(?:avec |grâce au )?(?:le )?code(?: promo)? ?:? ?(?:« ?)?(?<code>[A-Z0-9][A-Z0-9_-]{2,19})(?: ?»)?',
  on: (offer, subject) => `${subject} : ${offer}`,
  codeLine: (code) => `Code : ${code}`,
  actions: {
    shop: ['J’en profite', 'Acheter'],
    book: ['Réserver'],
    reserve: ['Réserver une table', 'Réserver'],
    order: ['Commander'],
    join: ['S’inscrire'],
    download: ['Télécharger'],
    subscribe: ['S’abonner'],
    try: ['Essai gratuit', 'Essayer'],
    quote: ['Obtenir un devis', 'Devis'],
    donate: ['Faire un don', 'Donner'],
    drive: ['Réserver un essai', 'Essayer'],
    apply: ['Postuler'],
    visit: ['Préparer ma visite', 'Visiter'],
    watch: ['Regarder', 'Voir'],
    learn: ['En savoir plus', 'Voir plus'],
  },
  signs: {
    drive: 'essai (?:routier|sur route)|essayer la voiture',
    donate: 'faire un don|dons?|donner|collecte',
    apply: 'emplois?|recrut\\p{L}*|postul\\p{L}*|candidat\\p{L}*',
    quote: 'assurances?|devis|mutuelle|crédit|prêt',
    reserve: 'restaurant|réserver une table',
    book: 'réserv\\p{L}*|vols?|séjours?|hôtels?|voyages?|spa|croisières?|rendez-vous|week-ends?',
    subscribe: 'abonne\\p{L}*|newsletter',
    join: 'inscri\\p{L}*|webinaire|formations?|cours|conférence',
    try: 'essai gratuit|logiciel|plateforme|démo',
    download: 'télécharg\\p{L}*|appli(?:cation)?(?: mobile)?',
    order: 'livraison|pizza|repas|café|commande\\p{L}*',
    watch: 'série|film|bande-annonce|streaming',
    visit: 'exposition|musée|salon|ouverture|portes ouvertes|visite\\p{L}*',
    shop: 'soldes?|remises?|réductions?|achet\\p{L}*|achat|boutique|robes?|chaussures|promo|collection|vins?|rosé',
  },
  sponsored: 'Sponsorisé',
};
