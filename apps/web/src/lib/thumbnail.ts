const SIDE = 88;

/**
 * Returns a small picture of an image as a data URL. Null if the format isn't allowed or the browser can't decode the
 * image. SVG isn't allowed, because it can contain scripts.
 */
export async function thumbnailOf(file: File): Promise<string | null> {
  if (!/^image\/(?:jpeg|png|gif|webp|heic)$/.test(file.type) || typeof createImageBitmap !== 'function') return null;
  try {
    const image = await createImageBitmap(file);
    const scale = SIDE / Math.min(image.width, image.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(image.width * scale));
    canvas.height = Math.max(1, Math.round(image.height * scale));
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    return canvas.toDataURL('image/jpeg', 0.7);
  } catch {
    return null;
  }
}
