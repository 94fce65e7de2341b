import type { LanguageWords } from '../table.js';

const EL_AD =
  '(?:διαφήμισ(?:η|ης|εις|ς)|διαφημιστικ(?:ό|ά|ή|ές)(?: (?:banner|μήνυμα|σποτ))?|banners?|μπάνερ|καμπάνια(?:ς)?|καμπάνιες|καταχώρησ(?:η|εις)|αφίσ(?:α|ες)|δημιουργικ(?:ό|ά)|σποτ|ανάρτησ(?:η|εις)|αγγελία)';
const EL_MONTHS =
  'ιανουαρίου|φεβρουαρίου|μαρτίου|απριλίου|μα[ΐί]ου|ιουνίου|ιουλίου|αυγούστου|σεπτεμβρίου|οκτωβρίου|νοεμβρίου|δεκεμβρίου';
const EL_MONTH_NAMES =
  'ιανουάριο|φεβρουάριο|μάρτιο|απρίλιο|μάιο|ιούνιο|ιούλιο|αύγουστο|σεπτέμβριο|οκτώβριο|νοέμβριο|δεκέμβριο';
const EL_DAYS = 'δευτέρα|τρίτη|τετάρτη|πέμπτη|παρασκευή|σάββατο|κυριακή';
const EL_ON = '(?:τις? |στις? |την? |το |τον? )';

