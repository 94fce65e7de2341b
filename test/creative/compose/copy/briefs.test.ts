import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readPieces } from '../../../../src/creative/compose/copy/brief/lines.js';
import { writeCopy } from '../../../../src/creative/compose/copy/built-in-writer.js';
import type { Copy } from '../../../../src/creative/compose/copy/copy.js';
import { tableOf } from '../../../../src/creative/compose/copy/language/index.js';
import { COPY_LANGUAGES, type CopyLanguage } from '../../../../src/creative/compose/copy/language/table.js';

/** A brief, the facts that its ad has to state (each in one of several wordings), and what must not be in it. */
type Brief = {
  readonly id: string;
  readonly language: string;
  readonly brand: string;
  readonly message: string;
  readonly product: readonly string[];
  readonly offer: readonly string[];
  readonly must: readonly (readonly string[])[];
  readonly mustNot: readonly string[];
  readonly headline?: string;
  readonly cta?: string;
  readonly legal?: string;
  readonly left_out?: readonly string[];
};

type Judged = { readonly brief: Brief; readonly copy: Copy; readonly checks: readonly (readonly [string, boolean])[] };

const LEAST_SHARE = 0.95;

const plain = (text = ''): string => text.toLowerCase().replace(/\s+/gu, ' ').trim();
const has = (text: string | undefined, part: string): boolean => plain(text).includes(plain(part));

function isHeadline({ headline, product, offer }: Brief, copy: Copy): boolean {
  if (headline !== undefined) return plain(copy.headline) === plain(headline);
  return [...product, ...offer].some((fact) => has(copy.headline, fact));
}

function isNamed({ product, brand }: Brief, copy: Copy): boolean {
  const texts = [copy.headline, copy.body, copy.eyebrow].join('\n');
  return [...product, brand].some((name) => has(texts, name));
}

function judge(brief: Brief): Judged {
  const copy = writeCopy({ message: brief.message, brand: { name: brief.brand, offerings: [] } });
  const texts = [copy.headline, copy.body, copy.callToAction, copy.eyebrow, copy.legal].join('\n');
  const checks: (readonly [string, boolean])[] = [
    ['the headline has the product or the offer', isHeadline(brief, copy)],
    ['the language is that of the brief', copy.language === brief.language],
    ['the button is as asked', brief.cta === undefined || plain(copy.callToAction) === plain(brief.cta)],
    ['the legal line is there', brief.legal === undefined || has(copy.legal, brief.legal)],
    ['what is forbidden is known', (brief.left_out ?? []).every((topic) => copy.leftOut?.some((one) => one === topic))],
    ['the body does not repeat the headline', !has(copy.body, copy.headline)],
    ...brief.must.map((facts) => [`says ${facts[0]}`, facts.some((fact) => has(texts, fact))] as const),
    ...brief.mustNot.map((part) => [`does not say ${part}`, !has(texts, part)] as const),
  ];
  return { brief, copy, checks };
}

/** The sets of briefs, with the least number of briefs and of languages of each; "later" and "fresh" were written after the writer, and it was mended after them. */
const SETS = [
  { set: 'developed', briefs: 30, languages: 10 },
  { set: 'held-out', briefs: 30, languages: 10 },
  { set: 'later', briefs: 12, languages: 6 },
  { set: 'fresh', briefs: 20, languages: 11 },
  // Written in fragments, as people write to a machine: "Calm, no discounts. Dog owners in Texas."
  { set: 'terse', briefs: 39, languages: 11 },
  // Chatty, in two products, with jobs, politics and alcohol, with asides and bans in them.
  { set: 'messy', briefs: 50, languages: 17 },
  // As small businesses and agencies write them.
  { set: 'cold', briefs: 29, languages: 15 },
  // In the languages that were read last.
  { set: 'added', briefs: 15, languages: 7 },
  // Emails, lists and chat with several offers, bans, dates and legal lines.
  { set: 'mixed', briefs: 28, languages: 17 },
  // Of banks, clinics, festivals, supermarkets, software, jobs and charities.
  { set: 'trades', briefs: 30, languages: 20 },
  // That open with what was agreed, with the channel or with who writes, and end in small letters.
  { set: 'mails', briefs: 53, languages: 22 },
  // That an agency gets, with salutations, sizes, colors and the parts of the ad by name.
  { set: 'agencies', briefs: 50, languages: 24 },
];

