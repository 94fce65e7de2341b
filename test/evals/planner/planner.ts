import type { Desk, ListedTool } from '../desk.js';
import type { Facts, Want } from '../task.js';
import { Filler, isProse, type Missing } from './filler.js';
import { Memory } from './memory.js';
import { countShared } from './words.js';

/** Most calls of a request; whoever has not met it by then does not. */
const MAX_CALLS = 10;

/** Look-ups for look-ups end here. */
const MAX_DEPTH = 3;

/** Fewer points are words that happen to be there. */
const MIN_POINTS = 3;

/** An error as an answer says it, as far as the planner reads it. */
type Told = {
  readonly code?: string;
  readonly field?: string;
  readonly message?: string;
  readonly suggestion?: string;
  readonly details?: { readonly allowed_values?: readonly unknown[] };
  readonly issues?: readonly { readonly pointer?: string; readonly keyword?: string }[];
};

/**
 * Does what a person wants by what a model is given: the list of tools with its descriptions, and the answers with their errors.
 * It names no tool and no id by itself.
 */
export class Planner {
  readonly #desk: Desk;
  readonly #tools: readonly ListedTool[];
  readonly #memory = new Memory();
  #keys = 0;

  private constructor(desk: Desk, tools: readonly ListedTool[]) {
    this.#desk = desk;
    this.#tools = tools;
  }

  /** Does everything that a person wants, one thing after the other. */
  static async run(desk: Desk, wants: readonly Want[]): Promise<void> {
    const planner = new Planner(desk, await desk.list());
    for (const want of wants) await planner.#meet(want);
  }

  async #meet({ facts, goal }: Want): Promise<void> {
    const tool = this.#choose(goal);
    if (tool !== undefined) await this.#use(tool, facts, 0);
  }

  /** The tool whose words say most of a goal. */
  #choose(goal: string): ListedTool | undefined {
    return best(this.#tools, ({ description, name, title }) => {
      return (
        countShared(goal, title) * 3 + countShared(goal, name.replaceAll('_', ' ')) * 3 + countShared(goal, description)
      );
    });
  }

  /** Calls a tool until its answer is no error; whatever it needs is looked up before, whatever an error tells is mended. */
  async #use(tool: ListedTool, facts: Facts, depth: number): Promise<boolean> {
    const filler = new Filler(this.#tools, this.#memory, () => this.#freshKey());
    const asked = new Set<string>();
    while (this.#desk.steps.length < MAX_CALLS) {
      const { args, missing } = filler.fill(tool, facts);
      if (depth < MAX_DEPTH && (await this.#lookUp(missing, { args, asked, depth, facts, filler, tool }))) continue;
      const { isError, text } = await this.#desk.call(tool.name, args);
      const answer: unknown = JSON.parse(text.split('\n')[0] ?? 'null');
      const told = errorsIn(answer);
      // A call that failed says why at its root.
      const errors = isError && told.length === 0 ? [answer as Told] : told;
      if (!isError && errors.length === 0) {
        this.#memory.learn(answer);
        return true;
      }
      if (tool.annotations.readOnlyHint) this.#memory.learn(answer);
      const mended = await Promise.all(
        errors.map((error) => this.#mend(error, { args, asked, facts, filler, depth, tool })),
      );
      if (!mended.includes(true)) return false;
    }
    return false;
  }

  /** Looks up the first of the missing values that any reading tool brings; false where none does. */
  async #lookUp(missing: readonly Missing[], tried: Tried): Promise<boolean> {
    const { asked, depth, facts, filler, tool } = tried;
    for (const { called, name } of missing) {
      const source = this.#sourceOf(tried, { called, name });
      if (source === undefined) continue;
      asked.add(question(source, called));
      await this.#use(source, called === undefined ? facts : { brief: called, ...facts }, depth + 1);
      // What was stated of something else may have narrowed the list too far.
      const isStillMissing = filler.fill(tool, facts).missing.some((one) => one.name === name && one.called === called);
      if (isStillMissing && called !== undefined) await this.#use(source, { brief: called }, depth + 1);
      return true;
    }
    return false;
  }

  /** A reading tool that brings what is missing: the descriptions say so. */
  #sourceOf({ asked, facts, tool }: Pick<Tried, 'asked' | 'facts' | 'tool'>, { called, name }: Missing) {
    const readers = this.#tools.filter(
      (one) =>
        one.annotations.readOnlyHint &&
        one !== tool &&
        !asked.has(question(one, called)) &&
        (one.inputSchema.required ?? []).every((required) => {
          return (
            required in facts || (called !== undefined && isProse(one.inputSchema.properties[required]?.description))
          );
        }),
    );
    const sought = name.replace(/_id$/, '').replaceAll('_', ' ');
    const told = `${tool.description} ${tool.inputSchema.properties[name]?.description ?? ''}`;
    return best(readers, (one) => {
      const shared = countShared(sought, one.name.replaceAll('_', ' ')) * 3 + countShared(sought, one.title) * 2;
      const points = shared + countShared(sought, one.description) + (isNamedFor(one.name, sought, told) ? 3 : 0);
      return points < MIN_POINTS ? 0 : points - one.name.length / 100;
    });
  }

  /** Takes what an error tells into the next call; false where it tells nothing that can be done. */
  async #mend(error: Told, { args, asked, depth, facts, filler, tool }: Tried): Promise<boolean> {
    const fields = [error.field, ...(error.issues ?? []).map(({ pointer }) => pointer?.replaceAll('/', '.'))];
    const names = fields.flatMap((field) => field?.match(/[a-z_]+(?=(\[\d+\]|\.\d+)*$)/i)?.[0] ?? []);
    const [name] = names;
    const allowed = error.details?.allowed_values;
    if (name !== undefined && allowed !== undefined && allowed.length > 0) {
      filler.told.set(
        name,
        best(allowed, (value) => countShared(JSON.stringify(facts), JSON.stringify(value)) + 0.1),
      );
      return true;
    }
    if (
      name !== undefined &&
      (/\btakes no\b/.test(error.message ?? '') || error.suggestion?.startsWith(`Leave ${name} out`))
    ) {
      filler.omitted.add(name);
      return true;
    }
    const source = this.#tools.find(
      (one) => error.suggestion?.includes(one.name) && one.annotations.readOnlyHint && !asked.has(question(one)),
    );
    const isRequired = / is required|missing/.test(error.message ?? '');
    const wasNew = isRequired && names.some((one) => !filler.needs.has(one));
    if (isRequired) for (const one of names) filler.needs.add(one);
    if (source !== undefined && source !== tool && depth < 2) {
      asked.add(question(source));
      return this.#use(source, { ...facts, ...spelledIn(error.suggestion ?? '', args) }, depth + 1);
    }
    if (wasNew) return true;
    const refused = name === undefined ? undefined : valueAt(args, error.field ?? '');
    if (refused === undefined || Object.values(facts).includes(refused)) return false;
    this.#memory.ban(refused);
    return true;
  }

  #freshKey(): string {
    this.#keys += 1;
    return `00000000-0000-4000-8000-${String(this.#desk.steps.length * 100 + this.#keys).padStart(12, '0')}`;
  }
}

