import { TaskError } from './errors.js';
import type { ProtocolNames } from './names.js';

/** The rules of a release for signed messages. */
type SigningRules = {
  /** Whether a request's signature has to cover the digest of its body; `tenant`: as the tenant says. */
  readonly requestDigest: 'tenant' | 'required';
  /** How requests write Signature and Content-Digest; `any` takes either alphabet, with or without padding. */
  readonly requestBytes: 'any' | 'base64';
  /** How webhooks write both. */
  readonly webhookBytes: 'base64url' | 'base64';
  /** Purpose of the key that signs webhooks where the server sets none. */
  readonly webhookKey: 'webhook-signing' | 'request-signing';
};

/** A release of the protocol: all that is decided by which one it is, beside `MEMBERS_LEFT_OUT`. */
type ReleaseRow = {
  /** A prerelease: served to callers who ask for exactly it, of tenants that turned previews on. */
  readonly isPreview: boolean;
  /** Whether answers of create and update say in `status` where the buy is, rather than where the task is. */
  readonly hasBuyStatusAtRoot: boolean;
  /** Whether its callers know the error codes that 3.1 added. */
  readonly knowsNewCodes: boolean;
  /** Whether every error says how to go on, and waits are whole seconds. */
  readonly hasStrictErrors: boolean;
  /** Whether pages that frame a preview are told to grant it nothing at all. */
  readonly hasBareFrames: boolean;
  /** Whether a registration for the events of a task has to bring the operation_id that they echo. */
  readonly needsOperationId: boolean;
  readonly signing: SigningRules;
};

const SIGNING_3_1: SigningRules = {
  requestDigest: 'tenant',
  requestBytes: 'any',
  webhookBytes: 'base64url',
  webhookKey: 'request-signing',
};

/** The table of releases, oldest first (docs/protocol/versions.md). The first is what a caller gets who asks for none. */
export const RELEASE_TABLE = {
  '3.0': {
    isPreview: false,
    hasBuyStatusAtRoot: true,
    knowsNewCodes: false,
    hasStrictErrors: false,
    hasBareFrames: false,
    needsOperationId: false,
    signing: { ...SIGNING_3_1, webhookKey: 'webhook-signing' },
  },
  '3.1': {
    isPreview: false,
    hasBuyStatusAtRoot: false,
    knowsNewCodes: true,
    hasStrictErrors: false,
    hasBareFrames: false,
    needsOperationId: false,
    signing: SIGNING_3_1,
  },
  '3.2-beta.5': {
    isPreview: true,
    hasBuyStatusAtRoot: false,
    knowsNewCodes: true,
    hasStrictErrors: true,
    hasBareFrames: true,
    needsOperationId: true,
    // Webhooks are written as before through all of 3.x.
    signing: { ...SIGNING_3_1, requestDigest: 'required', requestBytes: 'base64' },
  },
} as const satisfies Readonly<Record<string, ReleaseRow>>;

/** A release of the table. */
export type Release = keyof typeof RELEASE_TABLE;

const ALL_RELEASES = Object.keys(RELEASE_TABLE) as readonly Release[];

/** The releases that are served everywhere, oldest first. */
export const RELEASES: readonly Release[] = ALL_RELEASES.filter((release) => !RELEASE_TABLE[release].isPreview);

const WITH_PREVIEWS = ALL_RELEASES;
const OLDEST: Release = '3.0';

/** Returns the releases that a tenant serves, oldest first; with previews those too that are not final. */
export function servedReleases(preview: boolean): readonly Release[] {
  return preview ? WITH_PREVIEWS : RELEASES;
}

/** Returns the signing rules of an endpoint: those of the newest release that it serves, whatever a message says of itself. */
export function endpointSigning(served: readonly Release[]): SigningRules {
  return RELEASE_TABLE[served.at(-1) ?? OLDEST].signing;
}

