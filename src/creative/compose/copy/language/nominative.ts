/** How the ends of words become those of the nominative; the first row that fits counts. */
type Endings = readonly (readonly [RegExp, string])[];

/** The number or gender of a noun, by its adjectives. */
type Form = 'plural' | 'feminine' | 'masculine';

/** The endings of a language whose phrases are turned from another case into the nominative. */
export type CaseEndings = {
  /** Adjectives in that case, by what they tell of their noun; neuter ones are like masculine ones. */
  readonly adjectives: Readonly<Record<Form, RegExp>>;
  /** Of nouns; `bare` are those without an adjective. */
  readonly nouns: Readonly<Record<Form | 'bare', Endings>>;
  /** Of adjectives. */
  readonly adjectiveEndings: Readonly<Record<Form | 'neuter', Endings>>;
  /** Nouns in the nominative that are neuter. */
  readonly neuter: RegExp;
  /** Whether adjectives may follow their noun. */
  readonly isAdjectiveBehind: boolean;
};

/**
 * Returns a phrase in another case, such as "lamp biurkowych" behind "dla", in the nominative; undefined where endings do not tell it. Names
 * and what depends on the noun stay as they are.
 */
export function toNominative(phrase: string, endings: CaseEndings): string | undefined {
  const words = phrase.split(' ');
  const forms = words.map((word) => formOf(word, endings));
  // Where every word ends as adjectives do, the last one is the noun.
  const at = forms.includes(undefined) ? forms.indexOf(undefined) : words.length - 1;
  const noun = words[at];
  if (noun === undefined || /^\p{Lu}/u.test(noun)) return undefined;
  const isBehind = at === 0 && endings.isAdjectiveBehind && forms[1] !== undefined;
  const form = at === 0 && !isBehind ? undefined : forms[isBehind ? 1 : 0];
  const named = changeEnding(noun, endings.nouns[form ?? 'bare']);
  if (named === undefined) return undefined;
  const agreed = form === 'masculine' && endings.neuter.test(named) ? 'neuter' : form;
  const changed = words.map((word, index) => {
    if (index === at) return named;
    const isAdjective = index < at || (isBehind && index === 1);
    return isAdjective && agreed !== undefined ? changeEnding(word, endings.adjectiveEndings[agreed]) : word;
  });
  return changed.includes(undefined) ? undefined : changed.join(' ');
}

function formOf(word: string, { adjectives }: CaseEndings): Form | undefined {
  return FORMS.find((form) => adjectives[form].test(word));
}

const FORMS: readonly Form[] = ['plural', 'feminine', 'masculine'];

function changeEnding(word: string, endings: Endings): string | undefined {
  const row = endings.find(([ending]) => ending.test(word));
  return row && word.replace(row[0], row[1]);
}
