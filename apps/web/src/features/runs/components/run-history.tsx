import type { Run } from '@stet/contract';
import { NOTES_IN_HISTORY } from '@stet/domain/runs';
import { Link } from 'react-router';
import { formatTime } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { useCan } from '../../../lib/session/signed-in.ts';
import { FileLinks } from '../../../step-types/run/file-links.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Moment } from '../../../ui/moment.tsx';
import { historyDays } from '../model/history-lines.ts';
import { hasOlderNotes } from '../model/notes-of.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './run-history.module.css';

/**
 * The history, newest first, in a panel that scrolls if it is taller than 20rem (specification, section 2, run
 * execution).
 */
export function RunHistory({ run }: { run: Pick<Run, 'id' | 'history' | 'steps' | 'now'> }) {
  const days = historyDays(run.history, run.steps, run.now);
  const canAudit = useCan('audit.export');
  return (
    <section className={classNames('sheet', styles.runHistory)} aria-labelledby="run-history">
      <h2 id="run-history">
        Execution History <span className="muted">newest first</span>
      </h2>
      {/* A scrollable region must be reachable by keyboard. */}
      <div className={styles.scroll} tabIndex={0} role="region" aria-label="Entries">
        {hasOlderNotes(run) && (
          <p className="muted">The latest {NOTES_IN_HISTORY} notes. The conversation has all of them.</p>
        )}
        {days.length === 0 && <p className="muted">Nothing has happened yet.</p>}
        {days.map(({ day, lines }) => (
          <div key={day}>
            <h3>{day}</h3>
            <ol>
              {lines.map((line) => (
                <li key={line.key}>
                  <Moment at={line.at}>{formatTime(line.at)}</Moment>
                  <div>
                    <p>
                      <b className="med">{line.subject}</b> {line.verb}
                      {line.isSimulated && (
                        <>
                          {' '}
                          <Badge tone="warn">Simulated</Badge>
                        </>
                      )}
                      <small>{line.detail}</small>
                    </p>
                    {line.files.length > 0 && <FileLinks files={line.files} />}
                  </div>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </div>
      {canAudit && (
        <p className="xs">
          <Link to={paths.auditOf({ run: run.id })}>Audit trail of this run</Link>
        </p>
      )}
    </section>
  );
}
