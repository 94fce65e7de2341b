import { createServer } from 'seller-agent';

/** Loads the whole package. */
process.stdout.write(JSON.stringify({ createServer: typeof createServer }));
