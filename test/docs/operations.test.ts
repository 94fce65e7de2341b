import { runCommandsOf } from '../kit/documents.js';

// Half of all commands that documents tell: beside the others, not after them.
runCommandsOf('docs/operations.md');
