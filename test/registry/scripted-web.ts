import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FetchReason } from '../../src/platform/net/fetch-error.js';
import { type AdagentsRead, readAdagents } from '../../src/registry/adagents/adagents.js';
import type { EffectiveAdagents } from '../../src/registry/adagents/discovery.js';
import type { AdagentsFile } from '../../src/registry/adagents/types.js';
import { readBrandJson } from '../../src/registry/brand/brand-json.js';
import type { BrandContent } from '../../src/registry/brand/types.js';
import type { Finding } from '../../src/registry/documents/finding.js';
import type { StepAnswer, StepRequest, Steps } from '../../src/registry/documents/steps.js';
import { hasSchemas, SCHEMA_FOLDERS, type SchemaRelease } from '../kit/schemas.js';

/** 1 February 2026, as of which files are read. */
export const NOW = Date.UTC(2026, 1, 1);

/** The releases whose public schemas are on this machine. */
export const RELEASES = (['3.0', '3.1'] as const).filter(hasSchemas);

/** The examples that a public schema carries. */
export function examples(release: SchemaRelease, schema: 'adagents' | 'brand'): readonly Record<string, unknown>[] {
  const file = path.join(SCHEMA_FOLDERS[release], `${schema}.json`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { examples: Record<string, unknown>[] }).examples;
}

/** Reads a file of a domain. */
export function read(content: unknown, domain = 'news.example'): AdagentsRead {
  const text = typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content);
  return readAdagents(text, { file: 'adagents.json', domain, nowMs: NOW });
}

/** The content of a file that has some. */
export function fileOf(content: unknown, domain?: string): AdagentsFile {
  const { content: read_, findings } = read(content, domain);
  if (read_?.kind !== 'file') throw new Error(`no file: ${JSON.stringify(findings)}`);
  return read_.file;
}

/** A file as it counts for a domain, found directly unless said otherwise. */
export function effectiveOf(
  content: unknown,
  domain = 'news.example',
  rest: Partial<EffectiveAdagents> & { readonly owner?: string } = {},
): EffectiveAdagents {
  const { owner = domain, ...more } = rest;
  const url = `https://${owner}/.well-known/adagents.json`;
  return { publisherDomain: domain, method: 'direct', url, file: fileOf(content, owner), ...more };
}

/** The content of a brand.json that has some. */
export function brandOf(content: unknown): BrandContent {
  const { content: read_, findings } = readBrandJson(JSON.stringify(content), { file: 'brand.json' });
  if (read_ === undefined || read_.variant === 'authoritative_location' || read_.variant === 'house_redirect') {
    throw new Error(`no content: ${JSON.stringify(findings)}`);
  }
  return read_;
}

/** Findings in short: `error /pointer keyword`. */
export function short(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ severity, pointer, keyword }) => `${severity} ${pointer} ${keyword}`);
}

/** What a world of files answers to a URL: a JSON value (200), a text (200), a status with headers and body, or a failure. */
export type Page =
  | { readonly json: unknown }
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string | Uint8Array }
  | { readonly fails: FetchReason };

/** Runs a discovery against a world of pages; what is not in it is a 404. Tells what was asked for. */
export function walk<T>(
  steps: Steps<T>,
  world: Readonly<Record<string, Page>>,
): { readonly result: T; readonly asked: readonly StepRequest[] } {
  const asked: StepRequest[] = [];
  let step = steps.next();
  while (!step.done) {
    asked.push(step.value);
    if (asked.length > 50) throw new Error('the discovery does not end');
    step = steps.next(answerOf(world[step.value.url] ?? { status: 404 }, step.value.maxBytes));
  }
  return { result: step.value, asked };
}

function answerOf(page: Page, maxBytes: number): StepAnswer {
  if ('fails' in page) return { ok: false, reason: page.fails };
  if ('json' in page) {
    return answerOf(
      { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(page.json) },
      maxBytes,
    );
  }
  const { body = '', headers = {}, status } = page;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  return bytes.length > maxBytes ? { ok: false, reason: 'too_large' } : { ok: true, status, headers, bytes };
}
