import { quoteValue, type Report } from '../documents/finding.js';
import { type DocumentPath, openReading, type Reading } from '../documents/reading.js';
import { PROPERTY_NAME, readDomain } from './properties.js';
import type { Collection, Placement } from './types.js';

type JsonObjects = readonly Readonly<Record<string, unknown>>[];

/** What a public placement may not tell; 3.0 files may still name format_ids. */
const PRIVATE_MEMBERS = ['visibility', 'source', 'origin', 'delivery_mappings'] as const;
const REASONS = ['relationship_ended', 'compliance_violation', 'publisher_request', 'other'] as const;
const VALUE_TYPES = ['binary', 'categorical', 'numeric'] as const;
const SIGNAL_ID = { shape: /^[a-zA-Z0-9_-]+$/, says: 'letters, digits, "_" and "-"' };
const SIGNAL_TAG = { shape: /^[a-z0-9_-]+$/, says: 'lower-case letters, digits, "_" and "-"' };
const HTTPS = { shape: /^https:\/\//, says: 'an https URL' };

/** Reads placements; one without an id, a name or properties is left out. `formatOptions` are those that the file declares. */
export function readPlacements(
  paths: readonly DocumentPath[],
  formatOptions: ReadonlySet<string>,
  report: Report,
): readonly Placement[] {
  return readPaths(paths, 'placement', report, (reading) => {
    const placement_id = reading.text('placement_id', { required: true });
    const name = reading.text('name', { required: true });
    const ids = reading.texts('property_ids', { min: 1, pattern: PROPERTY_NAME });
    const tags = reading.texts('property_tags', { min: 1, pattern: PROPERTY_NAME });
    const collections = reading.texts('collection_ids', { min: 1 });
    if (!reading.holds('property_ids') && !reading.holds('property_tags')) {
      reading.fault('', 'required', 'it is on no property', 'Add "property_ids" or "property_tags".');
    }
    refusePrivateMembers(reading);
    checkFormatOptions(reading, formatOptions, report);
    if (placement_id === undefined || name === undefined || !reading.isUsable()) return undefined;
    return {
      placement_id,
      name,
      tags: reading.texts('tags', { lenient: true }) ?? [],
      property_ids: ids ?? [],
      property_tags: tags ?? [],
      collection_ids: collections,
      pointer: reading.pointer,
    };
  });
}

/** Reads collections; one without id or name is left out. */
export function readCollections(paths: readonly DocumentPath[], report: Report): readonly Collection[] {
  return readPaths(paths, 'collection', report, (reading) => {
    const collection_id = reading.text('collection_id', { required: true });
    const name = reading.text('name', { required: true });
    if (collection_id === undefined || name === undefined) return undefined;
    return { collection_id, name, object: reading.object, pointer: reading.pointer };
  });
}

/** Reads the catalog of formats as it stands, and the ids that placements may refer to. */
export function readFormats(
  paths: readonly DocumentPath[],
  report: Report,
): { readonly formats: JsonObjects; readonly ids: ReadonlySet<string> } {
  const ids = new Set<string>();
  const formats = readPaths(paths, 'format', report, (reading) => {
    refuseCapabilityId(reading);
    const id = reading.text('format_option_id', { lenient: true });
    if (id !== undefined) ids.add(id);
    return reading.isUsable() ? reading.object : undefined;
  });
  return { formats, ids };
}

/** Reads the catalog of signals as it stands. */
export function readSignals(paths: readonly DocumentPath[], report: Report): JsonObjects {
  return readPaths(paths, 'signal', report, (reading) => {
    reading.text('id', { required: true, pattern: SIGNAL_ID });
    reading.text('name', { required: true, max: 255 });
    reading.text('description', { lenient: true, max: 2000, min: 0 });
    const type = reading.choice('value_type', VALUE_TYPES, { required: true });
    reading.texts('tags', { lenient: true, pattern: SIGNAL_TAG });
    reading.texts('allowed_values', { lenient: true, min: 1 });
    if (reading.holds('range')) checkRange(reading);
    if (type === 'categorical' && !reading.holds('allowed_values')) {
      reading.warn('allowed_values', 'required', 'a categorical signal lists no values', 'Add "allowed_values".');
    }
    return reading.isUsable() ? reading.object : undefined;
  });
}

/**
 * Reads revoked_publisher_domains. A publisher that can be read is revoked whatever else is wrong with its row: the file says that it
 * no longer speaks for it.
 */
export function readRevoked(paths: readonly DocumentPath[], report: Report): ReadonlyMap<string, number | undefined> {
  const revoked = new Map<string, number | undefined>();
  for (const path of paths) {
    const reading = openReading(path, { name: 'revocation', severity: 'error' }, report);
    const domain = reading && readDomain(reading, 'publisher_domain', { required: true });
    const at = reading?.instant('revoked_at', { required: true, lenient: true });
    reading?.choice('reason', REASONS, { lenient: true });
    if (domain !== undefined) revoked.set(domain, at);
  }
  return revoked;
}

/** Checks the agents that provide features of properties. */
export function checkFeatures(paths: readonly DocumentPath[], report: Report): void {
  readPaths(paths, 'feature provider', report, (reading) => {
    reading.text('url', { required: true, pattern: HTTPS });
    reading.text('name', { required: true });
    reading.texts('features', { required: true, min: 1 });
    reading.text('publisher_id', { lenient: true });
    return undefined;
  });
}

/** Returns the names that a map of tags describes. */
export function readTags(path: DocumentPath, report: Report): ReadonlySet<string> {
  const reading = openReading(path, { name: 'map of tags', severity: 'warning' }, report);
  if (reading === undefined) return new Set();
  const names = Object.keys(reading.object);
  for (const name of names) {
    const tag = reading.child(name, { name: 'tag', severity: 'warning' });
    tag?.text('name', { required: true, min: 0 });
    tag?.text('description', { required: true, min: 0 });
  }
  return new Set(names);
}

/** Reads the objects of a list with `one`; what it makes nothing of is left out. */
function readPaths<T>(
  paths: readonly DocumentPath[],
  name: string,
  report: Report,
  one: (reading: Reading) => T | undefined,
): readonly T[] {
  return paths.flatMap((path) => {
    const reading = openReading(path, { name, severity: 'error' }, report);
    const made = reading === undefined ? undefined : one(reading);
    return made === undefined ? [] : [made];
  });
}

function refusePrivateMembers(reading: Reading): void {
  for (const member of PRIVATE_MEMBERS.filter((name) => reading.holds(name))) {
    const why = `${member} is the seller's own business and the file is public`;
    reading.fault(member, 'private', why, `Remove "${member}" from the published placement.`);
  }
  if (reading.holds('format_ids')) {
    const fix = 'Declare format_options instead; readers of 3.1 refuse format_ids here.';
    reading.warn('format_ids', 'deprecated', 'format_ids were for 3.0', fix);
  }
}

function refuseCapabilityId(reading: Reading): void {
  if (!reading.holds('capability_id')) return;
  const fix = 'Rename "capability_id" to "format_option_id".';
  reading.fault('capability_id', 'unknown', 'capability_id is not a member of formats', fix);
}

/** Options that name a format are looked up in the file; those that declare one stand for themselves. */
function checkFormatOptions(placement: Reading, formats: ReadonlySet<string>, report: Report): void {
  for (const path of placement.list('format_options', { lenient: true, min: 1 }) ?? []) {
    const option = openReading(path, { name: 'format option', severity: 'error' }, report);
    if (option === undefined) continue;
    refuseCapabilityId(option);
    const id = option.text('format_option_id', { lenient: true });
    if (id === undefined || option.holds('format_kind') || formats.has(id)) continue;
    const fix = 'Declare it in the formats of the file, or correct the id.';
    option.fault('format_option_id', 'undefined', `${quoteValue(id)} is no format of the file`, fix);
  }
}

function checkRange(signal: Reading): void {
  const range = signal.child('range', { name: 'range', severity: 'error' });
  range?.text('unit', { lenient: true, min: 0 });
  const [min, max] = [range?.value('min'), range?.value('max')];
  if (typeof min === 'number' && typeof max === 'number' && min <= max) return;
  signal.fault('range', 'range', 'it is no range', 'Write {"min": …, "max": …} as numbers, the smaller one first.');
}
