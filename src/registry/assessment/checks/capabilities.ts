import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../platform/kernel/json/json.js';
import { quoteValue } from '../../documents/finding.js';
import { domainName } from '../../model/domains.js';
import { PRICING_MODELS } from '../answer-shapes.js';
import { type Check, check, faultsOf, REFERENCES } from '../check.js';
import { isRefusal, type JsonObject, SENT_CONTEXT, type Subject } from '../evidence.js';
import { textFaults } from '../result-text.js';
import { type Shape, shapeFaults } from '../shape.js';
import { SPECIALISMS } from '../specialisms.js';
import { describeExchange, errorOf } from '../task-error.js';
import { textsOf } from '../texts.js';

const PROTOCOLS: ReadonlySet<string> = new Set([
  'media_buy',
  'signals',
  'governance',
  'sponsored_intelligence',
  'creative',
  'brand',
  'measurement',
]);
const ALGORITHMS: ReadonlySet<string> = new Set(['ed25519', 'ecdsa-p256-sha256']);
/** Members of the capabilities that promise tasks. */
const FEATURES: readonly { readonly path: readonly string[]; readonly tasks: readonly string[] }[] = [
  { path: ['account', 'account_financials'], tasks: ['get_account_financials'] },
  { path: ['media_buy', 'features', 'audience_targeting'], tasks: ['sync_audiences'] },
  { path: ['media_buy', 'audience_targeting'], tasks: ['sync_audiences'] },
  { path: ['media_buy', 'features', 'conversion_tracking'], tasks: ['sync_event_sources', 'log_event'] },
  { path: ['media_buy', 'conversion_tracking'], tasks: ['sync_event_sources', 'log_event'] },
  { path: ['media_buy', 'features', 'catalog_management'], tasks: ['sync_catalogs'] },
];
const FLAG = 'flag';
/** Members that capabilities may have, as 3.0 and 3.1 both have them. */
const DECLARED_SHAPE: Shape = {
  may: {
    account: {
      may: {
        require_operator_auth: FLAG,
        supported_billing: { items: { words: ['operator', 'agent', 'advertiser'] } },
        required_for_products: FLAG,
        account_financials: FLAG,
        sandbox: FLAG,
      },
    },
    media_buy: {
      may: {
        supported_pricing_models: { items: { words: PRICING_MODELS } },
        features: 'object',
        execution: 'object',
        portfolio: { must: { publisher_domains: { items: 'text', min: 1 } } },
      },
    },
    request_signing: {
      must: { supported: FLAG },
      may: { supported_for: { items: 'text' }, required_for: { items: 'text' } },
    },
    webhook_signing: { must: { supported: FLAG }, may: { legacy_hmac_fallback: FLAG } },
    specialisms: { items: 'text' },
    last_updated: 'instant',
  },
};
const RELEASE = /^\d+\.\d+(-[a-zA-Z0-9.-]+)?$/;
const MIN_TTL_SECONDS = 3600;
const MAX_TTL_SECONDS = 604_800;

