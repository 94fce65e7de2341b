const TOKEN = /[\p{L}\p{N}\p{M}]+/gu;

const MARKS = /\p{M}+/gu;

const NON_ASCII = /[^\p{ASCII}]/u;

const UNMARKED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;

/** Returns a word in lower case and without accents; those of East Asia keep their marks, which are letters of their own. */
export function normalizeWord(word: string): string {
  const lower = word.toLowerCase();
  if (!NON_ASCII.test(lower)) return lower;
  if (UNMARKED.test(lower)) return lower.normalize('NFKC');
  return lower.normalize('NFKD').replace(MARKS, '').replaceAll('ß', 'ss');
}

/** Returns the words of a text in their order, as they were written. */
export function splitWords(text: string): readonly string[] {
  return text.match(TOKEN) ?? [];
}
const UNSTEMMED = new Set(['tele', 'news', 'series', 'business', 'always', 'sales', 'us', 'ads']);

/** Returns the stem that a lower-case word is indexed by: plural, -ing, -ed and a final -e fall off, and a doubled last consonant. */
export function stem(word: string): string {
  if (word.length < 4 || UNSTEMMED.has(word)) return word;
  let root = word;
  if (root.endsWith('ies') && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (root.endsWith('s') && !root.endsWith('ss') && !root.endsWith('us') && !root.endsWith('is'))
    root = root.slice(0, -1);
  if (root.endsWith('ing') && root.length > 5) root = undouble(root.slice(0, -3));
  else if (root.endsWith('ed') && root.length > 4) root = undouble(root.slice(0, -2));
  return root.endsWith('e') && root.length > 3 ? root.slice(0, -1) : root;
}

function undouble(root: string): string {
  const last = root.at(-1) ?? '';
  return root.length > 3 && last === root.at(-2) && !'aeiousl'.includes(last) ? root.slice(0, -1) : root;
}

/** Words that say nothing about a product: grammar, and what every brief of the trade says. */
const STOP_WORDS = new Set(
  [
    'a an the and or but of for to in on at by with from into as is are be been our we i my me your you it its this that these those they their them',
    'will would should could can may must need needs want wants like looking look seeking find show tell give get please help us all any some more',
    'most very across around about over under between per via plus also who whose which what when where how than then so if both each other within',
    'near before after while during bought sell sold haven hasn don doesn isn wasn won up down out off only just use using run running',
    'drive driving build building reach reaching target targeting focus including include based',
    'ad ads advert adverts advertise advertising advertisement campaign campaigns media buy buying plan planning inventory product products option',
    'options placement placements flight budget total spend spending brand brands audience audiences people consumer consumers adult adults user users',
    'available offer offers package packages deal deals details format formats publisher publishers strategy objective goal kpi launch new best good',
    'creative creatives requirement requirements pricing price prices probe version catalog catalogue list full entire match matching sell sells now today soon anything everything nothing else fine okay rest other others really simply ideally mainly mostly possible possibly preferably promote promotion promoting interested brief channel channels content friendly',
    'spot spots thirty seconds second minute minutes time times ones one two ten something someone ever available hour hours whole every people watch watching while together themselves',
    'der die das den dem des ein eine einen einer eines ist sind wir unser unsere fur von vom zum zur auf bei als auch wird werden mochte moglichst bitte alle werbung anzeige anzeigen kampagne',
    'el la los las un una unos unas de del al se su sus nuestro nuestra nuestros que es son hacia todo toda publicidad anuncio anuncios campana',
    'le les un une des du de la se sa ses notre nos que qui est sont vers tout toute toutes publicite publicites annonce annonces campagne',
    'o os as um uma uns umas do da dos das seu sua nosso nossa nossos que ao aos propaganda anuncio anuncios campanha publicidade',
    'month months week weeks day days year years q1 q2 q3 q4 h1 h2 january february march april june july august september october november december',
  ].flatMap((line) => line.split(' ')),
);

/** Whether a lower-case word of a brief is to be skipped: grammar, trade noise, or a bare number such as 50 or 50k. */
export function isStopWord(word: string): boolean {
  return word.length < 2 || STOP_WORDS.has(word) || BARE_NUMBER.test(word);
}

const BARE_NUMBER = /^\d+(k|m|mm|mio)?$/;
