import { beforeAll, describe, expect, it } from 'vitest';
import { HOUR_MS } from '../../../src/platform/kernel/clock.js';
import { type BootedRegistry, bootRegistry } from '../../kit/registry.js';
import { contractOf, publicContract } from '../../kit/registry-contract.js';
import { startFaultyAgents } from './faulty-agent.js';

const agents = await startFaultyAgents();
const SOUND = agents.url('sound');
const AWAY = agents.url('hangs-up');
let registry: BootedRegistry;
let token: string;
let admin: string;

type Compliance = { status: string; headline: string; verified: boolean; last_checked_at: string | null };
type Event = { event_type: string; payload: { agent_url: string } };

const at = (rest: string, url = SOUND) => `/api/registry/agents/${encodeURIComponent(url)}/${rest}`;
const enrol = (url: string, body: object) =>
  registry.post('/api/me/agents', { url, type: 'sales', visibility: 'public', ...body }, token);
const change = (rest: string, body: object | undefined, url = SOUND, method = 'PUT') =>
  registry.request(method, at(rest, url), { token, ...(body === undefined ? {} : { body }) });
const assess = (url = SOUND) => registry.post('/api/admin/assessments', { url }, admin);
const round = () => registry.server().tick();

async function compliance(url = SOUND): Promise<Compliance> {
  return (await registry.get(at('compliance', url))).json() as Compliance;
}

async function runs(url = SOUND): Promise<readonly { overall_status: string; triggered_by: string }[]> {
  return ((await registry.get(at('compliance/history', url))).json() as { runs: never[] }).runs;
}

async function events(url = SOUND): Promise<readonly string[]> {
  const answer = await registry.get('/api/registry/feed?limit=1000', token);
  return (answer.json() as { events: Event[] }).events
    .filter(({ event_type, payload }) => payload.agent_url === url && /compliance|verification/.test(event_type))
    .map(({ event_type }) => event_type);
}

beforeAll(async () => {
  registry = await bootRegistry({ resolve: agents.resolve, service: { policy: { ownership: 'off' } } });
  token = (await registry.member('acme')).token;
  admin = (await registry.member('operators', 'admin')).token;
});

describe('an agent whose member has not consented', () => {
  it('is not assessed, whoever asks', async () => {
    expect((await enrol(SOUND, {})).json()).toMatchObject({ agent: { assessments: null } });
    await round();
    expect([await runs(), (await compliance()).status, await events()]).toEqual([[], 'unknown', []]);
    expect((await assess()).status).toBe(404);
    expect((await change('monitoring/requeue', {}, SOUND, 'POST')).status).toBe(404);
    expect((await registry.get(at('monitoring/settings'), token)).status).toBe(404);
  });
});

