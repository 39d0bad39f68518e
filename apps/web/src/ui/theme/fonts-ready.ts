// The faces that the public pages begin with. Asked for while their code is still on its way, and waited for a moment, so
// that the first words don't jump when their type arrives.
const FACES = [
  '430 76px "Newsreader Variable"',
  'italic 440 24px "Newsreader Variable"',
  '420 16px "Hanken Grotesk Variable"',
];

/** Resolves when the type of the first words is there, or after `atMost` milliseconds: words matter more than their type. */
export async function fontsReady(atMost = 800): Promise<void> {
  const { fonts } = document as { fonts?: FontFaceSet };
  if (!fonts) return;
  const late = new Promise((resolve) => setTimeout(resolve, atMost));
  await Promise.race([Promise.allSettled(FACES.map((face) => fonts.load(face))), late]);
}
