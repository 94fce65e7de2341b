import { findNearest, quoteNames } from '../../../platform/kernel/nearest.js';
import { hostKind } from '../../../platform/net/address.js';
import { isUrl } from '../../../platform/net/url.js';
import { endpointSigning, servedReleases } from '../../../protocol/releases.js';
import { SPENDING_TASKS } from '../../domain/tenant/request-signing.js';
import {
  type Draft,
  draftAt,
  draftsAt,
  type Located,
  type Report,
  type Rule,
  type RuleOptions,
  reportDuplicates,
  stringsAt,
  textAt,
} from '../draft.js';
import { ownToolName } from './tenants.js';

/** Checks several fields together: signed calls and who signs them. */
export const SIGNING_RULES: readonly Rule[] = [
  checkSignedTasks,
  requiredTasksAreNotForgiven,
  digestFitsReleases,
  signersAreVerified,
  strictTenantsHaveSigners,
  signersAreDistinct,
  checkKeySource,
  signersAreSafeToAsk,
];

const FIELD = 'request_signing';

function checkSignedTasks(draft: Draft, report: Report, { taskNames, protocolName }: RuleOptions): void {
  const own = textAt(draftAt(draft, 'protocol'), 'name') ?? protocolName;
  const tasks = new Set([...taskNames].map((task) => ownToolName(task, own)));
  for (const list of ['required_for', 'warn_for']) {
    for (const { index, value } of stringsAt(draftAt(draft, FIELD), list)) {
      if (tasks.has(ownToolName(value, own))) continue;
      const meant = findNearest(value, tasks);
      const fix = meant === undefined ? `Use one of: ${quoteNames([...tasks], 40)}.` : `Did you mean "${meant}"?`;
      report([FIELD, list, index], `there is no task "${value}"`, fix);
    }
  }
}

function requiredTasksAreNotForgiven(draft: Draft, report: Report): void {
  const signing = draftAt(draft, FIELD);
  for (const namespace of ['', 'protocol_methods_']) {
    const forgiven = `${namespace}warn_for`;
    const required = new Set(stringsAt(signing, `${namespace}required_for`).map(({ value }) => value));
    for (const { index, value } of stringsAt(signing, forgiven)) {
      if (!required.has(value)) continue;
      const fix = 'Leave it in one of the two lists.';
      report([FIELD, forgiven, index], `"${value}" cannot need a signature and do with a wrong one`, fix);
    }
  }
}

function digestFitsReleases(draft: Draft, report: Report, { preview }: RuleOptions): void {
  const releases = servedReleases((draftAt(draft, 'protocol').preview ?? preview) === true);
  const { covers_content_digest: policy } = draftAt(draft, FIELD);
  if (endpointSigning(releases).requestDigest !== 'required' || policy === undefined || policy === 'required') return;
  report(
    [FIELD, 'covers_content_digest'],
    `${releases.at(-1)} wants every signature to cover the digest of the body`,
    'Write "required", or turn protocol.preview off for this tenant.',
  );
}

/** Returns every principal that has a signer, with the signer. */
function signersOf(draft: Draft): readonly (Located & { readonly principal: Draft })[] {
  return draftsAt(draft, 'principals').flatMap(({ path, draft: principal }) =>
    principal.signer === undefined
      ? []
      : [{ path: [...path, 'signer'], draft: draftAt(principal, 'signer'), principal }],
  );
}

function signersAreVerified(draft: Draft, report: Report): void {
  if (draftAt(draft, FIELD).supported !== false) return;
  for (const { path } of signersOf(draft)) {
    const fix = 'Set "supported" in "request_signing" to true, or remove "signer".';
    report(path, 'signatures are not looked at, so nobody is known by one', fix);
  }
}

function strictTenantsHaveSigners(draft: Draft, report: Report, { development }: RuleOptions): void {
  const signing = draftAt(draft, FIELD);
  // In development mode the public test keys sign.
  if (signing.strict !== true || development || signersOf(draft).length > 0) return;
  const required = stringsAt(signing, 'required_for').map(({ value }) => value);
  const tasks = signing.required_for === undefined ? SPENDING_TASKS : required;
  if (tasks.length === 0) return;
  const fix = 'Add "signer" to a principal, or remove "strict".';
  report([FIELD, 'strict'], `no principal has a signer, so nobody could call ${quoteNames(tasks)}`, fix);
}

function signersAreDistinct(draft: Draft, report: Report): void {
  reportDuplicates(signersOf(draft), 'agent_url', report);
}

function checkKeySource(draft: Draft, report: Report): void {
  for (const { path, draft: signer } of signersOf(draft)) {
    if (signer.jwks_uri === undefined || signer.brand_json_url === undefined) continue;
    const fix = 'Keep "jwks_uri" if the keys were agreed on, else "brand_json_url".';
    report([...path, 'brand_json_url'], 'it would never be read, since "jwks_uri" says where the keys are', fix);
  }
}

function signersAreSafeToAsk(draft: Draft, report: Report, { development }: RuleOptions): void {
  for (const { path, draft: signer, principal } of signersOf(draft)) {
    const local = development && principal.sandbox === true;
    for (const key of ['agent_url', 'jwks_uri', 'brand_json_url']) {
      const text = textAt(signer, key) ?? '';
      const url = isUrl(text) ? new URL(text) : undefined;
      const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:';
      if (url === undefined || !isWeb || isSafe(url, local)) continue;
      const fix =
        'Use an https address on the public internet; http and loopback are for sandbox principals in development mode.';
      report([...path, key], 'keys from there could be forged or are not reachable', fix);
    }
  }
}

function isSafe({ protocol, hostname }: URL, local: boolean): boolean {
  const kind = hostKind(hostname) ?? 'public';
  return kind === 'public' ? local || protocol === 'https:' : local && kind === 'loopback';
}
