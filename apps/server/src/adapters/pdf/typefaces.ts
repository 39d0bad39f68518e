import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { create } from 'fontkit';
import subsetFont from 'subset-font';
import { FAMILIES, type FontFamily, type Voice } from './font-families.ts';
import { type ShapedFont, shapedFont } from './shaped-font.ts';

/** One opened slice of a font. */
export type Face = { readonly key: string } & Readonly<ShapedFont>;

/** Replaces a character that no font has. */
export const REPLACEMENT = '\uFFFD';

const resolve = createRequire(import.meta.url).resolve;

type Slice = { name: string; covers: (codePoint: number) => boolean };

// Fonts don't change while the process runs, so they are opened only once.
const slices = new Map<string, Promise<Slice[]>>();
const faces = new Map<string, Promise<Face>>();
const found = new Map<Voice, Map<number, Face | null>>();

/** Opens the fonts that the text needs, so that `faceFor` finds a face for each of its characters. */
export async function prepareFaces(voice: Voice, text: string): Promise<void> {
  const known = knownOf(voice);
  for (const character of `${text}${REPLACEMENT}`) {
    const codePoint = character.codePointAt(0) ?? 0;
    if (!known.has(codePoint)) known.set(codePoint, await findFace(voice, codePoint));
  }
}

/** Finds the face for a character that was passed to `prepareFaces`. Null if no font has it. */
export function faceFor(voice: Voice, codePoint: number): Face | null {
  return knownOf(voice).get(codePoint) ?? null;
}

function knownOf(voice: Voice): Map<number, Face | null> {
  const known = found.get(voice) ?? new Map<number, Face | null>();
  found.set(voice, known);
  return known;
}

async function findFace(voice: Voice, codePoint: number): Promise<Face | null> {
  for (const family of FAMILIES[voice]) {
    for (const slice of await once(slices, family.package, () => readSlices(family))) {
      if (!slice.covers(codePoint)) continue;
      const key = `${family.package} ${family.file(slice.name)} ${JSON.stringify(family.axes ?? {})}`;
      const face = await once(faces, key, () => openFace(key, family, slice.name));
      // A slice lists the characters for which a browser should load it, but the font may lack some of these
      // characters.
      if (face.font.hasGlyphForCodePoint(codePoint)) return face;
    }
  }
  return null;
}

async function readSlices(family: FontFamily): Promise<Slice[]> {
  const ranges = JSON.parse(await readFile(path.join(folderOf(family), 'unicode.json'), 'utf8')) as Record<
    string,
    string
  >;
  return Object.entries(ranges)
    .filter(([name]) => family.slices?.test(name) ?? true)
    .map(([name, css]) => ({ name, covers: unicodeRanges(css) }));
}

async function openFace(key: string, family: FontFamily, slice: string): Promise<Face> {
  const file = path.join(folderOf(family), 'files', family.file(slice.replaceAll(/[[\]]/g, '')));
  // fontkit can't embed a variable font or a WOFF2 file, so it gets a static TrueType instance.
  const instance = await subsetFont(await readFile(file), undefined, {
    keepAllGlyphs: true,
    targetFormat: 'truetype',
    noHinting: true,
    ...(family.axes && { variationAxes: family.axes }),
    ...(family.features && { keepFeatures: family.features }),
  });
  const font = create(instance);
  if (!('layout' in font)) throw new Error(`${file} contains several fonts`);
  return { key, ...shapedFont(font, { isEven: family.isEven ?? false }) };
}

const folderOf = (family: FontFamily): string => path.dirname(resolve(`${family.package}/package.json`));

function once<T>(cache: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  const there = cache.get(key);
  if (there) return there;
  const made = make();
  cache.set(key, made);
  // A failure isn't cached, because it can be temporary, for example if too many files are open.
  made.catch(() => cache.delete(key));
  return made;
}

/**
 * Parses a CSS `unicode-range`, for example `U+0-FF,U+131`. The returned function checks whether it contains a code
 * point.
 */
function unicodeRanges(css: string): (codePoint: number) => boolean {
  const ranges = css.split(',').map((range) => {
    const [first = '', last = first] = range.trim().replace(/^U\+/i, '').split('-');
    return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
  });
  return (codePoint) => ranges.some(([first, last]) => codePoint >= first && codePoint <= last);
}
