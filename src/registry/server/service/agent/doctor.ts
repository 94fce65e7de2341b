import { SECOND_MS } from '../../../../platform/kernel/clock.js';
import type { Ids } from '../../../../platform/kernel/ids.js';
import { readPublicCertificate } from '../../../../platform/net/certificate.js';
import type { Outbound } from '../../../../platform/net/fetch.js';
import type { ProtocolNames } from '../../../../protocol/names.js';
import { assessAgent } from '../../../assessment/assess.js';
import { assessmentJson } from '../../../assessment/report/json.js';
import { findUrlFault } from '../../../model/agent-url.js';
import { RegistryProblem } from '../problem.js';
import type { ProbeQueue } from './probe.js';

/** The parts of the registry that an assessment uses. */
type DoctorContext = {
  readonly outbound: Outbound;
  readonly names: ProtocolNames;
  readonly clock: { readonly now: () => number };
  readonly ids: Ids;
  readonly probes: ProbeQueue;
  /** Lets http and loopback through, in development mode only. */
  readonly isDevelopment: boolean;
};

/** An agent that a member wants looked at, and a key of its, which is sent there alone and stored nowhere. */
type AgentToAssess = { readonly url: string; readonly key?: string | undefined };

/** A caller waits for the answer. */
const BOUNDS = { maxRequests: 80, maxBytes: 16 * 1024 * 1024, timeoutMs: 30 * SECOND_MS };

/** Looks at an agent from outside, as `doctor <url>` does, and changes nothing there. Throws invalid_request or unavailable. */
export async function examineAgent(registry: DoctorContext, { key, url }: AgentToAssess): Promise<object> {
  const { clock, ids, isDevelopment, names, outbound, probes } = registry;
  const fault = findUrlFault(url, isDevelopment);
  if (fault !== undefined)
    throw new RegistryProblem('invalid_request', `url: ${fault.message}`, { field: '/url', suggestion: fault.fix });
  const assessment = await probes.run(() =>
    assessAgent({
      outbound,
      clock,
      names,
      url,
      key,
      local: isDevelopment,
      // In development mode a host may stand for a server of this machine, which has none.
      ...(!isDevelopment && { readCertificate: readPublicCertificate }),
      uuid: ids.uuid,
      bounds: BOUNDS,
    }),
  );
  return assessmentJson(assessment);
}
