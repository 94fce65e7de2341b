/** The JSON text of objects that never change, so that a catalogue or a tool list is written once and not per call. */
const texts = new WeakMap<object, string>();

/** Remembers the JSON text of `value`, which must not change afterwards, and returns it. */
export function prepared<T extends object>(value: T): T {
  texts.set(value, JSON.stringify(value));
  return value;
}

/** A prepared object with members added; only the additions are written anew. `additions` must not name a member of `base`. */
export function extended<T extends object, A extends object>(base: T, additions: A): T & A {
  const text = texts.get(base);
  const whole = { ...base, ...additions };
  const added = JSON.stringify(additions).slice(1);
  if (text !== undefined && text !== '{}' && added !== '}') texts.set(whole, `${text.slice(0, -1)},${added}`);
  return whole;
}

/** `toJson`, remembered, for an object that is about to be written inside another one. */
export function written(value: object): string {
  const text = toJson(value);
  texts.set(value, text);
  return text;
}

/** `JSON.stringify`, splicing the remembered text of prepared objects in the upper three levels. */
export function toJson(value: unknown): string {
  return write(value, 3) ?? 'null';
}

function write(value: unknown, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = texts.get(value);
  if (known !== undefined) return known;
  if (levels === 0) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, levels - 1) ?? 'null').join(',')}]`;
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    const text = write(member, levels - 1);
    if (text !== undefined) members.push(`${JSON.stringify(key)}:${text}`);
  }
  return `{${members.join(',')}}`;
}

/** Whether a JSON value is nested more than `levels` deep. Never recurses, so a hostile body cannot exhaust the stack. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value];
  for (let depth = 0; layer.length > 0; depth += 1) {
    if (depth > levels) return true;
    const next: unknown[] = [];
    for (const item of layer) {
      if (typeof item !== 'object' || item === null) continue;
      for (const member of Object.values(item)) if (typeof member === 'object' && member !== null) next.push(member);
    }
    layer = next;
  }
  return false;
}

/** Whether a value is a JSON object (not an array, not null). */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
