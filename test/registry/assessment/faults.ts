import { cardOf, taskOf } from './faulty-a2a.js';
import { type Asked, type Fault, failure, type Given, isObject, type Json, KEY } from './faulty-agent.js';
import type { Webhook } from './faulty-webhooks.js';

/** Agents that break one rule each, by the name of their host. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'hangs-up': { finds: ['reach.answers'], answer: () => 'hang up' },
  'page-for-get': {
    finds: ['reach.get'],
    answer: (asked, sound) =>
      asked.httpMethod === 'GET' && asked.path === '/mcp'
        ? { status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>' }
        : sound,
  },
  slow: {
    finds: ['speed.capabilities'],
    declared: (sound) => ({ ...sound, adcp: { ...member(sound, 'adcp'), supported_versions: undefined } }),
    delayMs: ({ args, key, task }) =>
      task === 'get_adcp_capabilities' && key === KEY && args.adcp_major_version === undefined ? 2100 : 0,
  },
  'never-again': {
    finds: ['reach.limited'],
    answer: (asked, sound) => (asked.task === 'get_media_buys' ? { status: 429, headers: {} } : sound),
  },
  'open-door': {
    finds: ['auth.required'],
    answer: (asked, sound) => (sound.status === 401 && asked.key === undefined ? taken(asked) : sound),
  },
  'any-key': {
    finds: ['auth.wrong-key'],
    answer: (asked, sound) => (sound.status === 401 && asked.key !== undefined ? taken(asked) : sound),
  },
  'no-challenge': {
    finds: ['auth.challenge'],
    answer: (_asked, sound) => (sound.status === 401 ? { ...sound, headers: {} } : sound),
  },
  'metadata-of-another': { finds: ['auth.metadata'], ...oauth({ resource: 'https://another.example/mcp' }, {}) },
  'issuer-of-another': { finds: ['auth.issuer'], ...oauth({}, { issuer: 'https://another.example' }) },
  'metadata-unannounced': {
    finds: ['auth.unannounced'],
    file: (path, sound) =>
      path.startsWith('/.well-known/oauth-protected') ? { authorization_servers: ['https://login.example'] } : sound,
  },
  nameless: { finds: ['mcp.initialize'], answer: result('initialize', (sound) => ({ ...sound, serverInfo: {} })) },
  'any-revision': {
    finds: ['mcp.revision'],
    answer: result('initialize', (sound, { args }) => ({ ...sound, protocolVersion: args.protocolVersion })),
  },
  'strange-ids': {
    finds: ['mcp.response'],
    answer: (asked, sound) =>
      asked.method === 'initialize' && isObject(sound.body) ? { ...sound, body: { ...sound.body, id: '0' } } : sound,
  },
  'forgets-sessions': {
    finds: ['mcp.session', 'capabilities.answered'],
    answer: (asked, sound) => {
      if (asked.method === 'initialize') return { ...sound, headers: { 'mcp-session-id': 'one' } };
      const isLost =
        asked.httpMethod === 'POST' && asked.path === '/mcp' && asked.key === KEY && asked.method !== undefined;
      return isLost && sound.status === 200 ? { status: 404, headers: {} } : sound;
    },
  },
  'answers-notices': {
    finds: ['mcp.notice'],
    answer: (_asked, sound) => (sound.status === 202 ? { ...sound, status: 200, body: {} } : sound),
  },
  'plain-text': {
    finds: ['mcp.content-type'],
    answer: ({ method }, sound) =>
      method === 'initialize' ? { ...sound, headers: { 'content-type': 'text/plain' } } : sound,
  },
  'pages-for-calls': {
    finds: ['mcp.content-type'],
    answer: ({ method }, sound) =>
      method === 'tools/call' && sound.status === 200 ? { ...sound, headers: { 'content-type': 'text/html' } } : sound,
  },
  'ids-of-lists': {
    finds: ['mcp.response'],
    answer: ({ method }, sound) =>
      method === 'tools/list' ? changeBody(sound, ({ id }) => ({ id: String(id) })) : sound,
  },
  'errors-of-nobody': {
    finds: ['mcp.response'],
    answer: (_asked, sound) =>
      sound.status === 200 && isObject(sound.body) && 'error' in sound.body
        ? changeBody(sound, () => ({ id: null }))
        : sound,
  },
  'both-at-once': {
    finds: ['mcp.response'],
    answer: ({ method }, sound) =>
      method === 'ping' ? changeBody(sound, () => ({ error: { code: 0, message: 'OK' } })) : sound,
  },
  'any-method': {
    finds: ['mcp.unknown-method'],
    answer: ({ id, method = '' }, sound) =>
      method.startsWith('doctor/') ? { ...sound, body: { jsonrpc: '2.0', id, result: {} } } : sound,
  },
  unpinged: {
    finds: ['mcp.ping'],
    answer: ({ id, method }, sound) =>
      method === 'ping' ? { ...sound, body: { jsonrpc: '2.0', id, error: { code: -32601, message: 'No.' } } } : sound,
  },
  'falls-over-json': {
    finds: ['mcp.broken-json'],
    answer: (_asked, sound) => (sound.status === 400 ? { status: 500, headers: {} } : sound),
  },
  'unlisted-capabilities': { finds: ['tools.listed'], tools: (sound) => sound.slice(1) },
  'twice-listed': { finds: ['tools.names'], tools: (sound) => [...sound, ...sound.slice(-1)] },
  'required-and-lost': {
    finds: ['tools.schemas'],
    tools: schema('comply_test_controller', (sound) => ({ ...sound, properties: {} })),
  },
  'endless-list': {
    finds: ['tools.pages'],
    answer: result('tools/list', (sound) => ({ ...sound, nextCursor: 'again' })),
  },
  'circle-of-lists': {
    finds: ['tools.pages'],
    answer: result('tools/list', ({ tools }, { args }) => ({
      tools: args.cursor === undefined ? tools : [],
      nextCursor: args.cursor === 'one' ? 'two' : 'one',
    })),
  },
  'ever-more-lists': {
    finds: ['tools.pages'],
    answer: result('tools/list', ({ tools }, { args: { cursor } }) => ({
      tools: cursor === undefined ? tools : [],
      nextCursor: `${String(cursor)}+`,
    })),
  },
  'slow-list': {
    finds: ['speed.reads'],
    delayMs: ({ method }) => (method === 'tools/list' ? 5100 : 0),
  },
  'unnamed-arguments': {
    finds: ['tools.arguments'],
    tools: schema('get_products', () => ({ type: 'object', properties: {}, additionalProperties: false })),
  },
  'lost-reference': {
    finds: ['tools.schemas'],
    tools: schema('get_media_buys', (sound) => ({ ...sound, properties: { context: { $ref: '#/$defs/context' } } })),
  },
  'harmless-order': {
    finds: ['tools.hints'],
    tools: (sound) =>
      sound.map((tool) => (tool.name === 'create_media_buy' ? { ...tool, annotations: { readOnlyHint: true } } : tool)),
  },
  'composed-schema': {
    finds: ['tools.composed'],
    tools: schema('get_products', (sound) => ({ ...sound, anyOf: [{}] })),
  },
  undescribed: {
    finds: ['tools.descriptions'],
    tools: (sound) => sound.map((tool, at) => (at === 1 ? { ...tool, description: ' ' } : tool)),
  },
  'keyless-change': {
    finds: ['tools.idempotency'],
    tools: schema('create_media_buy', (sound) => ({ ...sound, required: ['packages'] })),
  },
  'no-delivery': {
    finds: ['tools.protocols', 'capabilities.specialisms'],
    tools: (sound) => sound.filter(({ name }) => name !== 'get_media_buy_delivery'),
  },
  incapable: {
    finds: ['capabilities.answered'],
    payload: ({ task }, sound) =>
      task === 'get_adcp_capabilities' ? failure('SERVICE_UNAVAILABLE', 'Later.', 'name') : sound,
  },
  'unknown-protocol': {
    finds: ['capabilities.shape'],
    declared: (sound) => ({ ...sound, supported_protocols: ['media_buy', 'telepathy'] }),
  },
  barters: {
    finds: ['capabilities.shape'],
    declared: (sound) => ({ ...sound, account: { ...member(sound, 'account'), supported_billing: ['barter'] } }),
  },
  'brief-memory': {
    finds: ['capabilities.idempotency'],
    declared: adcp({ idempotency: { supported: true, replay_ttl_seconds: 60 } }),
  },
  'patch-release': {
    finds: ['capabilities.versions'],
    declared: adcp({ supported_versions: ['3.0', '3.1', '3.1.2'] }),
  },
  'wrong-echo': {
    finds: ['capabilities.echo'],
    declared: (sound) => ('adcp_version' in sound ? { ...sound, adcp_version: '3.0' } : sound),
  },
  'any-major': {
    finds: ['capabilities.major'],
    payload: ({ args, task }, sound) =>
      args.adcp_major_version === 99 && task === 'get_adcp_capabilities'
        ? { status: 'completed', context: args.context }
        : sound,
  },
  'no-way-down': {
    finds: ['capabilities.way-on'],
    payload: ({ args, task }, sound) =>
      args.adcp_major_version === 99 && task === 'get_adcp_capabilities'
        ? { ...failure('VERSION_UNSUPPORTED', 'No such release.', 'adcp_major_version'), context: args.context }
        : sound,
  },
  'promised-audiences': {
    finds: ['capabilities.features'],
    declared: (sound) => ({
      ...sound,
      media_buy: { ...member(sound, 'media_buy'), features: { audience_targeting: true } },
    }),
  },
  'unread-signatures': {
    finds: ['capabilities.request-signing'],
    declared: (sound) => ({
      ...sound,
      request_signing: { supported: true, supported_for: [], required_for: ['create_media_buy'] },
    }),
  },
  'address-for-a-domain': {
    finds: ['capabilities.portfolio', 'reads.portfolio', 'adagents.authorizes'],
    declared: (sound) => ({
      ...sound,
      media_buy: { ...member(sound, 'media_buy'), portfolio: { publisher_domains: ['https://news.example/'] } },
    }),
  },
  forgetful: {
    finds: ['capabilities.context'],
    payload: ({ task }, sound) => (task === 'get_adcp_capabilities' ? { ...sound, context: { doctor: {} } } : sound),
  },
  'two-payloads': {
    finds: ['capabilities.text'],
    answer: ({ task }, sound) =>
      task === 'get_adcp_capabilities'
        ? mapResult(sound, (one) => ({ ...one, content: [{ type: 'text', text: '{"status":"completed"}' }] }))
        : sound,
  },
  'two-answers': {
    finds: ['reads.prose'],
    answer: ({ task }, sound) =>
      task === 'get_adcp_capabilities'
        ? mapResult(sound, (one) => ({ ...one, content: [{ type: 'text', text: 'I can do much.' }] }))
        : sound,
  },
  stateless: {
    finds: ['capabilities.status'],
    declared: ({ status: _status, ...sound }) => sound,
  },
  unsigned: {
    finds: ['capabilities.webhook-signing'],
    declared: (sound) => ({ ...sound, webhook_signing: { supported: false } }),
  },
  'false-claim': {
    finds: ['capabilities.specialisms'],
    declared: (sound) => ({ ...sound, specialisms: ['sales-of-everything'] }),
  },
  uncontrolled: {
    finds: ['capabilities.controller'],
    tools: (sound) => sound.filter(({ name }) => name !== 'comply_test_controller'),
  },
  'any-task': {
    finds: ['errors.unknown-task'],
    payload: ({ args, task }, sound) =>
      task === 'doctor_no_such_task' ? { status: 'completed', context: args.context } : sound,
  },
  'any-input': { finds: ['errors.wrong-input'], payload: wrongInput(() => ({ status: 'completed', products: [] })) },
  'odd-code': {
    finds: ['errors.code'],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ code: 'BAD_INPUT'.repeat(8) }) })),
  },
  'code-of-nobody': {
    finds: ['errors.vocabulary'],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ code: 'bad input' }) })),
  },
  'two-codes': {
    finds: ['errors.both'],
    payload: wrongInput((sound) => ({ ...sound, errors: [{ code: 'VALIDATION_ERROR', message: 'No such mode.' }] })),
  },
  'one-of-two': {
    finds: ['errors.both'],
    payload: wrongInput((sound) => ({ ...sound, errors: undefined })),
  },
  fieldless: {
    finds: ['errors.field'],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ field: undefined }) })),
  },
  'no-advice': {
    finds: ['errors.suggestion'],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ suggestion: undefined }) })),
  },
  'no-way-on': {
    finds: ['errors.recovery'],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ recovery: 'perhaps' }) })),
  },
  'error-without-context': {
    finds: ['errors.context'],
    payload: wrongInput(({ context: _context, ...sound }) => sound),
  },
  talkative: {
    finds: ['errors.internals'],
    payload: wrongInput((sound) => ({
      ...sound,
      ...coded({ message: 'boom\n    at buy (/srv/agent/dist/buy.js:10:5)' }),
    })),
  },
  'tells-its-stack': {
    finds: ['errors.internals'],
    payload: ({ task }, sound) =>
      task === 'get_media_buys' ? { ...sound, debug: 'boom\n    at buy (file.js:10:5)' } : sound,
  },
  'echoes-its-key': {
    finds: ['auth.secrets'],
    payload: ({ key, task }, sound) => (task === 'get_media_buys' ? { ...sound, debug: `Bearer ${key}` } : sound),
  },
  'shows-its-database': {
    finds: ['auth.secrets'],
    payload: ({ task }, sound) =>
      task === 'get_media_buys' ? { ...sound, debug: 'postgres://ads:hunter2@db.internal/ads' } : sound,
  },
  'slow-a2a': { finds: ['speed.a2a'], delayMs: ({ path }) => (path === '/a2a' ? 2100 : 0) },
  'any-cursor': {
    finds: ['errors.cursor'],
    payload: ({ args, task }, sound) =>
      task !== 'get_products' && args.pagination !== undefined ? { status: 'completed', context: args.context } : sound,
  },
  'listed-and-lost': {
    finds: ['reads.served'],
    answer: ({ task }, sound) => (task === 'get_media_buys' ? { status: 500, headers: {} } : sound),
  },
  shapeless: {
    finds: ['reads.shape'],
    payload: read('list_accounts', () => ({ accounts: [{ account_id: 7, name: 'An account', status: 'open' }] })),
  },
  'two-texts': {
    finds: ['reads.text'],
    answer: ({ args, task }, sound) =>
      task === 'list_accounts' && args.pagination === undefined
        ? mapResult(sound, (one) => ({ ...one, content: [{ type: 'text', text: '{}' }] }))
        : sound,
  },
  'forgetful-reads': { finds: ['reads.context'], payload: read('list_accounts', () => ({ context: undefined })) },
  'always-replayed': { finds: ['reads.replayed'], payload: read('list_accounts', () => ({ replayed: true })) },
  'twins-for-sale': {
    finds: ['reads.products'],
    payload: read('get_products', ({ products }) => ({ products: [products, products].flat() })),
  },
  'sells-for-others': {
    finds: ['reads.portfolio'],
    payload: read('get_products', ({ products }) => ({
      products: [products].flat().map((one) => ({
        ...(isObject(one) ? one : {}),
        publisher_properties: [{ publisher_domain: 'another.example', selection_type: 'all' }],
      })),
    })),
  },
  'begins-again': {
    finds: ['reads.pages'],
    payload: ({ args, task }, sound) =>
      task === 'list_creative_formats' && isObject(args.pagination) && args.pagination.cursor === 'the-second'
        ? { ...sound, formats: [{ format_id: { agent_url: 'https://creative.example/mcp', id: 'display_300x250' } }] }
        : sound,
  },
  'slow-reads': {
    finds: ['speed.reads'],
    delayMs: ({ args, key, task }) =>
      key === KEY && task === 'list_accounts' && args.pagination === undefined ? 5100 : 0,
  },
  'of-nobody': {
    finds: ['capabilities.webhook-signing', 'brand.missing'],
    declared: (sound) => ({ ...sound, identity: undefined, request_signing: undefined, webhook_signing: undefined }),
    file: without('/.well-known/brand.json'),
  },
  'no-brand': { finds: ['brand.served'], file: without('/.well-known/brand.json') },
  'not-in-brand': {
    finds: ['brand.lists-agent'],
    file: (path, sound) =>
      path.endsWith('brand.json')
        ? { agents: [{ type: 'sales', id: 'sales', url: 'https://another.example/mcp' }] }
        : sound,
  },
  'no-keys': { finds: ['keys.served'], file: without('/.well-known/jwks.json') },
  'shown-secret': { finds: ['keys.shape'], file: keys({ d: 'c2VjcmV0' }) },
  'purposeless-key': { finds: ['keys.purpose'], file: keys({ adcp_use: 'decoration', proto_use: 'decoration' }) },
  'key-for-secrets': { finds: ['keys.usable'], file: keys({ use: 'enc' }) },
  'keys-elsewhere': {
    finds: ['keys.origin'],
    declared: (sound) => ({
      ...sound,
      identity: { ...member(sound, 'identity'), key_origins: { request_signing: 'https://keys.example' } },
    }),
  },
  'pins-of-another': {
    finds: ['adagents.keys'],
    file: agentEntry({ signing_keys: [{ kid: 'other', kty: 'OKP', crv: 'Ed25519', x: 'AA' }] }),
  },
  'agent-of-elsewhere': { finds: ['adagents.countries'], file: agentEntry({ countries: ['JP'] }) },
  'agent-of-no-property': {
    finds: ['adagents.authorizes'],
    file: (path, sound) => {
      const file = agentEntry({ authorization_type: 'property_ids', property_ids: ['front_page'] })(path, sound);
      return path.endsWith('adagents.json') ? { ...file, properties: [] } : file;
    },
  },
  'yesterdays-agent': { finds: ['adagents.authorizes'], file: agentEntry({ effective_until: '2025-01-01T00:00:00Z' }) },
  unauthorized: {
    finds: ['adagents.authorizes'],
    file: (path, sound) => (path.endsWith('adagents.json') ? { authorized_agents: [] } : sound),
  },
  contradicted: {
    finds: ['adagents.both-ways'],
    file: (path, sound) => {
      if (path.endsWith('brand.json')) return portfolio('contradicted', 'owned');
      const agents = sound?.authorized_agents;
      return Array.isArray(agents) ? { authorized_agents: [{ ...agents[0], delegation_type: 'delegated' }] } : sound;
    },
  },
  'half-a-file': {
    finds: ['adagents.valid'],
    file: (path, sound) => {
      const agents = sound?.authorized_agents;
      return path.endsWith('adagents.json') && Array.isArray(agents)
        ? { authorized_agents: [...agents, { url: 'no url' }] }
        : sound;
    },
  },
  'shut-sandbox': {
    finds: ['sandbox.taken'],
    payload: ({ task }, sound) =>
      task === 'sync_accounts' ? failure('ACCOUNT_SETUP_REQUIRED', 'Call us.', 'accounts') : sound,
  },
  'takes-keyless': {
    finds: ['idempotency.required'],
    payload: ({ args, task }, sound) =>
      task === 'sync_accounts' && args.idempotency_key === undefined ? { status: 'completed', accounts: [] } : sound,
  },
  'acts-twice': {
    finds: ['idempotency.replay'],
    payload: (_asked, sound) =>
      sound.replayed === true ? { ...sound, accounts: [{ account_id: 'acc_anew' }] } : sound,
  },
  'takes-another': {
    finds: ['idempotency.conflict'],
    payload: (_asked, sound) =>
      isObject(sound.adcp_error) && sound.adcp_error.code === 'IDEMPOTENCY_CONFLICT'
        ? { status: 'completed', accounts: [] }
        : sound,
  },
  'untagged-skills': {
    finds: ['a2a.card'],
    file: card((sound) => ({
      ...sound,
      skills: [sound.skills].flat().map((one) => ({ ...(isObject(one) ? one : {}), tags: [] })),
    })),
  },
  'other-skills': {
    finds: ['a2a.skills'],
    file: card((sound) => ({ ...sound, skills: [sound.skills].flat().slice(0, 3) })),
  },
  'older-card': {
    finds: ['a2a.card-path'],
    file: (path, sound) => {
      if (path.endsWith('agent-card.json')) return undefined;
      return path.endsWith('agent.json')
        ? cardOf('https://older-card.agents.example', [{ name: 'sell', description: 'Sells.' }])
        : sound;
    },
  },
  'versionless-interface': {
    finds: ['a2a.interfaces'],
    file: card(({ protocolVersion: _version, ...sound }) => sound),
  },
  'answers-with-words': {
    finds: ['a2a.send'],
    a2a: skill('get_adcp_capabilities', (sound) => ({ ...sound, task: undefined, message: { parts: [] } })),
  },
  'two-tongues': {
    finds: ['a2a.same-answer'],
    a2a: skill('get_adcp_capabilities', (sound) =>
      withData(sound, (data) => ({ ...data, supported_protocols: ['creative'] })),
    ),
  },
  'any-a2a-version': {
    finds: ['a2a.revision'],
    a2a: (asked, sound) => (errorCode(sound) === -32009 ? over(asked) : sound),
  },
  'any-a2a-task': {
    finds: ['a2a.unknown-task'],
    a2a: (asked, sound) => (errorCode(sound) === -32001 ? over(asked) : sound),
  },
  'any-skill': {
    finds: ['a2a.unknown-skill'],
    a2a: (asked, sound) => (skillIn(asked) === 'doctor_no_such_task' ? over(asked) : sound),
  },
  'open-back-door': { finds: ['a2a.auth'], a2a: (asked, sound) => (sound.status === 401 ? over(asked) : sound) },
  'answers-at-once': {
    finds: ['sandbox.held'],
    payload: (_asked, sound) => (sound.status === 'submitted' ? { status: 'completed', products: [] } : sound),
  },
  'forgets-tasks': {
    finds: ['a2a.answered-task', 'a2a.held-task'],
    a2a: (asked, sound) =>
      /^(tasks\/get|GetTask)$/.test(asked.method ?? '')
        ? { ...sound, body: { jsonrpc: '2.0', id: asked.id, error: { code: -32001, message: 'No.' } } }
        : sound,
  },
  'streams-nothing': {
    finds: ['a2a.streaming'],
    a2a: (asked, sound) =>
      /stream/i.test(asked.method ?? '')
        ? { ...sound, headers: {}, body: { jsonrpc: '2.0', id: asked.id, error: { code: -32601, message: 'No.' } } }
        : sound,
  },
  unmarked: {
    finds: ['sandbox.marked'],
    payload: ({ task }, { sandbox, ...sound }) =>
      task === 'get_products' || sandbox === undefined ? sound : { ...sound, sandbox },
  },
  'silent-about-tasks': { finds: ['webhooks.task'], webhook: sent('task', () => undefined) },
  'tells-twice': {
    finds: ['webhooks.task-key'],
    webhook: sent('task', (sound) => [
      sound,
      { ...sound, body: { ...sound.body, idempotency_key: 'another-key-of-the-event' } },
    ]),
  },
  'retries-under-another-key': {
    finds: ['webhooks.task-key'],
    again: (sound) => ({ ...sound, body: { ...sound.body, idempotency_key: 'the-key-of-the-second-attempt' } }),
  },
  'never-tries-again': { finds: ['webhooks.task-again'], again: () => undefined },
  'unsigned-task': { finds: ['webhooks.task-signature'], webhook: sent('task', unsignedWebhook) },
  'operation-of-another': {
    finds: ['webhooks.task-envelope'],
    webhook: sent('task', (sound) => ({ ...sound, body: { ...sound.body, operation_id: 'another' } })),
  },
  'lost-registration': {
    finds: ['a2a.push-config'],
    a2a: (asked, sound) =>
      /push/i.test(asked.method ?? '') ? { ...sound, body: { id: asked.id, result: [] } } : sound,
  },
  'silent-about-pushes': { finds: ['a2a.push'], webhook: sent('push', () => undefined) },
  'unsigned-push': { finds: ['a2a.push-signature'], webhook: sent('push', unsignedWebhook) },
  'task-of-another': {
    finds: ['a2a.push-envelope'],
    webhook: sent('push', (sound) => ({ ...sound, body: { ...sound.body, id: 'another' } })),
  },
  unchallenged: { finds: ['webhooks.challenge'], webhook: sent('challenge', () => undefined) },
  'unsigned-challenge': { finds: ['webhooks.signature'], webhook: sent('challenge', unsignedWebhook) },
  'half-a-challenge': {
    finds: ['webhooks.envelope'],
    webhook: sent('challenge', ({ body: { subscriber_id: _id, ...body }, ...sound }) => ({ ...sound, body })),
  },
};

/** Agents that keep to the protocol in a way of their own. */
export const UNUSUAL: Readonly<Record<string, Fault>> = {
  'lists-one-by-one': {
    finds: [],
    answer: result('tools/list', ({ tools }, { args }) => {
      const at = Number(args.cursor ?? 0);
      const all: readonly unknown[] = Array.isArray(tools) ? tools : [];
      return { tools: all.slice(at, at + 1), ...(at + 1 < all.length && { nextCursor: String(at + 1) }) };
    }),
  },
  'types-in-capitals': {
    finds: [],
    answer: (_asked, sound) => ({
      ...sound,
      headers: { ...sound.headers, 'content-type': 'Application/JSON;charset=UTF-8' },
    }),
  },
  'events-in-capitals': {
    finds: [],
    answer: ({ path }, sound) =>
      path === '/mcp' && sound.status === 200
        ? {
            ...sound,
            headers: { 'content-type': 'Text/Event-Stream' },
            body: `: so far\n\ndata: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message' })}\r\n\r\nid: 1\ndata: ${JSON.stringify(sound.body)}\n\n`,
          }
        : sound,
  },
  'tools-of-prototypes': {
    finds: [],
    tools: (sound) => [
      ...sound,
      ...['constructor', '__proto__', 'hasOwnProperty'].map((name) => ({
        name,
        description: 'Of its own.',
        inputSchema: { type: 'object', properties: { context: {} } },
      })),
    ],
  },
  'code-of-a-vendor': {
    finds: [],
    payload: wrongInput((sound) => ({ ...sound, ...coded({ code: 'X_ACME_NO_SUCH_MODE' }) })),
  },
};

