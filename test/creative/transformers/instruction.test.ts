import { describe, expect, it } from 'vitest';
import { directCopy, mergeDirections } from '../../../src/creative/build/direction.js';
import { explainBrief } from '../../../src/creative/transformers/instruction/explain.js';
import { readInstruction } from '../../../src/creative/transformers/instruction/read.js';

const parts = (message: string) => readInstruction(message, {}).changes.map(({ part }) => part);

describe('an instruction', () => {
  it.each([
    ['Change the headline to "Run further" and use a red background', { headline: 'Run further', ground: '#c8102e' }],
    [
      'Change the headline to Summer is here and use a red background',
      { headline: 'Summer is here', ground: '#c8102e' },
    ],
    [
      'Change headline to Shoes, boots and bags, button to Shop now, background dark blue, and remove the logo.',
      { headline: 'Shoes, boots and bags', callToAction: 'Shop now', ground: '#0c3062', without: ['logo'] },
    ],
    [
      'Ändere die Überschrift auf Sommer am See und nimm einen dunkelblauen Hintergrund. Der Button soll „Jetzt buchen“ heißen.',
      { headline: 'Sommer am See', ground: '#0c3062', callToAction: 'Jetzt buchen' },
    ],
    [
      'Ersetze die Überschrift durch „Frisch gebrüht“, entferne den Fließtext und füge den Rechtshinweis „Ab 18.“ hinzu',
      { headline: 'Frisch gebrüht', without: ['body'], legal: 'Ab 18.' },
    ],
    [
      'Remplace le titre par Partez au vert et utilise un bouton jaune, puis supprime la description',
      { headline: 'Partez au vert', buttonColor: '#f7c600', without: ['body'] },
    ],
    [
      'Cambia el titular a "Vuelve al mar" y usa un fondo rojo; quita el texto y pon el botón en "Reserva ya"',
      { headline: 'Vuelve al mar', ground: '#c8102e', without: ['body'], callToAction: 'Reserva ya' },
    ],
    [
      'Mach den Button grün und schreib "Jetzt sichern" drauf',
      { buttonColor: '#1b7f3b', callToAction: 'Jetzt sichern' },
    ],
    ['Can we go for a dark navy background with an orange button?', { ground: '#0c1425', buttonColor: '#e8710a' }],
    ['Lose the photo', { without: ['picture'] }],
    ['Please take off the logo', { without: ['logo'] }],
    ['Mettre le fond en noir', { ground: '#111111' }],
    ['Enlever la ligne légale', { without: ['legal'] }],
    ['Make the text white and the background black', { textColor: '#ffffff', ground: '#111111' }],
    ['Put it on #223388', { ground: '#223388' }],
    ['Translate to German', { language: 'de' }],
    ['Auf Französisch bitte', { language: 'fr' }],
    ['Make it more playful', { tone: 'playful' }],
    ['Replace "Learn more" with "Shop now"', { replaced: [{ from: 'Learn more', to: 'Shop now' }] }],
    ['Change the button text to Red Friday deals', { callToAction: 'Red Friday deals' }],
    ['Change the button to red', { buttonColor: '#c8102e' }],
    [
      'Use the logo https://x.example/l.png. Link it to https://x.example/sale?x=1.',
      { logoUrl: 'https://x.example/l.png', clickUrl: 'https://x.example/sale?x=1' },
    ],
  ])('%s', (message, direction) => {
    const read = readInstruction(message, {});
    expect(read.direction).toEqual(direction);
    expect(read.unread).toEqual([]);
    expect(read.changes.filter(({ refusal }) => refusal !== undefined)).toEqual([]);
  });

  it('goes on from what was asked for before', () => {
    expect(readInstruction('Invert the colors', { colors: 'inverted' }).direction).toEqual({ colors: 'brand' });
    expect(readInstruction('Another motif', { motifShift: 1 }).direction).toEqual({ motifShift: 2 });
    expect(readInstruction('A shorter headline', { headlineChars: 30 }).direction).toEqual({ headlineChars: 15 });
  });

  it('is no instruction where it is a brief, whatever it is about', () => {
    for (const brief of [
      'Spring sale: 20% off trail running shoes',
      'Learn Portuguese in 12 weeks, first lesson free',
      'Red shoes for summer',
      'Summer offer: 20% off boots',
      'The white house wines, now without sulfites',
    ])
      expect(readInstruction(brief, {})).toEqual({ direction: {}, changes: [], unread: [], brief });
  });

  it('tells apart what cannot be followed, what is for the writer, and what was not understood', () => {
    const read = readInstruction(
      'Make the headline bigger, use a green button and mention free shipping. Give it some wow.',
      {},
    );
    expect(read.changes.map(({ part, refusal }) => [part, refusal === undefined])).toEqual([
      ['style', false],
      ['button color', true],
      ['brief', true],
    ]);
    expect(read.brief).toBe('mention free shipping.');
    expect(read.unread.map(({ words }) => words)).toEqual(['Give it some wow.']);
    expect(parts('Change the font to Comic Sans')).toEqual(['style']);
    expect(parts('Remove the headline')).toEqual(['headline']);
    expect(parts('Keep everything else as it is. Use a green background.')).toEqual(['ground']);
  });

  it.each([
    ['Remove the price', 'Do not mention prices.'],
    ['Supprimer les remises', 'Do not mention discounts.'],
    ['Quita los precios', 'Do not mention prices.'],
  ])('takes a subject out of the words: %s', (message, brief) => {
    const read = readInstruction(message, {});
    expect(read).toMatchObject({ brief, changes: [{ part: 'brief', words: message }], unread: [] });
  });

  it.each([
    ['Bigger logo and remove the logo', { without: ['logo'] }, ['style']],
    ['Remove the logo. Use the logo https://x.example/l.png', { logoUrl: 'https://x.example/l.png' }, ['logo']],
    ['Set the legal line to "18+". Remove the legal line.', { without: ['legal'] }, ['legal']],
    ['Change the headline to "A". Change the headline to "B".', { headline: 'B' }, ['headline']],
    ['Mach den Button grün. Mach den Button rot.', { buttonColor: '#c8102e' }, ['button color']],
    ['Remove the price. Add the price: from €2,499', { price: 'from €2,499' }, ['brief']],
    ['Keep the logo and remove the logo', { without: ['logo'] }, ['logo']],
  ])(
    'that contradicts itself is followed in its last command, and each other one is refused: %s',
    (message, direction, refused) => {
      const read = readInstruction(message, {});
      expect(read.direction).toEqual(direction);
      expect(read.changes.flatMap(({ part, refusal }) => (refusal === undefined ? [] : [part]))).toEqual(refused);
      expect(read.changes.filter(({ refusal }) => refusal === undefined)).toHaveLength(1);
      expect(read.brief).toBeUndefined();
      expect(read.unread).toEqual([]);
    },
  );

  it('puts a price in front of the text, once', () => {
    const copy = { headline: 'Boots', body: 'For the hills.', callToAction: 'Shop', language: 'en' } as const;
    expect(directCopy(copy, { price: 'from €2,499' }).body).toBe('From €2,499. For the hills.');
    expect(directCopy({ ...copy, headline: 'Boots from €2,499' }, { price: 'from €2,499' }).body).toBe(
      'For the hills.',
    );
  });

  it('gives back what was taken away before, and takes away what was set', () => {
    expect(mergeDirections({ without: ['logo', 'body'] }, { logoUrl: 'https://x.example/l.png' })).toEqual({
      without: ['body'],
      logoUrl: 'https://x.example/l.png',
    });
    expect(mergeDirections({ legal: '18+', headline: 'A' }, { without: ['legal'] })).toEqual({
      headline: 'A',
      without: ['legal'],
    });
  });

  it.each([
    ['Add the price: from €2,499', [], { price: 'from €2,499' }],
    ['Please show the price €19.99 per month.', [], { price: '€19.99 per month' }],
    ['Den Preis ergänzen: ab 2.499 €', [], { price: 'ab 2.499 €' }],
    ['Ajoutez le prix : à partir de 2 499 €', [], { price: 'à partir de 2 499 €' }],
    ['Añade el precio: desde 2.499 €', [], { price: 'desde 2.499 €' }],
    ['Change the price to €1,999', ['Boots from €2,499'], { replaced: [{ from: '€2,499', to: '€1,999' }] }],
    ['Change the price to €1,999', ['Boots'], { price: '€1,999' }],
    ['Change the price to €1,999', ['Boots €2,499', 'Shoes €99'], {}],
  ])('has a price read as one, and not as the text: %s', (message, texts, direction) => {
    const read = readInstruction(message, {}, texts);
    expect(read.direction).toEqual(direction);
    expect(read.brief).toBeUndefined();
    expect(read.changes.map(({ part }) => part)).toEqual(['price']);
  });

  it.each([
    ['Lose the photo, more elegant overall', { without: ['picture'], tone: 'elegant' }, 2],
    ['Keep the logo but elegant, please', { tone: 'elegant' }, 1],
    ['Make it shorter and more elegant', { headlineChars: 30, tone: 'elegant' }, 2],
    ['Supprime la photo, plus élégant', { without: ['picture'], tone: 'elegant' }, 2],
    ['Make the background a nice, warm blue', { ground: '#1450a3' }, 1],
    ['Make the background darker, like navy', { ground: '#14213d' }, 1],
    ['Make the button bigger and green', { buttonColor: '#1b7f3b' }, 2],
    ['Replace "Learn more" with "Buy", elegant', { replaced: [{ from: 'Learn more', to: 'Buy' }], tone: 'elegant' }, 2],
    ['I hate the logo. Take it off', { without: ['logo'] }, 1],
  ])('of several clauses passes over none of them: %s', (message, direction, count) => {
    const read = readInstruction(message, {});
    expect(read.direction).toEqual(direction);
    expect(read.changes).toHaveLength(count);
  });

  it('names each clause that was not understood or has another beside it', () => {
    const unread = (message: string) => readInstruction(message, {}).unread.map(({ words }) => words);
    expect(unread('Take it off, more elegant')).toEqual(['Take it off']);
    expect(unread('Lose the photo, foo bar, elegant')).toEqual(['foo bar']);
    expect(unread('The logo is ugly. Take it off, and be summery')).toEqual(['be summery']);
    expect(unread('Remove the photo – and it should be summery')).toEqual(['it should be summery']);
    expect(unread(`${'Use a red background. '.repeat(30)}Remove the logo.`)).toEqual(['Remove the logo.']);
    const { direction, changes } = readInstruction('Make it warm and elegant', {});
    expect(direction).toEqual({ tone: 'warm' });
    expect(changes[1]).toMatchObject({
      words: 'elegant',
      refusal: expect.stringContaining('"Make it warm" is followed'),
    });
  });

  it.each([
    ['Change Hamburg to Berlin', 'Berlin'],
    ['Ändere hamburg in Berlin um.', 'Berlin'],
    ['Change Hamburg to Berlin and Kiel', 'Berlin and Kiel'],
    ['Remplace Hamburg par Berlin, plus élégant', 'Berlin'],
  ])('replaces words of the ad without quotation marks: %s', (message, to) => {
    const { direction } = readInstruction(message, {}, ['Run further in Hamburg']);
    expect(direction.replaced).toEqual([{ from: expect.stringMatching(/^hamburg$/i), to }]);
    const { direction: none, unread } = readInstruction(message, {}, ['Hamburger']);
    expect(none.replaced).toBeUndefined();
    expect(unread[0]?.refusal).toContain("is in none of the creative's words");
  });

  it.each([
    ['Change Hamburg to Berlin', '"Hamburg" is in none of the creative\'s words'],
    ['Add the date: until Friday', 'names "date", which is no part of the layout'],
    ['Take it off', 'takes something away, but names no part'],
    ['I do not like the logo', 'names the logo, but what is to change of it was not understood'],
    ['Boots for everybody', 'names no part and no change'],
  ])('that is read as a brief says what of it was understood: %s', (message, explained) => {
    expect(readInstruction(message, {}).changes).toEqual([]);
    expect(explainBrief(message)).toContain(explained);
  });

  it('to take away what no ad has is refused, and not read as a brief', () => {
    expect(readInstruction('Remove the countdown', {})).toMatchObject({
      brief: undefined,
      unread: [{ part: 'other', words: 'Remove the countdown' }],
    });
  });

  it.each([
    ['Add a countdown', 'say until when the offer holds'],
    ['Please add a QR code.', 'send one as a picture'],
    ['Füge ein Video hinzu', 'a video format by target_format_id'],
    ['Ajoute une animation', 'ask for a video format'],
    ['Añade un mapa', 'they have a headline'],
    ['Make the button green and add a countdown timer', 'say until when the offer holds'],
  ])('to add what no ad has is refused with what can be had: %s', (message, reason) => {
    const { changes, brief } = readInstruction(message, {});
    expect(changes.find(({ part }) => part === 'other')?.refusal).toContain(reason);
    expect(brief).toBeUndefined();
  });

  it('to add one thing that is not understood is refused, and what says more is a brief', () => {
    expect(readInstruction('Add a unicorn', {})).toMatchObject({
      brief: undefined,
      unread: [{ words: 'Add a unicorn' }],
    });
    for (const brief of ['Add free delivery until Sunday', 'Add a gift worth €20 for every order'])
      expect(readInstruction(brief, {})).toMatchObject({ brief, changes: [], unread: [] });
  });
});
