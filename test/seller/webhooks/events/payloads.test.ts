import { describe, expect, it } from 'vitest';
import { MINUTE_MS } from '../../../../src/platform/kernel/clock.js';
import { TASK_PROTOCOLS, TASK_STATUSES, type TaskStatus, type TaskType } from '../../../../src/protocol/tasks.js';
import {
  a2aEnvelope,
  detectFormat,
  mcpEnvelope,
  resultOf,
  type TaskUpdate,
} from '../../../../src/protocol/webhook-envelope.js';
import { IMPAIRMENT_REASONS, type Impairment } from '../../../../src/seller/domain/media-buy/impairment.js';
import { impairmentKind, WINDOWS, windowMs } from '../../../../src/seller/webhooks/events/buy-events.js';
import {
  artifactBody,
  impairmentUpdate,
  listChangeBody,
  REPORT_TYPES,
  type Report,
  reportResult,
  reportUpdate,
  revocationBody,
} from '../../../../src/seller/webhooks/events/payloads.js';
import { hasSchemas, type Judge, type SchemaRelease, schemaJudge } from '../../../kit/schemas.js';

const KEY = '00000000-0000-4000-8000-000000000001';
const AT = '2030-01-01T12:00:00Z';
const RELEASES = (['3.0', '3.1'] as const).filter(hasSchemas);
const JUDGES = new Map<SchemaRelease, Judge>(RELEASES.map((release) => [release, schemaJudge(release)]));
const faultsOf = (release: SchemaRelease, schema: string, value: unknown): readonly string[] =>
  (JUDGES.get(release) as Judge)(schema, value);

const notice = (changes: Partial<TaskUpdate> = {}): TaskUpdate => ({
  taskId: 'task_1',
  taskType: 'create_media_buy',
  status: 'completed',
  timestamp: AT,
  ...changes,
});

/** What a status brings, as the task that has it would say it. */
const RESULTS: Readonly<Record<TaskStatus, object>> = {
  submitted: { status: 'submitted', task_id: 'task_1', message: 'A person looks at it.' },
  working: { percentage: 40, current_step: 'reservation', step_number: 2, total_steps: 5 },
  'input-required': { reason: 'APPROVAL_REQUIRED', errors: [{ code: 'INVALID_REQUEST', message: 'Over the limit.' }] },
  completed: { media_buy_id: 'mb_1', status: 'active', revision: 1, confirmed_at: AT, packages: [] },
  failed: { errors: [{ code: 'PRODUCT_UNAVAILABLE', message: 'Sold out.' }] },
  canceled: {},
  rejected: { errors: [{ code: 'TERMS_REJECTED', message: 'Not with these terms.' }] },
};

describe('the MCP envelope', () => {
  it.each(RELEASES.flatMap((release) => TASK_STATUSES.map((status) => [release, status] as const)))(
    'is valid in %s for %s',
    (release, status) => {
      const envelope = mcpEnvelope(
        KEY,
        notice({
          status,
          result: RESULTS[status],
          message: 'So it is.',
          contextId: 'ctx_1',
          context: { a: [1, null] },
          notificationId: 'imp_1',
        }),
        { operation_id: 'op-1', token: 't'.repeat(16) },
      );
      expect(faultsOf(release, 'core/mcp-webhook-payload', JSON.parse(JSON.stringify(envelope)))).toEqual([]);
    },
  );

  it('echoes what the buyer gave, and names the protocol under both names', () => {
    const context = { z: 1, a: { list: [1, null, 'ä'] }, '2': 'two' };
    const envelope = mcpEnvelope(KEY, notice({ context, message: 'Done.', result: { x: 1 } }), {
      operation_id: 'op 1/ä:?#',
      token: 'token-of-16-chars',
    });
    expect(envelope).toEqual({
      idempotency_key: KEY,
      operation_id: 'op 1/ä:?#',
      task_id: 'task_1',
      task_type: 'create_media_buy',
      protocol: 'media-buy',
      domain: 'media-buy',
      status: 'completed',
      timestamp: AT,
      message: 'Done.',
      token: 'token-of-16-chars',
      result: { x: 1 },
      context,
    });
    expect(JSON.stringify(envelope.context)).toBe(JSON.stringify(context));
  });

  it('falls back to the task’s id and leaves out what there is not', () => {
    expect(mcpEnvelope(KEY, notice(), {})).toEqual({
      idempotency_key: KEY,
      operation_id: 'task_1',
      task_id: 'task_1',
      task_type: 'create_media_buy',
      protocol: 'media-buy',
      domain: 'media-buy',
      status: 'completed',
      timestamp: AT,
    });
  });

  it.each(RELEASES)('names no task type and no protocol that %s does not know', (release) => {
    const unknown = (Object.keys(TASK_PROTOCOLS) as TaskType[]).filter(
      (taskType) =>
        faultsOf(release, 'enums/task-type', taskType).length > 0 ||
        faultsOf(release, 'enums/adcp-protocol', TASK_PROTOCOLS[taskType]).length > 0,
    );
    const since31 = ['media_buy_delivery', 'get_products', 'build_creative', 'search_brands'];
    // Called by those alone who pin the preview.
    const since32 = [
      'request_proposals',
      'refine_proposals',
      'decline_proposals',
      'buy_products',
      'accept_proposal',
      'control_media_buy',
    ];
    expect(unknown.toSorted()).toEqual((release === '3.1' ? since32 : [...since31, ...since32]).toSorted());
  });
});

