import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ASSET } from '../../../../src/seller/tasks/fields/assets.js';
import { CREATIVE_ASSET, MANIFEST_MEMBERS } from '../../../../src/seller/tasks/fields/creative.js';
import type { Field, Members } from '../../../../src/seller/tasks/fields/field.js';
import { TASK_FIELDS } from '../../../../src/seller/tasks/fields/index.js';
import { PACKAGE } from '../../../../src/seller/tasks/fields/media-buy.js';
import { ADDED_FIELDS, NEW_TARGETING } from '../../../../src/seller/tasks/fields/preview/added.js';
import {
  ACCOUNT_REF,
  BRAND_KEY,
  ENVELOPE,
  FORMAT_ID,
  NOTIFICATIONS,
  REPORTING_WEBHOOK,
} from '../../../../src/seller/tasks/fields/shared.js';
import { TARGETING } from '../../../../src/seller/tasks/fields/targeting.js';
import { PROJECT } from '../../../kit/surroundings.js';

const PAGE = path.join(PROJECT, 'docs/protocol/fields.md');
const START = '<!-- fields: written by UPDATE_DOCS=1 npx vitest run test/seller/tasks/fields/docs.test.ts -->';

/** Members that several tasks share have a section of their own. */
const SHARED: readonly (readonly [name: string, members: Members])[] = [
  ['every request', ENVELOPE],
  ['account', ACCOUNT_REF],
  ['brand of an account', BRAND_KEY],
  ['format', FORMAT_ID],
  ['package', PACKAGE],
  ['targeting overlay', TARGETING],
  ['creative', CREATIVE_ASSET],
  ['manifest', MANIFEST_MEMBERS],
  ['asset', ASSET],
  ['push notification config', membersOf(NOTIFICATIONS)],
  ['reporting webhook', membersOf(REPORTING_WEBHOOK)],
];

function membersOf(field: Field): Members {
  return field.use === 'honored' && field.members !== undefined && field.members !== 'whole' ? field.members : {};
}

function section(title: string, members: Members): string {
  const lines = ['', `## ${title}`, '', '| field | | |', '|---|---|---|', ...rowsOf(members, '')];
  return lines.join('\n');
}

/** The rows of some members: neighbours that are treated alike are one row. */
function rowsOf(members: Members, at: string): readonly string[] {
  const groups: { readonly names: string[]; readonly field: Field }[] = [];
  for (const [name, field] of Object.entries(members)) {
    if (members !== ENVELOPE && name in ENVELOPE && ENVELOPE[name] === field) continue;
    const last = groups.at(-1);
    if (last !== undefined && last.field === field && Object.keys(membersOf(field)).length === 0) last.names.push(name);
    else groups.push({ names: [name], field });
  }
  return groups.flatMap(({ names, field }) => {
    const shared = SHARED.find(([, own]) => own === membersOf(field));
    const within = shared === undefined ? rowsOf(membersOf(field), `${at}${names[0]}.`) : [];
    const fields = names.map((name) => `\`${at}${name}\``).join(', ');
    return [`| ${fields} | ${treatment(field)} | ${reason(field, shared?.[0])} |`, ...within];
  });
}

function treatment(field: Field): string {
  return field.use === 'refused' ? `refused, ${field.code}` : field.use;
}

function reason(field: Field, shared: string | undefined): string {
  if (field.use === 'refused') {
    const unless = field.unless.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
    return `${field.because} ${field.instead}${unless === '' ? '' : ` Accepted: ${unless}.`}`;
  }
  if (field.use === 'carried') {
    const to = field.to === 'nowhere' ? '' : `Comes back in the ${field.to}.`;
    return [field.to === 'store' ? 'Stored.' : to, field.because].filter((part) => part).join(' ');
  }
  const more = field.beyond === true ? ' No public schema has it.' : '';
  return shared === undefined ? `\`${field.by}\`${more}` : `see ${shared}${more}`;
}

/** Members that 3.2 adds to what several tasks share. */
const ADDED_SHARED: readonly (readonly [name: string, members: Members])[] = [
  ['account', addedWithin('get_signals', 'account')],
  ['targeting overlay', NEW_TARGETING],
  ['creative or manifest', addedWithin('sync_creatives', 'creatives')],
  ['format', addedWithin('preview_creative', 'format_id')],
];

function addedWithin(task: string, name: string): Members {
  const field = ADDED_FIELDS[task]?.[name];
  return field === undefined ? {} : membersOf(field);
}

/** The rows of what 3.2 adds to a task: of a member that the task has in all releases only what is new within it. */
function addedRows(added: Members, own: Members, at: string): readonly string[] {
  return Object.entries(added).flatMap(([name, field]) => {
    const before = own[name];
    const within = membersOf(field);
    const path = `${at}${name}`;
    const shared = ADDED_SHARED.find(([, members]) => members === within && Object.keys(members).length > 0);
    if (shared !== undefined) return [`| \`${path}\` | | what 3.2 adds to ${shared[0]} |`];
    if (before !== undefined) return addedRows(within, membersOf(before), `${path}.`);
    return [
      `| \`${path}\` | ${treatment(field)} | ${reason(field, undefined)} |`,
      ...addedRows(within, {}, `${path}.`),
    ];
  });
}

function addedSection(title: string, rows: readonly string[]): readonly string[] {
  return rows.length === 0 ? [] : [['', `### ${title}`, '', '| field | | |', '|---|---|---|', ...rows].join('\n')];
}

/** The rows of a task to whose account alone something is added. */
const ACCOUNT_ALONE = '| `account` | | what 3.2 adds to account |';

function addedPart(): string {
  const shared = ADDED_SHARED.flatMap(([name, members]) =>
    addedSection(`3.2 adds to ${name}`, addedRows(members, {}, '')),
  );
  const rows = Object.entries(ADDED_FIELDS).map(
    ([task, added]) => [task, addedRows(added, TASK_FIELDS[task] ?? {}, '')] as const,
  );
  const isAccountAlone = ([, own]: (typeof rows)[number]): boolean => own.join() === ACCOUNT_ALONE;
  const tasks = rows.flatMap((row) => (isAccountAlone(row) ? [] : addedSection(`3.2 adds to ${row[0]}`, row[1])));
  const accounts = rows.filter(isAccountAlone).map(([task]) => `\`${task}\``);
  const head = `
## What 3.2-beta.5 adds

To callers of [the preview](3.2.md) these count beside what stands above; to callers of other releases they are members that no schema names. The
tasks that came with 3.2 stand above with the others.
`;
  const last = `\n### 3.2 adds to other tasks\n\nOnly what it adds to account: ${accounts.join(', ')}.`;
  return [head.trimEnd(), ...shared, ...tasks, last].join('\n');
}

function written(): string {
  const tasks = Object.entries(TASK_FIELDS).map(([task, members]) => section(`${task}`, members));
  const shared = SHARED.map(([name, members]) => section(`Shared: ${name}`, members));
  return `${[...shared, ...tasks, addedPart()].join('\n')}\n`;
}

test('the page of fields is the table of fields', () => {
  const page = readFileSync(PAGE, 'utf8');
  const [head = ''] = page.split(START);
  const wanted = `${head}${START}\n${written()}`;
  if (process.env.UPDATE_DOCS === '1') writeFileSync(PAGE, wanted);
  else expect(page).toBe(wanted);
});
