import { TaskError } from './errors.js';
import type { ProtocolNames } from './names.js';

/** The releases served, oldest first. The first is what a caller gets who asks for none. See docs/protocol/versions.md. */
export const RELEASES = ['3.0', '3.1'] as const;
export type Release = (typeof RELEASES)[number];

const PIN = /^(\d{1,3})\.(\d{1,3})(-[a-zA-Z0-9.-]+)?$/;

/** Returns the release to serve for a request's arguments. Throws VERSION_UNSUPPORTED, or INVALID_REQUEST for a malformed pin. */
export function negotiateRelease(args: Readonly<Record<string, unknown>>, names: ProtocolNames): Release {
  const pin = firstPresent(args, names.acceptedVersion);
  const major = firstPresent(args, names.acceptedMajorVersion);
  if (major !== undefined && !isMajor(major.value)) {
    throw new TaskError('INVALID_REQUEST', 'The major version must be a whole number from 1 to 99.', {
      field: major.field,
      suggestion: 'Send 3, or leave the field out.',
    });
  }
  const pinned = pin === undefined ? undefined : readPin(pin.field, pin.value);
  if (major !== undefined && (major.value !== 3 || (pinned !== undefined && pinned.major !== major.value)))
    throw unsupported(major.field);
  if (pin === undefined || pinned === undefined) return RELEASES[0];
  const served = RELEASES.filter((release) => isAtMost(release, pinned)).at(-1);
  if (pinned.major !== 3 || pinned.prerelease || served === undefined) throw unsupported(pin.field);
  return served;
}

/** Returns the release that an answer of whatever kind is shaped for, and whether it was asked for; the oldest where none that is served was. */
export function releaseToServe(
  args: Readonly<Record<string, unknown>>,
  names: ProtocolNames,
): { readonly release: Release; readonly asked: boolean } {
  try {
    const release = negotiateRelease(args, names);
    return { release, asked: names.acceptedVersion.some((field) => args[field] !== undefined) };
  } catch {
    return { release: RELEASES[0], asked: false };
  }
}

function firstPresent(
  args: Readonly<Record<string, unknown>>,
  fields: readonly string[],
): { field: string; value: unknown } | undefined {
  const field = fields.find((name) => args[name] !== undefined);
  return field === undefined ? undefined : { field, value: args[field] };
}

function isMajor(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 99;
}

function readPin(field: string, value: unknown): { major: number; minor: number; prerelease: boolean } {
  const match = typeof value === 'string' ? PIN.exec(value) : null;
  if (match === null) {
    throw new TaskError('INVALID_REQUEST', 'The version must be written as major.minor.', {
      field,
      suggestion: `Send one of ${RELEASES.map((release) => `"${release}"`).join(', ')}, without a patch number.`,
    });
  }
  return { major: Number(match[1]), minor: Number(match[2]), prerelease: match[3] !== undefined };
}

function isAtMost(release: Release, pin: { major: number; minor: number }): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major < pin.major || (major === pin.major && minor <= pin.minor);
}

function unsupported(field: string): TaskError {
  return new TaskError('VERSION_UNSUPPORTED', `This agent serves ${RELEASES.join(' and ')}.`, {
    field,
    suggestion: `Ask for one of ${RELEASES.join(', ')}, or leave the version out for ${RELEASES[0]}.`,
    details: { supported_versions: RELEASES, supported_majors: [3] },
  });
}