/** The words of Greek. */
export const GREEK: LanguageWords = {
  language: 'el',
  isSpaced: true,
  hasListedBans: true,
  common: 'και|για|με|το|τη|του|στη|στο|από|την|δεν|μην|μας|να|η|ο|τα',
  months: `${EL_MONTHS}|${EL_MONTH_NAMES}`,
  orders: [
    `(?:(?:παρακαλώ|χρειαζόμαστε|χρειάζομαι|θέλουμε|θα θέλαμε|θέλω|μπορείτε να|να|μας|ένα|μια|μία|φτιάξτε|φτιάξετε|δημιουργήστε|δημιουργήσετε|ετοιμάστε|ετοιμάσετε|γράψτε|σχεδιάστε)\\s+){0,12}[^.!?:\\n]{0,50}?(?<!\\p{L})${EL_AD}(?!\\p{L})(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:για|σχετικά με|με θέμα|με|που (?:προωθεί|παρουσιάζει|ανακοινώνει)|:)\\s+(?<subject>.*)$`,
    '(?:(?:προωθήστε|διαφημίστε|λανσάρουμε|ανοίγουμε|πουλάμε|παρουσιάζουμε|προσφέρουμε|έχουμε|ξεκινάμε|ζητάμε|διοργανώνουμε)|πρόκειται για|αφορά|χρειαζόμαστε κάτι για|θέλουμε κάτι για)\\s+(?<subject>.*)$',
  ],
  promote: '(?:τα εγκαίνια|την κυκλοφορία|το λανσάρισμα|το άνοιγμα) (?:του|της|των)',
  presents: '(?:προσφέρει|πουλάει|πουλά|ενοικιάζει|παράγει|αναζητά|ζητά|λανσάρει|ανοίγει|παρουσιάζει|έχει|διαθέτει)',
  determiner: '(?:το|τη|την|τον|η|ο|τα|τις|τους|οι|του|της|των|ένα|έναν|μια|μία|μας|όλα|όλες|όλους|όλη|όλο)\\s+',
  newness: '(?:ολο)?(?:καίνουρι(?:ο|α|ος|ες|ους)|νέ(?:ο|α|ος|ου|ας|ες|οι|ων|ους))\\s+',
  newWord: 'Νέο',
  audience:
    'για (?:όσους|όσες|νέους|οικογένειες|γυναίκες|άνδρες|γονείς|φοιτητές|ζευγάρια|παιδιά|επαγγελματίες|εσάς που)|απευθύνεται σε|κοινό(?:-στόχος)?',
  detail: 'με|που|ώστε|γιατί|όπου',
  joints:
    'σε|στο|στη|στην|στον|στα|στις|στους|για|με|και|από|τώρα|έκπτωση|έως|το|τη|την|τον|τα|τις|τους|η|ο|του|της|των|μας',
  labels: {
    mustNot:
      'χωρίς(?=\\s?[:：])|να μην (?:αναφερθεί|αναφερθούν|γραφτεί|πείτε|χρησιμοποιηθεί)|μην (?:αναφέρετε|γράψετε|χρησιμοποιήσετε)|αποφύγετε|αποφεύγουμε|όχι|απαγορεύεται|απαγορεύονται',
    headline: 'τίτλο|κεφαλίδα|σύνθημα|τίτλος|επικεφαλίδα|σλόγκαν|κεντρικό μήνυμα τίτλου|headline',
    body: 'κείμενο|περιγραφή|υπότιτλος|σώμα κειμένου',
    action: 'κουμπιού|κουμπί|κάλεσμα(?: σε δράση)?|προτροπή|cta|call[- ]to[- ]action',
    product: 'προϊόν(?:τα)?|υπηρεσία|εκδήλωση|θέμα|τι διαφημίζουμε',
    brand: 'μάρκα|πελάτης|επωνυμία|εταιρεία',
    offer: 'προσφορά|έκπτωση|μήνυμα|βασικό μήνυμα|πλεονεκτήματα|οφέλη|όφελος',
    audience: 'για ποιους|κοινό(?:-στόχος| στόχος)?|ομάδα-?στόχος|απευθύνεται σε|σε ποιους',
    tone: 'ύφος|τόνος|στυλ|διάθεση|χρώματα|εικόνες|εικόνα|αισθητική|λογότυπο',
    must: 'υποχρεωτικά|υποχρεωτικό|πρέπει να (?:αναφερθεί|αναφερθούν|υπάρχει|υπάρχουν|περιέχει|γράφει)|απαραίτητα|να αναφερθεί|να αναφερθούν',
    legal: 'υποσημείωση|νομικ(?:ό|ή|ά)(?: κείμενο| σημείωση| γραμμή)?|όροι|ψιλά γράμματα|αποποίηση',
    language: 'γλώσσα',
    code: 'κωδικός(?: προσφοράς| έκπτωσης)?',
    deadline: 'ισχύει(?: έως| μέχρι)?|διάρκεια|ημερομηνία|ημερομηνίες|περίοδος|ισχύς',
    note: 'σημείωση',
    context:
      'μεγέθη|καμπάνια|στόχος|στόχοι|προϋπολογισμός|χρονοδιάγραμμα|προθεσμία|deadline|μορφή|μορφές|διαστάσεις|κανάλια|επικοινωνία|υπόβαθρο|brief|έργο|προς|ανταγωνισμός|παράδοση|μέσα',
  },
  directive:
    'κοινό(?:-στόχος| μας)?|το ύφος|ο τόνος|(?:πρέπει να|θα πρέπει να|να) (?:\\p{L}+ ){0,3}?(?:είναι|δείχνει|μοιάζει|ακούγεται|αποπνέει|φαίνεται|βγάζει)|θαυμαστικ\\p{L}+|η διαφήμιση|το banner|το κείμενο|ο τίτλος|το κουμπί|ο πελάτης|συνημμέν\\p{L}+|πέρσι|προϋπολογισμό\\p{L}*|deadline|επείγον|\\d{2,4}\\s?[x×χ]\\s?\\d{2,4}|απευθυνόμαστε|προσχέδι\\p{L}+',
  directiveStart:
    '(?:και\\s+|παρακαλώ\\s+){0,4}(?:χρησιμοποιήστε|κρατήστε|αποφύγετε|ύφος|στυλ|χρώματα|μορφή|χωρίς (?:emojis?|υπερθετικ\\p{L}+|κλισέ|θαυμαστικά|υπερβολές|αργκό)|όχι (?:πολύ|υπερβολικ)|θέλουμε(?! να δώσουμε)|θα θέλαμε|χρειαζόμαστε|κάτι|φτιάξτε|μιλήστε|να είναι|να μην είναι|στείλτε|περιμένουμε|ελπίζω|όπως είπαμε|προσέξτε|σκεφτείτε)',
  greeting:
    '(?:γεια(?: σας| σου)?|καλημέρα(?: σας)?|καλησπέρα(?: σας)?|χαίρετε|αγαπητ(?:οί|έ|ή)(?: συνεργάτες)?|παιδιά)(?: (?!θέλ|χρει)\\p{L}+){0,2}?(?:[,!.]|\\s*$)',
  signOff: '(?:ευχαριστ(?:ώ|ούμε)(?: πολύ)?|με εκτίμηση|φιλικά|χαιρετισμούς|φιλιά|εκ των προτέρων)',
  include:
    '(?:παρακαλώ |οπωσδήποτε |να |μην ξεχάσετε να |θέλουμε να ){0,4}(?:αναφέρετε|αναφέρεται|αναφερθεί|γράψτε|τονίστε|τονίσετε|προσθέστε|βάλτε|βάλετε|συμπεριλάβετε|σημειώστε)(?: οπωσδήποτε| επίσης| και)?(?: ότι| πως)?:?',
  includeTail: '(?:πρέπει|να) (?:οπωσδήποτε )?(?:να )?(?:υπάρχει|φαίνεται|αναφέρεται|γράφεται|αναφερθεί)(?: [^.]*)?$',
  never:
    '(?:να )?μην? (?:\\p{L}{1,12} ){0,1}?(?:αναφ[έε]ρ\\p{L}+|γράψ\\p{L}+|γραφτ\\p{L}+|χρησιμοποι\\p{L}+|πείτε|πούμε|μιλ[ήά]\\p{L}+|δείξ\\p{L}+|υποσχ\\p{L}+|συγκρ\\p{L}+|βάλ\\p{L}+|τάζ\\p{L}+|μπ(?:ει|ουν))|αποφ[ύε][γυ]\\p{L}+|χωρίς (?:να (?:αναφ[έε]ρ\\p{L}+|γράψ\\p{L}+|πείτε|υποσχ\\p{L}+)|τιμ(?:ή|ές)|αναφορ(?:ά|ές)|emojis?|θαυμαστικά)|όχι (?:τιμ(?:ή|ές)|αναφορ(?:ά|ές)|ανταγων\\p{L}+|υποσχέσεις|εκπτώσεις|ποσοστά)|καμία (?:αναφορά|τιμή|υπόσχεση)|δεν (?:θέλουμε|πρέπει) να (?:αναφ\\p{L}+|γραφ\\p{L}+|γράψ\\p{L}+|φαίν\\p{L}+|πούμε|υπάρχ\\p{L}+)',
  topics: {
    price: 'τιμ(?:ή|ές|ών|ής)|κόστ(?:ος|ους|η)',
    discount: 'εκπτώσεις|εκπτώσεων|έκπτωση(?!\\p{L})|ποσοστ(?:ό|ά)',
    date: 'ημερομηνί(?:α|ες|ας|ών)',
    competitor: 'ανταγωνι(?:σμό|σμού|στές|στών|στή|σμός)',
  },
  legal:
    'ισχύουν όροι[^.]*|με (?:όρους και προϋποθέσεις|την επιφύλαξη)[^.]*|όροι και προϋποθέσεις[^.]*|μέχρι εξαντλήσεως[^.]*|έως εξαντλήσεως[^.]*|η προσφορά (?:ισχύει|δεν)[^.]*|απολαύστε υπεύθυνα|αρ\\.? ?(?:άδειας|μη\\.?τε|γεμη)[^.]*|διαβάστε (?:προσεκτικά )?τις οδηγίες[^.]*|σεπε[^.]*|21\\+|18\\+|εεεπ[^.]*|ρυθμιστής[^.]*|κίνδυνος εθισμού[^.]*|για περισσότερες πληροφορίες[^.]*',
  event:
    '(?:(?:καλοκαιρινές|χειμερινές|ανοιξιάτικες|φθινοπωρινές|χριστουγεννιάτικες|πασχαλινές|ενδιάμεσες) (?:εκπτώσεις|προσφορές)|black friday|εγκαίνια|μεγάλες εκπτώσεις)',
  deadline: `(?:μόνο |ισχύει )?(?:(?:έως|ως|μέχρι|πριν(?: από)?) (?:και )?${EL_ON}?(?:(?:${EL_DAYS})(?: \\d{1,2}(?: (?:${EL_MONTHS}))?)?|αύριο|τα μεσάνυχτα|\\d{1,2}(?:η)? (?:${EL_MONTHS})(?: 20\\d\\d)?|\\d{1,2}[/.]\\d{1,2}(?:[/.]\\d{2,4})?|τέλος (?:του μήνα|του χρόνου|${EL_MONTHS})|τα χριστούγεννα|το πάσχα)|σήμερα|αυτό το σαββατοκύριακο|(?:από ${EL_ON}?)?\\d{1,2}(?: (?:${EL_MONTHS}))? ?(?:–|-|έως|ως|μέχρι) ?${EL_ON}?\\d{1,2} (?:${EL_MONTHS})|(?:από )?${EL_ON}?(?:(?:${EL_DAYS}) )?\\d{1,2} (?:${EL_MONTHS})(?: 20\\d\\d)?|(?:όλο |τον |όλον τον ){1,2}(?:${EL_MONTH_NAMES}))`,
  offers:
    '(?:έως |ως )?[-–]?\\d{1,3} ?% (?:έκπτωση|φθηνότερα|λιγότερο)|έκπτωση (?:έως |ως )?\\d{1,3} ?(?:%|€|ευρώ)|[-–]\\d{1,2} ?%|\\d[\\d.,]* ?(?:€|ευρώ) έκπτωση|1\\+1(?: δώρο)?|2\\+1(?: δώρο)?|(?:ο )?(?:πρώτος|δεύτερος) μήνας δωρεάν|(?:το )?(?:δεύτερο|δεύτερη) (?:\\p{L}+ )?(?:δώρο|στη μισή τιμή)|στη μισή τιμή',
  gains:
    'δωρεάν|δώρο|χωρίς (?:χρέωση|έξοδα|δέσμευση|τόκους|συνδρομή|προκαταβολή|μεταφορικά)|επιστροφή χρημάτων|bonus|έκπτωση|εκπτώσεις|δοκιμ(?:ή|άστε)|άτοκ(?:ες|α)|εγγύηση|περιλαμβάνεται',
  sale: {
    saving: '(?:κερδίστε|εξοικονομήστε|γλιτώστε|μείωση) +(?:έως +|ως +)?',
    onSale: 'εκπτώσεις|έκπτωση|μειωμέν(?:ο|α|ες|η)|προσφορά',
    reduces: 'σε|στα|στη|στο|στις|για|λιγότερο',
    off: 'έκπτωση|φθηνότερα',
    upTo: 'έως|ως|μέχρι',
    percentOff: (percent, upTo) => `${upTo ? 'Έως ' : ''}${percent}% έκπτωση`,
    amountOff: (amount, upTo) => `${upTo ? 'Έως ' : ''}${amount} έκπτωση`,
  },
  code: '(?:με )?(?:τον )?κωδικό(?:ς)?(?: έκπτωσης| προσφοράς)?:? (?<code>[\\p{Lu}0-9][\\p{Lu}0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Κωδικός: ${code}`,
  actions: {
    shop: ['Αγοράστε τώρα', 'Αγορά'],
    book: ['Κάντε κράτηση', 'Κράτηση'],
    reserve: ['Κράτηση τραπεζιού', 'Κράτηση'],
    order: ['Παραγγείλτε τώρα', 'Παραγγελία'],
    join: ['Εγγραφείτε', 'Εγγραφή'],
    download: ['Κατεβάστε την εφαρμογή', 'Λήψη'],
    subscribe: ['Γίνετε συνδρομητής', 'Συνδρομή'],
    try: ['Δοκιμάστε δωρεάν', 'Δοκιμή'],
    quote: ['Ζητήστε προσφορά', 'Προσφορά'],
    donate: ['Κάντε μια δωρεά', 'Δωρεά'],
    drive: ['Κλείστε test drive', 'Test drive'],
    apply: ['Κάντε αίτηση', 'Αίτηση'],
    visit: ['Επισκεφθείτε μας', 'Επίσκεψη'],
    watch: ['Δείτε τώρα', 'Δείτε'],
    learn: ['Μάθετε περισσότερα', 'Περισσότερα'],
  },
  signs: {
    drive: 'test drive|δοκιμαστική οδήγηση',
    donate: 'δωρε(?:ά|ές|ών)|στηρίξτε',
    apply: 'αίτηση|θέση εργασίας|θέσεις εργασίας|προσλαμβάν\\p{L}+|αναζητ\\p{L}+|βιογραφικ\\p{L}+',
    quote: 'ασφάλ(?:εια|ειες|ιση|ισης)|δάνει(?:ο|α)|στεγαστικ\\p{L}+',
    reserve: 'κράτηση τραπεζιού|εστιατόριο|ταβέρνα',
    book: 'κράτησ\\p{L}+|ξενοδοχεί\\p{L}+|ταξίδι\\p{L}*|πτήσεις|διακοπές|ραντεβού|διανυκτέρευσ\\p{L}+|δωμάτι\\p{L}+',
    subscribe: 'συνδρομ\\p{L}+|newsletter',
    join: 'εγγραφ\\p{L}+|μαθήματα|σεμινάρι\\p{L}+|webinar|συμμετ\\p{L}+',
    try: 'δωρεάν δοκιμή|δοκιμαστική περίοδος|λογισμικό|δοκιμ\\p{L}+',
    download: 'εφαρμογή|app|κατεβάστε',
    order: 'πίτσα|φαγητό|καφέ(?:ς)?|παράδοση|παραγγ\\p{L}+|delivery',
    watch: 'τρέιλερ|σειρά|ταινία',
    visit: 'έκθεση|μουσείο|εγκαίνια|κατάστημα|επισκεφθείτε',
    shop: 'έκπτωσ\\p{L}+|εκπτώσεις|αγορ\\p{L}+|παπούτσια|συλλογή|έπιπλα|προσφορ\\p{L}+',
  },
  sponsored: 'Διαφήμιση',
};

