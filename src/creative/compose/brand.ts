import { isObject, withoutUndefined } from '../../platform/kernel/json/json.js';
import { webUrl } from '../../platform/net/url.js';
import { TaskError } from '../../protocol/errors.js';
import { type BrandColors, chooseColors, readColors } from './pictures/color.js';

/** One thing that a brand offers. */
export type Offering = {
  readonly name: string;
  readonly description?: string;
  readonly url?: string;
  readonly imageUrl?: string;
  /** As written, with its currency: "$49". */
  readonly price?: string;
};

/** A logo, and the ground that it is made for where the brand says so. */
type BrandLogo = { readonly url: string; readonly ground?: 'dark' | 'light' };

/** A brand as ads need it: never without a name and a primary color. */
export type Brand = {
  readonly name: string;
  readonly domain?: string;
  readonly url?: string;
  readonly colors: BrandColors & { readonly primary: string };
  /** Whether anything says how the brand looks: a color or a logo. */
  readonly hasLook: boolean;
  /** The best first. */
  readonly logos: readonly BrandLogo[];
  readonly tagline?: string;
  readonly tone?: string;
  readonly industry?: string;
  readonly offerings: readonly Offering[];
};

/** Longest texts that are taken over; what is longer is no name or description but an accident. */
const MAX_CHARS = { name: 80, line: 300, text: 2000 } as const;
const MAX_OFFERINGS = 50;
const MAX_LOGOS = 20;

/**
 * Returns a brand from whatever names one: a brand manifest, `promoted_offerings` around one, a brand reference `{domain}` with
 * or without `brand_kit_override`, a brand.json document, or several of these merged by the caller into a list, the first with
 * a value winning. What is missing gets a default that is always the same for the same name. Throws VALIDATION_ERROR at `field`
 * when neither name nor domain is there.
 */
export function readBrand(value: unknown, { field }: { readonly field: string }): Brand {
  const sources = (Array.isArray(value) ? value : [value]).filter(isObject).flatMap(unfoldSource);
  const domain = first(sources, (source) => line(source.domain)?.toLowerCase());
  const url =
    first(sources, (source) => webAddress(source.url)) ?? (domain === undefined ? undefined : `https://${domain}/`);
  const host = domain ?? (url === undefined ? undefined : new URL(url).hostname.replace(/^www\./, ''));
  const name = first(sources, readName) ?? (host === undefined ? undefined : nameFromHost(host));
  if (name === undefined) {
    throw new TaskError('VALIDATION_ERROR', `${field} names no brand.`, {
      field,
      suggestion: 'Give it a name, a url or a domain.',
    });
  }
  const given: BrandColors = Object.assign({}, ...sources.map((source) => readColors(source.colors)).reverse());
  const logos = sources.map(readLogos).find((list) => list.length > 0) ?? [];
  return {
    name,
    colors: withDefaults(given, name),
    hasLook: Object.keys(given).length > 0 || logos.length > 0,
    logos,
    offerings: sources.flatMap(readOfferings).slice(0, MAX_OFFERINGS),
    ...withoutUndefined({
      domain: host,
      url,
      tagline: first(sources, (source) => text(source.tagline) ?? text(source.slogan)),
      tone: first(sources, readTone),
      industry: first(sources, (source) => text(source.industry) ?? firstLine(source.industries)),
    }),
  };
}

type Source = Readonly<Record<string, unknown>>;

/** Returns the parts of a source from the most to the least specific: its override, itself, the brand manifest or the brand inside. */
function unfoldSource(source: Source): readonly Source[] {
  const inside = [
    source.brand_kit_override,
    source,
    source.brand_manifest,
    source.brand,
    source.house,
    chooseBrand(source),
  ];
  return inside.flatMap((part, index) => {
    if (typeof part === 'string') return index === 2 ? [{ url: part }] : [];
    if (!isObject(part)) return [];
    return part === source || index === 0 ? [part] : unfoldSource(part);
  });
}

/** Returns the brand of a brand.json with several: the one its reference names, else the first. */
function chooseBrand(source: Source): unknown {
  if (!Array.isArray(source.brands)) return undefined;
  return (
    source.brands.find((brand) => isObject(brand) && source.brand_id !== undefined && brand.id === source.brand_id) ??
    source.brands[0]
  );
}

function first<T>(sources: readonly Source[], read: (source: Source) => T | undefined): T | undefined {
  for (const source of sources) {
    const value = read(source);
    if (value !== undefined) return value;
  }
  return undefined;
}

function readName(source: Source): string | undefined {
  const name = text(source.name) ?? text(source.brand_name) ?? localized(source.names);
  return name === undefined ? undefined : [...name].slice(0, MAX_CHARS.name).join('').trim();
}

