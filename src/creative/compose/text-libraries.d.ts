/** https://github.com/lojjic/bidi-js, whose own declarations do not fit how Node loads it. */
declare module 'bidi-js' {
  type Levels = {
    readonly levels: Uint8Array;
    readonly paragraphs: readonly { readonly start: number; readonly end: number; readonly level: number }[];
  };
  export default function bidiFactory(): {
    getBidiCharTypeName(character: string): string;
    getEmbeddingLevels(text: string, direction?: 'ltr' | 'rtl' | 'auto'): Levels;
  };
}

/** https://github.com/foliojs/linebreak, which has no declarations. */
declare module 'linebreak' {
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { readonly position: number; readonly required: boolean } | null;
  }
}

/** https://github.com/ytiurin/hyphen, which has no declarations for a language's own file. */
declare module 'hyphen/*' {
  const patterns: { readonly hyphenateSync: (text: string, options: object) => string };
  export default patterns;
}