const RO_AD =
  '(?:reclam[ăae](?:le)?|bannere?(?:le)?|campani(?:e|a|i)|anunț(?:uri)?|anunt(?:uri)?|afiș(?:e)?|post(?:are|ări)|spot(?:uri)?|creativ(?:e|uri)?|machet[ăe])';
const RO_MONTHS = 'ianuarie|februarie|martie|aprilie|mai|iunie|iulie|august|septembrie|octombrie|noiembrie|decembrie';
const RO_DAYS = 'luni|marți|miercuri|joi|vineri|sâmbătă|duminică';

/** The words of Romanian. */
export const ROMANIAN: LanguageWords = {
  language: 'ro',
  isSpaced: true,
  hasListedBans: true,
  common:
    'și|pentru|cu|nu|este|din|la|noastr[ăe]|nostru|sau|până|de|pe|în|vrem|fără|ale|al|ai|sunt|care|cel|cea|vă|ne|mai|bună|avem|nevoie|să|buton',
  months: RO_MONTHS,
  orders: [
    `(?:(?:vă rog|vă rugăm|te rog|avem nevoie de|am nevoie de|vrem|am vrea|dorim|ne trebuie|puteți|poți|să|faceți|fă|face|ne|creați|creează|realizați|realizează|pregătiți|scrieți|scrie|un|o)\\s+){0,12}[^.!?:\\n]{0,50}?(?<!\\p{L})${RO_AD}(?!\\p{L})(?:\\s*\\(?\\d+\\s?[x×]\\s?\\d+\\)?)?\\s*(?:pentru|despre|la|cu|care (?:promovează|anunță|prezintă)|:)\\s+(?<subject>.*)$`,
    '(?:(?:promovați|promovăm|lansăm|deschidem|vindem|prezentăm|oferim|organizăm|angajăm|căutăm|avem)|este vorba (?:de|despre)|avem nevoie de ceva pentru|vrem ceva pentru)\\s+(?<subject>.*)$',
  ],
  promote: '(?:lansarea|deschiderea|inaugurarea|promovarea)',
  presents: '(?:oferă|vinde|închiriază|produce|caută|angajează|lansează|deschide|prezintă|are|organizează)',
  determiner: '(?:un|o|al|a|ale|nostru|noastră|noastre|noștri|toate|toți|tot|cel|cea|cele|cei)\\s+',
  newness: '(?:nou(?:l|a|ă)?|noi(?:i|le)?)\\s+',
  newWord: 'Nou',
  audience:
    'pentru (?:cei care|tineri|tinerii|familii|familiile|femei|bărbați|părinți|părinții|studenți|studenții|persoane|pensionari)|adresat|se adresează|public(?:ul)?[- ]țintă',
  detail: 'cu|care|ca să|pentru că|unde|astfel încât',
  joints: 'la|pentru|cu|și|de|din|acum|reducere|până|în|pe|un|o|a|al|ale|prin',
  labels: {
    mustNot: 'a se evita|nu vrem|nu (?:menționați|folosiți|scrieți|spuneți|pomeniți)|de evitat|evitați|interzis|fără',
    headline: 'titlu(?:l)?|slogan(?:ul)?|headline',
    body: 'text(?:ul)?|descriere|subtitlu|corp',
    action: 'butonului|buton(?:ul)?|îndemn|apel la acțiune|cta|call[- ]to[- ]action',
    product: 'produs(?:ul|e|ele)?|serviciu(?:l)?|eveniment(?:ul)?|subiect(?:ul)?|ce promovăm',
    brand: 'brand(?:ul)?|client(?:ul)?|marca|compania|firma',
    offer:
      'ofert[ăa]|reducere(?:a)?|promoți(?:e|a)|mesaj(?:ul)?(?: principal| cheie)?|avantaje(?:le)?|beneficii(?:le)?',
    audience: 'public(?:ul)?(?:[- ]țintă)?|audienț[ăa]|pentru cine|grup(?:ul)? țintă|target',
    tone: 'aspect|paletă|ton(?:ul)?|stil(?:ul)?|atmosfer[ăa]|culori(?:le)?|imagini(?:le)?|design|logo',
    must: 'obligatoriu|trebuie (?:să (?:apară|includă|conțină)|menționat)|de menționat|de inclus|neapărat',
    legal:
      'notă (?:de subsol|legală)|condiții|mențiuni legale|mențiune(?:a)? legală|text(?:ul)? legal|linie legală|legal|termeni(?: și condiții)?|juridic|disclaimer',
    language: 'limb[ăa]',
    code: 'cod(?:ul)?(?: promoțional| de reducere)?',
    deadline: 'valabil(?:ă|itate)?(?: până la)?|perioad[ăa]|dat[ăa]|date|durat[ăa]|termen valabilitate',
    note: 'notă|precizări',
    context:
      'mărimi|campanie|campania|obiectiv(?:e|ul)?|buget(?:ul)?|termen(?: limită)?|deadline|format(?:e|ul)?|dimensiuni|canale|contact|context|brief|proiect|către|concurență|livrare|livrabile|media|scop',
  },
  directive:
    'public(?:ul)?(?:[- ]țintă| nostru)|tonul|(?:trebuie|ar trebui|vrem) să (?:\\p{L}+ ){0,3}?(?:fie|pară|sune|arate|transmită|inspire)|semne?(?:le)? de exclamare|reclama|bannerul|textul|titlul|butonul|clientul|atașat\\p{L}*|anul trecut|buget(?:ul)?|deadline|urgent|\\d{2,4}\\s?[x×]\\s?\\d{2,4}|ne adresăm|schiț[eă]|poze(?:le)? de stoc',
  directiveStart:
    '(?:și\\s+|vă rog\\s+|vă rugăm\\s+){0,4}(?:folosiți|folosește|păstrați|evitați|tonul?|stil|culori|format|fără (?:emoji\\p{L}*|superlative|clișee|semne de exclamare|exagerări|jargon)|nu (?:prea|foarte)|vrem|am vrea|dorim|ne dorim|ceva|faceți|vorbiți|să fie|să nu fie|trimiteți|așteptăm|sper|cum am discutat|atenție|gândiți)',
  greeting:
    '(?:bună(?: ziua| dimineața| seara)?|salut(?:are)?|hei|dragi?|stimat[ăei])(?: (?!vrem|avem|am )\\p{L}+){0,2}?(?:[,!.]|\\s*$)',
  signOff:
    '(?:mulțum(?:esc|im)(?: mult| frumos| anticipat)?|cu (?:stimă|drag|respect)|mersi|toate cele bune|numai bine)',
  include:
    '(?:vă rog |vă rugăm |neapărat |să |nu uitați să |vrem să ){0,4}(?:menționați|menționăm|precizați|adăugați|includeți|subliniați|scrieți|spuneți|puneți)(?: neapărat| și| clar)?(?: că| faptul că)?:?',
  includeTail:
    'trebuie (?:neapărat )?(?:să (?:apară|fie (?:menționat|vizibil|inclus)\\p{L}*|se vadă)|menționat\\p{L}*|inclus\\p{L}*)(?: [^.]*)?$',
  never:
    'nu (?:vrem să |trebuie să |se |mai )?(?:menționa\\p{L}+|menționeze|folosi\\p{L}+|folosească|scri\\p{L}+|spune\\p{L}+|arăta\\p{L}+|promite\\p{L}*|promită|compara\\p{L}+|pomeni\\p{L}+|pune\\p{L}+|apară|apar|vorbi\\p{L}+|dați|da)(?: despre)?|evita\\p{L}+|fără (?:să (?:menționa\\p{L}+|spune\\p{L}+|promite\\p{L}+)|a (?:menționa|spune|promite)|preț(?:uri)?|superlative|clișee|emoji\\p{L}*|promisiuni|referiri)|niciun (?:preț|cuvânt)|nicio (?:promisiune|referire|mențiune)',
  topics: {
    price: 'preț(?:ul|uri|urile|ului)?|pret(?:ul|uri)?|cost(?:ul|uri|urile)?',
    discount: 'reduceri(?:le)?|procent(?:e|ul)?|discount(?:uri)?',
    date: 'dat[ăae](?:le)?|data',
    competitor: 'concuren(?:ț[aă]|ței|ții|ți|tul|tii)|competi(?:tori|torii|ția|torilor)',
  },
  legal:
    'se aplică termeni\\p{L}*[^.]*|termeni(?:i)? și condiții(?:le)?[^.]*|în limita stocului[^.]*|oferta (?:este )?valabil[ăa][^.]*în limita[^.]*|ofertă valabilă[^.]*|acesta este un medicament[^.]*|citiți cu atenție[^.]*|dae[^.]*|dobând[ăa][^.]*|interzis minorilor|18\\+|jocurile de noroc[^.]*|consumul excesiv[^.]*|pentru sănătatea dumneavoastră[^.]*|joac[ăa] responsabil|regulament[^.]*',
  event:
    '(?:(?:reducerile|reduceri|oferte|oferta|promoția|târgul|târg) (?:de (?:vară|iarnă|primăvară|toamnă|crăciun|paște|sărbători))|black friday|marea deschidere|ziua porților deschise)',
  deadline: `(?:doar |numai |valabil[ăe]? )?(?:(?:până(?: pe| la| în| la data de)?|înainte de) (?:${RO_DAYS}|mâine|miezul nopții|\\d{1,2}(?: (?:${RO_MONTHS})(?: 20\\d\\d)?|[./]\\d{1,2}(?:[./]\\d{2,4})?)|sfârșitul (?:lunii(?: (?:${RO_MONTHS}))?|anului|săptămânii|lui (?:${RO_MONTHS}))|crăciun|paște)|(?:doar |numai )?(?:azi|astăzi)|(?:în )?(?:weekendul acesta|acest weekend|luna aceasta)|(?:din |între |în perioada |de pe )?\\d{1,2}(?: (?:${RO_MONTHS}))? ?(?:–|-|și|până pe|la) ?\\d{1,2} (?:${RO_MONTHS})(?: 20\\d\\d)?|(?:pe |din |începând cu (?:data de )?|de pe )?(?:(?:${RO_DAYS}),? )?\\d{1,2} (?:${RO_MONTHS})(?: 20\\d\\d)?|toată luna (?:${RO_MONTHS}))`,
  offers:
    '(?:până la )?[-–]?\\d{1,3} ?% (?:reducere|discount|mai ieftin)|reducere (?:de )?(?:până la )?\\d{1,3} ?%|[-–]\\d{1,2} ?%|\\d[\\d.,]* ?(?:lei|€|euro) reducere|1\\+1 gratis|2\\+1 gratis|(?:prima|a doua) (?:lună|ședință|lecție) gratuit[ăa]?|(?:primele|prima) (?:\\d |două |trei )?lun[iă] gratuit[eă]?|al doilea (?:produs )?(?:gratis|la jumătate de preț)|la jumătate de preț',
  gains:
    'gratuit\\p{L}*|gratis|cadou|fără (?:costuri|comision|comisioane|dobândă|avans|taxe|obligații|abonament|perioadă contractuală)|bonus|cashback|reducere|reduceri|inclus[ăe]?|garanție|probă|rate',
  sale: {
    saving: '(?:economisiți|economisești|economisește|redus cu|mai ieftin cu) +(?:până la +)?',
    onSale: 'reduceri|reducere|redus[ăe]?|promoție|discount',
    reduces: 'la|pe|pentru|mai',
    off: 'reducere|discount|mai ieftin',
    upTo: 'până la',
    percentOff: (percent, upTo) => `${upTo ? 'Până la ' : ''}${percent}% reducere`,
    amountOff: (amount, upTo) => `${upTo ? 'Până la ' : ''}${amount} reducere`,
  },
  code: '(?:cu |folosiți |folosește )?cod(?:ul)?(?: promoțional| de reducere)?:? (?<code>[A-Z0-9][A-Z0-9_-]{2,19})',
  on: (offer, subject) => `${subject}: ${offer}`,
  codeLine: (code) => `Cod: ${code}`,
  actions: {
    shop: ['Cumpără acum', 'Cumpără'],
    book: ['Rezervă acum', 'Rezervă'],
    reserve: ['Rezervă o masă', 'Rezervă'],
    order: ['Comandă acum', 'Comandă'],
    join: ['Înscrie-te'],
    download: ['Descarcă aplicația', 'Descarcă'],
    subscribe: ['Abonează-te'],
    try: ['Încearcă gratuit', 'Încearcă'],
    quote: ['Cere o ofertă', 'Ofertă'],
    donate: ['Donează acum', 'Donează'],
    drive: ['Programează un test drive', 'Test drive'],
    apply: ['Aplică acum', 'Aplică'],
    visit: ['Vizitează-ne', 'Vizitează'],
    watch: ['Vezi acum', 'Vezi'],
    learn: ['Află mai multe', 'Detalii'],
  },
  signs: {
    drive: 'test drive',
    donate: 'donați\\p{L}*|donează|strângere de fonduri',
    apply: 'angajăm|locuri de muncă|loc de muncă|post(?:ul)? de|carier[ăa]|recrut\\p{L}+',
    quote: 'asigur[ăa]r\\p{L}+|credit\\p{L}*|împrumut\\p{L}*',
    reserve: 'restaurant\\p{L}*|rezervă o masă',
    book: 'rezerv\\p{L}+|hotel\\p{L}*|zbor\\p{L}*|vacanț\\p{L}+|cazare|programare|pensiun\\p{L}+',
    subscribe: 'newsletter|abon\\p{L}+',
    join: 'înscri\\p{L}+|curs(?:uri|ul|urile)?|webinar|atelier\\p{L}*',
    try: 'perioadă de probă|software|încearcă|probă gratuită',
    download: 'aplicați\\p{L}+|descarcă|descărca\\p{L}*',
    order: 'pizz\\p{L}+|mâncare|livrare|cafea\\p{L}*|comand\\p{L}+',
    watch: 'trailer|serial|film(?:ul)?',
    visit: 'expoziți\\p{L}+|muze\\p{L}+|deschidere\\p{L}*|vizit\\p{L}+|magazin(?:ul)?',
    shop: 'reduceri|reducere|cumpăr\\p{L}+|pantofi|colecți\\p{L}+|mobil[ăa]|oferte',
  },
  sponsored: 'Publicitate',
};
