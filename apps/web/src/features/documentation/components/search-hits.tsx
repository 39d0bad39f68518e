import type { FoundWorkflow } from '@stet/contract';
import { Link } from 'react-router';
import { paths } from '../../../lib/paths.ts';
import { ExcerptText } from './excerpt-text.tsx';
import styles from './docs-table.module.css';

/** Links to the matches in the description and the steps. */
export function SearchHits({ workflow: { key, hits } }: { workflow: FoundWorkflow }) {
  const lines = hits.filter((hit) => hit.in === 'description' || hit.in === 'step');
  return (
    <ul className={styles.foundIn}>
      {lines.map((hit) =>
        hit.in === 'step' ? (
          <li key={hit.stepId}>
            <Link to={paths.document(key, { step: hit.number })}>
              <span className="muted">Step {hit.number}</span> <ExcerptText of={hit.title} />
            </Link>
            {hit.text.length > 0 && (
              <span className="muted">
                <ExcerptText of={hit.text} />
              </span>
            )}
            {hit.version === 'Draft' && <span className="muted">in a draft</span>}
          </li>
        ) : (
          <li key="description">
            <Link to={paths.document(key)}>
              <span className="muted">Description</span>
            </Link>
            <span className="muted">
              <ExcerptText of={hit.text} />
            </span>
          </li>
        ),
      )}
    </ul>
  );
}

/** Whether the search text was found in the description or a step. */
export const isFoundWithin = ({ hits }: FoundWorkflow): boolean =>
  hits.some((hit) => hit.in === 'description' || hit.in === 'step');
