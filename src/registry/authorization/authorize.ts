import type { EffectiveAdagents } from '../adagents/discovery.js';
import type { BrandContent } from '../brand/types.js';
import { type Decision, decide } from './evaluate.js';
import { FileFacts } from './file-facts.js';
import { Operator } from './operator.js';
import { type AuthorizationQuestion, readQuestion } from './question.js';

/**
 * Returns whether an agent may sell a property, or the site at a domain, of the publisher whose file is given. Which publisher a
 * property is of, the caller knows: an app's file can name any bundle. Throws VALIDATION_ERROR with `field` for a question that asks
 * nothing.
 */
export function isAuthorized(
  question: AuthorizationQuestion,
  publisher: EffectiveAdagents | undefined,
  operator?: BrandContent,
): Decision {
  return decide(readQuestion(question), new FileFacts(publisher, operator && new Operator(operator)));
}
