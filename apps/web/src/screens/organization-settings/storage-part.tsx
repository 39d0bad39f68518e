import { sizeWords } from '@stet/domain/steps';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api/api.ts';
import styles from './storage-part.module.css';

/** The space that the files of the organization's runs use. */
export function StoragePart({ organizationId }: { organizationId: string }) {
  const { data } = useQuery({
    queryKey: ['organization', organizationId, 'file-usage'],
    queryFn: ({ signal }) => api('GET /api/file-usage', { signal }),
  });
  if (!data) return null;
  const words = `${sizeWords(data.bytes)} of ${sizeWords(data.quota)} used`;
  return (
    <section className="settings-part" aria-labelledby="storage">
      <h2 className="title-sm" id="storage">
        Files
      </h2>
      <p className="about">Files attached to the steps of runs: {words}</p>
      <meter className={styles.meter} min={0} max={data.quota} value={data.bytes} aria-label={words} />
    </section>
  );
}
