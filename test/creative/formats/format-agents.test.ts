import { describe, expect, it } from 'vitest';
import { HOUSE_FORMAT_IDS } from '../../../src/creative/formats/catalog/catalog.js';
import { listFormatAgents, readFormatId } from '../../../src/creative/formats/format-agents.js';
import { TaskError } from '../../../src/protocol/errors.js';

const OWNER = 'http://127.0.0.1:3000/creative/mcp';
const OURS = ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/sales/mcp'];
const DCO = 'https://dco.example-ads.net/mcp';

const agents = listFormatAgents(OWNER, OURS, [DCO]);

function read(agent_url: string, { id = 'video_30s', examples = false } = {}): unknown {
  const ref = { agent_url, id };
  try {
    return readFormatId(ref, 'f', { owner: OWNER, ids: HOUSE_FORMAT_IDS, agents, examples }).agent_url;
  } catch (error) {
    return error instanceof TaskError ? [error.code, error.extras.field] : error;
  }
}

const UNKNOWN = ['REFERENCE_NOT_FOUND', 'f.agent_url'];

describe('readFormatId', () => {
  it.each([
    OWNER,
    'http://127.0.0.1:3000',
    'http://127.0.0.1:3000/',
    'http://127.0.0.1:3000/mcp',
    'http://127.0.0.1:3000/sales',
    'HTTP://LocalHost:3000/sales/mcp/',
    'http://[::1]:3000/creative',
    'https://creative.adcontextprotocol.org',
    'https://creative.adcontextprotocol.org/mcp',
    DCO,
  ])('%s names a format of ours', (agent_url) => {
    expect(read(agent_url)).toBe(OWNER);
  });

  it('gives an agent the address that it is known by, for a format of its own', () => {
    expect(read('https://DCO.example-ads.net/', { id: 'takeover' })).toBe(DCO);
    expect(read('http://localhost:3000/sales', { id: 'takeover' })).toBe(OWNER);
  });

  it.each([
    'https://creative.nobody-knows.com',
    'https://creative.adcontextprotocol.org.nobody-knows.com',
    'http://creative.adcontextprotocol.org',
    'http://127.0.0.1:3001',
    'http://127.0.0.1:3000/other/mcp',
    'https://127.0.0.1:3000',
    'https://localhost.nobody-knows.com:3000',
    'https://your-platform.example.com',
    'our agent',
  ])('%s is not known', (agent_url) => {
    expect(read(agent_url)).toEqual(UNKNOWN);
  });

  it.each([
    ['https://your-platform.example.com', OWNER],
    ['https://example.org/mcp', OWNER],
    ['https://agent.example', OWNER],
    ['https://agent.test', OWNER],
    ['https://myexample.com', UNKNOWN],
    ['https://example.com.nobody-knows.com', UNKNOWN],
    ['example.com', UNKNOWN],
  ])('%s in a sandbox', (agent_url, answer) => {
    expect(read(agent_url, { examples: true })).toEqual(answer);
  });

  it('names the agents that are known, and no more than ten', () => {
    const many = Array.from({ length: 50 }, (_none, n) => `https://agent${n}.nobody-knows.com/mcp`);
    const references = { owner: OWNER, ids: HOUSE_FORMAT_IDS, examples: false };
    const refuse = (others: readonly string[]) => {
      try {
        readFormatId({ agent_url: 'https://x.nobody-knows.com', id: 'a' }, 'f', {
          ...references,
          agents: listFormatAgents(OWNER, OURS, others),
        });
      } catch (error) {
        return error instanceof TaskError ? (error.extras.suggestion ?? '') : '';
      }
      return '';
    };
    for (const agent of [OWNER, 'https://creative.adcontextprotocol.org', DCO]) expect(refuse([DCO])).toContain(agent);
    expect(refuse(many).match(/https?:/g)).toHaveLength(10);
  });
});
