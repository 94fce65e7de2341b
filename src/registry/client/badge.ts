import { type Clock, SECOND_MS, systemClock } from '../../platform/kernel/clock.js';
import { isSignedBy, readJws } from '../../platform/signing/jws.js';
import { canonicalAgentUrl } from '../model/agent-url.js';
import type { RegistryClient } from './client.js';

/** The `typ` of a signed badge. */
export const BADGE_TYPE = 'agent-badge+jwt';

/** A JWKS, as a registry publishes it at `/api/.well-known/jwks.json`. */
type BadgeKeySet = { readonly keys: readonly Readonly<Record<string, unknown>>[] };

/** By what a badge is verified, and whose it has to be. */
export type BadgeVerification = {
  readonly jwks: BadgeKeySet;
  /** The base URL of the registry that is believed. */
  readonly issuer: string;
  /** The agent that shows the badge. */
  readonly agentUrl: string;
  readonly clock?: Clock;
  /** The registry that is asked whether the badge was taken back; nobody unless given. */
  readonly registry?: Pick<RegistryClient, 'revokedBadges'>;
};

/** A badge that verifies. Instants in milliseconds. */
export type VerifiedBadge = {
  readonly id: string;
  readonly agentUrl: string;
  /** The protocol, such as "media-buy". */
  readonly role: string;
  /** The release, such as "3.1". */
  readonly version: string;
  readonly specialisms: readonly string[];
  readonly modes: readonly string[];
  readonly issuedAt: number;
  readonly expiresAt: number;
};

/** Why a badge does not verify. */
export type BadgeFault =
  | 'malformed'
  | 'unknown_key'
  | 'bad_signature'
  | 'wrong_issuer'
  | 'wrong_agent'
  | 'not_yet_valid'
  | 'expired'
  | 'revoked';

/** The outcome of a verification. */
export type BadgeVerdict =
  | { readonly ok: true; readonly badge: VerifiedBadge }
  | { readonly ok: false; readonly fault: BadgeFault; readonly message: string };

/** Seconds by which clocks may differ. */
const LEEWAY_SECONDS = 60;
const MAX_CHARACTERS = 16_384;

/**
 * Verifies a signed badge by the keys of its registry, without asking anybody; where a registry is given, that is asked whether it was
 * taken back. Rejects with RegistryError when the registry cannot be asked.
 */
export async function verifyBadge(
  token: string,
  { agentUrl, clock = systemClock, issuer, jwks, registry }: BadgeVerification,
): Promise<BadgeVerdict> {
  const jws = token.length > MAX_CHARACTERS ? undefined : readJws(token);
  if (jws === undefined || jws.header.typ !== BADGE_TYPE || jws.header.alg !== 'EdDSA')
    return refuseBadge('malformed', 'This is no signed badge.');
  const key = jwks.keys.find(({ kid }) => kid !== undefined && kid === jws.header.kid);
  if (key === undefined)
    return refuseBadge('unknown_key', 'No key of the registry has the id that the badge names; read its keys again.');
  if (!isSignedBy(jws, key)) return refuseBadge('bad_signature', 'The signature is not that of the badge.');
  const badge = readClaims(jws.claims);
  if (badge === undefined) return refuseBadge('malformed', 'The badge lacks claims that a badge has.');
  if (withoutSlashes(String(jws.claims.iss)) !== withoutSlashes(issuer))
    return refuseBadge('wrong_issuer', 'Another registry has issued the badge.');
  if (badge.agentUrl !== canonicalAgentUrl(agentUrl))
    return refuseBadge('wrong_agent', 'The badge is another agent’s.');
  const nowSeconds = clock.now() / SECOND_MS;
  if (badge.issuedAt / SECOND_MS > nowSeconds + LEEWAY_SECONDS)
    return refuseBadge('not_yet_valid', 'The badge was issued in the future.');
  if (badge.expiresAt / SECOND_MS <= nowSeconds - LEEWAY_SECONDS)
    return refuseBadge('expired', 'The badge has expired; the registry has the next one if the agent still holds it.');
  const answer = await registry?.revokedBadges({ badge_id: badge.id });
  if (answer?.revoked.some(({ badge_id }) => badge_id === badge.id) === true)
    return refuseBadge('revoked', 'The registry has taken the badge back.');
  return { ok: true, badge };
}

function refuseBadge(fault: BadgeFault, message: string): BadgeVerdict {
  return { ok: false, fault, message };
}

function readClaims(claims: Readonly<Record<string, unknown>>): VerifiedBadge | undefined {
  const { adcp_version, exp, iat, jti, role, sub, verification_modes, verified_specialisms } = claims;
  if (!isText(jti) || !isText(role) || !isText(sub) || !isText(adcp_version)) return undefined;
  if (!Number.isSafeInteger(iat) || !Number.isSafeInteger(exp)) return undefined;
  return {
    id: jti,
    agentUrl: sub,
    role,
    version: adcp_version,
    specialisms: listOfTexts(verified_specialisms),
    modes: listOfTexts(verification_modes),
    issuedAt: Number(iat) * SECOND_MS,
    expiresAt: Number(exp) * SECOND_MS,
  };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function listOfTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(isText) : [];
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, '');
}