function card(change: (sound: Json) => Json) {
  return (path: string, sound: Json | undefined): Json | undefined =>
    path.endsWith('agent-card.json') && sound !== undefined ? change(sound) : sound;
}

/** Changes what a publisher's file says of its agents. */
function agentEntry(changes: Json) {
  return (path: string, sound: Json | undefined): Json | undefined => {
    const agents: readonly unknown[] = Array.isArray(sound?.authorized_agents) ? sound.authorized_agents : [];
    const changed = agents.filter(isObject).map((agent) => ({ ...agent, ...changes }));
    return path.endsWith('adagents.json') ? { authorized_agents: changed } : sound;
  };
}

/** Changes the answer of a read that is asked as a buyer asks it. */
function read(name: string, change: (sound: Json) => Json) {
  return ({ args, task }: Asked, sound: Json): Json => {
    const isPlain =
      args.pagination === undefined && (args.buying_mode ?? 'brief') === 'brief' && sound.status === 'completed';
    return task === name && isPlain ? { ...sound, ...change(sound) } : sound;
  };
}

function skillIn({ args: { message } }: Asked): unknown {
  const parts = isObject(message) && Array.isArray(message.parts) ? (message.parts as readonly unknown[]) : [];
  const [part] = parts;
  return isObject(part) && isObject(part.data) ? part.data.skill : undefined;
}