describe.each(SETS)('the $set briefs', ({ set, briefs, languages }) => {
  const file = new URL(`briefs/${set}.json`, import.meta.url);
  const judged = (JSON.parse(readFileSync(file, 'utf8')) as readonly Brief[]).map(judge);

  it('are many, in many languages', () => {
    expect(judged.length).toBeGreaterThanOrEqual(briefs);
    expect(new Set(judged.map(({ brief }) => brief.language)).size).toBeGreaterThanOrEqual(languages);
  });

  it('make ads that hold 95 of 100 checks', () => {
    const checks = judged.flatMap(({ brief, checks: all }) =>
      all.map(([what, holds]) => [`${brief.id} ${what}`, holds]),
    );
    const broken = checks.filter(([, holds]) => holds !== true).map(([what]) => what);
    expect(1 - broken.length / checks.length, broken.join('\n')).toBeGreaterThanOrEqual(LEAST_SHARE);
  });

  it('are in languages that are read, and no remark says otherwise', () => {
    const told = judged.filter(({ copy }) => copy.remarks?.some((remark) => remark.includes('not read in')));
    expect(told.map(({ brief }) => brief.id)).toEqual([]);
  });

  it('make headlines with the product or the offer, every one', () => {
    const without = judged.filter(({ brief, copy }) => !isHeadline(brief, copy)).map(({ brief }) => brief.id);
    expect(without).toEqual([]);
  });

  it('make ads that name the product, wherever it stands', () => {
    const without = judged
      .filter(({ brief, copy }) => brief.product.length > 0 && !isNamed(brief, copy))
      .map(({ brief }) => brief.id);
    expect(without).toEqual([]);
  });

  it.each(judged.map(({ brief, copy }) => [brief.id, copy] as const))(
    '%s: the body never repeats the headline',
    (_id, copy) => {
      expect(has(copy.body, copy.headline)).toBe(false);
      if (copy.body !== undefined) expect(has(copy.headline, copy.body.replace(/[.!。]$/u, ''))).toBe(false);
    },
  );
});

/** An order in a language, and sentences for whoever makes the ad, which may stand before it and behind it. */
type Remarks = { readonly language: string; readonly order: string; readonly remarks: readonly string[] };

const REMARKS = JSON.parse(readFileSync(new URL('briefs/remarks.json', import.meta.url), 'utf8')) as readonly Remarks[];

describe('what a brief says to whoever makes the ad', () => {
  it('is read in every language', () => {
    expect(REMARKS.map(({ language }) => language).toSorted()).toEqual([...COPY_LANGUAGES].toSorted());
  });

  it.each(REMARKS.map((one) => [one.language, one] as const))('never stands in the ad: %s', (_language, one) => {
    const write = (message: string): Copy => writeCopy({ message, brand: { name: 'Acme', offerings: [] } });
    const plain = write(one.order);
    const told = one.remarks.flatMap((remark) => [`${remark}\n${one.order}`, `${one.order}\n${remark}`]);
    expect(told.filter((message) => !isSameAd(write(message), plain))).toEqual([]);
  });
});

function isSameAd(one: Copy, other: Copy): boolean {
  const PARTS = ['headline', 'body', 'callToAction', 'eyebrow', 'legal'] as const;
  return PARTS.every((part) => one[part] === other[part]);
}

describe('a ban of prices', () => {
  const write = (message: string): Copy => writeCopy({ message, brand: { name: 'Acme', offerings: [] } });

  it.each([
    ['Banner for tea: £4 until 3 May.', "Don't mention competitors' prices.", '£4'],
    ['Une bannière pour le thé : 4 € jusqu’au 3 mai.', "Ne parlez pas du prix de l'an dernier.", '4 €'],
    ['Precisamos de um banner para o chá: R$ 4 até 3 de maio.', 'Não mencionem preços de concorrentes.', 'R$ 4'],
  ])('leaves the own one where it is of others or of last year: %s %s', (order, ban, price) => {
    const { headline, body } = write(`${order}\n${ban}`);
    expect([headline, body].join('\n')).toContain(price);
  });

  it('is one of prices beside competitors too', () => {
    const { headline, body } = write("Banner for tea: £4 until 3 May. Don't mention prices or competitors.");
    expect([headline, body].join('\n')).not.toContain('£4');
  });
});

describe('colors and moods alone', () => {
  it.each([
    ['Banner for tea: £4 until 3 May.', 'Deep red and cream.'],
    ['Wir brauchen ein Banner für Tee: 4 € bis 3. Mai.', 'Dunkelgrün und Beige, eher ruhig.'],
    ['Potřebujeme banner na čaj: 40 Kč do 3. května.', 'Zelená a černá, dynamický styl.'],
    ['Нужен баннер для чая: 400 руб. до 3 мая.', 'Спокойные синие тона.'],
  ])('are for the maker: %s %s', (order, mood) => {
    const write = (message: string): Copy => writeCopy({ message, brand: { name: 'Acme', offerings: [] } });
    expect(isSameAd(write(`${order}\n${mood}`), write(order))).toBe(true);
  });
});

/** Sentences that give a part of the ad its text, in whose place is "{}". */
type Given = { readonly text: string; readonly sentences: readonly string[] };

/** How briefs of a language give the parts of an ad, and greet. */
type Parts = {
  readonly language: string;
  readonly order: string;
  readonly headline: Given;
  readonly button: Given;
  readonly terms: Given;
  readonly greetings: readonly string[];
};

