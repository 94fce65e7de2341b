import type { McpUiHostContext } from '@modelcontextprotocol/ext-apps';

/** Shows the app in the host's theme, and in its type where it says which; without a theme the browser's own counts. */
export function followTheme({ styles, theme }: McpUiHostContext): void {
  const root = document.documentElement;
  if (theme !== undefined) {
    root.style.colorScheme = theme;
    for (const rule of darkRules()) rule.media.mediaText = theme === 'dark' ? 'all' : 'not all';
  }
  const font = styles?.variables?.['--font-sans'];
  if (font !== undefined) root.style.fontFamily = font;
}

const remembered: CSSMediaRule[] = [];

/** Returns the rules of the page's style for the dark, which are found before the first of them is changed. */
function darkRules(): readonly CSSMediaRule[] {
  if (remembered.length > 0) return remembered;
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSMediaRule && rule.media.mediaText.includes('prefers-color-scheme: dark'))
        remembered.push(rule);
  return remembered;
}
