import { TaskError } from '../../protocol/errors.js';

/** Returns the error of a move that a table of states does not have; its details name the present state. */
export function illegalMove(what: string, from: string, to: string, legal: readonly string[]): TaskError {
  return new TaskError('INVALID_STATE', `The ${what} is ${from}; it cannot become ${to}.`, {
    field: 'status',
    suggestion: legal.length === 0 ? 'Nothing leads out of this state.' : `It can become ${legal.join(', ')}.`,
    details: { current_state: from },
  });
}