/** Whether a sentence names a tool together with what is sought. */
function isNamedFor(tool: string, sought: string, told: string): boolean {
  const sentences = told.split('. ').filter((sentence) => new RegExp(`\\b${tool}\\b`).test(sentence));
  return sentences.some((sentence) => countShared(sought, sentence.replaceAll(tool, ' ')) > 0);
}

/** A look-up, by its tool and what it looks for; each is made once. */
function question({ name }: ListedTool, called = ''): string {
  return `${name} ${called}`;
}

/** A call that was refused, and where it stands. */
type Tried = {
  readonly args: Facts;
  readonly asked: Set<string>;
  readonly depth: number;
  readonly facts: Facts;
  readonly filler: Filler;
  readonly tool: ListedTool;
};

/** The first of the values with the most points; undefined where none has any. */
function best<T>(values: readonly T[], pointsOf: (value: T) => number): T | undefined {
  const scored = values.map((value) => ({ value, points: pointsOf(value) })).filter(({ points }) => points > 0);
  return scored.sort((a, b) => b.points - a.points)[0]?.value;
}

/**
 * The arguments that a suggestion spells: `mode "refine"`, and `refine: [{scope: "proposal", proposal_id}]` where a member without
 * a value is that of the refused call.
 */
function spelledIn(suggestion: string, args: Facts): Facts {
  const plain = [...suggestion.matchAll(/(\w+) "(\w+)"/g)].map(([, name = '', value]) => [name, value]);
  const lists = [...suggestion.matchAll(/(\w+): \[\{([^}]*)\}\]/g)].map(([, name = '', members = '']) => {
    const item = members.split(/, */).map((member) => {
      const [key = '', value] = member.split(/: */);
      return [key, value?.replaceAll('"', '') ?? args[key]];
    });
    return [name, [Object.fromEntries(item)]];
  });
  return Object.fromEntries([...plain, ...lists]) as Facts;
}

/** Every error of an answer, those of single items too. */
function errorsIn(answer: unknown): readonly Told[] {
  if (Array.isArray(answer)) return answer.flatMap(errorsIn);
  if (typeof answer !== 'object' || answer === null) return [];
  const { errors, ...others } = answer as { errors?: unknown };
  const own = Array.isArray(errors) ? (errors as Told[]) : [];
  return [...own, ...Object.entries(others).flatMap(([name, value]) => (name === 'adcp_error' ? [] : errorsIn(value)))];
}

function valueAt(args: unknown, field: string): unknown {
  return field
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
    .reduce<unknown>((at, step) => (at as Facts | undefined)?.[step], args);
}