/** Numbers without leading zeros: two texts of one release would be two releases to whoever compares texts. */
const PIN = /^(0|[1-9]\d{0,2})\.(0|[1-9]\d{0,2})(-[a-zA-Z0-9.-]+)?$/;

/** Returns the release to serve for a request's arguments. Throws VERSION_UNSUPPORTED, or INVALID_REQUEST for a malformed pin. */
export function negotiateRelease(
  args: Readonly<Record<string, unknown>>,
  names: ProtocolNames,
  served: readonly Release[] = RELEASES,
): Release {
  const accepted = firstPresent(args, names.acceptedVersion);
  const major = firstPresent(args, names.acceptedMajorVersion);
  if (major !== undefined && !isMajor(major.value)) {
    throw new TaskError('INVALID_REQUEST', 'The major version must be a whole number from 1 to 99.', {
      field: major.field,
      suggestion: 'Send 3, or leave the field out.',
    });
  }
  checkOneWord(args, names.acceptedVersion);
  checkOneWord(args, names.acceptedMajorVersion);
  const pinned = accepted === undefined ? undefined : readPin(accepted.field, accepted.value, served);
  if (major !== undefined && (major.value !== 3 || (pinned !== undefined && pinned.major !== major.value)))
    throw refuseUnsupported(major.field, served);
  if (accepted === undefined || pinned === undefined) return OLDEST;
  const release = pinned.prerelease
    ? served.find((one) => one === accepted.value)
    : served.filter((one) => !RELEASE_TABLE[one].isPreview && isAtMost(one, pinned)).at(-1);
  if (pinned.major !== 3 || release === undefined) throw refuseUnsupported(accepted.field, served);
  return release;
}

/** Returns the release that an answer of whatever kind is shaped for, and whether it was asked for; the oldest where none that is served was. */
export function releaseToServe(
  args: Readonly<Record<string, unknown>>,
  names: ProtocolNames,
  served: readonly Release[] = RELEASES,
): { readonly release: Release; readonly asked: boolean } {
  try {
    const release = negotiateRelease(args, names, served);
    return { release, asked: names.acceptedVersion.some((field) => args[field] !== undefined) };
  } catch {
    return { release: OLDEST, asked: false };
  }
}

/** Refuses a version that is named under two of the protocol's names and differs. Throws INVALID_REQUEST. */
function checkOneWord(args: Readonly<Record<string, unknown>>, fields: readonly string[]): void {
  const sent = fields.filter((name) => args[name] !== undefined);
  const [first = '', ...others] = sent;
  const other = others.find((name) => args[name] !== args[first]);
  if (other === undefined) return;
  throw new TaskError('INVALID_REQUEST', `${first} and ${other} name two versions.`, {
    field: other,
    suggestion: `Send one of them: ${first} is this agent's own.`,
  });
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

function readPin(
  field: string,
  value: unknown,
  served: readonly Release[],
): { major: number; minor: number; prerelease: boolean } {
  const match = typeof value === 'string' ? PIN.exec(value) : null;
  if (match === null) {
    throw new TaskError('INVALID_REQUEST', 'The version must be written as major.minor.', {
      field,
      suggestion: `Send one of ${served.map((release) => `"${release}"`).join(', ')}, without a patch number or leading zeros.`,
    });
  }
  return { major: Number(match[1]), minor: Number(match[2]), prerelease: match[3] !== undefined };
}

function isAtMost(release: Release, pin: { major: number; minor: number }): boolean {
  const [major = 0, minor = 0] = release.split('.').map(Number);
  return major < pin.major || (major === pin.major && minor <= pin.minor);
}

function refuseUnsupported(field: string, served: readonly Release[]): TaskError {
  return new TaskError('VERSION_UNSUPPORTED', `This agent serves ${joinAnd(served)}.`, {
    field,
    suggestion: `Ask for one of ${served.join(', ')}, or leave the version out for ${OLDEST}.`,
    details: { supported_versions: served, supported_majors: [3] },
  });
}

function joinAnd(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}