function skill(name: string, change: (result: Json) => Json) {
  return (asked: Asked, sound: Given): Given => (skillIn(asked) === name ? mapResult(sound, change) : sound);
}

function withData(result: Json, change: (data: Json) => Json): Json {
  return JSON.parse(JSON.stringify(result), (name: string, value: unknown) =>
    name === 'data' && isObject(value) ? change(value) : value,
  ) as Json;
}

function errorCode({ body }: Given): unknown {
  return isObject(body) && isObject(body.error) ? body.error.code : undefined;
}

/** A Task that is over, whatever was asked. */
function over({ id, method = '' }: Asked): Given {
  const isNewer = /^[A-Z]/.test(method);
  const task = taskOf({ status: 'completed' }, isNewer);
  return { status: 200, headers: {}, body: { jsonrpc: '2.0', id, result: isNewer ? { task } : task } };
}

function sent(kind: Webhook['kind'], change: (sound: Webhook) => ReturnType<NonNullable<Fault['webhook']>>) {
  return (sound: Webhook): ReturnType<NonNullable<Fault['webhook']>> => (sound.kind === kind ? change(sound) : sound);
}

function unsignedWebhook(sound: Webhook): Webhook {
  return { ...sound, isSigned: false };
}

/** A house whose one brand declares the site of the publisher. */
function portfolio(name: string, relationship: string): Json {
  const url = `https://${name}.agents.example/mcp`;
  const properties = [{ type: 'website', identifier: `${name}.news.example`, relationship }];
  return {
    house: { domain: `${name}.agents.example`, name: 'A house', agents: [{ type: 'sales', id: 'sales', url }] },
    brands: [{ id: 'main', names: [{ en: 'A brand' }], properties }],
  };
}