const PARTS = JSON.parse(readFileSync(new URL('briefs/parts.json', import.meta.url), 'utf8')) as readonly Parts[];

describe('the sentences of a brief', () => {
  const write = (message: string): Copy => writeCopy({ message, brand: { name: 'Acme', offerings: [] } });
  const bare = (text = ''): string => plain(text).replace(/[.。।]$/u, '');
  const misread = (order: string, given: Given, part: 'headline' | 'callToAction' | 'legal'): readonly string[] =>
    given.sentences
      .map((sentence) => sentence.replace('{}', given.text))
      .filter((sentence) => bare(write(`${order}\n${sentence}`)[part]) !== bare(given.text));

  it.each(PARTS.map((one) => [one.language, one] as const))('give headline, button and terms: %s', (_language, one) => {
    expect(misread(one.order, one.headline, 'headline')).toEqual([]);
    expect(misread(one.order, one.button, 'callToAction')).toEqual([]);
    expect(misread(one.order, one.terms, 'legal')).toEqual([]);
  });

  it.each(PARTS.map((one) => [one.language, one] as const))('may greet: %s', (_language, { order, greetings }) => {
    const ad = write(order);
    expect(greetings.filter((greeting) => !isSameAd(write(`${greeting}\n${order}`), ad))).toEqual([]);
  });
});

/** Sentences that ask for an ad, with the product that it has to name and a word of the sentence that it must not. */
type Orders = {
  readonly language: string;
  readonly terms: string;
  readonly orders: readonly { readonly order: string; readonly product: string; readonly maker: string }[];
};

const ORDERS = JSON.parse(readFileSync(new URL('briefs/orders.json', import.meta.url), 'utf8')) as readonly Orders[];

describe('a sentence that asks for an ad', () => {
  it.each(ORDERS.map((one) => [one.language, one] as const))('is read for its product: %s', (language, one) => {
    const misread = one.orders.filter(({ order, product, maker }) => {
      const copy = writeCopy({ message: `${order}\n${one.terms}`, brand: { name: 'Zorvex', offerings: [] } });
      const texts = [copy.eyebrow, copy.headline, copy.body, copy.legal].join('\n');
      return copy.language !== language || !has(texts, product) || has(texts, maker);
    });
    expect(one.orders.length).toBeGreaterThan(3);
    expect(misread).toEqual([]);
  });
});

/** Labels as briefs have them, by language and by what stands behind them. */
const LABELS = JSON.parse(readFileSync(new URL('briefs/labels.json', import.meta.url), 'utf8')) as Readonly<
  Record<CopyLanguage, Readonly<Record<string, readonly string[]>>>
>;

describe('the labels of briefs', () => {
  it.each(COPY_LANGUAGES)('tell what stands behind them: %s', (language) => {
    const tables = [tableOf(language), tableOf('en')];
    const labels = Object.entries(LABELS[language]).flatMap(([role, all]) =>
      all.map((label) => [label, role] as const),
    );
    const misread = labels.filter(
      ([label, role]) =>
        !readPieces(`First\n${label}: 123\nThird`, tables).some((one) => one.text === '123' && one.role === role),
    );
    expect(labels.length).toBeGreaterThan(30);
    expect(misread).toEqual([]);
  });

  it('take a note for terms, and for the maker where it asks something', () => {
    const write = (note: string): Copy =>
      writeCopy({
        message: `Banner for tea: £4 until 3 May.\nButton: Order\nNote: ${note}`,
        brand: { name: 'Acme', offerings: [] },
      });
    expect(write('One per household.').legal).toBe('One per household.');
    expect(write('The picture should be bright.').legal).toBeUndefined();
    expect(write('Please do not mention coffee.').legal).toBeUndefined();
  });
});

describe('a brief in a language that is not read', () => {
  it.each([
    [
      'Mainos Hotelli Aallolle: 15 % alennus kesäkuussa pariskunnille. Ei saa mainita hintaa. Meidän painike: Varaa',
      'Finnish',
    ],
    [
      'Hirdetés a Hullám hotelnek: 15% kedvezmény júniusban, pároknak. Az ár nem szerepelhet. Gomb: Foglalás',
      'Hungarian',
    ],
    ['Реклама за хотел „Вълна“: 15% отстъпка през юни. Да не се споменават цени. Бутон: Резервирай', 'Bulgarian'],
    ['Reklama pre hotel Vlna: 15 % zľava v júni, nie je to pre rodiny. Tlačidlo: Rezervovať', 'Slovak'],
    ['Quảng cáo tour du thuyền Hạ Long, giảm 20% cho nhóm 4 người. Không nhắc đến đối thủ.', 'Vietnamese'],
  ])('%s: is said to be so, with what to send', (message, language) => {
    const { remarks } = writeCopy({ message, brand: { name: 'Brand', offerings: [] } });
    expect(remarks?.join('\n')).toContain(`in ${language}, which briefs are not read in`);
    expect(remarks?.join('\n')).toContain('send the texts as assets of creative_manifest');
  });
});
