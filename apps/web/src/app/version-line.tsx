import { useQuery } from '@tanstack/react-query';
import { api } from '../lib/api/api.ts';
import styles from './version-line.module.css';

/** The server's version at the foot of the settings, for support requests. */
export function VersionLine() {
  const { data } = useQuery({ queryKey: ['version'], queryFn: ({ signal }) => api('GET /api/version', { signal }) });
  return (
    <footer className={styles.version}>
      {data && `Stet ${data.version}${data.commit === null ? '' : ` · commit ${data.commit}`} · schema ${data.schema}`}
    </footer>
  );
}