function member(object: Json, name: string): Json {
  const value = object[name];
  return isObject(value) ? value : {};
}

function taken({ args, id }: Asked): Given {
  const payload = { status: 'completed', accounts: [], context: args.context };
  const content = [{ type: 'text', text: JSON.stringify(payload) }];
  return { status: 200, headers: {}, body: { jsonrpc: '2.0', id, result: { content, structuredContent: payload } } };
}

function mapResult(sound: Given, change: (result: Json) => Json): Given {
  const body = isObject(sound.body) ? sound.body : {};
  return isObject(body.result) ? { ...sound, body: { ...body, result: change(body.result) } } : sound;
}

/** Changes members of the message itself. */
function changeBody(sound: Given, change: (message: Json) => Json): Given {
  return isObject(sound.body) ? { ...sound, body: { ...sound.body, ...change(sound.body) } } : sound;
}

function result(method: string, change: (result: Json, asked: Asked) => Json) {
  return (asked: Asked, sound: Given): Given =>
    asked.method === method ? mapResult(sound, (one) => change(one, asked)) : sound;
}

function schema(name: string, change: (schema: Json) => Json) {
  return (sound: readonly Json[]): readonly Json[] =>
    sound.map((tool) => (tool.name === name ? { ...tool, inputSchema: change(member(tool, 'inputSchema')) } : tool));
}

