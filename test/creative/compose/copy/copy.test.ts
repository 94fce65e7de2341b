import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { builtInWriter, writeCopy } from '../../../../src/creative/compose/copy/built-in-writer.js';
import { type CopyOrder, withFallback, writeOnce } from '../../../../src/creative/compose/copy/copy.js';
import { chooseFitting, shortenText } from '../../../../src/creative/compose/copy/fitting.js';
import { llmCopyWriter } from '../../../../src/creative/compose/copy/llm.js';
import { plainText } from '../../../../src/creative/compose/copy/text.js';
import type { TextEndpoint } from '../../../../src/platform/net/chat.js';
import { startCpuClock } from '../../../kit/cpu.js';

const ACME = { name: 'Acme Outdoor', offerings: [] } as const;
const BOOTS = {
  ...ACME,
  offerings: [{ name: 'Trail Pro Boots', description: 'Waterproof boots that are light enough to forget.' }],
};

const copyOf = (message: string, brand: CopyOrder['brand'] = ACME) => writeCopy({ message, brand });

describe('a price behind a colon', () => {
  it('keeps the capital letter of its currency', () => {
    const message =
      'Precisamos divulgar o rodízio de sopas da Padaria do Bairro: R$ 39,90 por pessoa, toda quinta. Não falar da concorrência.';
    expect(copyOf(message, { name: 'Padaria do Bairro', offerings: [] }).headline).toContain('R$ 39,90');
  });
});

describe('a sentence for the maker alone', () => {
  it.each([
    ['Radio spot. 20% off trail shoes', 'Radio spot'],
    ['Radiospot, 30 Sekunden. 20% Rabatt auf Schuhe', 'Radiospot'],
    ['Cuña de radio. Descuento del 20% en zapatos', 'radio'],
    ['20% off trail shoes. They are busy parents.', 'parents'],
  ])('is no copy: %s', (message, instruction) => {
    const { headline, body, eyebrow } = copyOf(message);
    expect([headline, body, eyebrow].join(' ')).not.toContain(instruction);
    expect(headline).toContain('20');
  });

  it('is told from one about the goods', () => {
    expect(copyOf('20% off trail shoes. They are hand-made in Portugal.').body).toBe('They are hand-made in Portugal.');
  });
});

describe('words that are spoken', () => {
  const message =
    'Spring sale: 20% off trail running shoes until 31 May. They are light, dry and sure-footed on every trail. Made in Portugal of recycled rubber and cork. Run a mile in them before you buy. Free returns for sixty days.';

  it('have as many sentences of the brief as their time takes, and nothing twice', () => {
    const [read, short, long] = [undefined, 15_000, 60_000].map((spokenMs) =>
      writeCopy({ message, brand: ACME, spokenMs }),
    );
    const parts = [
      'Made in Portugal of recycled rubber and cork.',
      'Run a mile in them',
      'Free returns for sixty days.',
    ];
    expect(parts.filter((part) => read?.body?.includes(part)).length).toBeLessThan(parts.length);
    expect(parts.filter((part) => long?.body?.includes(part))).toEqual(parts);
    expect(short?.body?.length).toBeLessThan(long?.body?.length ?? 0);
    expect(long?.headline).toBe(read?.headline);
    expect(long?.body).not.toContain(long?.headline);
  });

  it('end with what is known of the offering and the brand, where the brief leaves time for it', () => {
    const brand = {
      name: 'Acme',
      tagline: 'Further every day',
      offerings: [{ name: 'Trail Pro', description: 'Boots that are light enough to forget.' }],
    };
    const spoken = writeCopy({ message: '20% off Trail Pro. Free shipping on all orders.', brand, spokenMs: 30_000 });
    expect(spoken.body).toContain(
      'Free shipping on all orders. Boots that are light enough to forget. Further every day',
    );
    expect(writeCopy({ message: '20% off Trail Pro. Free shipping on all orders.', brand }).body).not.toContain(
      'Boots',
    );
  });
});

