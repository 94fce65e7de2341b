import { createRequire } from 'node:module';
import path from 'node:path';
import { MINUTE_MS } from '../../platform/kernel/clock.js';
import { isObject } from '../../platform/kernel/json/json.js';
import type { Assessment } from '../../registry/assessment/assess.js';
import type { BadgeForecast } from '../../registry/assessment/storyboards.js';

/** The package of the public suite. */
const PACKAGE = '@adcp/sdk';
/** What a step of the suite may do that changes nothing: reads, and what is asked beside tasks. */
const READS =
  /^(?:get_|list_|protected_resource_metadata$|oauth_auth_server_metadata$|assert_contribution$|\$test_kit\.)/;
const MAX_WHY_CHARACTERS = 200;
/** Reads of the caller's own things, one of which the suite asks for as a stranger; the first that the agent lists. */
const PROTECTED_READS = ['list_creatives', 'get_media_buy_delivery', 'get_signals', 'list_accounts'];

type SuiteStoryboard = {
  readonly id: string;
  readonly phases: readonly { readonly steps: readonly { readonly task?: string }[] }[];
};

/** The part of the package that doctor uses, as its release 6 has it. */
type SuiteModule = {
  readonly loadComplianceIndex: () => { readonly adcp_version: string };
  readonly resolveStoryboardsForCapabilities: (declared: object) => {
    readonly storyboards: readonly SuiteStoryboard[];
  };
  readonly setAgentTesterLogger?: (log: Readonly<Record<'info' | 'warn' | 'error' | 'debug', () => void>>) => void;
  readonly comply: (url: string, options: object) => Promise<SuiteReport>;
};

type SuiteReport = {
  readonly storyboards_executed?: readonly string[];
  readonly failures?: readonly { readonly storyboard_id: string; readonly step_id: string; readonly error?: string }[];
};

/** Who is asked, and with what key; `local` lets plain http through. */
type SuiteRun = { readonly url: string; readonly key: string | undefined; readonly local: boolean };

/** The public suite as it is installed where a command runs. */
export class PublicSuite {
  readonly #module: SuiteModule;

  private constructor(module: SuiteModule) {
    this.#module = module;
  }

  /** Returns the suite that resolves from a folder, as an import there would; undefined where there is none. */
  static find(folder: string): PublicSuite | undefined {
    try {
      const suite: unknown = createRequire(path.join(folder, 'index.js'))(`${PACKAGE}/testing`);
      return isSuite(suite) ? new PublicSuite(suite) : undefined;
    } catch {
      return undefined;
    }
  }

  /**
   * Returns the outlook of the badge by the suite itself: the storyboards that it selects for what the agent declares, those of them that
   * only read as they went just now, and the others by what the assessment saw. Rejects where the suite cannot run.
   */
  async forecast({ agent, badge }: Pick<Assessment, 'agent' | 'badge'>, run: SuiteRun): Promise<BadgeForecast> {
    const suite = this.#module.loadComplianceIndex().adcp_version;
    const selected = this.#select(agent);
    if ('fault' in selected) {
      const storyboards = [{ storyboard: 'capabilities', outcome: 'fails', why: selected.fault }] as const;
      return { isPossible: false, suite, storyboards };
    }
    const reading = selected.filter(isReading).map(({ id }) => id);
    const report = reading.length === 0 ? {} : await this.#run(reading, { ...run, probe: probeOf(agent) });
    const storyboards = selected.map(({ id }) => {
      const failure = report.failures?.find(({ storyboard_id }) => storyboard_id === id);
      if (failure !== undefined) {
        const why = `${failure.step_id}: ${failure.error ?? 'a check of the suite'}`.slice(0, MAX_WHY_CHARACTERS);
        return { storyboard: id, outcome: 'fails', why } as const;
      }
      if (report.storyboards_executed?.includes(id) === true) return { storyboard: id, outcome: 'passes' } as const;
      return (
        badge.storyboards.find(({ storyboard }) => storyboard === id) ?? ({ storyboard: id, outcome: 'open' } as const)
      );
    });
    const isPossible = agent.protocols.length > 0 && !storyboards.some(({ outcome }) => outcome === 'fails');
    return { isPossible, suite, storyboards };
  }

  #select({ protocols, specialisms }: Assessment['agent']): readonly SuiteStoryboard[] | { readonly fault: string } {
    try {
      const declared = { supported_protocols: protocols, specialisms, major_versions: [3] };
      return this.#module.resolveStoryboardsForCapabilities(declared).storyboards;
    } catch (error) {
      return { fault: error instanceof Error ? error.message.slice(0, MAX_WHY_CHARACTERS) : String(error) };
    }
  }

  #run(
    storyboards: readonly string[],
    { key, local, probe, url }: SuiteRun & { readonly probe: string | undefined },
  ): Promise<SuiteReport> {
    const silent = () => undefined;
    this.#module.setAgentTesterLogger?.({ info: silent, warn: silent, error: silent, debug: silent });
    return this.#module.comply(url, {
      protocol: 'mcp',
      allow_http: local,
      timeout_ms: MINUTE_MS,
      storyboards,
      ...(key !== undefined && {
        auth: { type: 'bearer', token: key },
        test_kit: { auth: { api_key: key, probe_task: probe } },
      }),
    });
  }
}

function probeOf({ tools }: Assessment['agent']): string | undefined {
  return PROTECTED_READS.find((task) => tools.includes(task)) ?? PROTECTED_READS[0];
}

function isReading({ phases }: SuiteStoryboard): boolean {
  return phases.every(({ steps }) => steps.every(({ task = '' }) => READS.test(task)));
}

function isSuite(value: unknown): value is SuiteModule {
  return (
    isObject(value) &&
    ['comply', 'loadComplianceIndex', 'resolveStoryboardsForCapabilities'].every(
      (name) => typeof value[name] === 'function',
    )
  );
}
