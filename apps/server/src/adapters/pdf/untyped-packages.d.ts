declare module 'subset-font' {
  /** Fixes the axes of a variable font and unpacks WOFF2. Returns a static TrueType font. */
  export default function subsetFont(
    font: Buffer,
    text: undefined,
    options: {
      keepAllGlyphs: true;
      targetFormat: 'truetype';
      noHinting: boolean;
      variationAxes?: Record<string, number>;
      keepFeatures?: readonly string[];
    },
  ): Promise<Buffer>;
}

declare module 'linebreak' {
  /** The line break opportunities defined by UAX #14, in order. The last one is the end of the text. */
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
