declare module 'subset-font' {
  /** Pins the axes of a variable font and unpacks WOFF2; answers a plain TrueType font. */
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