describe('the A2A envelope', () => {
  it.each(TASK_STATUSES)('of %s has the data where specification 3 looks for it', (status) => {
    const envelope = a2aEnvelope(KEY, notice({ status, message: 'So it is.', result: RESULTS[status] }), {});
    expect([detectFormat(envelope), resultOf(envelope)]).toEqual(['a2a', RESULTS[status]]);
    const last = ['completed', 'failed', 'canceled', 'rejected'].includes(status);
    expect(envelope).toMatchObject({
      kind: last ? 'task' : 'status-update',
      id: 'task_1',
      contextId: 'task_1',
      status: { state: status, timestamp: AT },
      metadata: { idempotency_key: KEY, operation_id: 'task_1' },
    });
    const parts = [
      { kind: 'text', text: 'So it is.' },
      { kind: 'data', data: RESULTS[status] },
    ];
    if (last) expect(envelope).toMatchObject({ artifacts: [{ parts }] });
    else expect(envelope).toMatchObject({ status: { message: { parts } }, final: false });
  });

  it('is told from the MCP one by its status, and neither is guessed', () => {
    expect(detectFormat(mcpEnvelope(KEY, notice(), {}))).toBe('mcp');
    expect(resultOf(mcpEnvelope(KEY, notice({ result: { x: 1 } }), {}))).toEqual({ x: 1 });
    expect(detectFormat({ status: 'completed' })).toBeUndefined();
    expect(detectFormat({ status: null, task_id: 't' })).toBeUndefined();
    expect(detectFormat({ status: { timestamp: AT } })).toBeUndefined();
    expect(detectFormat({})).toBeUndefined();
  });

  it('takes the last data part of the first artifact, and the first of a message', () => {
    const parts = [{ kind: 'data', data: 1 }, { kind: 'text' }, { kind: 'data', data: 2 }];
    expect(resultOf({ status: { state: 'completed' }, artifacts: [{ parts }, { parts: [] }] })).toBe(2);
    expect(resultOf({ status: { state: 'working', message: { parts } } })).toBe(1);
    expect(resultOf({ status: { state: 'working' } })).toBeUndefined();
  });
});

const REPORT: Report = {
  type: 'scheduled',
  sequence: 3,
  period: { start: '2030-01-01T00:00:00Z', end: '2030-01-01T23:59:59Z' },
  currency: 'EUR',
  rows: [
    {
      media_buy_id: 'mb_1',
      status: 'active',
      totals: { impressions: 1000, spend: 12.5, clicks: 3 },
      by_package: [{ package_id: 'pkg_1_1', spend: 12.5, impressions: 1000 }],
    },
    { media_buy_id: 'mb_2', status: 'reporting_delayed', expected_availability: '2030-01-02T06:00:00Z' },
  ],
  nextExpectedAt: '2030-01-03T01:00:00Z',
  sandbox: true,
};

describe('a delivery report', () => {
  it.runIf(hasSchemas('3.1')).each(REPORT_TYPES)('%s is valid, with and without rows', (type) => {
    for (const rows of [REPORT.rows, []]) {
      const { result, ...envelope } = mcpEnvelope(KEY, reportUpdate('mb_1', { ...REPORT, type, rows }, AT), {});
      expect(faultsOf('3.1', 'media-buy/media-buy-delivery-webhook-result', result)).toEqual([]);
      expect(faultsOf('3.1', 'core/mcp-webhook-payload', { ...envelope, result })).toEqual([]);
    }
  });

  it('says what is late, and has zeros where there is nothing yet', () => {
    expect(reportResult(REPORT)).toEqual({
      notification_type: 'scheduled',
      sequence_number: 3,
      reporting_period: REPORT.period,
      currency: 'EUR',
      partial_data: true,
      unavailable_count: 1,
      next_expected_at: '2030-01-03T01:00:00Z',
      media_buy_deliveries: [
        REPORT.rows[0],
        { ...REPORT.rows[1], totals: { impressions: 0, spend: 0 }, by_package: [] },
      ],
      sandbox: true,
    });
  });

  it('is marked when it is the last or corrects another, and has no next and no notification_id then', () => {
    const rows = REPORT.rows.map((row) => ({ ...row, is_final: true, finalized_at: AT }));
    const final = reportResult({ ...REPORT, rows, type: 'final' });
    expect(JSON.parse(JSON.stringify(final))).not.toHaveProperty('next_expected_at');
    expect(final.media_buy_deliveries).toMatchObject(rows.map(() => ({ is_final: true, finalized_at: AT })));
    expect(reportResult({ ...REPORT, type: 'adjusted' }).media_buy_deliveries).toMatchObject([
      { is_adjusted: true },
      { is_adjusted: true },
    ]);
    const envelope = mcpEnvelope(KEY, reportUpdate('mb_1', REPORT, AT), {});
    expect(envelope).not.toHaveProperty('notification_id');
    expect(envelope).toMatchObject({ task_type: 'media_buy_delivery', status: 'completed' });
    expect(JSON.stringify(envelope)).not.toContain('aggregated_totals');
  });
});

