import { afterAll } from 'vitest';
import { endFile } from './after-use.js';

// Test files of one process share the modules of the kit, this one runs for each of them (`setupFiles`).
afterAll(endFile);
