import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The file in the data folder that tells other commands where the running server's operator API is. */
export const OPERATOR_FILE = 'operator.json';

/** Writes the address of the operator's API and its token, readable by the owner of the folder alone. */
export function writeOperatorFile(
  folder: string,
  content: { readonly url: string; readonly token: string; readonly base_url: string },
): void {
  const file = path.join(folder, OPERATOR_FILE);
  const whole = {
    ...content,
    pid: process.pid,
  };
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** Removes the file: nobody listens at that address any more. */
export function removeOperatorFile(folder: string): void {
  rmSync(path.join(folder, OPERATOR_FILE), { force: true });
}