const IMPAIRMENT: Impairment = {
  impairment_id: 'imp_1',
  resource_type: 'creative',
  resource_id: 'cr_1',
  package_ids: ['pkg_1_1'],
  transition: { from: 'approved', to: 'rejected' },
  reason_code: 'content_rejected',
  observed_at: AT,
};

describe('an impairment event', () => {
  it.each([false, true])('resolved: %s: carries the impairment, the health and the id that stays', (resolved) => {
    const health = resolved ? 'ok' : 'impaired';
    const envelope = mcpEnvelope(KEY, impairmentUpdate('mb_1', IMPAIRMENT, { revision: 3, health, resolved }, AT), {});
    expect(envelope).toMatchObject({
      notification_id: 'imp_1',
      result: {
        notification_type: 'impairment',
        media_buy_id: 'mb_1',
        revision: 3,
        health,
        resolved,
        impairment: IMPAIRMENT,
      },
    });
    for (const release of RELEASES)
      expect(faultsOf(release, 'core/mcp-webhook-payload', envelope), release).toEqual([]);
    if (hasSchemas('3.1')) expect(faultsOf('3.1', 'core/impairment', IMPAIRMENT)).toEqual([]);
  });

  it.runIf(hasSchemas('3.1'))('knows every reason of the protocol and no other', () => {
    for (const reason of Object.keys(IMPAIRMENT_REASONS))
      expect(faultsOf('3.1', 'enums/impairment-reason-code', reason)).toEqual([]);
    expect(Object.keys(IMPAIRMENT_REASONS)).toHaveLength(11);
  });
});

describe('windows in which changes are gathered', () => {
  it('are never longer than the protocol allows, and urgent impairments never use the general one', () => {
    const hour = 60 * MINUTE_MS;
    expect(windowMs('impairment', { impairment: hour })).toBe(5 * MINUTE_MS);
    expect(windowMs('urgent_impairment', { impairment: hour })).toBe(0);
    expect(windowMs('urgent_impairment', { urgent_impairment: hour })).toBeLessThanOrEqual(MINUTE_MS);
    expect(impairmentKind({ reason_code: 'policy_violation' })).toBe('urgent_impairment');
    expect(impairmentKind({ reason_code: 'ttl_expired' })).toBe('impairment');
    for (const { defaultMs, maxMs } of Object.values(WINDOWS)) expect(defaultMs).toBeLessThanOrEqual(maxMs);
  });
});

describe('the plain bodies', () => {
  const change = { list_id: 'l_1', list_name: 'Safe', added: 2, removed: 0, total: 40, resolved_at: AT };
  const bodies: readonly (readonly [schema: string, body: object])[] = [
    ['collection/collection-list-changed-webhook', listChangeBody(KEY, 'collection_list_changed', change)],
    ['property/property-list-changed-webhook', listChangeBody(KEY, 'property_list_changed', change)],
    [
      'property/property-list-changed-webhook',
      listChangeBody(KEY, 'property_list_changed', { list_id: 'l_1', resolved_at: AT, cache_valid_until: AT }),
    ],
    [
      'content-standards/artifact-webhook-payload',
      artifactBody(KEY, {
        media_buy_id: 'mb_1',
        batch_id: 'batch_1',
        timestamp: AT,
        artifacts: [
          {
            artifact: {
              property_rid: '01890000-0000-7000-8000-000000000000',
              property_id: { type: 'domain', value: 'pub.example' },
              artifact_id: 'a_1',
              assets: [{ type: 'text', content: 'Hello.' }],
            },
            delivered_at: AT,
            package_id: 'pkg_1_1',
          },
        ],
        pagination: { total_artifacts: 1, batch_number: 1, total_batches: 1 },
      }),
    ],
    [
      'brand/revocation-notification',
      revocationBody(KEY, {
        rights_id: 'r_1',
        brand_id: 'b_1',
        reason: 'The contract ended.',
        effective_at: AT,
        revoked_uses: ['voice'],
      }),
    ],
  ];

  it.each(RELEASES.flatMap((release) => bodies.map(([schema, body]) => [release, schema, body] as const)))(
    'are valid in %s: %s',
    (release, schema, body) => {
      expect(faultsOf(release, schema, body)).toEqual([]);
      expect(Object.keys(body)[0]).toBe('idempotency_key');
    },
  );
});
