import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(import.meta.url);

/** The folder of the public SDK, which brings the storyboards, the graders and the fuzzer. */
export const sdkFolder = path.dirname(require.resolve('@adcp/sdk/package.json'));

/**
 * Runs a program of somebody else's with this Node and answers its exit code and what it printed. `codes` are the exit codes that
 * mean it ran to its end; any other throws, with what it said.
 */
export function runOutside(args, { codes = [0, 1], env = {}, timeoutMs = 300_000 } = {}) {
  const options = { timeout: timeoutMs, maxBuffer: 256 * 1024 * 1024, env: { ...process.env, ...env } };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (codes.includes(code)) resolve({ code, text: stdout });
      else reject(new Error(`${args.join(' ')} could not run (${code ?? error.signal}): ${stderr.slice(-2000)}`));
    });
  });
}

/** Runs a command of the public SDK's own command line. */
export function adcp(args, options) {
  return runOutside([path.join(sdkFolder, 'bin/adcp.js'), ...args], options);
}
