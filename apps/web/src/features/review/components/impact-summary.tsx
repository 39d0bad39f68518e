import type { DraftImpact } from '@stet/contract';
import { Fragment } from 'react';
import { Button } from '../../../ui/button.tsx';
import { AfterPatience, SkeletonLine } from '../../../ui/skeleton.tsx';
import { impactLines } from '@stet/presentation/impact-words';
import styles from './review-side.module.css';

type ImpactSummaryProps = {
  impact: DraftImpact | undefined;
  /** The reason why the impact couldn't be loaded. Null unless that failed. */
  error: string | null;
  onRetry: () => void;
  titleOf: (stepId: string) => string;
  /** A sentence that names the version that the impact was computed against. Null if that is the live one. */
  against: string | null;
};

const MAX_DETAILS = 5;

export function ImpactSummary({ impact, error, onRetry, titleOf, against }: ImpactSummaryProps) {
  return (
    <section>
      <h2 className="h3">Impact summary</h2>
      {against !== null && <p className="xs muted">{against}</p>}
      {impact ? (
        <dl className={styles.imp}>
          {impactLines(impact, titleOf).map(({ label, value, details, tone }) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd className={tone && styles[tone]}>{value}</dd>
              {details.length > 0 && (
                <dd className={styles.details}>
                  {details.slice(0, MAX_DETAILS).map((detail) => (
                    <span key={detail}>{detail}</span>
                  ))}
                  {details.length > MAX_DETAILS && <span>and {details.length - MAX_DETAILS} more</span>}
                </dd>
              )}
            </Fragment>
          ))}
        </dl>
      ) : error !== null ? (
        <div className="stack">
          <p role="alert">{error}</p>
          <p>
            <Button size="sm" onClick={onRetry}>
              Try again
            </Button>
          </p>
        </div>
      ) : (
        <AfterPatience label="Loading the impact">
          <div className="stack">
            {[70, 55, 62, 48].map((width) => (
              <SkeletonLine key={width} width={`${width}%`} />
            ))}
          </div>
        </AfterPatience>
      )}
    </section>
  );
}