describe('the built-in writer', () => {
  it.each([
    [
      'Create a display ad for our summer sale on hiking boots, 20% off until Sunday',
      {
        headline: '20% off hiking boots',
        eyebrow: 'Summer sale',
        body: 'Until Sunday.',
        callToAction: 'Shop now',
        offer: '20% off',
      },
    ],
    [
      'Generate a 300x250 banner promoting the summer sale with 25% off',
      { headline: 'Summer sale: 25% off', offer: '25% off' },
    ],
    [
      'We need a leaderboard for our Black Friday deals: save up to 50% on all jackets!',
      { headline: 'Up to 50% off all jackets!', eyebrow: 'Black Friday deals' },
    ],
    [
      'Promote our new line of tents to weekend campers',
      { headline: 'Tents', eyebrow: 'New', callToAction: 'Learn more' },
    ],
    ['Gear up for summer', { headline: 'Gear up for summer' }],
    [
      'Make an ad with headline "Walk further" and a button that says "Get yours"',
      { headline: 'Walk further', callToAction: 'Get yours' },
    ],
    ['Headline: Walk further. CTA: Get yours.', { headline: 'Walk further', callToAction: 'Get yours' }],
    [
      'Create banner ads for a new outdoor clothing line. Use earthy tones and emphasize sustainability.',
      { headline: 'Outdoor clothing line', eyebrow: 'New' },
    ],
    [
      'A 30 second spot about our bottles made from 20% recycled plastic',
      { headline: 'Bottles made from 20% recycled plastic' },
    ],
    [
      'Book your next holiday in the Alps with $100 off',
      { headline: 'Book your next holiday in the Alps', offer: '$100 off', callToAction: 'Book now' },
    ],
    [
      'Launch campaign for EcoCar, an electric car with 500 km of range. Drive bookings of test drives.',
      { headline: 'EcoCar', body: 'An electric car with 500 km of range.', callToAction: 'Book a test drive' },
    ],
    [
      'New: the silent record player. Pre-order now',
      { headline: 'New: the silent record player', callToAction: 'Pre-order now' },
    ],
    [
      'Get a quote. Concrete floors that last. No mess at all',
      { headline: 'Concrete floors that last', body: 'No mess at all.', callToAction: 'Get a quote' },
    ],
    [
      'Spring: 20% off trail shoes, until Sunday',
      { headline: '20% off trail shoes', eyebrow: 'Spring', body: 'Until Sunday.' },
    ],
    ['Trail Pro: 20% off until Sunday', { headline: '20% off Trail Pro', body: 'Until Sunday.' }],
    ['Adapt this for a leaderboard', { headline: 'Acme Outdoor' }],
    ['', { headline: 'Acme Outdoor' }],
  ])('turns %j into an ad', (message, wanted) => expect(copyOf(message)).toMatchObject(wanted));

  it.each([
    [
      'de',
      'Erstelle eine Anzeige für unseren Sommerschlussverkauf: 20 % Rabatt auf Wanderschuhe bis Sonntag.',
      '20 % Rabatt auf Wanderschuhe',
      'Jetzt kaufen',
    ],
    [
      'fr',
      "Crée une bannière pour nos soldes d'été avec 30 % de remise sur les chaussures jusqu'à dimanche",
      '30 % de remise sur les chaussures',
      'J’en profite',
    ],
    [
      'fr',
      'Été : 30 % de réduction sur les vélos électriques, jusqu’à dimanche',
      '30 % de réduction sur les vélos électriques',
      'J’en profite',
    ],
    [
      'es',
      'Crea un anuncio para nuestras rebajas de verano: hasta 40% de descuento en botas',
      'Hasta 40% de descuento en botas',
      'Comprar ahora',
    ],
    [
      'it',
      'Crea un annuncio per i nostri saldi estivi con il 30% di sconto sulle scarpe',
      '30% di sconto sulle scarpe',
      'Acquista ora',
    ],
  ])('writes in the language of the message: %s', (language, message, headline, callToAction) => {
    expect(copyOf(message)).toMatchObject({ language, headline, callToAction });
  });

  it.each([
    ['Savings at 5% interest', undefined],
    ['Save with 5% interest on your account', undefined],
    ['Savings account: 5%', undefined],
    ['Sale of 100% cotton shirts', undefined],
    ['Summer sale: boots from $50', undefined],
    ['Deal with 2.5% APR on every car', undefined],
    ['Summer sale: 20% on hiking boots', '20% off'],
    ['Save up to 50% this week', 'Up to 50% off'],
    ['100% cotton, now 30% off', '30% off'],
    ['Sparen Sie mit 5 % Zinsen auf Ihr Tagesgeld', undefined],
    ['Das Angebot: Schuhe aus 80 % Wolle für den Winter', undefined],
    ['Sparen Sie 20 % auf alle Schuhe für den Winter', '20 % Rabatt'],
    ['Schlussverkauf: 30 % auf alle Jacken für den Winter', '30 % Rabatt'],
    ['Le livret avec 5 % d’intérêts, une promotion pour vous', undefined],
    ['Soldes : 40 % sur les chaussures pour vous', '40 % de remise'],
    ['Ahorra con un 5 % de interés en tu cuenta', undefined],
    ['La oferta de camisas de 100 % algodón para el verano', undefined],
    ['Las rebajas: 25 % en todas las botas para el verano', '25 % de descuento'],
    ['Risparmia con il 5% di interessi per il tuo conto', undefined],
    ['I nostri saldi estivi: il 25% sulle scarpe per la tua estate', '25% di sconto'],
  ])('calls a percentage a discount only where it is one: %j', (message, offer) => {
    const copy = copyOf(message);
    expect(copy.offer).toBe(offer);
    if (offer === undefined) expect(JSON.stringify(copy)).not.toMatch(/% off|Rabatt|remise|descuento|sconto|\d off/);
  });

  it('says nothing twice', () => {
    expect(copyOf('New: the silent record player. Pre-order now').body).toBeUndefined();
    expect(copyOf('Trail Pro: 20% off until Sunday').eyebrow).toBeUndefined();
  });

  it('speaks of the offering that is meant, and says of it what the brand says', () => {
    const copy = copyOf('Create a banner for Trail Pro Boots', BOOTS);
    expect(copy).toMatchObject({
      headline: 'Trail Pro Boots',
      body: 'Waterproof boots that are light enough to forget.',
    });
  });

  it('keeps the texts it is given', () => {
    const given = { headline: 'Ours', body: 'And ours.', callToAction: 'Go' };
    expect(writeCopy({ message: 'Create an ad for boots', brand: BOOTS, given })).toMatchObject(given);
  });

  it('takes no markup and no control characters over', () => {
    expect(plainText('<script>alert(1)</script>Buy <b>now</b>\u202e\u0000 & save < 5')).toBe('Buy now & save < 5');
  });

  it('keeps every limit for every message, cuts no word, and says the same each time', () => {
    const message = fc
      .array(
        fc.oneof(
          fc.string({ unit: 'grapheme', maxLength: 20 }),
          fc.constantFrom('20% off', 'summer sale', 'until Sunday', 'Create an ad for', '"', ':', '.'),
        ),
        { maxLength: 25 },
      )
      .map((words) => words.join(' '));
    const limits = fc.record({
      headline: fc.integer({ min: 3, max: 80 }),
      body: fc.integer({ min: 5, max: 120 }),
      callToAction: fc.integer({ min: 3, max: 30 }),
    });
    fc.assert(
      fc.property(message, limits, (text, most) => {
        const order = { message: text, brand: BOOTS, limits: most };
        const copy = writeCopy(order);
        expect(copy.headline.length).toBeGreaterThan(0);
        expect(copy.headline.length).toBeLessThanOrEqual(most.headline);
        expect(copy.callToAction.length).toBeGreaterThan(0);
        expect(copy.callToAction.length).toBeLessThanOrEqual(most.callToAction);
        expect(copy.body?.length ?? 0).toBeLessThanOrEqual(most.body);
        expect(writeCopy(order)).toEqual(copy);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    'a '.repeat(5000),
    '-'.repeat(5000),
    '"'.repeat(5000),
    'create ad '.repeat(500),
    '<script'.repeat(700),
    ', with'.repeat(800),
    '20% off '.repeat(600),
  ])('reads %.12j… without delay', (message) => {
    const elapsed = startCpuClock();
    copyOf(message);
    expect(elapsed()).toBeLessThan(500);
  });
});

describe('a text that is too long', () => {
  it.each([
    ['Everything you need for the long way home', 25, 'Everything you need'],
    ['Short enough. And then more.', 20, 'Short enough.'],
    ['Solid oak that was oiled by hand, with every guarantee', 50, 'Solid oak that was oiled by hand'],
    ['Oak, and a great deal more that goes on and on', 30, 'Oak, and a great deal more'],
    ['Unbreakable', 5, ''],
    ['fits', 4, 'fits'],
  ])('%j at %i is %j', (text, most, wanted) => expect(shortenText(text, most)).toBe(wanted));

  it('gives way to one that fits', () => {
    expect(chooseFitting(['Unbreakablelongword', undefined, '', 'Short one'], 10)).toBe('Short one');
    expect(chooseFitting(['Tiny', 'Long enough'], 20, 8)).toBe('Long enough');
    expect(chooseFitting([], 10)).toBe('');
  });
});

describe('a writer behind a text endpoint', () => {
  const answering =
    (content: unknown, status = 200): TextEndpoint =>
    async () => ({
      status,
      bytes: Buffer.from(
        JSON.stringify({
          choices: [{ message: { content: typeof content === 'string' ? content : JSON.stringify(content) } }],
        }),
      ),
    });
  const writer = (ask: TextEndpoint) =>
    llmCopyWriter({ baseUrl: 'https://llm.example/v1/', model: 'm', apiKey: 'k', ask });
  const order = { message: 'Create an ad for hiking boots, sale 20% off', brand: BOOTS };
  const good = { headline: 'Walk on', body: 'Boots for <b>long</b> days.', call_to_action: 'See boots' };

  it('takes its words, cleaned and within the limits, and keeps the offer of the rules', async () => {
    const seen: [string, Parameters<TextEndpoint>[1]][] = [];
    const copy = await writer(async (url, options) => {
      seen.push([url, options]);
      return answering(good)(url, options);
    }).write(order);
    expect(copy).toMatchObject({
      headline: 'Walk on',
      body: 'Boots for long days.',
      callToAction: 'See boots',
      offer: '20% off',
    });
    const [url, options] = seen[0] ?? ['', undefined];
    expect(url).toBe('https://llm.example/v1/chat/completions');
    expect(options).toMatchObject({ method: 'POST', timeoutMs: 8000, trusted: true });
    expect(options?.headers.authorization).toBe('Bearer k');
    expect(JSON.parse(options?.body ?? '')).toMatchObject({
      model: 'm',
      temperature: 0,
      response_format: { type: 'json_schema' },
    });
  });

  it('shortens what is a little too long by whole words', async () => {
    const headline = 'Walk on and on through every season that the mountains have for you';
    expect((await writer(answering({ ...good, headline })).write(order)).headline).toBe(
      'Walk on and on through every season that the mountains have',
    );
  });

  it('is asked once for the same order', async () => {
    let asked = 0;
    const counting = writeOnce(
      writer((...request) => {
        asked += 1;
        return answering(good)(...request);
      }),
    );
    const [one, two] = await Promise.all([counting.write(order), counting.write({ ...order })]);
    expect([one, asked]).toEqual([two, 1]);
    await counting.write({ ...order, message: 'Something else' });
    expect(asked).toBe(2);
  });

  it.each<[string, TextEndpoint]>([
    ['no answer', () => Promise.reject(new Error('timeout'))],
    ['a status', answering(good, 500)],
    ['prose', answering('Sure! Here is your ad')],
    ['missing fields', answering({ headline: 'x' })],
    ['other types', answering({ ...good, headline: 7 })],
    ['empty texts', answering({ ...good, headline: ' ' })],
    ['a list', answering([])],
    ['much more than fits', answering({ ...good, body: 'Boots for long days. '.repeat(20) })],
  ])('falls back to the rules on %s', async (_what, fetch) => {
    const failures: unknown[] = [];
    const copy = await withFallback(writer(fetch), builtInWriter, (cause) => failures.push(cause)).write(order);
    const { remarks, ...words } = copy;
    expect(words).toEqual(writeCopy(order));
    expect(remarks).toEqual([expect.stringContaining('the built-in writer wrote them')]);
    expect(failures).toHaveLength(1);
  });

  const BRIEF = 'Create an ad for hiking boots, 20% off until Sunday. Do not mention price. Avoid the word "cheap".';
  it.each([
    ['another discount', { headline: '30% off hiking boots' }, 'the number 30'],
    ['a price', { body: 'From $99 a pair.' }, 'They s'],
    ['an offer', { body: 'Free delivery on boots.' }, 'offer what nobody offers'],
    ['another day', { body: 'Only until Friday.' }, 'a date that nobody set'],
    ['a banned word', { headline: 'Cheap hiking boots' }, '"cheap"'],
    ['a banned subject', { body: 'Boots at the best prices.' }, '"price"'],
    ['another language', { headline: 'ハイキングブーツ', body: '軽くて丈夫な靴です。' }, 'another language'],
    ['the headline twice', { headline: 'Boots for long days', body: 'Boots for long days.' }, 'the same twice'],
  ])('does not let a model say %s', async (_what, part, reason) => {
    const answer = { headline: 'Hiking boots', body: 'Boots for long days.', call_to_action: 'See boots', ...part };
    const one = { message: BRIEF, brand: ACME };
    const { remarks = [], ...words } = await withFallback(writer(answering(answer)), builtInWriter).write(one);
    expect(remarks.at(-1)).toContain('were not used');
    expect(remarks.at(-1)).toContain(reason);
    expect(words.headline).toBe(writeCopy(one).headline);
  });

  it.each([
    [BRIEF, { headline: 'Save 20% on hiking boots', body: 'Offer ends Sunday.', call_to_action: 'Shop boots' }],
    [
      'محفظة جديدة من الجلد بخصم ٢٠٪',
      { headline: 'محفظة جديدة من الجلد', body: 'خصم 20٪ على المحفظة', call_to_action: 'تسوق' },
    ],
  ])('lets a model say in its own words what the brief says', async (message, answer) => {
    const copy = await writer(answering(answer)).write({ message, brand: ACME });
    expect(copy).toMatchObject({ headline: answer.headline, body: answer.body, callToAction: answer.call_to_action });
  });

  it('keeps what the brief has word for word', async () => {
    const message = 'Headline: Walk further. CTA: Get yours. Legal: T&Cs apply.';
    const copy = await writer(answering(good)).write({ message, brand: ACME });
    expect(copy).toMatchObject({ headline: 'Walk further', callToAction: 'Get yours', legal: 'T&Cs apply.' });
  });
});
