import { DAY_MS } from '../../../platform/kernel/clock.js';
import { isEventStream } from '../../../platform/mcp/client/answers.js';
import { hostKind } from '../../../platform/net/address.js';
import { describeFetchReason, type FetchReason } from '../../../platform/net/fetch-error.js';
import { quoteValue } from '../../documents/finding.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { describeSilence } from '../task-error.js';

const RENEW_MS = 14 * DAY_MS;
/** Milliseconds that a host waits for capabilities before people notice. */
const SLOW_MS = 2000;

/** Reasons against a certificate, for people. */
const DISTRUST: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself, and by no public authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host name',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends at an authority that nobody knows',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'a certificate between it and the public authority is not served',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'a certificate between it and the public authority is not served',
};

/** Reasons for which there is nobody to ask for a certificate. */
const AWAY: ReadonlySet<FetchReason> = new Set(['private_address', 'timeout', 'unreachable', 'unresolved']);

/** The way to the agent: address, TLS, HTTP, and how soon it answers. */
export const REACH_CHECKS: readonly Check[] = [
  check({
    id: 'reach.https',
    severity: 'error',
    needs: [],
    rule: 'An agent is served over https: keys and orders pass through.',
    reference: REFERENCES.security,
    fix: 'Put a proxy with a certificate before the agent, and publish its https address.',
    judge: ({ isLocal, url }) => {
      const { hostname, protocol } = new URL(url);
      if (isLocal && hostKind(hostname) === 'loopback') return 'not_applicable';
      return faultsOf([protocol !== 'https:', `The address begins with ${protocol}//.`]);
    },
  }),
  check({
    id: 'reach.answers',
    severity: 'error',
    needs: ['arrival'],
    rule: 'An agent answers POST at its address, from the public internet.',
    reference: REFERENCES.transport,
    fix: 'See that DNS leads to the agent or its proxy, that the port is open, and that the certificate is valid for the name.',
    judge: ({ arrival }) => {
      if (!arrival.ok) return [describeSilence(arrival.reason)];
      const { headers, status } = arrival;
      const leads =
        headers.location === undefined ? '' : ` It leads to ${quoteValue(headers.location)}, where no key is sent.`;
      return faultsOf([isUnreached(status), `initialize is answered ${status}.${leads}`]);
    },
  }),
  check({
    id: 'reach.certificate',
    severity: 'error',
    needs: ['certificate'],
    rule: 'The certificate is valid for the host name, of a public authority, and renewed in time.',
    reference: REFERENCES.security,
    fix: 'Get a certificate of a public authority for this name, serve the whole chain, and renew it two weeks before its end.',
    judge: ({ arrival, certificate, nowMs }) => {
      if (arrival?.ok === false && AWAY.has(arrival.reason)) return 'not_applicable';
      if ('fault' in certificate) return [`There is no TLS 1.2 or newer: ${plainFault(certificate.fault)}.`];
      const { distrusted, validToMs } = certificate;
      const days = Math.floor((validToMs - nowMs) / DAY_MS);
      return faultsOf(
        [distrusted !== undefined, `It is not trusted: ${DISTRUST[distrusted ?? ''] ?? distrusted}.`],
        [validToMs - nowMs < RENEW_MS, days < 0 ? 'It has expired.' : `It ends in ${days} days.`],
      );
    },
  }),
  check({
    id: 'reach.limited',
    severity: 'warning',
    needs: ['limited'],
    rule: 'Fifty calls in a row are no flood; who limits callers answers 429 with Retry-After.',
    reference: REFERENCES.limits,
    fix: 'Allow a buyer some hundred calls in ten seconds, and say in Retry-After in how many seconds the next is answered.',
    judge: ({ limited: { count, retryAfter } }) =>
      faultsOf(
        [count > 0, `429 was answered ${count} times, and what was asked then is not judged.`],
        [count > 0 && retryAfter === undefined, 'The 429 has no Retry-After.'],
      ),
  }),
  check({
    id: 'reach.asked',
    severity: 'note',
    needs: ['unasked'],
    rule: 'What the checks rest on is asked for in stages; those of a stage that failed by itself are skipped, and say nothing of the agent.',
    reference: REFERENCES.transport,
    fix: 'Report the message to whoever maintains seller-agent.',
    judge: ({ unasked }) => unasked.map((seen) => quoteValue(seen)),
  }),
  check({
    id: 'reach.get',
    severity: 'warning',
    needs: ['plainGet'],
    rule: 'A GET of the endpoint is answered by a stream of events, or by 405.',
    reference: REFERENCES.transport,
    fix: 'Answer 405 with "Allow: POST" where there is no stream.',
    judge: ({ plainGet }) => {
      // A stream that stays open is not read to its end.
      if (!plainGet.ok)
        return faultsOf([plainGet.reason !== 'timeout', `GET: ${describeFetchReason(plainGet.reason)}.`]);
      const { headers, status } = plainGet;
      const isStream = status === 200 && isEventStream(headers);
      const isRefused = [400, 401, 403, 405, 406, 429].includes(status);
      return faultsOf([
        !isStream && !isRefused,
        `GET is answered ${status} with ${headers['content-type'] ?? 'no type'}.`,
      ]);
    },
  }),
  check({
    id: 'speed.capabilities',
    severity: 'warning',
    needs: ['capabilities'],
    rule: 'Capabilities are answered at once: they are read before everything else.',
    reference: REFERENCES.capabilities,
    fix: 'Answer get_adcp_capabilities from memory.',
    judge: ({ capabilities, releases = [] }) => {
      const times = [capabilities, ...releases.map(({ answer }) => answer)].flatMap(({ exchange }) =>
        exchange.ok ? [exchange.tookMs] : [],
      );
      const fastest = Math.min(...times);
      return times.length === 0
        ? 'not_applicable'
        : faultsOf([fastest > SLOW_MS, `The fastest answer took ${fastest} ms.`]);
    },
  }),
  check({
    id: 'speed.a2a',
    severity: 'warning',
    needs: ['spoken'],
    rule: 'Capabilities are answered at once over A2A too.',
    reference: REFERENCES.capabilities,
    fix: 'Answer the skill from memory, on the same task as the tool of MCP.',
    judge: ({ spoken, streamed, unknownSkill }) => {
      const answers = [...spoken.map(({ answer }) => answer), streamed, unknownSkill];
      const times = answers.flatMap((answer) => (answer?.exchange.ok === true ? answer.exchange.tookMs : []));
      if (times.length === 0) return 'not_applicable';
      const fastest = Math.min(...times);
      return faultsOf([fastest > SLOW_MS, `The fastest answer took ${fastest} ms.`]);
    },
  }),
];

/** Whether a status says that at this address is no agent, or one that does not run. */
export function isUnreached(status: number): boolean {
  return status >= 500 || status === 404 || (status >= 300 && status < 400);
}

/** Returns a fault of the library of TLS without its numbers and places in the source. */
function plainFault(fault: string): string {
  const words = fault.split(':').filter((part) => /^(?!error$|SSL routines$)[a-z][a-z0-9 .]+$/i.test(part.trim()));
  return /:.*:/.test(fault) && words.length > 0 ? words.join(': ').trim() : fault.trim();
}
