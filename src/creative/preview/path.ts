/** The path of everything that previews serve. */
export const PREVIEWS_PATH = '/previews';
