// The fonts of the landing page and the priority application. They load in parallel with the code. Rendering briefly
// waits for them, so that the text doesn't jump when a font arrives.
const FACES = [
  '430 76px "Newsreader Variable"',
  'italic 440 24px "Newsreader Variable"',
  '420 16px "Hanken Grotesk Variable"',
];

/**
 * Resolves once the fonts are loaded, or after at most `atMost` milliseconds, so that a slow font doesn't delay the
 * text for long.
 */
export async function fontsReady(atMost = 800): Promise<void> {
  const { fonts } = document as { fonts?: FontFaceSet };
  if (!fonts) return;
  const late = new Promise((resolve) => setTimeout(resolve, atMost));
  await Promise.race([Promise.allSettled(FACES.map((face) => fonts.load(face))), late]);
}
