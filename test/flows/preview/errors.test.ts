import { expect, it } from 'vitest';
import { TOOLS } from '../../../src/seller/tasks/index.js';
import { boot } from '../../kit/boot.js';

const VERSION = '3.2-beta.5';

it('every error of every task says how to go on, wherever it stands in the answer', async () => {
  const server = await boot({ settings: { protocolPreview: true } });
  const names = [...TOOLS.map(({ name }) => name).filter((name) => typeof name === 'string'), 'no_such_task'];
  let seen = 0;
  for (const name of names) {
    const { payload, isError } = await server.call(name, { account: 7 }, { version: VERSION });
    if (!isError) continue;
    const { errors, adcp_error } = payload as unknown as Readonly<Record<string, readonly object[] & object>>;
    for (const error of [...(errors ?? []), ...(adcp_error === undefined ? [] : [adcp_error])]) {
      seen += 1;
      expect({ name, error }).toMatchObject({
        error: { recovery: expect.stringMatching(/^(transient|correctable|terminal)$/) },
      });
    }
  }
  expect(seen).toBeGreaterThan(40);
});
