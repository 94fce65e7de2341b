import type { JsonObject } from '../evidence.js';
import { textsOf } from '../texts.js';
import type { Stage } from './stage.js';

/** Releases that are asked for. */
const MAX_RELEASES = 4;

/** Asks what the agent can do: as it comes, under each release that it declares, and under a major release that there is not. */
export const readCapabilities: Stage = async ({ open, options, wire }, { arrival, names }) => {
  if (arrival?.ok !== true) return {};
  const task = names.capabilitiesTool;
  const capabilities = await wire.call(task);
  const publicCapabilities = options.credentials === undefined ? capabilities : await open({}).call(task);
  if (capabilities.payload === undefined || capabilities.isError) return { capabilities, publicCapabilities };
  const declared = capabilities.payload;
  const root = declared[names.capabilitiesRoot];
  const releases = textsOf((root as JsonObject | undefined)?.supported_versions).slice(0, MAX_RELEASES);
  const asked = [];
  for (const release of releases) asked.push({ release, answer: await wire.call(task, { [names.version]: release }) });
  return {
    capabilities,
    publicCapabilities,
    declared,
    releases: asked,
    wrongMajor: await wire.call(task, { [`${names.own}_major_version`]: 99 }),
  };
};
