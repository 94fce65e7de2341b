import { TaskError } from '../../../protocol/errors.js';
import type { App, Call } from '../../context.js';
import type { SecondJudge } from '../../domain/content/judge.js';
import type { ContentStandard } from '../../domain/content/standard.js';

/** Returns the judge that is asked where the built-in one cannot decide: the tenant's language model, where it has one. Throws SERVICE_UNAVAILABLE where that fails. */
export async function findSecondJudge(
  app: App,
  { seller }: Call,
  standard: ContentStandard,
): Promise<SecondJudge | undefined> {
  const { llm, path } = seller.tenant;
  if (llm === undefined) return undefined;
  const { modelJudge } = await import('../../governance/content-model.js');
  const asked = modelJudge({ ...llm, ask: app.renderer().outbound.fetch }, standard);
  return async (artifact, policies) => {
    try {
      return await asked(artifact, policies);
    } catch (cause) {
      // Its message alone: the request holds the key, the answer is a stranger's.
      const reason = cause instanceof Error ? cause.message : 'unknown';
      app.log.warn({ tenant: path, reason }, 'the text endpoint failed; content was not judged');
      throw new TaskError('SERVICE_UNAVAILABLE', 'The language model that judges content does not answer just now.', {
        retryAfter: 30,
        suggestion: 'Send the same request again; nothing was decided.',
      });
    }
  };
}
