import type { Bendable } from '../fixture.js';
import type { Variant } from '../variant.js';

const signing =
  (request_signing: unknown) =>
  (tenant: Bendable): void =>
    Object.assign(tenant, { request_signing });

/** Gives the first principal, who is no sandbox, or the second, who is one, an agent that signs. */
const signer =
  (index: number, changes: object) =>
  (tenant: Bendable): void =>
    Object.assign(tenant.principals[index], { signer: { agent_url: 'https://agent.example/mcp', ...changes } });

/** Faults of what is said about signed calls and who signs them. */
export const BROKEN_SIGNING: readonly Variant[] = [
  {
    what: 'an unknown word about signing',
    bend: signing({ require_for: [] }),
    pointer: '/request_signing/require_for',
    line: '"require_for"',
    says: /Rename it to "required_for"/,
  },
  {
    what: 'an unknown digest policy',
    bend: signing({ covers_content_digest: 'optional' }),
    pointer: '/request_signing/covers_content_digest',
    line: '"optional"',
    says: /"either"/,
  },
  {
    what: 'a signature required for no task',
    bend: signing({ required_for: ['create_media_by'] }),
    pointer: '/request_signing/required_for/0',
    line: '"create_media_by"',
    says: /no task "create_media_by".*Did you mean "create_media_buy"/,
  },
  {
    what: 'a warning for a method of JSON-RPC',
    bend: signing({ warn_for: ['tools/list'] }),
    pointer: '/request_signing/warn_for/0',
    line: '"tools/list"',
    says: /no task "tools\/list".*"create_media_buy"/,
  },
  {
    what: 'a task that needs a signature and does with a wrong one',
    bend: signing({ required_for: ['create_media_buy'], warn_for: ['get_products', 'create_media_buy'] }),
    pointer: '/request_signing/warn_for/1',
    line: '"get_products",',
    shift: 1,
    says: /one of the two lists/,
  },
  {
    what: 'a signer where nobody looks at signatures',
    bend: (t) => {
      signing({ supported: false })(t);
      signer(0, {})(t);
    },
    pointer: '/principals/0/signer',
    line: '"signer"',
    says: /not looked at/,
  },
  {
    what: 'signatures alone, and nobody who signs',
    bend: signing({ strict: true }),
    pointer: '/request_signing/strict',
    line: '"strict"',
    says: /no principal has a signer.*"create_media_buy"/,
    options: { development: false },
  },
  {
    what: 'two principals with one agent',
    bend: (t) => {
      signer(0, {})(t);
      signer(1, {})(t);
      t.principals[1].signer.$comment = 'x';
    },
    pointer: '/principals/1/signer/agent_url',
    line: '"$comment": "x"',
    shift: -1,
    says: /used twice/,
  },
  {
    what: 'an agent without an address',
    bend: (t) => Object.assign(t.principals[0], { signer: { jwks_uri: 'https://agent.example/jwks.json' } }),
    pointer: '/principals/0/signer/agent_url',
    line: '"signer"',
    says: /"agent_url" is missing/,
  },
  {
    what: 'keys in two places',
    bend: signer(0, {
      jwks_uri: 'https://agent.example/jwks.json',
      brand_json_url: 'https://agent.example/brand.json',
    }),
    pointer: '/principals/0/signer/brand_json_url',
    line: '"brand_json_url"',
    says: /never be read/,
  },
  {
    what: 'keys over plain http',
    bend: signer(0, { jwks_uri: 'http://keys.example/jwks.json' }),
    pointer: '/principals/0/signer/jwks_uri',
    line: '"http://keys.example/jwks.json"',
    says: /https address/,
  },
  {
    what: 'keys of a real buyer on this machine',
    bend: signer(0, { jwks_uri: 'http://127.0.0.1:9000/jwks.json' }),
    pointer: '/principals/0/signer/jwks_uri',
    line: '"http://127.0.0.1:9000/jwks.json"',
    says: /sandbox principals in development mode/,
  },
  {
    what: 'an agent in a private network',
    bend: signer(1, { agent_url: 'https://10.0.0.7/mcp' }),
    pointer: '/principals/1/signer/agent_url',
    line: '"https://10.0.0.7/mcp"',
    says: /public internet/,
  },
  {
    what: 'keys of a sandbox on this machine, outside development mode',
    bend: signer(1, { brand_json_url: 'https://localhost/brand.json' }),
    pointer: '/principals/1/signer/brand_json_url',
    line: '"https://localhost/brand.json"',
    says: /public internet/,
    options: { development: false },
  },
];
