import { DAY_MS } from '../../../platform/kernel/clock.js';
import { hostKind } from '../../../platform/net/address.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';

const RENEW_MS = 14 * DAY_MS;
/** Milliseconds that a host waits for capabilities before people notice. */
const SLOW_MS = 2000;

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
      if (!arrival.ok) return [`There was no answer: ${arrival.reason.replaceAll('_', ' ')}.`];
      return faultsOf([arrival.status >= 500 || arrival.status === 404, `initialize is answered ${arrival.status}.`]);
    },
  }),
  check({
    id: 'reach.certificate',
    severity: 'error',
    needs: ['certificate'],
    rule: 'The certificate is valid for the host name, of a public authority, and renewed in time.',
    reference: REFERENCES.security,
    fix: 'Get a certificate of a public authority for this name, serve the whole chain, and renew it two weeks before its end.',
    judge: ({ certificate, nowMs }) => {
      if ('fault' in certificate) return [`There is no TLS: ${certificate.fault}.`];
      const { distrusted, validToMs } = certificate;
      const days = Math.floor((validToMs - nowMs) / DAY_MS);
      return faultsOf(
        [distrusted !== undefined, `It is not trusted: ${distrusted}.`],
        [validToMs - nowMs < RENEW_MS, days < 0 ? 'It has expired.' : `It ends in ${days} days.`],
      );
    },
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
        return faultsOf([plainGet.reason !== 'timeout', `GET: ${plainGet.reason.replaceAll('_', ' ')}.`]);
      const { headers, status } = plainGet;
      const isStream = status === 200 && (headers['content-type'] ?? '').startsWith('text/event-stream');
      const isRefused = [400, 401, 403, 405, 406].includes(status);
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
];