function adcp(changes: Json) {
  return (sound: Json): Json => ({ ...sound, adcp: { ...member(sound, 'adcp'), ...changes } });
}

function wrongInput(change: (sound: Json) => Json) {
  return ({ args, task }: Asked, sound: Json): Json =>
    task === 'get_products' && args.buying_mode === 'no-such-mode' ? change(sound) : sound;
}

function coded(changes: Json): Json {
  const { adcp_error: error } = failure('INVALID_REQUEST', 'No such mode.', 'buying_mode');
  const changed = { ...(isObject(error) ? error : {}), ...changes };
  return { adcp_error: changed, errors: [changed] };
}

function without(path: string) {
  return (at: string, sound: Json | undefined): Json | undefined => (at === path ? undefined : sound);
}

function keys(changes: Json) {
  return (path: string, sound: Json | undefined): Json | undefined => {
    const [key]: readonly unknown[] = Array.isArray(sound?.keys) ? sound.keys : [];
    return path.endsWith('jwks.json') && isObject(key) ? { keys: [{ ...key, ...changes }] } : sound;
  };
}

/** An agent that points strangers to OAuth, with metadata that is sound but for what is changed. */
function oauth(resource: Json, issuer: Json): Pick<Fault, 'answer' | 'file'> {
  const name = 'resource' in resource ? 'metadata-of-another' : 'issuer-of-another';
  const origin = `https://${name}.agents.example`;
  const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  return {
    answer: (_asked, sound) =>
      sound.status === 401 ? { ...sound, headers: { 'www-authenticate': challenge } } : sound,
    file: (path, sound) => {
      if (path.startsWith('/.well-known/oauth-protected'))
        return { resource: `${origin}/mcp`, authorization_servers: [origin], ...resource };
      if (path.startsWith('/.well-known/oauth-authorization'))
        return {
          issuer: origin,
          authorization_endpoint: 'https://login.example/authorize',
          token_endpoint: 'https://login.example/token',
          code_challenge_methods_supported: ['S256'],
          ...issuer,
        };
      return sound;
    },
  };
}
