import { describe, expect, it } from 'vitest';
import { PublicSuite } from '../../../src/commands/doctor/public-suite.js';
import { boot } from '../../kit/boot.js';
import { PROJECT, temporaryFolder } from '../../kit/surroundings.js';
import { sandboxToken } from '../../kit/tenants.js';

const server = await boot();
const suite = PublicSuite.find(PROJECT);
const agent = { releases: ['3.0'], protocols: ['media_buy'], specialisms: ['sales-guaranteed'], tools: [] };
const run = { url: server.url('sales'), key: sandboxToken('sales'), local: true };

describe('the public suite', () => {
  it('is not there in a folder that has it not installed', () => {
    expect(PublicSuite.find(temporaryFolder())).toBeUndefined();
  });

  it('selects the storyboards of what an agent declares, runs those that only read, and leaves the others to what was seen', async () => {
    const seen = [{ storyboard: 'error_compliance', outcome: 'fails', why: 'errors.code' }] as const;
    const forecast = await suite?.forecast({ agent, badge: { isPossible: false, storyboards: seen } }, run);
    expect(forecast).toMatchObject({ isPossible: false, suite: '3.0.6' });
    expect(forecast?.storyboards).toEqual(
      expect.arrayContaining([
        { storyboard: 'capability_discovery', outcome: 'passes' },
        { storyboard: 'v3_envelope_integrity', outcome: 'passes' },
        { storyboard: 'error_compliance', outcome: 'fails', why: 'errors.code' },
        { storyboard: 'idempotency', outcome: 'open' },
      ]),
    );
  });

  it('says what fails at an agent that is none', async () => {
    const badge = { isPossible: true, storyboards: [] };
    const forecast = await suite?.forecast({ agent, badge }, { ...run, url: `${server.baseUrl}/nobody/mcp` });
    expect(forecast?.storyboards.filter(({ outcome }) => outcome === 'passes')).toEqual([]);
  });

  it('refuses a specialism that there is not', async () => {
    const wrong = { ...agent, specialisms: ['no-such-specialism'] };
    const forecast = await suite?.forecast({ agent: wrong, badge: { isPossible: true, storyboards: [] } }, run);
    expect(forecast).toMatchObject({ isPossible: false, storyboards: [{ outcome: 'fails' }] });
  });
});
