import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { placesOf, readSource, readSources, type Source } from './house/source.js';
import { PROJECT } from './kit/surroundings.js';

const SOURCES = readSources();

/**
 * Who may import whom: a room imports itself and these; a room is the longest of these paths that a file lies below. A path that
 * ends in a slash stands for all rooms below it.
 */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  'platform/kernel': [],
  'platform/net': ['platform/kernel'],
  'platform/health': ['platform/kernel', 'platform/database'],
  'platform/sealing': ['platform/kernel', 'platform/database'],
  'platform/web': ['platform/kernel', 'platform/net'],
  'platform/mcp': ['platform/kernel', 'platform/net', 'platform/web'],
  'platform/signing': ['platform/kernel', 'platform/net', 'platform/mcp'],
  'platform/database': ['platform/kernel'],
  protocol: ['platform/kernel', 'platform/net'],
  creative: ['platform/', 'protocol'],
  receiver: ['platform/', 'protocol'],
  client: ['platform/'],
  // What runs in the frame of a host knows the answers of tasks and nothing of the server.
  apps: [],
  'registry/settings': ['platform/kernel'],
  'registry/documents': ['platform/', 'protocol', 'registry/model'],
  'registry/model': ['platform/', 'protocol', 'registry/documents', 'registry/adagents'],
  'registry/adagents': ['platform/', 'protocol', 'registry/documents', 'registry/model', 'registry/brand'],
  'registry/brand': [
    'platform/',
    'protocol',
    'registry/documents',
    'registry/model',
    'registry/adagents',
    'registry/client',
  ],
  'registry/client': ['platform/', 'protocol', 'registry/model'],
  'registry/authorization': [
    'platform/',
    'protocol',
    'registry/documents',
    'registry/model',
    'registry/adagents',
    'registry/brand',
  ],
  'registry/publish': [
    'platform/',
    'protocol',
    'registry/documents',
    'registry/model',
    'registry/adagents',
    'registry/brand',
    'registry/authorization',
  ],
  'registry/assessment': [
    'platform/',
    'protocol',
    'registry/documents',
    'registry/model',
    'registry/adagents',
    'registry/brand',
    'registry/authorization',
  ],
  'registry/store': ['platform/', 'registry/model'],
  'registry/mirror': [
    'platform/',
    'protocol',
    'registry/documents',
    'registry/model',
    'registry/adagents',
    'registry/brand',
    'registry/authorization',
    'registry/client',
    'registry/store',
  ],
  'registry/server': ['platform/', 'protocol', 'registry/'],
  'seller/domain': ['platform/kernel', 'platform/net', 'protocol', 'creative'],
  'seller/store': ['platform/kernel', 'platform/database', 'platform/sealing', 'protocol', 'creative', 'seller/domain'],
  'seller/calls': ['platform/kernel', 'platform/health', 'protocol'],
  'seller/secrets': ['platform/', 'seller/store'],
  'seller/copy': ['platform/', 'seller/store', 'seller/secrets'],
  'seller/oauth': ['platform/', 'protocol', 'seller/domain', 'seller/store'],
  'seller/idempotency': ['platform/kernel', 'platform/database', 'protocol', 'seller/store'],
  'seller/adserver/errors': ['seller/domain', 'seller/adserver/port'],
  'seller/adserver/port': ['platform/kernel', 'platform/net', 'seller/domain'],
  'seller/adserver': [
    'platform/kernel',
    'platform/net',
    'platform/web',
    'creative',
    'seller/domain',
    'seller/store',
    'seller/adserver/errors',
    'seller/adserver/port',
  ],
  'seller/webhooks': ['platform/', 'protocol', 'seller/domain', 'seller/store'],
  'seller/lifecycle': [
    'platform/kernel',
    'seller/domain',
    'seller/store',
    'seller/adserver/errors',
    'seller/adserver/port',
    'seller/adserver',
    'seller/webhooks',
  ],
  'seller/governance': ['platform/', 'protocol', 'seller/domain'],
  'seller/registry': ['platform/', 'protocol', 'registry/', 'seller/domain'],
  'seller/context': ['platform/', 'protocol', 'creative', 'registry/', 'seller/'],
  'seller/sandbox': [
    'platform/',
    'protocol',
    'creative',
    'seller/domain',
    'seller/store',
    'seller/adserver',
    'seller/lifecycle',
    'seller/context',
    'seller/tasks',
  ],
  'seller/tasks': [
    'platform/',
    'protocol',
    'creative',
    'seller/domain',
    'seller/store',
    'seller/idempotency',
    'seller/adserver/port',
    'seller/adserver',
    'seller/webhooks',
    'seller/lifecycle',
    'seller/governance',
    'seller/sandbox',
    'seller/context',
  ],
  'seller/config': [
    'platform/',
    'protocol',
    'creative',
    'registry/settings',
    'registry/adagents',
    'registry/publish',
    'seller/domain',
    'seller/adserver/port',
    'seller/adserver/errors',
  ],
  'seller/http': [
    'platform/',
    'protocol',
    'creative',
    'registry/publish',
    'seller/domain',
    'seller/calls',
    'seller/store',
    'seller/tasks',
    'seller/sandbox',
    'seller/webhooks',
    'seller/context',
  ],
  'seller/alerts': ['platform/', 'seller/domain', 'seller/webhooks', 'seller/tasks', 'seller/http', 'seller/context'],
  'seller/doctor': ['platform/', 'seller/config', 'seller/domain'],
  'seller/console': [
    'seller/calls',
    'seller/doctor',
    'platform/',
    'protocol',
    'creative',
    'registry/model',
    'seller/domain',
    'seller/store',
    'seller/config',
    'seller/adserver',
    'seller/lifecycle',
    'seller/webhooks',
    'seller/tasks',
    'seller/http',
    'seller/context',
  ],
  'seller/app': ['*'],
  'seller/health': ['*'],
  'seller/rounds': ['*'],
  'seller/tenants': ['*'],
  'seller/server': ['*'],
  commands: ['*'],
  index: ['*'],
  cli: ['commands', 'platform/kernel', 'protocol', 'seller/config'],
};

