import { describe, expect, it } from 'vitest';
import { placesOf, readSource, readSources, type Source } from './house/source.js';

const SOURCES = readSources();

/** What the settings of a registry of one's own are made of. */
const SERVICE_WORDS = ['identity', 'limits', 'policy'].map((name) => `registry/service/${name}.ts`);

/** Who may import whom: a room imports itself and these. `*` is everything. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  kernel: [],
  protocol: ['kernel'],
  domain: ['kernel', 'protocol'],
  store: [
    'kernel',
    'domain',
    'registry/records.ts',
    'registry/service/nouns.ts',
    'registry/service/crawl-records.ts',
    'registry/look-alikes.ts',
  ],
  idempotency: ['kernel', 'store'],
  signing: ['kernel', 'protocol'],
  rendering: ['kernel', 'domain'],
  webhooks: ['kernel', 'protocol', 'domain', 'signing', 'store'],
  registry: ['kernel', 'protocol', 'domain', 'signing', 'store'],
  sandbox: ['kernel', 'domain', 'store'],
  adserver: ['kernel', 'domain', 'store'],
  lifecycle: ['kernel', 'domain', 'store', 'adserver', 'webhooks'],
  context: [
    ...['kernel', 'protocol', 'domain', 'store', 'rendering', 'idempotency', 'adserver', 'lifecycle', 'signing'],
    ...['webhooks', 'registry', 'sandbox'],
  ],
  governance: ['kernel', 'protocol', 'domain'],
  tools: [
    ...['kernel', 'protocol', 'domain', 'store', 'rendering', 'idempotency', 'adserver', 'lifecycle', 'webhooks'],
    'governance',
    'sandbox',
    'context',
  ],
  http: ['kernel', 'protocol', 'domain', 'tools', 'registry', 'webhooks', 'signing', 'rendering', 'context'],
  config: [
    'kernel',
    'domain',
    'rendering',
    'registry/adagents-types.ts',
    'registry/publish-types.ts',
    ...SERVICE_WORDS,
  ],
  commands: [
    ...[
      'kernel',
      'domain',
      'config',
      'signing',
      'registry',
      'webhooks',
      'tools/index.ts',
      'http/operator.ts',
      'store/data-folder.ts',
      'server',
      'registry-server',
    ],
  ],
  server: ['*'],
  'registry-server': ['*'],
  'registry-face': ['registry-server'],
  index: ['*'],
  cli: ['commands', 'config', 'kernel', 'domain', 'server', 'cli-registry'],
  'cli-registry': ['commands', 'config', 'kernel', 'registry-server'],
};

/** The one room (or file) of a library. A pattern ends in `/` for everything below it. */
const OWNERS: readonly (readonly [library: RegExp, owners: readonly string[]])[] = [
  [/^(libsql|kysely)$/, ['store/']],
  [
    /^@modelcontextprotocol\//,
    [
      ...['http/mcp.ts', 'http/mcp-request.ts', 'http/mcp-server.ts', 'http/mcp-servers.ts', 'http/mcp-transport.ts'],
      'http/registry/mcp.ts',
    ],
  ],
  [/^express$/, ['http/']],
  [/^rate-limiter-flexible$/, ['http/limits.ts', 'http/registry/limits.ts']],
  [/^prom-client$/, ['http/metrics.ts']],
  [/^pino$/, ['kernel/log.ts']],
  [/^uuid$/, ['kernel/ids.ts']],
  [/^canonicalize$/, ['kernel/canonical.ts']],
  [/^ipaddr\.js$/, ['kernel/', 'config/']],
  [/^lowdb(\/|$)/, ['config/', 'commands/', 'signing/key-file.ts', 'signing/keys.ts']],
  [/^structured-headers$/, ['signing/fields.ts']],
  [/^tr46$/, ['signing/target-uri.ts']],
  [/^tldts$/, ['kernel/registrable-domain.ts']],
  [/^@noble\/ed25519$/, ['signing/key-pair.ts', 'signing/key-check.ts']],
  [/^yaml$/, ['http/registry/openapi.ts']],
  [/^jose$/, ['http/registry/tokens.ts', 'http/registry/dev-provider.ts']],
  [/^jsonc-parser$/, ['config/', 'commands/']],
  [/^zod$/, ['tools/', 'config/', 'commands/', 'rendering/', 'http/registry/']],
  [/^commander$/, ['cli.ts', 'cli-registry.ts']],
  [/^sharp$/, ['rendering/image.ts']],
  [/^p-queue$/, ['rendering/', 'webhooks/lanes.ts', 'registry/service/crawler.ts', 'registry/service/probe.ts']],
  [/^fast-xml-parser$/, ['rendering/vast-xml.ts']],
  [/^(undici|node:(https|http2|tls|dns|dns\/promises))$/, ['kernel/fetch.ts', 'kernel/address.ts', 'kernel/dns.ts']],
  [/^node:worker_threads$/, ['registry/service/file-desk.ts', 'registry/service/file-worker.ts']],
  [/^node:(child_process|cluster|vm)$/, []],
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
      'kernel/operator-file.ts: pid: process.pid,',
      // The native text renderer takes its configuration from nowhere else.
      'rendering/fonts.ts: process.env.FONTCONFIG_FILE = file;',
    ],
  },
  { what: 'the clock', pattern: /\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\b/, only: ['kernel/', 'cli.ts'] },
  {
    what: 'randomness',
    pattern: /\bMath\.random\b|\brandom(UUID|Bytes|Int|Fill\w*)\b|\bgetRandomValues\b/,
    only: ['kernel/'],
  },
  {
    what: 'timers',
    pattern: /\bset(Timeout|Interval)\b/,
    only: ['kernel/loop.ts'],
    // A drain gives up on calls that never end.
    except: ['http/bind.ts: const late = setTimeout(() => server.closeAllConnections(), DRAIN_MS);'],
  },
  // The operator's commands reach the running server over loopback; all else goes through the guarded one.
  { what: 'outbound HTTP', pattern: /(?<!\.)\bfetch\(/, only: ['commands/operator.ts', 'kernel/fetch.ts'] },
  { what: 'URL.canParse, which Node 20 gets wrong', pattern: /\bURL\.canParse\(/, only: [] },
  { what: 'the console', pattern: /\bconsole\b/, only: [] },
  { what: 'a default export', pattern: /\bexport\s+default\b|\bas default\b/, only: [] },
  { what: 'an enum', pattern: /\benum\s+\w+\s*\{/, only: [] },
  { what: 'a namespace', pattern: /\b(namespace|module)\s+\w+\s*\{/, only: [] },
  { what: 'any', pattern: /(?<!\.)\bany\b/, only: [] },
  { what: 'a cast through unknown', pattern: /\bas unknown as\b/, only: [] },
  { what: 'a silenced compiler', pattern: /@ts-(ignore|expect-error|nocheck)/, only: [] },
];

const MAX_LINES = 400;

const EXPORTED = /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|let|class|type|interface)\s+(\w+)/;

describe('who imports whom', () => {
  it('every room has its row in the table', () => {
    expect([...new Set(SOURCES.map((source) => source.room))].filter((room) => !(room in ARROWS))).toEqual([]);
  });

  it.each(Object.keys(ARROWS))('%s imports nothing above it', (room) => {
    expect(SOURCES.filter((source) => source.room === room).flatMap(forbiddenImports)).toEqual([]);
  });

  it('context.ts holds and imports types alone', () => {
    const context = SOURCES.filter((source) => source.file === 'context.ts');
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

  it(`no file is longer than ${MAX_LINES} lines`, () => {
    expect(SOURCES.filter((source) => source.lines.length - 1 > MAX_LINES).map((source) => source.file)).toEqual([]);
  });
});

describe('docstrings', () => {
  it('everything exported has one, or follows at once on an export that has', () => {
    expect(SOURCES.flatMap(undocumented)).toEqual([]);
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
  const source = readSource('tools/sample.ts', SAMPLE);

  it('reads imports of every form', () => {
    expect(source.imports.map(({ name, target, typeOnly }) => [name, target, typeOnly])).toEqual([
      ['../domain/order.js', 'domain/order.ts', false],
      ['kysely', undefined, true],
      ['./d.js', 'tools/d.ts', false],
      ['./e.js', 'tools/e.ts', false],
      ['./lazy.js', 'tools/lazy.ts', false],
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
    expect(placesOf(source, pattern)).toEqual(lines.map((line) => `tools/sample.ts:${line}`));
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
    const bad = readSource('kernel/x.ts', "import { y } from '../domain/y.js';\n\nexport type X = 1;\n");
    expect(forbiddenImports(bad)).toEqual(['kernel/x.ts:1 -> domain/y.ts']);
    expect(undocumented(bad)).toEqual(['kernel/x.ts:3 X']);
    expect(undocumented(readSource('kernel/x.ts', '/** One. */\nexport const A = 1;\nexport type B = 2;'))).toEqual([]);
  });
});

/** Whether a file is one of `places`: files, or folders that end in a slash. */
function isAt(file: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? file.startsWith(place) : file === place));
}

function forbiddenImports(source: Source): readonly string[] {
  const allowed = ARROWS[source.room] ?? [];
  const may = (target: string): boolean => {
    const room = target.includes('/') ? (target.split('/')[0] ?? '') : target.replace(/\.ts$/, '');
    return room === source.room || allowed.includes('*') || allowed.includes(room) || allowed.includes(target);
  };
  return source.imports.flatMap(({ target, line }) =>
    target === undefined || may(target) ? [] : [`${source.file}:${line} -> ${target}`],
  );
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