describe('an agent whose member consents', () => {
  it('is assessed with the next round, and what was found is its compliance, a badge and their events', async () => {
    const enrolled = (await enrol(SOUND, { assessments: true })).json();
    expect(enrolled).toMatchObject({ agent: { assessments: { monitoring_paused: false, last: null } } });
    await round();
    expect(await compliance()).toMatchObject({
      status: 'passing',
      headline: 'Nothing was found against the protocol.',
      tracks: { auth: 'pass', errors: 'skip', idempotency: 'skip', webhooks: 'skip' },
      verified_badges: [{ role: 'media-buy', adcp_version: '3.1', verified_specialisms: ['sales-guaranteed'] }],
    });
    expect(await runs()).toMatchObject([{ overall_status: 'passing', triggered_by: 'schedule', tracks_failed: 0 }]);
    expect(await events()).toEqual(['agent.compliance_changed', 'agent.verification_earned']);
  });

  it('is assessed again after a day and no sooner, and nothing is told that did not change', async () => {
    const before = await compliance();
    registry.clock.advance(23 * HOUR_MS);
    await round();
    expect(await runs()).toHaveLength(1);
    registry.clock.advance(2 * HOUR_MS);
    await round();
    expect(await runs()).toHaveLength(2);
    expect(await events()).toHaveLength(2);
    expect((await compliance()).last_checked_at).not.toBe(before.last_checked_at);
  });

  it('rests while its member wants it to, and is assessed as often as that says', async () => {
    const paused = await change('monitoring/pause', { paused: true });
    expect(paused.json()).toMatchObject({ monitoring_paused: true, monitoring_paused_at: expect.any(String) });
    registry.clock.advance(48 * HOUR_MS);
    await round();
    expect(await runs()).toHaveLength(2);
    await change('monitoring/interval', { interval_hours: 100 });
    await change('monitoring/pause', { paused: false });
    await round();
    expect(await runs()).toHaveLength(2);
    expect((await change('monitoring/interval', { interval_hours: 5 })).status).toBe(400);
    await change('monitoring/interval', { interval_hours: 24 });
    await round();
    expect(await runs()).toHaveLength(3);
  });

  it('is assessed at once for its member or the operator, and the history says for whom', async () => {
    expect((await change('monitoring/requeue', {}, SOUND, 'POST')).json()).toEqual({ requeued: true });
    await round();
    expect((await assess()).json()).toEqual({ due: SOUND });
    await round();
    expect((await runs()).map(({ triggered_by }) => triggered_by)).toEqual([
      ...['operator', 'owner', 'schedule', 'schedule', 'schedule'],
    ]);
  });

  it('loses its badge when a later assessment fails, and what was signed of it is revoked', async () => {
    const { badges } = (await registry.get(at('verification'))).json() as { badges: { badge_id: string }[] };
    agents.become('sound', 'no-challenge');
    await assess();
    await round();
    expect(await compliance()).toMatchObject({
      status: 'failing',
      headline: 'Against the protocol: auth.challenge.',
      tracks: { auth: 'fail' },
      verified: false,
    });
    const { revoked } = (await registry.get('/api/registry/badges/revoked')).json() as { revoked: object[] };
    expect(revoked).toMatchObject([
      { badge_id: badges[0]?.badge_id, agent_url: SOUND, reason: 'Against the protocol: auth.challenge.' },
    ]);
    expect((await events()).slice(2)).toEqual(['agent.compliance_changed', 'agent.verification_lost']);
  });

  it('is taken for failing when it was away three times in a row, an hour apart', async () => {
    await enrol(AWAY, { assessments: true });
    const seen: string[] = [];
    for (const hours of [0, 1, 1]) {
      registry.clock.advance(hours * HOUR_MS);
      await round();
      seen.push((await compliance(AWAY)).status);
    }
    expect(seen).toEqual(['unknown', 'unknown', 'failing']);
    expect((await runs(AWAY)).map(({ overall_status }) => overall_status)).toEqual(['failing', 'unknown', 'unknown']);
  });

  it('is assessed no more once the consent is withdrawn, and the registry forgets what it found', async () => {
    agents.become('sound', 'sound');
    await assess();
    await round();
    expect((await compliance()).verified).toBe(true);
    const answer = await change('compliance/opt-out', { opt_out: true });
    expect(answer.json()).toMatchObject({ agent_url: SOUND, compliance_opt_out: true });
    expect(await compliance()).toMatchObject({ status: 'unknown', verified: false });
    expect(await runs()).toEqual([]);
    registry.clock.advance(200 * HOUR_MS);
    await round();
    expect([await runs(), (await assess()).status]).toEqual([[], 404]);
    const listed = (await registry.get('/api/admin/assessments', admin)).json();
    expect(listed).toMatchObject({ assessments: [{ agent_url: AWAY, last: { overall_status: 'failing' } }] });
  });
});

it('every answer about assessments is as it is described', async () => {
  const own = contractOf((await registry.get('/openapi/registry.yaml')).text);
  await change('compliance/opt-out', { opt_out: false });
  const answers = [
    ['getAgentComplianceHistory', await registry.get(at('compliance/history?limit=1'))],
    ['getAgentComplianceHistory', await registry.get(at('compliance/history', 'nonsense'))],
    ['getAgentCompliance', await registry.get(at('compliance'))],
    ['getAgentMonitoringSettings', await registry.get(at('monitoring/settings'), token)],
    ['getAgentMonitoringSettings', await registry.get(at('monitoring/settings'))],
    ['updateAgentMonitoringPause', await change('monitoring/pause', { paused: true })],
    ['updateAgentMonitoringInterval', await change('monitoring/interval', { interval_hours: 48 })],
    ['requeueAgentForHeartbeat', await change('monitoring/requeue', undefined, SOUND, 'POST')],
    ['updateAgentComplianceOptOut', await change('compliance/opt-out', { opt_out: false })],
    ['adminListAssessments', await registry.get('/api/admin/assessments', admin)],
    ['adminAssess', await assess()],
    ['adminAssess', await assess('https://nobody.example/mcp')],
  ] as const;
  expect(answers.map(([, { status }]) => status)).toEqual([200, 400, 200, 200, 401, 200, 200, 200, 200, 200, 200, 404]);
  expect(answers.flatMap(([operation, answer]) => own.faultOf(operation, answer) ?? [])).toEqual([]);
  const shared = publicContract();
  const faults = answers
    .filter(([operation]) => !operation.startsWith('admin'))
    .flatMap(([operation, answer]) => shared?.faultOf(operation, answer) ?? []);
  expect(faults).toEqual([]);
});

it('an agent is assessed on its schedule after a restart too', async () => {
  await change('compliance/opt-out', { opt_out: true });
  await change('compliance/opt-out', { opt_out: false });
  await round();
  const { dataDir, clock } = registry;
  await registry.close();
  registry = await bootRegistry({ dataDir, clock, resolve: agents.resolve });
  expect(await runs()).toHaveLength(1);
  clock.advance(25 * HOUR_MS);
  await round();
  expect(await runs()).toHaveLength(2);
});
