/**
 * Loaded into a server by `node --import`, for passed-files.mjs: counts calls of functions from the start. The parent's
 * message `reset` begins anew, `take` answers the URLs of the scripts of which a function ran since, each with how often.
 */
import { Session } from 'node:inspector/promises';

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.on('message', async (what) => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  if (what === 'reset') return process.send({});
  // A function that ran is named; the top level of a module, which has no name, runs when it is loaded.
  const ran = result.map(({ url, functions }) => ({
    url,
    functions: functions
      .filter((each) => each.ranges[0].count > 0 && each.functionName !== '')
      .map((each) => each.functionName),
  }));
  process.send(ran.filter((each) => each.functions.length > 0));
});
