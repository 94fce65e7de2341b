import { isObject, pickMembers, Written } from '../../../platform/kernel/json/json.js';
import { type Addressee, type Payload, successPayload } from '../../../protocol/envelope.js';
import { TaskError } from '../../../protocol/errors.js';
import type { Release } from '../../../protocol/releases.js';
import { isOngoing } from '../../../protocol/tasks.js';
import type { Call } from '../../context.js';
import { MESSAGE_WHILE_ONGOING, type Tool, VERSION_MEMBER } from './tool.js';

/** Refuses a task to a caller of a release that it is not of: an older one than it came with, or one that has it otherwise. Throws VERSION_UNSUPPORTED. */
export function checkRelease({ since, notIn }: Pick<Tool, 'since' | 'notIn'>, { to, seller }: Call): void {
  if (notIn?.release === to.release)
    throw wrongRelease(seller, notIn.because, {
      suggestion: notIn.instead,
      supported: seller.tenant.releases.filter((release) => release !== notIn.release),
    });
  if (since === undefined || to.release === since) return;
  throw wrongRelease(seller, `This task came with ${since}, and the request is served as ${to.release}.`, {
    suggestion: `Send ${seller.names.acceptedVersion[0]}: "${since}", or call a task of ${to.release}.`,
    supported: [since],
  });
}

function wrongRelease(
  { names }: Call['seller'],
  because: string,
  { suggestion, supported }: { readonly suggestion: string; readonly supported: readonly Release[] },
): TaskError {
  return new TaskError('VERSION_UNSUPPORTED', because, {
    field: names.acceptedVersion[0] ?? '',
    suggestion,
    details: { supported_versions: supported, supported_majors: [3] },
  });
}

/**
 * Returns the body of a successful call: the task's answer with what belongs to the request. Of a task whose roots are closed it has
 * those members alone; where the release or the message is not one of them, it stands in `ext`, which every answer may have.
 */
export function addressAnswer(
  { root }: Pick<Tool, 'root'>,
  answer: Payload | Written,
  to: Addressee,
  remarks: Payload = {},
): Payload | Written {
  if (root === undefined) return successPayload(answer, to, remarks);
  const whole: Payload = answer instanceof Written ? JSON.parse(answer.plain) : answer;
  return pickRoot(root, placeMessage(root, { ...whole, ...successPayload(whole, to, remarks) }), to);
}

/** Returns an answer whose message stands where its closed root has a place for it. */
function placeMessage(root: readonly string[], answer: Payload): Payload {
  const { message, ...rest } = answer;
  const hasPlace = root.includes('message') || (root.includes(MESSAGE_WHILE_ONGOING) && isOngoing(answer));
  if (message === undefined || hasPlace) return answer;
  return { ...rest, ext: { ...(isObject(rest.ext) ? rest.ext : {}), message } };
}

/** Returns an answer whose `message` ends with a sentence. */
export function addRemark<Body extends Payload | Written>(answer: Body, sentence: string | undefined): Body | Payload {
  if (sentence === undefined) return answer;
  const whole: Payload = answer instanceof Written ? JSON.parse(answer.plain) : answer;
  const { message } = whole;
  return { ...whole, message: typeof message === 'string' && message !== '' ? `${message} ${sentence}` : sentence };
}

/** Returns a failed answer closed in the same way, of a task whose answers have a place for errors; of another as it is. */
export function closeFailure({ root }: Pick<Tool, 'root'>, payload: Payload, to: Addressee): Payload {
  if (root?.includes('errors') !== true) return payload;
  // The message is that of the error.
  return pickRoot(
    root.filter((name) => name !== 'message' && name !== MESSAGE_WHILE_ONGOING),
    payload,
    to,
  );
}

function pickRoot(root: readonly string[], payload: Payload, to: Addressee): Payload {
  const { version } = to.names;
  const named = root.map((name) => {
    if (name === VERSION_MEMBER) return version;
    return name === MESSAGE_WHILE_ONGOING ? 'message' : name;
  });
  const picked = pickMembers(payload, named);
  if (root.includes(VERSION_MEMBER) || !to.asked) return picked;
  return { ...picked, ext: { ...(isObject(payload.ext) ? payload.ext : {}), [version]: to.release } };
}