/** What the agent says that it can do, and under which release. */
export const CAPABILITY_CHECKS: readonly Check[] = [
  check({
    id: 'capabilities.answered',
    severity: 'error',
    needs: ['capabilities'],
    rule: 'get_adcp_capabilities is answered with what the agent can do; no argument is needed.',
    reference: REFERENCES.capabilities,
    fix: 'Answer it at once, as structured content and as JSON text.',
    judge: ({ capabilities: { exchange, isError, payload } }) => {
      if (isRefusal(exchange)) return 'not_applicable';
      if (payload === undefined) return [describeExchange(exchange)];
      return faultsOf([isError, `It fails with ${quoteValue(errorOf(payload)?.code)}.`]);
    },
  }),
  check({
    id: 'capabilities.public',
    severity: 'note',
    needs: ['publicCapabilities'],
    rule: 'get_adcp_capabilities is a public task: registries read it without a key.',
    reference: REFERENCES.capabilities,
    fix: 'Let strangers call get_adcp_capabilities.',
    judge: ({ publicCapabilities: { exchange } }) => faultsOf([isRefusal(exchange), 'It asks for credentials.']),
  }),
  check({
    id: 'capabilities.shape',
    severity: 'error',
    needs: ['declared'],
    rule: 'Capabilities hold adcp.major_versions, adcp.idempotency and supported_protocols, each member of its type and among its words.',
    reference: REFERENCES.capabilities,
    fix: 'Add what is missing, and correct what is of another type; the public schema says how.',
    judge: ({ declared, names }) => {
      const root = rootOf(declared, names.capabilitiesRoot);
      const protocols = textsOf(declared.supported_protocols);
      const majors: readonly unknown[] = Array.isArray(root.major_versions) ? root.major_versions : [];
      return [
        ...faultsOf(
          [!majors.some(Number.isInteger), `${names.capabilitiesRoot}.major_versions names no major release.`],
          [protocols.length === 0, 'supported_protocols names none.'],
        ),
        ...protocols.filter((one) => !PROTOCOLS.has(one)).map((one) => `There is no protocol ${quoteValue(one)}.`),
        ...shapeFaults(declared, DECLARED_SHAPE),
      ];
    },
  }),
  check({
    id: 'capabilities.idempotency',
    severity: 'error',
    needs: ['declared'],
    rule: 'adcp.idempotency says whether keys are honored, and for how long: an hour to a week.',
    reference: REFERENCES.idempotency,
    fix: 'Declare {"supported": true, "replay_ttl_seconds": 86400}, or {"supported": false} alone.',
    judge: ({ declared, names }) => idempotencyFaults(rootOf(declared, names.capabilitiesRoot).idempotency),
  }),
  check({
    id: 'capabilities.versions',
    severity: 'error',
    needs: ['declared'],
    rule: 'supported_versions lists releases as major.minor, of the majors that are declared.',
    reference: REFERENCES.versioning,
    fix: 'List releases without a patch number, such as ["3.0", "3.1"].',
    judge: ({ declared, names }) => {
      const { major_versions, supported_versions } = rootOf(declared, names.capabilitiesRoot);
      if (supported_versions === undefined) return 'not_applicable';
      const majors: readonly unknown[] = Array.isArray(major_versions) ? major_versions : [];
      const releases: readonly unknown[] = Array.isArray(supported_versions) ? supported_versions : [];
      return [
        ...faultsOf([releases.length === 0, 'It lists none.']),
        ...releases.flatMap((release) => {
          if (!RELEASE.test(String(release))) return [`${quoteValue(release)} is no release.`];
          const isDeclared = majors.includes(Number.parseInt(String(release), 10));
          return faultsOf([!isDeclared, `${quoteValue(release)} is of a major release that is not declared.`]);
        }),
      ];
    },
  }),
  check({
    id: 'capabilities.echo',
    severity: 'error',
    needs: ['releases'],
    rule: 'Asked for a release that it supports, an agent serves it and names it in adcp_version.',
    reference: REFERENCES.versioning,
    fix: 'Write the release that was served into every answer.',
    judge: ({ names, releases }) => {
      if (releases.length === 0) return 'not_applicable';
      return releases.flatMap(({ answer: { isError, payload }, release }) => {
        if (payload === undefined || isError) return [`${release} is listed, and not served.`];
        const served = payload[names.version];
        return faultsOf([served !== release, `Asked for ${release}, it names ${quoteValue(served)}.`]);
      });
    },
  }),
  check({
    id: 'capabilities.major',
    severity: 'error',
    needs: ['wrongMajor'],
    rule: 'A major release that an agent does not serve is refused with VERSION_UNSUPPORTED.',
    reference: REFERENCES.versioning,
    fix: 'Read adcp_major_version of every request before anything else.',
    judge: ({ wrongMajor: { isError, payload } }) => {
      const code = errorOf(payload)?.code;
      return faultsOf(
        [code !== 'VERSION_UNSUPPORTED', `Release 99 is answered with ${shownCode(code)}.`],
        [code === 'VERSION_UNSUPPORTED' && !isError, 'VERSION_UNSUPPORTED comes without isError, as a success.'],
      );
    },
  }),
  check({
    id: 'capabilities.way-on',
    severity: 'warning',
    needs: ['wrongMajor'],
    rule: 'VERSION_UNSUPPORTED says in details.supported_versions which releases are served.',
    reference: REFERENCES.versioning,
    fix: 'Add "details": {"supported_versions": ["3.0", "3.1"]} to the error.',
    judge: ({ wrongMajor: { payload } }) => {
      const error = errorOf(payload);
      if (error?.code !== 'VERSION_UNSUPPORTED') return 'not_applicable';
      const details = isObject(error.details) ? error.details : {};
      return faultsOf([textsOf(details.supported_versions).length === 0, 'It names none.']);
    },
  }),
  check({
    id: 'capabilities.context',
    severity: 'error',
    needs: ['declared'],
    rule: 'The context of a request comes back as it was sent.',
    reference: REFERENCES.envelope,
    fix: 'Copy "context" into the answer, unread.',
    judge: ({ declared }) =>
      faultsOf(
        [declared.context === undefined, 'The answer has no context.'],
        [
          declared.context !== undefined && !isDeepStrictEqual(declared.context, SENT_CONTEXT),
          `${quoteValue(JSON.stringify(SENT_CONTEXT))} came back as ${quoteValue(declared.context)}.`,
        ],
      ),
  }),
  check({
    id: 'capabilities.text',
    severity: 'error',
    needs: ['capabilities'],
    rule: 'The text of a result and its structured content say the same.',
    reference: REFERENCES.tools,
    fix: 'Write the payload once, and send it as text and as structuredContent.',
    judge: ({ capabilities }) =>
      capabilities.exchange.ok && capabilities.payload !== undefined ? textFaults(capabilities) : 'not_applicable',
  }),
  check({
    id: 'capabilities.status',
    severity: 'error',
    needs: ['releases'],
    rule: 'From 3.1 on every answer says in its status where the task is: completed.',
    reference: REFERENCES.envelope,
    fix: 'Add "status": "completed" to the root of the answer.',
    judge: ({ releases }) => {
      const newer = releases.filter(({ answer, release }) => release !== '3.0' && answer.payload !== undefined);
      if (newer.length === 0) return 'not_applicable';
      return newer.flatMap(({ answer: { isError, payload }, release }) =>
        faultsOf([
          !isError && payload?.status !== 'completed',
          `Under ${release} it is ${quoteValue(payload?.status)}.`,
        ]),
      );
    },
  }),
  check({
    id: 'capabilities.webhook-signing',
    severity: 'error',
    needs: ['declared'],
    rule: 'An agent that reports by webhook signs its webhooks, and says so in webhook_signing.',
    reference: REFERENCES.webhooks,
    fix: 'Sign webhooks by RFC 9421 and declare {"supported": true, "profile": "adcp/webhook-signing/v1", "algorithms": ["ed25519"]}.',
    judge: ({ declared, names }) => {
      const mediaBuy = isObject(declared.media_buy) ? declared.media_buy : {};
      if (!textsOf(mediaBuy.reporting_delivery_methods).includes('webhook')) return 'not_applicable';
      const signing = isObject(declared.webhook_signing) ? declared.webhook_signing : {};
      return faultsOf(
        [signing.supported !== true, 'Reports go out by webhook, and webhook_signing.supported is not true.'],
        [
          signing.supported === true && !names.acceptedWebhookTags.includes(String(signing.profile)),
          `The profile is ${quoteValue(signing.profile)}.`,
        ],
        ...textsOf(signing.algorithms)
          .filter((name) => !ALGORITHMS.has(name))
          .map((name) => [true, `${quoteValue(name)} is no algorithm of the profile.`] as const),
      );
    },
  }),
  check({
    id: 'capabilities.specialisms',
    severity: 'error',
    needs: ['declared'],
    rule: 'A specialism is one of the protocol’s, its protocol is declared too, and its tasks are offered.',
    reference: REFERENCES.capabilities,
    fix: 'Correct the name, declare its protocol in supported_protocols, and list its tasks; or leave the claim out.',
    judge: ({ declared, tools }) => {
      const protocols = textsOf(declared.supported_protocols);
      const claimed = textsOf(declared.specialisms);
      if (claimed.length === 0) return 'not_applicable';
      return claimed.flatMap((name) => {
        const specialism = SPECIALISMS.get(name);
        if (specialism === undefined) return [`There is no specialism ${quoteValue(name)}.`];
        const { protocol, tasks } = specialism;
        const isLost = protocol !== undefined && !protocols.includes(protocol);
        if (isLost) return [`${name} belongs to ${protocol}, which is not declared.`];
        const missing = tools === undefined ? [] : tasks.filter((task) => !tools.some((tool) => tool.name === task));
        return faultsOf([missing.length > 0, `${name} needs ${missing.join(', ')}, which is not listed.`]);
      });
    },
  }),
  check({
    id: 'capabilities.features',
    severity: 'error',
    needs: ['declared', 'tools'],
    rule: 'What is declared is offered: a buyer calls the tasks of a feature because the capabilities name it.',
    reference: REFERENCES.capabilities,
    fix: 'List the tasks, or leave the feature out of the capabilities.',
    judge: ({ declared, tools }) =>
      FEATURES.flatMap(({ path, tasks }) => {
        const value = declaredAt(declared, path);
        const missing = tasks.filter((task) => !tools.some(({ name }) => name === task));
        const isDeclared = value === true || isObject(value);
        return faultsOf([
          isDeclared && missing.length > 0,
          `${path.join('.')} is declared, and there is no ${missing.join(', ')}.`,
        ]);
      }),
  }),
  check({
    id: 'capabilities.request-signing',
    severity: 'error',
    needs: ['declared'],
    rule: 'Tasks whose signature is required or warned of are among those whose signature is read, and no task is both.',
    reference: REFERENCES.security,
    fix: 'Add the tasks to request_signing.supported_for, and name each in one of required_for and warn_for.',
    judge: ({ declared: { request_signing: signing } }) => {
      if (!isObject(signing) || signing.supported !== true) return 'not_applicable';
      const [read, required, warned] = ['supported_for', 'required_for', 'warn_for'].map((name) =>
        textsOf(signing[name]),
      ) as [readonly string[], readonly string[], readonly string[]];
      const unread = [...required, ...warned].filter((task) => !read.includes(task));
      const both = required.filter((task) => warned.includes(task));
      return faultsOf(
        [unread.length > 0, `${unread.join(', ')}: required or warned of, and not in supported_for.`],
        [both.length > 0, `${both.join(', ')}: both in required_for and in warn_for.`],
      );
    },
  }),
  check({
    id: 'capabilities.portfolio',
    severity: 'error',
    needs: ['declared'],
    rule: 'publisher_domains are domain names, at which buyers look for adagents.json.',
    reference: REFERENCES.capabilities,
    fix: 'Write "news.example", without a scheme, a port or a path.',
    judge: ({ declared }) => {
      const domains = textsOf(declaredAt(declared, ['media_buy', 'portfolio', 'publisher_domains']));
      if (domains.length === 0) return 'not_applicable';
      return domains.filter((one) => domainName(one) !== one).map((one) => `${quoteValue(one)} is no domain name.`);
    },
  }),
  check({
    id: 'capabilities.controller',
    severity: 'error',
    needs: ['declared', 'tools'],
    rule: 'The tool that arranges tests is offered where a sandbox is declared alone, and listed where compliance_testing is.',
    reference: REFERENCES.capabilities,
    fix: 'Take comply_test_controller away from agents without a sandbox; offer it where compliance_testing is declared.',
    judge: ({ declared, tools }) => {
      const account = isObject(declared.account) ? declared.account : {};
      const isOffered = tools.some(({ name }) => name === 'comply_test_controller');
      const isDeclared = declared.compliance_testing !== undefined;
      return faultsOf(
        [isOffered && account.sandbox !== true && !isDeclared, 'It is offered, and no sandbox is declared.'],
        [isDeclared && !isOffered, 'compliance_testing is declared, and comply_test_controller is not listed.'],
      );
    },
  }),
];

/** Returns what a path of a declaration holds. */
function declaredAt(declared: JsonObject, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), declared);
}

function rootOf(declared: JsonObject, name: Subject['names']['capabilitiesRoot']): JsonObject {
  return isObject(declared[name]) ? declared[name] : {};
}

function shownCode(code: unknown): string {
  return code === undefined ? 'no error' : quoteValue(code);
}

function idempotencyFaults(declared: unknown): readonly string[] {
  if (!isObject(declared)) return ['It is not declared.'];
  if (typeof declared.supported !== 'boolean') return [`supported is ${quoteValue(declared.supported)}.`];
  const ttl = declared.replay_ttl_seconds;
  if (!declared.supported) return faultsOf([ttl !== undefined, 'Keys are not honored, and have a time to live.']);
  const isBounded = typeof ttl === 'number' && ttl >= MIN_TTL_SECONDS && ttl <= MAX_TTL_SECONDS;
  return faultsOf([!isBounded, `replay_ttl_seconds is ${quoteValue(ttl)}.`]);
}
