const actions: (() => unknown)[] = [];

/** Does something when the test file has ended, before what was asked for earlier: what was opened last is closed first. */
export function afterFile(action: () => unknown): void {
  actions.push(action);
}

/** Does all that was asked for. */
export async function endFile(): Promise<void> {
  for (let action = actions.pop(); action !== undefined; action = actions.pop()) await action();
}
