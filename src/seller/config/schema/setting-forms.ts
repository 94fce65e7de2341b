import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { isDatabaseUrl } from '../../../platform/database/database-url.js';
import { isAddressRange } from '../../../platform/net/address.js';
import { HOST_NAME, isUrl } from '../../../platform/net/url.js';
import { ANY_ORIGIN } from '../../../platform/web/cors.js';
import { ANY_HOST } from '../../../platform/web/origin.js';
import { PROTOCOL_NAME } from './tenant.js';

/** The form of a setting's value, as text: flags and the environment hold no other, and the file's values are written as text for it. */
export type SettingForm<Value> = z.ZodType<Value, string>;

const SEPARATOR = ',';

/** Returns a form of text that passes a test; the message is about text that does not. */
function textThat(isRight: (text: string) => boolean, message: (text: string) => string, fix: string) {
  return z.string().check((context) => {
    const { value } = context;
    if (!isRight(value))
      context.issues.push({ code: 'custom', input: value, message: message(value), params: { fix } });
  });
}

/** Returns a form of whole numbers in a range. */
export function wholeNumber(minimum: number, maximum: number): SettingForm<number> {
  return textThat(
    (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    (text) => `"${text}" is not in the range`,
    `Use a whole number from ${minimum} to ${maximum}.`,
  ).transform(Number);
}

/** Returns a form of one of a few words; `noun` names them in the message. */
export function oneOf<const Word extends string>(words: readonly Word[], noun: string): SettingForm<Word> {
  const quoted = words.map((word) => `"${word}"`);
  const fix = `Use ${[quoted.slice(0, -1).join(', '), quoted.at(-1)].join(' or ')}.`;
  return textThat(
    (text) => words.some((word) => word === text),
    (text) => `"${text}" is not a known ${noun}`,
    fix,
  ).transform((text) => words.find((word) => word === text) ?? z.NEVER);
}

/** The path of a folder. */
export const folderPath: SettingForm<string> = z.string();

/** An address to bind. */
export const bindHost: SettingForm<string> = z
  .string()
  .transform((text) => text.replace(/^\[(.*)\]$/, '$1'))
  .pipe(
    textThat(
      (text) => /^[A-Za-z0-9.-]+$/.test(text) || ipaddr.IPv6.isValid(text),
      (text) => `"${text}" is not an address to bind`,
      'Use an address or host name without scheme and port.',
    ),
  );

/** A base URL; its value has no trailing slash. */
export const baseUrl: SettingForm<string> = textThat(
  isBaseUrl,
  (text) => `"${text}" is not a base URL`,
  'Use an http or https URL without user, query and fragment.',
).transform((text) => new URL(text).href.replace(/\/+$/, ''));

/** A lower-case host name. */
export const domainName: SettingForm<string> = textThat(
  (text) => HOST_NAME.test(text),
  (text) => `"${text}" is not a domain`,
  'Use a lower-case host name without scheme, such as "ads.example".',
);

/** The name of who runs the agents. */
export const operatorName: SettingForm<string> = textThat(
  (text) => text.trim() !== '' && text.length <= 255,
  () => 'this cannot be a name',
  'Use 1 to 255 characters, or leave the name out.',
).transform((text) => text.trim());

/** The protocol's name on the wire. */
export const protocolName: SettingForm<string> = textThat(
  (text) => PROTOCOL_NAME.test(text),
  (text) => `"${text}" cannot be a protocol name`,
  'Use 2 to 32 lower-case letters or digits, a letter first.',
);

/** The path of the SQLite file, or the URL of a PostgreSQL database. */
export const storeAddress: SettingForm<string> = textThat(
  (text) => !isDatabaseUrl(text) || isUrl(text),
  () => 'this is not the URL of a database',
  'Write it as "postgres://user:password@host/database".',
)
  .transform((text) => ({ text, path: text.replace(/^sqlite:/, '') }))
  .pipe(
    z.object({ text: z.string(), path: z.string() }).check((context) => {
      const { text, path } = context.value;
      if (isDatabaseUrl(text)) return;
      if (path !== '' && !/^[A-Za-z][A-Za-z0-9+.-]+:/.test(path)) return;
      const params = { fix: 'Use "sqlite:PATH", the path of a file, or "postgres://…".' };
      context.issues.push({ code: 'custom', input: text, message: `"${text}" is not a store`, params });
    }),
  )
  .transform(({ path }) => path);

/** Host names and addresses without port, `*.` before the former, or `any`; separated by commas. */
export const hostList: SettingForm<readonly string[]> = z
  .string()
  .check((context) => {
    const wrong = splitList(context.value).find((host) => !isHostPattern(host));
    if (wrong === undefined) return;
    const message = `"${wrong}" allows no host`;
    const fix =
      'Write host names without scheme and port, such as "ads.example"; "*.ads.example" for all below a name, or "any" for every host.';
    context.issues.push({ code: 'custom', input: wrong, message, params: { fix } });
  })
  .transform(splitList);

/** Origins of pages, or `any`; separated by commas. */
export const originList: SettingForm<readonly string[]> = z
  .string()
  .check((context) => {
    const wrong = splitList(context.value).find(
      (origin) => origin !== ANY_ORIGIN && !(isUrl(origin) && new URL(origin).origin === origin),
    );
    if (wrong === undefined) return;
    const fix =
      'Write the scheme, host and port as browsers do, such as "https://app.example", or "any" for every page.';
    context.issues.push({ code: 'custom', input: wrong, message: `"${wrong}" is not an origin`, params: { fix } });
  })
  .transform(splitList);

/** Host names without port, `*.` before them; separated by commas. */
export const namedHostList: SettingForm<readonly string[]> = z
  .string()
  .check((context) => {
    const wrong = splitList(context.value).find(
      (host) => host === ANY_HOST || !HOST_NAME.test(host.replace(/^\*\./, '')),
    );
    if (wrong === undefined) return;
    const fix =
      'Write host names without scheme and port, such as "ads.example", or "*.ads.example" for all below a name.';
    context.issues.push({ code: 'custom', input: wrong, message: `"${wrong}" names no host`, params: { fix } });
  })
  .transform(splitList);

function isHostPattern(host: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(host) || /^\[.+\]$/.test(host))
    return ipaddr.isValid(host.replace(/^\[|\]$/g, ''));
  const name = host.startsWith('*.') ? host.slice(2) : host;
  return host === ANY_HOST || HOST_NAME.test(name);
}

/** IP addresses and ranges, separated by commas. */
export const addressRanges: SettingForm<readonly string[]> = z
  .string()
  .check((context) => {
    const wrong = splitList(context.value).find((range) => !isAddressRange(range));
    if (wrong === undefined) return;
    const message = `"${wrong}" is neither an IP address nor a range`;
    const fix =
      'Write the addresses that your proxies connect from, such as "10.0.0.0/8" or "2001:db8::7"; names are not looked up.';
    context.issues.push({ code: 'custom', input: wrong, message, params: { fix } });
  })
  .transform(splitList);

function splitList(text: string): readonly string[] {
  return text
    .split(SEPARATOR)
    .map((item) => item.trim().toLowerCase())
    .filter(Boolean);
}

function isBaseUrl(text: string): boolean {
  const url = isUrl(text) ? new URL(text) : undefined;
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
  return url !== undefined && isWeb && url.username === '' && url.search === '' && url.hash === '';
}
