import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Booted } from './boot.js';
import { type HttpAnswer, send } from './http.js';

/** Somebody at the console of a running server, without a browser: the cookies of one session, and the secret of its forms. */
export type ConsoleClient = {
  readonly get: (route: string, headers?: Readonly<Record<string, string>>) => Promise<HttpAnswer>;
  /** Sends a form with the secret of the session's forms; a field set to undefined is left out. */
  readonly post: (
    route: string,
    fields: Readonly<Record<string, string | readonly string[] | undefined>>,
    headers?: Readonly<Record<string, string>>,
  ) => Promise<HttpAnswer>;
  readonly cookies: () => Readonly<Record<string, string>>;
};

/** The address of the console of a server. */
export function consoleUrl(server: Pick<Booted, 'dataDir'>): string {
  const { url } = JSON.parse(readFileSync(path.join(server.dataDir, 'operator.json'), 'utf8')) as { url: string };
  return url;
}

/** A client that nobody has signed in yet. */
export function consoleClient(server: Pick<Booted, 'dataDir'>): ConsoleClient {
  const jar = new Map<string, string>();
  const ask = async (route: string, init: { method?: string; headers?: Record<string, string>; body?: string }) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await send(`${consoleUrl(server)}${route}`, {
      ...init,
      headers: { ...(cookie === '' ? {} : { cookie }), ...init.headers },
    });
    for (const line of (answer.headers['set-cookie'] ?? '').split(/,(?=[^;,]+=)/)) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    return answer;
  };
  const get: ConsoleClient['get'] = (route, headers = {}) => ask(route, { headers });
  return {
    get,
    cookies: () => Object.fromEntries(jar),
    post: async (route, fields, headers = {}) => {
      const page = await get('/console');
      const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1];
      const body = new URLSearchParams();
      for (const [name, value] of Object.entries({ csrf, ...fields }))
        for (const one of [value ?? []].flat()) body.append(name, String(one));
      return ask(route, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body: body.toString(),
      });
    },
  };
}

/** A client that the machine's own user has signed in. */
export async function localConsole(server: Booted): Promise<ConsoleClient> {
  const client = consoleClient(server);
  await client.get(new URL(server.server().signInLink()).pathname);
  return client;
}

/** A client that is signed in with a password, in a role. */
export async function consoleAs(server: Booted, role: 'view' | 'operate' | 'admin'): Promise<ConsoleClient> {
  const { operateUsers } = await import('../../src/seller/tasks/people/users.js');
  const name = `${role}-person`;
  const password = `the password of ${name}`;
  await operateUsers(server.server().app, { operation: 'new', name, role, password });
  const client = consoleClient(server);
  await client.post('/console/sign-in', { csrf: undefined, name, password });
  return client;
}
