import { renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { boot } from '../kit/boot.js';
import { shippedTenant, tenantsFolder, writeTenant } from '../kit/tenants.js';

/** A server of five tenants with the sellers as they are served now. */
async function serveFive() {
  const folder = tenantsFolder();
  for (const name of ['a', 'b', 'c', 'd']) writeTenant(folder, { ...shippedTenant(), name }, name);
  const server = await boot({ tenants: folder });
  const sellers = () => new Map(server.server().app.sellers());
  const edit = async (action: () => void) => {
    const before = sellers();
    action();
    await server.server().reload();
    const after = sellers();
    return {
      same: [...after].filter(([name, seller]) => before.get(name) === seller).map(([name]) => name),
      anew: [...after].filter(([name, seller]) => before.get(name) !== seller).map(([name]) => name),
    };
  };
  return { folder, server, edit };
}

test('an edit opens the tenant anew that it is about, and no other', async () => {
  const { folder, server, edit } = await serveFive();
  expect(await edit(() => writeTenant(folder, { ...shippedTenant(), name: 'B anew' }, 'b'))).toEqual({
    same: ['a', 'c', 'd', 'sales'],
    anew: ['b'],
  });
  expect(server.server().app.sellers().get('b')?.tenant.name).toBe('B anew');
  expect((await server.call('get_products', {}, { tenant: 'b' })).isError).toBe(false);
});

test('a file that was written again as it was changes nothing', async () => {
  const { folder, edit } = await serveFive();
  const touched = await edit(() => utimesSync(path.join(folder, 'c.json'), new Date(1), new Date(2)));
  expect(touched).toEqual({ same: ['a', 'b', 'c', 'd', 'sales'], anew: [] });
});

test('tenants come and go while the others are left alone', async () => {
  const { folder, server, edit } = await serveFive();
  const moved = await edit(() => {
    rmSync(path.join(folder, 'd.json'));
    writeTenant(folder, { ...shippedTenant(), name: 'E' }, 'e');
  });
  expect(moved).toEqual({ same: ['a', 'b', 'c', 'sales'], anew: ['e'] });
  expect((await server.call('get_products', {}, { tenant: 'e' })).isError).toBe(false);
  expect((await server.raw({}, {}, 'd')).status).toBe(404);
});

test('a broken file leaves all tenants as they are; mended, it alone is opened anew', async () => {
  const { folder, server, edit } = await serveFive();
  const all = ['a', 'b', 'c', 'd', 'sales'];
  expect(await edit(() => writeTenant(folder, '{ "kinds": [', 'b'))).toEqual({ same: all, anew: [] });
  expect(server.log.filter((line) => line.level === 'error')).toHaveLength(1);
  const mended = await edit(() => writeTenant(folder, { ...shippedTenant(), name: 'B anew' }, 'b'));
  expect(mended).toEqual({ same: ['a', 'c', 'd', 'sales'], anew: ['b'] });
});

test('a creative agent that comes is named by every seller', async () => {
  const { folder, server, edit } = await serveFive();
  const { anew } = await edit(() => writeTenant(folder, shippedTenant('creative'), 'creative'));
  expect(anew).toEqual(['a', 'b', 'c', 'creative', 'd', 'sales']);
  expect(server.server().app.sellers().get('a')?.creativeAgents).toHaveLength(1);
});

test('an edit of the publishers judges every tenant anew', async () => {
  const { folder, edit } = await serveFive();
  const { anew } = await edit(() => writeTenant(folder, { publishers: [] }, 'publishers'));
  expect(anew).toEqual(['a', 'b', 'c', 'd', 'sales']);
});

test('a folder that is gone leaves all tenants as they are, and is said in the log once, until it is back', async () => {
  const { folder, server, edit } = await serveFive();
  const all = ['a', 'b', 'c', 'd', 'sales'];
  const isServed = () => server.server().app.reloads().rejectedEdit === undefined;
  expect(await edit(() => renameSync(folder, `${folder}-away`))).toEqual({ same: all, anew: [] });
  await server.server().reload();
  expect(server.log.filter(({ text }) => text.includes('there is no such folder'))).toHaveLength(1);
  expect(isServed()).toBe(false);
  expect(await edit(() => renameSync(`${folder}-away`, folder))).toEqual({ same: all, anew: [] });
  expect(isServed()).toBe(true);
});