/** Returns a text out of `"…"`, or of `[{"en": "…"}]` as brand.json has names in languages. */
function localized(value: unknown): string | undefined {
  const entry = Array.isArray(value) ? value[0] : value;
  return isObject(entry) ? text(entry.en ?? Object.values(entry)[0]) : text(entry);
}

/** Returns a name for a host: "Acme Outdoor" for "acme-outdoor.example". */
function nameFromHost(host: string): string {
  const labels = host.split('.');
  const label = labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 ? labels.at(-3) : (labels.at(-2) ?? labels[0]);
  return (label ?? host)
    .split(/[-_]/)
    .filter((word) => word !== '')
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(' ');
}

function readLogos(source: Source): readonly BrandLogo[] {
  const given = [source.logo, ...(Array.isArray(source.logos) ? source.logos : [source.logos])];
  const logos = given.slice(0, MAX_LOGOS).flatMap((logo) => {
    const url = webAddress(isObject(logo) ? (logo.url ?? logo.href) : logo);
    const ground = isObject(logo) ? readGround(logo) : undefined;
    return url === undefined ? [] : [{ url, ...withoutUndefined({ ground }) }];
  });
  const isVector = ({ url }: BrandLogo): boolean => /\.svg(\?|$)/i.test(url);
  return [...logos.filter((logo) => !isVector(logo)), ...logos.filter(isVector)];
}

/** Returns the ground that a logo is for, by `background` of brand.json or a tag that says the same. */
function readGround({ background, tags }: Source): BrandLogo['ground'] {
  const words = [background, ...(Array.isArray(tags) ? tags : [])].filter((word) => typeof word === 'string');
  if (words.some((word) => /^(dark-bg|on-dark|dark)$/i.test(word))) return 'dark';
  return words.some((word) => /^(light-bg|on-light|light)$/i.test(word)) ? 'light' : undefined;
}

/** Returns the logo for a ground: one that is made for it, else the first that is not made for the other; undefined without any. */
export function chooseLogo(logos: readonly BrandLogo[], ground: 'dark' | 'light'): BrandLogo | undefined {
  return logos.find((logo) => logo.ground === ground) ?? logos.find((logo) => logo.ground === undefined) ?? logos[0];
}

function readTone(source: Source): string | undefined {
  const tone = source.tone ?? source.voice;
  return isObject(tone) ? text(tone.voice ?? tone.description) : text(tone);
}

function readOfferings(source: Source): readonly Offering[] {
  const lists = [source.inline_offerings, source.offerings, source.items, source.products];
  return lists.flatMap((list) => (Array.isArray(list) ? list : [])).flatMap(readOffering);
}

function readOffering(value: unknown): readonly Offering[] {
  if (!isObject(value)) return [];
  const name = text(value.name) ?? text(value.title);
  if (name === undefined) return [];
  const picture = isObject(value.image)
    ? value.image.url
    : (value.image_url ?? value.image ?? firstAssetUrl(value.assets));
  return [
    {
      name,
      ...withoutUndefined({
        description: text(value.description) ?? text(value.tagline),
        url: webAddress(value.landing_url) ?? webAddress(value.landing_page_url) ?? webAddress(value.url),
        imageUrl: webAddress(picture),
        price: readPrice(value.price),
      }),
    },
  ];
}

function firstAssetUrl(assets: unknown): unknown {
  const list: readonly unknown[] = Array.isArray(assets) ? assets : Object.values(isObject(assets) ? assets : {});
  return list.find((asset): asset is Source => isObject(asset) && asset.asset_type === 'image')?.url;
}

function readPrice(value: unknown): string | undefined {
  if (typeof value === 'string') return line(value);
  if (!isObject(value) || typeof value.amount !== 'number') return undefined;
  const currency = line(value.currency) ?? '';
  const symbol = { USD: '$', EUR: '€', GBP: '£' }[currency];
  return symbol === undefined ? `${value.amount} ${currency}`.trim() : symbol + value.amount;
}

function withDefaults(given: BrandColors, name: string): Brand['colors'] {
  if (given.primary !== undefined) return { ...given, primary: given.primary };
  const fallback = chooseColors(name);
  const lead = given.secondary ?? given.accent;
  return lead === undefined ? { ...given, ...fallback } : { ...given, primary: lead };
}

function webAddress(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= MAX_CHARS.text ? webUrl(value.trim()) : undefined;
}

function text(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const trimmed = value.replace(/\s+/g, ' ').trim();
  return trimmed === '' ? undefined : trimmed.slice(0, MAX_CHARS.text);
}

function line(value: unknown): string | undefined {
  const oneLine = text(value);
  return oneLine === undefined || oneLine.length > MAX_CHARS.line ? undefined : oneLine;
}

function firstLine(value: unknown): string | undefined {
  return Array.isArray(value) ? text(value[0]) : undefined;
}
