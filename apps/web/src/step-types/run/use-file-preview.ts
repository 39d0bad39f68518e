import { canHavePreview, type Evidence } from '@stet/domain/steps';
import { useQuery } from '@tanstack/react-query';
import { apiBytes } from '../../lib/api/api.ts';

/** The server's preview of a file, as a data URL; undefined until it is there, and for files without one. */
export function useFilePreview(file: Pick<Evidence, 'fileId' | 'mediaType'> | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ['file-preview', file?.fileId],
    queryFn: async ({ signal }) =>
      dataUrlOf(await apiBytes('GET /api/files/{id}/preview', { params: { id: file?.fileId ?? '' }, signal })),
    enabled: file !== undefined && canHavePreview(file.mediaType),
    // A preview never changes.
    staleTime: Infinity,
    // Without a preview, the file's icon is shown.
    retry: false,
  });
  return data;
}

/** The page's policy allows images from the server and from data URLs. */
function dataUrlOf(image: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the image could not be read')));
    reader.readAsDataURL(image);
  });
}
