// The fonts of the public pages, loaded in parallel with their code and awaited briefly, so that the first text doesn't
// jump when its font arrives.
const FACES = [
  '430 76px "Newsreader Variable"',
  'italic 440 24px "Newsreader Variable"',
  '420 16px "Hanken Grotesk Variable"',
];

/**
 * Resolves once the fonts of the first text are loaded, or after `atMost` milliseconds: text matters more than its
 * font.
 */
export async function fontsReady(atMost = 800): Promise<void> {
  const { fonts } = document as { fonts?: FontFaceSet };
  if (!fonts) return;
  const late = new Promise((resolve) => setTimeout(resolve, atMost));
  await Promise.race([Promise.allSettled(FACES.map((face) => fonts.load(face))), late]);
}
