import { MEDIA_CHANNELS } from '../../protocol/media-channel.js';
import { quoteValue, type Report } from '../documents/finding.js';
import { type DocumentPath, openReading, type Pattern, type Reading, type Rule } from '../documents/reading.js';
import { domainName, type HostPattern, hostPattern, publisherDomain } from '../model/domains.js';
import {
  IDENTIFIER_TYPES,
  type IdentifierType,
  PROPERTY_TYPES,
  type Property,
  type PropertyIdentifier,
} from './types.js';

/** Ids and tags of properties. */
export const PROPERTY_NAME: Pattern = {
  shape: /^[a-z0-9_]+$/,
  says: 'lower-case letters, digits and underscores, such as news_site',
};

const CHANNEL: Pattern = {
  shape: new RegExp(`^(?:${MEDIA_CHANNELS.join('|')})$`),
  says: `channels: ${MEDIA_CHANNELS.join(', ')}`,
};
const HOLDER = { name: 'property', severity: 'warning' } as const;
const HOSTS: ReadonlySet<IdentifierType> = new Set<IdentifierType>(['domain', 'subdomain']);

/**
 * Reads a list of properties; one that cannot be read is left out alone and covers nothing. A tag or id of the wrong form is left out of
 * its property, which can only narrow what an agent may sell.
 */
export function readProperties(paths: readonly DocumentPath[], ofDomain: string, report: Report): readonly Property[] {
  return paths.flatMap((path) => {
    const reading = openReading(path, HOLDER, report);
    const property = reading === undefined ? undefined : readProperty(reading, ofDomain, report);
    return property === undefined ? [] : [property];
  });
}

/** Reads a domain that a file names; what only differs in spelling is warned of, anything else is a fault of the object. */
export function readDomain(reading: Reading, key: string, rule: Rule = {}): string | undefined {
  const written = reading.text(key, rule);
  if (written === undefined) return undefined;
  const name = domainName(written);
  if (name === undefined) {
    const fix = 'Write a domain such as news.example, without scheme, path or port.';
    reading.fault(key, 'pattern', `${quoteValue(written)} is no domain`, fix);
    return undefined;
  }
  const publisher = publisherDomain(name);
  if (written !== publisher) {
    reading.warn(key, 'pattern', `${quoteValue(written)} is read as ${publisher}`, `Write "${publisher}".`);
  }
  return publisher;
}

function readProperty(reading: Reading, ofDomain: string, report: Report): Property | undefined {
  const property_id = reading.text('property_id', { lenient: true, pattern: PROPERTY_NAME });
  const property_type = reading.choice('property_type', PROPERTY_TYPES, { required: true });
  const name = reading.text('name', { required: true });
  const identifiers = (reading.list('identifiers', { required: true, min: 1 }) ?? []).flatMap((path) =>
    readIdentifier(path, report),
  );
  const tags = reading.texts('tags', { lenient: true, pattern: PROPERTY_NAME }) ?? [];
  const channels = reading.texts('supported_channels', { lenient: true, pattern: CHANNEL });
  const publisher = readDomain(reading, 'publisher_domain') ?? ofDomain;
  if (reading.isUsable() && identifiers.length === 0) {
    reading.fault(
      'identifiers',
      'required',
      'no identifier can be read',
      'Name the property by at least one identifier.',
    );
  }
  if (property_type === undefined || name === undefined || !reading.isUsable()) return undefined;
  return {
    property_id,
    property_type,
    name,
    identifiers: identifiers.map(({ identifier }) => identifier),
    tags,
    supported_channels: channels,
    publisher_domain: publisher,
    hosts: identifiers.flatMap(({ host }) => (host === undefined ? [] : [host])),
    pointer: reading.pointer,
  };
}

type ReadIdentifier = { readonly identifier: PropertyIdentifier; readonly host?: HostPattern };

function readIdentifier(path: DocumentPath, report: Report): readonly ReadIdentifier[] {
  const reading = openReading(path, { name: 'identifier', severity: 'warning' }, report);
  const type = reading?.choice('type', IDENTIFIER_TYPES, { required: true });
  const value = reading?.text('value', { required: true });
  if (reading === undefined || type === undefined || value === undefined) return [];
  const identifier = { type, value };
  if (!HOSTS.has(type)) return [{ identifier }];
  const host = hostPattern(value);
  if (host === undefined) {
    const fix = 'Write a domain such as news.example, or *.news.example for all below it.';
    reading.fault('value', 'pattern', `${quoteValue(value)} stands for no host`, fix);
    return [];
  }
  // A subdomain is meant alone, whatever stands above it.
  return [{ identifier, host: type === 'subdomain' && host.covers === 'site' ? { ...host, covers: 'host' } : host }];
}
