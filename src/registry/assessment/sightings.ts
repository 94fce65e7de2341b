/** Something that no answer may show, and the answer that shows it. It does not hold what was seen. */
export type Sighting = { readonly kind: 'secret' | 'trace'; readonly what: string; readonly where: string };

/** Characters of an answer that are searched. */
const MAX_SEARCHED_CHARACTERS = 256 * 1024;
/** Shorter keys are found in texts by chance. */
const MIN_KEY_CHARACTERS = 12;

/** Secrets that are told by their form, which nothing else has. */
const SECRETS: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/],
  ['a key of Amazon Web Services', /\bAKIA[0-9A-Z]{16}\b/],
  ['a token of GitHub', /\bgh[opsu]_[A-Za-z0-9]{36}/],
  ['a live key of Stripe', /\b[rs]k_live_[A-Za-z0-9]{16}/],
  ['a token of Slack', /\bxox[abprs]-[A-Za-z0-9-]{20}/],
  [
    'an address with a password',
    /\b(?:amqps?|mongodb(?:\+srv)?|mysql|postgres(?:ql)?|rediss?):\/\/[^\s:/@"]{0,64}:[^\s@/"]{1,64}@/,
  ],
];

/** Frames of a stack, with their lines ended as JSON has it or as they are. */
const TRACE = /(?:\n|\\n)\s{2,8}at [^\n\\]{1,200}:\d{1,6}:\d{1,6}|Traceback \(most recent call last\)/;

/** Returns sightings of a kind as sentences, one for each thing that was seen, with the answer that showed it first. */
export function describeSightings(sightings: readonly Sighting[], kind: Sighting['kind']): readonly string[] {
  const byThing = new Map<string, string[]>();
  for (const { kind: own, what, where } of sightings)
    if (own === kind) byThing.set(what, [...(byThing.get(what) ?? []), where]);
  return [...byThing].map(([what, [first, ...others]]) => {
    const more = others.length === 0 ? '' : `, and ${others.length} more`;
    return `The answer to ${first}${more} shows ${what}.`;
  });
}

/** Returns what an answer shows that it may not: secrets by their form, the key that it was asked with, and frames of a stack. */
export function findSightings(bytes: Uint8Array, where: string, key: string | undefined): readonly Sighting[] {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_SEARCHED_CHARACTERS));
  const secrets = SECRETS.filter(([, pattern]) => pattern.test(text)).map(([what]) => what);
  if (key !== undefined && key.length >= MIN_KEY_CHARACTERS && text.includes(key))
    secrets.push('the key that it was asked with');
  return [
    ...secrets.map((what) => ({ kind: 'secret', what, where }) as const),
    ...(TRACE.test(text) ? [{ kind: 'trace', what: 'frames of a stack', where } as const] : []),
  ];
}
