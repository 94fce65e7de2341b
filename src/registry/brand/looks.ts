import { isObject } from '../../platform/kernel/json/json.js';
import { quoteValue, type Report } from '../documents/finding.js';
import { openReading, type Pattern, type Reading } from '../documents/reading.js';
import { EMAIL } from './contact.js';

/** An absolute URL. */
export const URL_SHAPE: Pattern = { shape: /^[a-z][a-z0-9+.-]*:\/\/[^\s]+$/i, says: 'an absolute URL' };
const HEX = /^#[0-9A-Fa-f]{6}$/;
const ORIENTATIONS = ['square', 'horizontal', 'vertical', 'stacked'] as const;
const BACKGROUNDS = ['dark-bg', 'light-bg', 'transparent-bg'] as const;
const VARIANTS = ['primary', 'secondary', 'icon', 'wordmark', 'full-lockup'] as const;
/** Members of a brand that describe it in a text, and in a list of texts. */
const TEXTS = ['description', 'target_audience'] as const;
const LISTS = ['industries'] as const;
/** Members that are read by those who draw, and only have to be objects or lists here. */
const OBJECTS = ['fonts', 'visual_guidelines', 'voice_synthesis', 'avatar', 'product_catalog'] as const;
const COLLECTIONS = ['assets', 'disclaimers', 'trademarks', 'collections'] as const;

/** Checks what a brand looks and sounds like, as far as its parts have a shape. Nothing of it concerns an authorization. */
export function checkLooks(brand: Reading, report: Report): void {
  for (const key of TEXTS) brand.text(key, { lenient: true, min: 0 });
  for (const key of LISTS) brand.texts(key, { lenient: true, min: 1 });
  for (const key of OBJECTS) brand.child(key, { name: key, severity: 'warning' });
  for (const key of COLLECTIONS) brand.list(key, { lenient: true });
  brand.text('privacy_policy_url', { lenient: true, pattern: URL_SHAPE });
  for (const path of brand.list('logos', { lenient: true }) ?? []) {
    const logo = openReading(path, { name: 'logo', severity: 'warning' }, report);
    if (logo !== undefined) checkLogo(logo);
  }
  brand.child('contact', { name: 'contact', severity: 'warning' })?.text('email', { lenient: true, pattern: EMAIL });
  checkColors(brand);
  checkTagline(brand);
}

function checkLogo(logo: Reading): void {
  logo.text('url', { required: true, pattern: URL_SHAPE });
  logo.choice('orientation', ORIENTATIONS, { lenient: true });
  logo.choice('background', BACKGROUNDS, { lenient: true });
  logo.choice('variant', VARIANTS, { lenient: true });
  logo.text('usage', { lenient: true, min: 0 });
  logo.texts('tags', { lenient: true });
}

function checkColors(brand: Reading): void {
  const colors = brand.child('colors', { name: 'palette', severity: 'warning' });
  for (const [role, value] of Object.entries(colors?.object ?? {})) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    if (values.length > 0 && values.every((one) => typeof one === 'string' && HEX.test(one))) continue;
    colors?.warn(role, 'pattern', `${quoteValue(value)} is no color`, 'Write #RRGGBB, or a list of these.');
  }
}

function checkTagline(brand: Reading): void {
  const tagline = brand.value('tagline');
  if (tagline === undefined || typeof tagline === 'string') return;
  const lines: readonly unknown[] = Array.isArray(tagline) ? tagline : [];
  const isLine = (line: unknown): boolean => isObject(line) && Object.values(line).length === 1;
  if (lines.length > 0 && lines.every(isLine)) return;
  brand.warn('tagline', 'type', 'it is neither a text nor a list of texts with locales', 'Write "tagline": "…".');
}
