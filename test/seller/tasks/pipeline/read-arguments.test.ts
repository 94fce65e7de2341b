import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HOST_NAME } from '../../../../src/platform/net/url.js';
import { catchTaskError } from '../../../../src/protocol/errors.js';
import { readArguments } from '../../../../src/seller/tasks/pipeline/arguments/read-arguments.js';
import { dateTime, endTime, envelopeFields } from '../../../../src/seller/tasks/pipeline/shapes.js';

const schema = z.looseObject({
  lines: z.array(z.looseObject({ budget: z.number(), note: z.string().optional() })).optional(),
  where: z.strictObject({ countries: z.array(z.string()).optional(), radius: z.int().optional() }).optional(),
  paused: z.boolean().optional(),
  status: z.union([z.enum(['active', 'paused']), z.array(z.enum(['active', 'paused']))]).optional(),
  rates: z.record(z.string(), z.number()).optional(),
  day: z.iso.date().optional(),
  market: z.object({ country: z.string().regex(/^[A-Z]{2}$/), currency: z.string().regex(/^[A-Z]{3}$/) }).optional(),
  domain: z.string().regex(HOST_NAME).optional(),
  begin: z
    .union([z.string(), z.looseObject({ day: z.string() })])
    .optional()
    .describe('"asap", or a date-time or a day'),
  from: dateTime.optional(),
  to: endTime.optional(),
  ...envelopeFields,
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('arguments that a model wrote', () => {
  it.each<[what: string, sent: object, read: object]>([
    ['a number in a text', { lines: [{ budget: '1000.5' }] }, { lines: [{ budget: 1000.5 }] }],
    ['a list in a text', { lines: '[{"budget": 5}]' }, { lines: [{ budget: 5 }] }],
    ['numbers in texts in a list in a text', { lines: '[{"budget": "5"}]' }, { lines: [{ budget: 5 }] }],
    ['a list in an object in a text', { where: '{"countries": "[\\"DE\\"]"}' }, { where: { countries: ['DE'] } }],
    ['a list where one word would do too', { status: '["active"]' }, { status: ['active'] }],
    ['a table in a text', { rates: '{"EUR": "1.1"}' }, { rates: { EUR: 1.1 } }],
    ['a number in a field of text', { lines: [{ budget: 1, note: '5' }] }, { lines: [{ budget: 1, note: '5' }] }],
    ['a field that nobody knows', { other: '[1]' }, { other: '[1]' }],
    ['a first day', { from: '2030-06-01' }, { from: '2030-06-01T00:00:00Z' }],
    ['a last day', { to: '2030-06-30' }, { to: '2030-07-01T00:00:00Z' }],
    ['a day that is none', { to: '2030-02-30' }, { to: '2030-02-30' }],
  ])('are read as what they say: %s', (_what, sent, read) => {
    const before = JSON.stringify(sent);
    expect(readArguments(schema, sent, 'a_task').args).toEqual(read);
    expect(JSON.stringify(sent), 'what was sent is not changed').toBe(before);
  });

  it.each<[what: string, sent: object, field: string, suggestion: string]>([
    ['a number with a currency', { lines: [{ budget: '5 USD' }] }, 'lines[0].budget', 'Send a number such as 1000'],
    ['a number with separators', { lines: [{ budget: '1,000' }] }, 'lines[0].budget', 'without quotation marks'],
    ['a number that JSON does not write so', { lines: [{ budget: '0x10' }] }, 'lines[0].budget', 'Send a number'],
    ['no text at all', { lines: [{ budget: '' }] }, 'lines[0].budget', 'Send a number'],
    ['a half where a whole is wanted', { where: { radius: '1.5' } }, 'where.radius', ''],
    ['a truth in a text', { paused: 'true' }, 'paused', 'Send true, without quotation marks.'],
    ['a list where an object is wanted', { where: '[]' }, 'where', 'Its members are "countries", "radius".'],
    ['a country of three letters', { market: { country: 'USA', currency: 'USD' } }, 'market.country', 'such as "US"'],
    ['an address in the place of a domain', { domain: 'https://Acme.example/' }, 'domain', 'such as "acme.example"'],
    ['a sign of a currency', { market: { country: 'US', currency: '$' } }, 'market.currency', 'such as "USD"'],
    ['a text that is no JSON', { lines: 'one line' }, 'lines', 'Send a JSON list'],
    ['a number for a text', { lines: [{ budget: 1, note: 5 }] }, 'lines[0].note', 'Send a text'],
    ['a context in a text, which is sent back as it came', { context: '{"a":1}' }, 'context', 'Send a JSON object'],
    ['a text that is nested too deep', { lines: nested(17) }, 'lines', 'Send a JSON list'],
    ['a text that holds too much', { lines: `[${'1,'.repeat(1000)}1]` }, 'lines', 'Send a JSON list'],
    ['a member by another name', { lines: [{ bugdet: 5 }] }, 'lines[0].budget', 'You sent "bugdet": call it "budget".'],
    ['a start that is none', { lines: [], begin: null }, 'begin', 'Send "asap", or a date-time or a day. Correct'],
    ['a member that is not known', { where: { countrys: ['DE'] } }, 'where', 'Did you mean "countries"?'],
    ['a word that is not known', { status: 'actve' }, 'status', 'Did you mean "active"?'],
    ['a date-time where a day is wanted', { day: '2030-06-05T00:00:00Z' }, 'day', 'Send a day such as "2030-06-05".'],
  ])('are refused with what to send: %s', async (_what, sent, field, suggestion) => {
    const refused = await catchTaskError(async () => readArguments(schema, sent, 'a_task'));
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', extras: { field } });
    expect(refused).toHaveProperty('extras.suggestion', expect.stringContaining(suggestion));
  });

  it('that are missing are said to be required, whatever forms they may have', async () => {
    const needy = z.looseObject({ start: z.union([z.string(), z.looseObject({})]).describe('"asap", or a day') });
    const errorOf = (sent: object) => catchTaskError(async () => readArguments(needy, sent, 'a_task'));
    expect(await errorOf({})).toMatchObject({
      message: 'start: is required',
      extras: { field: 'start', suggestion: expect.stringContaining('Send "asap", or a day. ') },
    });
    expect(await errorOf({ strat: 'asap' })).toMatchObject({
      extras: { suggestion: expect.stringContaining('You sent "strat": call it "start".') },
    });
  });

  it('are not mended when they are many', async () => {
    const lines = Array.from({ length: 1000 }, () => ({ budget: '5' }));
    const refused = await catchTaskError(async () => readArguments(schema, { lines }, 'a_task'));
    expect(refused).toMatchObject({ code: 'INVALID_REQUEST', extras: { field: 'lines[0].budget' } });
  });

  it('never reach the prototype of what is read', () => {
    const { args } = readArguments(schema, { rates: '{"__proto__": {"admin": true}}' }, 'a_task');
    expect(Reflect.get(Object(args), 'admin')).toBeUndefined();
    expect(Reflect.get({}, 'admin')).toBeUndefined();
  });
});
