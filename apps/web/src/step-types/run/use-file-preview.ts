import { canHavePreview, type Evidence } from '@stet/domain/steps';
import { useQuery } from '@tanstack/react-query';
import { apiBytes } from '../../lib/api/api.ts';

/** A preview is usually made within seconds of the upload. After these attempts, the file is shown without one. */
const ATTEMPTS = 3;
const PAUSE_MS = 2000;

/** The server's preview of a file, as a data URL; undefined until it is available, and for files without a preview. */
export function useFilePreview(file: Pick<Evidence, 'fileId' | 'mediaType'> | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['file-preview', file?.fileId],
    queryFn: async ({ signal }) => {
      const image = await apiBytes('GET /api/files/{id}/preview', { params: { id: file?.fileId ?? '' }, signal });
      return image.size === 0 ? null : dataUrlOf(image);
    },
    enabled: file !== undefined && canHavePreview(file.mediaType),
    refetchInterval: ({ state }) => (state.data === null && state.dataUpdateCount < ATTEMPTS ? PAUSE_MS : false),
    // A preview never changes.
    staleTime: Infinity,
    // The file can also be used without a preview.
    retry: false,
  });
  return data ?? undefined;
}

/** The page's policy doesn't allow images from blob URLs, so this is a data URL. */
function dataUrlOf(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the image could not be read')));
    reader.readAsDataURL(image);
  });
}
