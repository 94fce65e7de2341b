/** What is published of a mirror: all its records as plain JSON, and beside them which ones they are. */
export const EXPORT_FILE = 'registry-snapshot.json';
export const EXPORT_MANIFEST = 'registry-snapshot.manifest.json';
