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
  const used = sizeWords(data.bytes);
  const quota = sizeWords(data.quota);
  return (
    <section className="sheet settings-form" aria-labelledby="storage">
      <h2 className="title-sm" id="storage">
        Files
      </h2>
      <p>
        Files of steps and notes use {used} of {quota}.
      </p>
      <meter
        className={styles.meter}
        min={0}
        max={data.quota}
        value={data.bytes}
        aria-label={`${used} of ${quota} used`}
      />
    </section>
  );
}
