import { execFile } from 'node:child_process';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { boot } from '../kit/boot.js';
import { createRequest, succeeded } from '../kit/buyer.js';
import { send } from '../kit/http.js';
import { operatorOf } from '../kit/operator.js';
import { bannerUrl, startNode } from '../kit/process.js';
import { PROJECT, temporaryFolder } from '../kit/surroundings.js';
import { tenantsFolder } from '../kit/tenants.js';

const deploy = (name: string): string => path.join(PROJECT, 'deploy', name);
const read = (name: string): string => readFileSync(deploy(name), 'utf8');
const SETTINGS = readFileSync(path.join(PROJECT, 'src/seller/config/settings.ts'), 'utf8');
const PAGE = readFileSync(path.join(PROJECT, 'docs/go-live.md'), 'utf8');

/** Every metric that a server shows after a few calls, by the name that a query has. */
async function shownMetrics(): Promise<ReadonlySet<string>> {
  const tenants = tenantsFolder((tenant) => {
    tenant.approvals = [{ tasks: ['update_media_buy'] }];
  });
  const server = await boot({ tenants });
  succeeded(await server.call('create_media_buy', createRequest()));
  const { text } = await operatorOf(server).get('/metrics');
  return new Set(
    [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    ),
  );
}

/** Every file and folder below one, with its size and when it was written; not what links lead to. */
function listing(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => [name, lstatSync(path.join(folder, name))] as const)
    .map(([name, { mtimeMs, size }]) => `${name} ${size} ${mtimeMs}`)
    .sort();
}

const METRIC = /\b(?:seller_agent|nodejs|process)_[a-z\d_]+/g;

describe('deploy/grafana.json', () => {
  it('asks for metrics that a server has, in every query', async () => {
    const { panels } = JSON.parse(read('grafana.json')) as { panels: { title: string; targets: { expr: string }[] }[] };
    const shown = await shownMetrics();
    const asked = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => expr.match(METRIC) ?? []));
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !shown.has(name))).toEqual([]);
    // So do the alarms of the page.
    expect((PAGE.match(METRIC) ?? []).filter((name) => !shown.has(name))).toEqual([]);
  });
});

describe('deploy/seller-agent.service', () => {
  it('is taken by systemd, where there is one', async () => {
    if (!existsSync('/usr/bin/systemd-analyze')) return;
    const run = promisify(execFile)('systemd-analyze', ['verify', deploy('seller-agent.service')]);
    const { stderr } = await run.catch((error: { stderr: string }) => error);
    // Of this unit alone: machines have others, and no seller-agent is installed on this one.
    expect(stderr.split('\n').filter((line) => /seller-agent\.service/.test(line))).toEqual([]);
  });

  it('names settings that serve takes', () => {
    const [, line = ''] = /^Environment=(.*)$/m.exec(read('seller-agent.service')) ?? [];
    for (const name of line.match(/SELLER_AGENT_\w+/g) ?? []) expect(SETTINGS).toContain(`env: '${name}'`);
  });
});

describe('deploy/kubernetes.yaml', () => {
  const documents = parseAllDocuments(read('kubernetes.yaml')).map((document) => {
    expect(document.errors).toEqual([]);
    return document.toJS() as { kind: string; metadata: { name: string }; spec: Record<string, never> };
  });

  it('has one process for its volume, without rights, and names settings that serve takes', () => {
    expect(documents.map(({ kind }) => kind)).toEqual(['PersistentVolumeClaim', 'Deployment', 'Service']);
    const { spec } = documents[1] as unknown as {
      spec: {
        replicas: number;
        strategy: object;
        template: {
          spec: {
            securityContext: object;
            containers: { env: { name: string }[]; securityContext: object; volumeMounts: { name: string }[] }[];
            volumes: { name: string }[];
          };
        };
      };
    };
    expect([spec.replicas, spec.strategy]).toEqual([1, { type: 'Recreate' }]);
    const [container] = spec.template.spec.containers;
    expect(container?.securityContext).toMatchObject({ readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } });
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true });
    for (const { name } of container?.env ?? [])
      if (name !== 'SELLER_AGENT_MASTER_KEY') expect(SETTINGS, name).toContain(`env: '${name}'`);
    // The volume belongs to root, its folder to whoever makes it.
    expect(container?.env.find(({ name }) => name === 'SELLER_AGENT_DATA')).toMatchObject({ value: '/data/seller' });
    expect(container?.volumeMounts.map(({ name }) => name)).toEqual(spec.template.spec.volumes.map(({ name }) => name));
  });
});

describe('deploy/nginx.conf', () => {
  it('closes every block, and hands host, address and request id on', () => {
    const text = read('nginx.conf').replaceAll(/#.*$/gm, '');
    expect(text.match(/\{/g)?.length).toBe(text.match(/\}/g)?.length);
    for (const line of text.split('\n').map((one) => one.trim())) expect(line).toMatch(/^$|[;{}]$/);
    for (const header of ['Host $host', 'X-Forwarded-For', 'X-Request-Id']) expect(text).toContain(header);
  });
});

describe('deploy/Dockerfile', () => {
  const text = read('Dockerfile');

  it('copies what the package publishes for the server, and runs as somebody without rights', () => {
    const isForReaders = (name: string) => /\.md$|LICENSE/.test(name) || ['docs', 'examples', 'deploy'].includes(name);
    const { files } = JSON.parse(readFileSync(path.join(PROJECT, 'package.json'), 'utf8')) as { files: string[] };
    for (const name of files.filter((one) => !isForReaders(one)))
      expect(text).toContain(`COPY --from=build /app/${name} ./${name}`);
    expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('ENTRYPOINT'));
    for (const name of text.match(/SELLER_AGENT_[A-Z_]+/g) ?? []) expect(SETTINGS).toContain(`env: '${name}'`);
  });

  it('runs what is copied with everything but the data folder closed to writing', async () => {
    const root = temporaryFolder();
    const app = path.join(root, 'app');
    mkdirSync(app);
    for (const [, name = ''] of text.matchAll(/^COPY --from=build \/app\/\S+ \.\/(\S+)$/gm)) {
      if (name === 'node_modules') symlinkSync(path.join(PROJECT, name), path.join(app, name));
      else cpSync(path.join(PROJECT, name), path.join(app, name), { recursive: true });
    }
    const data = path.join(root, 'data');
    mkdirSync(data, { mode: 0o700 });
    // Whoever runs the tests may be root, whom no mode keeps out: nothing below may have changed in the end.
    chmodSync(app, 0o555);
    const before = listing(app);
    const env = { SELLER_AGENT_DATA: data, SELLER_AGENT_PORT: '0', NODE_ENV: 'production' };
    const serving = startNode([path.join(app, 'dist', 'cli.js'), 'serve'], { cwd: app, env });
    const baseUrl = await bannerUrl(serving);
    expect((await send(`${baseUrl}/readyz`)).status).toBe(200);
    // Whose end does not come with that of a terminal.
    serving.child.kill('SIGHUP');
    expect((await send(`${baseUrl}/readyz`)).status).toBe(200);
    serving.child.kill('SIGTERM');
    expect((await serving.finished).code).toBe(0);
    expect(listing(app)).toEqual(before);
    chmodSync(app, 0o755);
  });
});
