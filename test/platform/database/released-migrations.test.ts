import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { type Migration, pendingMigrations } from '../../../src/platform/database/migrations.js';
import { createBuilder, type EngineName } from '../../../src/platform/database/statement.js';
import { REGISTRY_MIGRATIONS } from '../../../src/registry/store/registry-store.js';
import { SELLER_MIGRATIONS } from '../../../src/seller/store/schema/migrations.js';

/** Migrations that stores have had, and a digest of what each runs on SQLite and on PostgreSQL, oldest first. */
type Released = {
  readonly store: string;
  readonly migrations: readonly Migration[];
  readonly digests: readonly string[];
};

const SELLER: Released = {
  store: 'a seller',
  migrations: SELLER_MIGRATIONS,
  digests: [
    '6dcee2eb0edd',
    'de7a3a8280da',
    '0f19bb6d1fad',
    '1ab3b97f52c6',
    '63e96ab8e64a',
    '3624ee035191',
    '49dd6835e06e',
    'abf497128170',
    'dfca4a8f9d22',
    'e530a1cbfa29',
    '57aaa9c02361',
    '06f574491b73',
    '2313944ef84a',
    '59ae02e536d7',
    'b571647e0781',
    '438fc6bab8ae',
    '5d846b0a3c5c',
    'e44d13ef27d6',
    '5b0bae3f0c14',
    '4343f54c56cf',
    '31b56eb4fce3',
    '64b5e4f95832',
    '0347fc2b0e93',
    '40c75d09fde5',
    '6a669a7d5d1f',
    '4025fb4ef730',
    'dfafac062f6f',
    'b2420885df1c',
    'ff7a2e577027',
    '5d6803c6dd79',
    'c2eb312e0257',
    '34865ff82355',
    'c93aec84424f',
    '6b5344e59f26',
    'b2e66f4bcd5c',
    '9c9d1fd083b8',
    '65a4839f5896',
    '814ef8df401b',
    '56ca0db40171',
    '19c47491117b',
    '89e4c32058d3',
    'f50f8ca94b20',
    '6c5682826fdd',
    '96ad65ce8a16',
    '7733f620e1b5',
    '9a92350bf2ed',
    '23db36595845',
    '868a6256b916',
    'adb381a55d9e',
    'e5f2f90b2692',
    'b4ddd4250fd3',
    '14f8a457f7b1',
    '3dcb7b4cefcc',
    'd18803ab7b66',
    '750f79741f46',
    '9c3ae4130f6c',
    'e727d52ebd49',
    '9e77e181ff55',
    '32c78f0d237a',
    'c4e25cbc6715',
  ],
};

const REGISTRY: Released = {
  store: 'a registry',
  migrations: REGISTRY_MIGRATIONS,
  digests: [
    'db7c49cec14e',
    '76aea539c951',
    'a29cb6debf40',
    '0481915847cc',
    '968bb4b16447',
    '4a9007884d6d',
    'eebbda4a507f',
    '4a7f3445a056',
    '4d4b1f985ceb',
    'b9e9e291bfeb',
    'bca425be313e',
    '9e8d40512e78',
    'a8d7d446a7cc',
    'a99cb62d7af4',
    '99240f41d64d',
    'ce9751362f45',
    '11ad4becbd2c',
    '8e7c00a1007c',
    '01b6c40c1bc8',
  ],
};

function statementsFor(engine: EngineName, migrations: readonly Migration[]): readonly (readonly string[])[] {
  const target = { engine, schema: createBuilder<unknown>(engine).schema };
  return pendingMigrations(target, migrations, { done: 0, label: 'a new store' });
}

function digest(statements: unknown): string {
  return createHash('sha256').update(JSON.stringify(statements)).digest('hex').slice(0, 12);
}

it.each([SELLER, REGISTRY])(
  'runs the migrations that stores of $store have had in their order, with the very statements that they had',
  ({ migrations, digests }) => {
    const [sqlite, postgres] = [statementsFor('sqlite', migrations), statementsFor('postgres', migrations)];
    const now = sqlite.map((statements, index) => digest([statements, postgres[index]]));
    expect(now.slice(0, digests.length)).toEqual(digests);
  },
);