/** The one room (or file) of a library. A pattern ends in `/` for everything below it. */
const OWNERS: readonly (readonly [library: RegExp, owners: readonly string[]])[] = [
  [/^(libsql(\/promise)?|kysely)$/, ['platform/database/']],
  [/^pg$/, ['platform/database/postgres/']],
  [
    /^@modelcontextprotocol\//,
    ['platform/mcp/', 'seller/http/mcp/', 'registry/server/mcp/', 'commands/mcp/', 'apps/host/'],
  ],
  [/^a2a-sdk(\/|$)/, ['seller/http/a2a/', 'commands/a2a/']],
  [/^express$/, ['platform/web/', 'seller/http/', 'seller/console/', 'registry/server/']],
  [/^(htmx\.org|uplot)(\/|$)/, ['seller/console/page/assets.ts']],
  [/^rate-limiter-flexible(\/|$)/, ['platform/web/rate-counters.ts']],
  [/^@opentelemetry\//, ['platform/health/traces.ts']],
  [/^prom-client$/, ['platform/health/metrics.ts']],
  [/^nodemailer$/, ['seller/alerts/mail.ts']],
  [/^pino$/, ['platform/kernel/log.ts']],
  [/^uuid$/, ['platform/kernel/ids.ts']],
  [/^canonicalize$/, ['platform/kernel/canonical.ts']],
  [/^ipaddr\.js$/, ['platform/net/', 'seller/config/']],
  [/^structured-headers$/, ['platform/signing/']],
  [/^tr46$/, ['platform/signing/']],
  [/^tldts$/, ['platform/net/registrable-domain.ts']],
  [/^@noble\/ed25519$/, ['platform/signing/keys/']],
  [/^yaml$/, ['registry/server/openapi/']],
  [/^jose$/, ['registry/server/auth/', 'seller/adserver/gam/', 'seller/oauth/', 'seller/console/access/']],
  [/^oidc-provider$/, ['seller/http/oauth/']],
  [/^jsonc-parser$/, ['seller/config/', 'commands/']],
  [
    /^zod$/,
    [
      'seller/tasks/',
      'seller/adserver/',
      'seller/sandbox/controller/',
      'seller/config/',
      'commands/',
      'creative/',
      'registry/server/',
    ],
  ],
  [/^commander$/, ['cli.ts', 'commands/']],
  [/^sharp$/, ['creative/compose/pictures/']],
  [/^(harfbuzzjs|bidi-js|hyphen\/.+)$/, ['creative/compose/fonts/']],
  [/^linebreak$/, ['creative/compose/layout/']],
  [
    /^p-queue$/,
    ['creative/', 'platform/database/postgres/', 'seller/webhooks/', 'seller/adserver/', 'registry/server/'],
  ],
  [/^fast-xml-parser$/, ['creative/vast/']],
  [/^(undici|node:(https|http2|tls|dns|dns\/promises))$/, ['platform/net/']],
  [/^node:worker_threads$/, ['registry/server/crawl/files/']],
  [/^node:child_process$/, ['creative/media/']],
  [/^node:(cluster|vm)$/, []],
  [/^node:process$/, ['cli.ts']],
];

/** What code may not say outside some files, and the places that are let off, with the reason. */
const WORDS: readonly {
  readonly what: string;
  readonly pattern: RegExp;
  readonly only: readonly string[];
  /** `file: text of the line`. */
  readonly except?: readonly string[];
}[] = [
  {
    what: 'the process: arguments, environment, signals, exit',
    pattern: /(?<!\.)\bprocess\b(?!\s*:)/,
    only: ['cli.ts'],
    except: [
      // The operator's file names the process that wrote it.
      'platform/kernel/files/operator-file.ts: pid: process.pid,',
      // ffmpeg and whatever it started end as a group, for which a child has no method.
      "creative/media/encoder.ts: process.kill(-pid, 'SIGKILL');",
    ],
  },
  {
    what: 'the clock',
    pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b/,
    only: ['platform/kernel/', 'cli.ts', 'apps/order/'],
  },
  {
    what: 'randomness',
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill\w*)\b|\bgetRandomValues\b/,
    only: ['platform/kernel/', 'apps/order/'],
  },
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval)\b/,
    only: ['platform/kernel/loop.ts'],
    // A drain gives up on calls that never end.
    except: ['platform/web/bind.ts: const late = setTimeout(() => {'],
  },
  // The operator's commands reach the server that the operator names; all else goes through the guarded one.
  {
    what: 'outbound HTTP',
    pattern: /(?<!\.)\bfetch\(/,
    only: ['commands/operator.ts', 'commands/a2a/call-over-a2a.ts', 'commands/mcp/bridge.ts', 'platform/net/fetch.ts'],
  },
  { what: 'URL.canParse, which Node 20 gets wrong', pattern: /\bURL\.canParse\(/, only: [] },
  {
    what: 'the console',
    pattern: /\bconsole\b/,
    only: [],
    // The word of a group of commands.
    except: ["commands/index.ts: console: 'who may use the console, where people run the seller',"],
  },
  // Declarations of libraries say what those export.
  {
    what: 'a default export',
    pattern: /\bexport\s+default\b|\bas default\b/,
    only: ['creative/compose/text-libraries.d.ts'],
  },
  { what: 'an enum', pattern: /\benum\s+\w+\s*\{/, only: [] },
  { what: 'a namespace', pattern: /\b(namespace|module)\s+\w+\s*\{/, only: [] },
  { what: 'any', pattern: /(?<!\.)\bany\b/, only: [] },
  { what: 'a cast through unknown', pattern: /\bas unknown as\b/, only: [] },
  { what: 'a silenced compiler', pattern: /@ts-(ignore|expect-error|nocheck)/, only: [] },
];

const MAX_FILES = 16;

const EXPORTED = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface)\s+(\w+)/;

describe('who imports whom', () => {
  it('every room has its row in the table', () => {
    expect(SOURCES.map(({ file }) => file).filter((file) => roomOf(file) === undefined)).toEqual([]);
  });

  it.each(Object.keys(ARROWS))('%s imports nothing above it', (room) => {
    expect(SOURCES.filter(({ file }) => roomOf(file) === room).flatMap(forbiddenImports)).toEqual([]);
  });

  it('seller/context.ts holds and imports types alone', () => {
    const context = SOURCES.filter((source) => source.file === 'seller/context.ts');
    expect(context).toHaveLength(1);
    expect(context.flatMap((source) => source.imports.filter((one) => !one.typeOnly))).toEqual([]);
    expect(context.flatMap((source) => placesOf(source, /^export (async |const |function |class |let )/))).toEqual([]);
  });

  it('every import of our own names a file that is there', () => {
    const files = new Set(SOURCES.map((source) => source.file));
    const lost = SOURCES.flatMap((source) =>
      source.imports
        .filter((one) => one.target !== undefined && !files.has(one.target))
        .map((one) => `${source.file}:${one.line} ${one.name}`),
    );
    expect(lost).toEqual([]);
  });

  it('every built file that the benchmark or an attack loads has its source', () => {
    const files = new Set(SOURCES.map(({ file }) => file));
    // Written whole, or below the folder as `new URL('…', dist)`.
    const built = /dist\/([\w./-]+)\.js|new URL\('([\w./-]+)\.js', dist\)/g;
    const missing = [...filesBelow('test/bench'), ...filesBelow('test/attack')].flatMap(({ file, text }) =>
      [...text.matchAll(built)]
        .map(([, whole, below]) => `${whole ?? below}`)
        .filter((name) => !files.has(`${name}.ts`))
        .map((name) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('there is no circle of imports, of values or of types', () => {
    expect(circles(SOURCES)).toEqual([]);
  });
});

describe('who owns which library', () => {
  it.each(OWNERS)('%s', (library, owners) => {
    const strangers = SOURCES.filter((source) => !isAt(source.file, owners)).flatMap((source) =>
      source.imports.filter((one) => library.test(one.name)).map((one) => `${source.file}:${one.line} ${one.name}`),
    );
    expect(strangers).toEqual([]);
  });

  it('every library has an owner', () => {
    const known = (name: string): boolean =>
      name.startsWith('.') || name.startsWith('node:') || OWNERS.some(([library]) => library.test(name));
    const unowned = SOURCES.flatMap((source) =>
      source.imports.filter((one) => !known(one.name)).map((one) => `${source.file}:${one.line} ${one.name}`),
    );
    expect(unowned).toEqual([]);
  });
});

describe('what code may not say', () => {
  it.each(WORDS)('$what', ({ pattern, only, except = [] }) => {
    const places = SOURCES.filter((source) => !isAt(source.file, only)).flatMap((source) =>
      placesOf(source, pattern).filter((place) => !except.includes(quoted(source, place))),
    );
    expect(places).toEqual([]);
  });

  it('every exception is still there', () => {
    const lines = new Set(SOURCES.flatMap((source) => source.lines.map((line) => `${source.file}: ${line.trim()}`)));
    const files = new Set(SOURCES.map((source) => source.file));
    const exceptions = WORDS.flatMap(({ except = [] }) => except).filter((line) => files.has(line.split(':')[0] ?? ''));
    expect(exceptions.filter((line) => !lines.has(line))).toEqual([]);
  });

  it(`no folder holds more than ${MAX_FILES} files`, () => {
    const sizes = new Map<string, number>();
    for (const { file } of SOURCES) {
      const folder = file.slice(0, file.lastIndexOf('/') + 1);
      sizes.set(folder, (sizes.get(folder) ?? 0) + 1);
    }
    expect([...sizes].filter(([, count]) => count > MAX_FILES)).toEqual([]);
  });
});

describe('docstrings', () => {
  it('everything exported has one, or follows at once on an export that has', () => {
    expect(SOURCES.flatMap(undocumented)).toEqual([]);
  });
});

describe('what nobody uses', () => {
  /** All that may use an export. */
  const users = [...filesBelow('src'), ...filesBelow('test'), ...filesBelow('scripts')];

  it('everything exported, types too, is named by another file, or is a face of the package', () => {
    const faces = [
      'index.ts',
      'client/index.ts',
      'receiver/index.ts',
      'registry/client/index.ts',
      'platform/signing/index.ts',
    ];
    const words = users.map(({ file, text }) => ({ file, words: new Set(text.match(/[\w$]+/g)) }));
    const unused = SOURCES.filter(({ file }) => !faces.includes(file)).flatMap(({ file, code }) =>
      code
        .flatMap((line) => EXPORTED.exec(line)?.[1] ?? [])
        .filter((name) => !words.some((one) => one.file !== `src/${file}` && one.words.has(name)))
        .map((name) => `${file} ${name}`),
    );
    expect(unused).toEqual([]);
  });

  it('every dependency is named by a source', () => {
    const { dependencies } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as {
      dependencies: Readonly<Record<string, string>>;
    };
    const sources = users.filter(({ file }) => file.startsWith('src/')).map(({ text }) => text);
    expect(Object.keys(dependencies).filter((name) => !sources.some((text) => text.includes(name)))).toEqual([]);
  });
});

describe('the scanner', () => {
  const SAMPLE = [
    "import { type A, b } from '../domain/order.js';",
    "import type { C } from 'kysely';",
    'import {',
    '  d,',
    "} from './d.js';",
    "export { e } from './e.js';",
    "const lazy = () => import('./lazy.js');",
    '// process.exit() and: any',
    "const text = 'process.env as unknown as any';",
    `const template = \`process \${process.pid} \${\`deep \${Date.now()}\`} fetch(\`;`,
    'const pattern = /["\'`]\\/process[/]/g;',
    'const half = total / 2; /* any */ const other = any;',
  ].join('\n');
  const source = readSource('seller/tasks/sample.ts', SAMPLE);

  it('reads imports of every form', () => {
    expect(source.imports.map(({ name, target, typeOnly }) => [name, target, typeOnly])).toEqual([
      ['../domain/order.js', 'seller/domain/order.ts', false],
      ['kysely', undefined, true],
      ['./d.js', 'seller/tasks/d.ts', false],
      ['./e.js', 'seller/tasks/e.ts', false],
      ['./lazy.js', 'seller/tasks/lazy.ts', false],
    ]);
  });

  it.each([
    ['process', /(?<!\.)\bprocess\b/, [10]],
    ['Date.now', /Date\.now/, [10]],
    ['fetch', /fetch\(/, []],
    ['any', /\bany\b/, [12]],
    ['division', /total \/ 2;/, [12]],
    ['import', /\bas unknown as\b/, []],
  ] as const)('tells code from comments, texts and patterns: %s', (_name, pattern, lines) => {
    expect(placesOf(source, pattern)).toEqual(lines.map((line) => `seller/tasks/sample.ts:${line}`));
  });

  it('finds a circle, also one of types', () => {
    const ring = [
      readSource('domain/a.ts', "import { b } from './b.js';"),
      readSource('domain/b.ts', "import type { C } from './c.js';"),
      readSource('domain/c.ts', "import { a } from './a.js';"),
      readSource('domain/d.ts', "import { a } from './a.js';"),
    ];
    expect(circles(ring)).toEqual(['domain/a.ts -> domain/b.ts -> domain/c.ts -> domain/a.ts']);
  });

  it('finds a forbidden import and a missing docstring', () => {
    const bad = readSource('platform/kernel/x.ts', "import { y } from '../../protocol/y.js';\n\nexport type X = 1;\n");
    expect(forbiddenImports(bad)).toEqual(['platform/kernel/x.ts:1 -> protocol/y.ts']);
    expect(undocumented(bad)).toEqual(['platform/kernel/x.ts:3 X']);
    expect(
      undocumented(readSource('platform/kernel/x.ts', '/** One. */\nexport const A = 1;\nexport type B = 2;')),
    ).toEqual([]);
  });
});

/** Whether a file is one of `places`: files, or folders that end in a slash. */
function isAt(file: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));
}

function forbiddenImports(source: Source): readonly string[] {
  const room = roomOf(source.file);
  const allowed = ARROWS[room ?? ''] ?? [];
  const may = (target: string): boolean => {
    const there = roomOf(target) ?? '';
    return (
      there === room ||
      allowed.some((one) => one === '*' || one === there || (one.endsWith('/') && there.startsWith(one)))
    );
  };
  return source.imports.flatMap(({ target, line }) =>
    target === undefined || may(target) ? [] : [`${source.file}:${line} -> ${target}`],
  );
}

/** The longest row of the table that a file lies below. */
function roomOf(file: string): string | undefined {
  return Object.keys(ARROWS)
    .filter((room) => file === `${room}.ts` || file.startsWith(`${room}/`))
    .sort((one, other) => other.length - one.length)[0];
}

/** The circles of the import graph, each once, beginning at its first file by name. */
function circles(sources: readonly Source[]): readonly string[] {
  const graph = new Map(sources.map((source) => [source.file, source.imports.map((one) => one.target)]));
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const at = path.indexOf(file);
    if (at >= 0) {
      const ring = path.slice(at);
      const first = ring.indexOf([...ring].sort()[0] ?? '');
      const turned = [...ring.slice(first), ...ring.slice(0, first)];
      found.add([...turned, turned[0]].join(' -> '));
      return;
    }
    if (done.has(file)) return;
    for (const target of graph.get(file) ?? []) if (target !== undefined) visit(target, [...path, file]);
    done.add(file);
  };
  for (const source of sources) visit(source.file, []);
  return [...found].sort();
}

/** The source line that `placesOf` found, as the exceptions write it. */
function quoted(source: Source, place: string): string {
  return `${source.file}: ${source.lines[Number(place.split(':')[1]) - 1]?.trim()}`;
}

function undocumented({ file, lines, code }: Source): readonly string[] {
  const covered = new Set<number>();
  return code.flatMap((line, index) => {
    const name = EXPORTED.exec(line)?.[1];
    if (name === undefined) return [];
    const above = lines[index - 1] ?? '';
    const follows = covered.has(endBefore(code, index));
    if (!above.trimEnd().endsWith('*/') && !follows) return [`${file}:${index + 1} ${name}`];
    covered.add(index);
    return [];
  });
}

/** The first line of the declaration that ends on the line just above `index`. */
function endBefore(code: readonly string[], index: number): number {
  let at = index - 1;
  while (at >= 0 && code[at] !== '' && !EXPORTED.test(code[at] ?? '')) at -= 1;
  return at;
}

function filesBelow(folder: string): readonly { readonly file: string; readonly text: string }[] {
  return readdirSync(path.join(PROJECT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => ({ file: `${folder}/${name}`, text: readFileSync(path.join(PROJECT, folder, name), 'utf8') }));
}
