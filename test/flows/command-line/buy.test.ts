import path from 'node:path';
import { expect, test } from 'vitest';
import { type Booted, boot } from '../../kit/boot.js';
import { type Buyer, buyAndChange } from '../../kit/buying-flow.js';
import { startNode } from '../../kit/process.js';
import { PROJECT } from '../../kit/surroundings.js';
import type { Payload } from '../../kit/wire.js';

const TOKEN = 'sandbox-token';

/** The public command line client, started anew for every call, exactly as a person would. */
function commandLineBuyer(server: Booted): Buyer {
  const bin = path.join(PROJECT, 'node_modules', '@adcp', 'sdk', 'bin', 'adcp.js');
  const run = (...args: string[]) =>
    startNode([bin, server.url(), ...args, '--auth', TOKEN, '--allow-http', '--json']).finished;
  return {
    call: async (tool, args) => {
      const { code, stdout, stderr } = await run(tool, JSON.stringify(args));
      if (code === 0) return { payload: (JSON.parse(stdout) as { data: Payload }).data };
      return { failed: /Error: ([A-Z_]+):/.exec(stderr + stdout)?.[1] ?? `no code in: ${stderr}${stdout}` };
    },
    tools: async () => {
      const { stdout } = await run();
      return [...new Set(stdout.match(/[a-z]+(_[a-z]+)+/g))];
    },
    close: async () => undefined,
  };
}

test('the public command line client buys, retries, changes and reads back', async () => {
  const server = await boot();
  const buyer = commandLineBuyer(server);
  expect(await buyer.tools()).toContain('create_media_buy');
  await buyAndChange(buyer, 'adcp');
  expect(server.log).toEqual([]);
});
