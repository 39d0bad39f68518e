import { isolated } from '@stet/domain/workflows';
import type { AuditEventView } from '@stet/contract';
import { Fragment, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { Link } from 'react-router';
import { formatClock, formatDate, formatDay, formatExact } from '../../../lib/format/time.ts';
import { paths } from '../../../lib/paths.ts';
import { Pressable } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Who } from '../../../ui/avatar.tsx';
import { Table, TableHead, TableSkeleton } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import { actionWords } from '../model/action-words.ts';
import { eventLines, hiddenWords, subjectWords, workflowOf } from '../model/event-words.ts';
import styles from './event-table.module.css';

const COLUMNS: readonly Column[] = [
  { name: 'No.', className: styles.sq },
  { name: 'Time', className: styles.ti },
  { name: 'Who', className: styles.by },
  { name: 'What', className: styles.ac },
  { name: 'Subject', className: styles.ob },
  { name: 'Session', className: styles.se },
  { name: 'Hash', className: styles.ha },
];

type EventTableProps = {
  events: readonly AuditEventView[];
  /** The number of the first invalid event, at which the line ends. Null if there is none. */
  brokenFrom: number | null;
  /** The last verified event's number. Later events aren't marked as verified. */
  verifiedTo: number;
  now: number;
  /** True if all older events have been searched. */
  isComplete: boolean;
};

/**
 * The audit trail as rows along a line that represents the hash chain. Arrow keys move between rows, a click or Enter
 * shows or hides a row's details, and Escape hides them.
 */
export function EventTable({ events, brokenFrom, verifiedTo, now, isComplete }: EventTableProps) {
  const [openSeq, setOpenSeq] = useState<number | null>(null);
  const [focusSeq, setFocusSeq] = useState<number | null>(null);
  const focusable = events.some(({ seq }) => seq === focusSeq) ? focusSeq : events[0]?.seq;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, seq: number) => {
    if (event.key === 'Escape' && openSeq === seq) setOpenSeq(null);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      neighbor(event.currentTarget, event.key)?.querySelector('button')?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <Table className={styles.ev} aria-label="Events">
      <TableHead columns={COLUMNS} />
      <tbody>
        {events.map((event, index) => {
          const isOpen = event.seq === openSeq;
          const day = new Date(event.at).toDateString();
          const before = events[index - 1];
          const isNewDay = before === undefined || new Date(before.at).toDateString() !== day;
          const thread =
            brokenFrom !== null && event.seq >= brokenFrom
              ? event.seq === brokenFrom
                ? 'bad'
                : 'loose'
              : event.seq > verifiedTo && 'unverified';
          return (
            <Fragment key={event.seq}>
              {before && <Gap newer={before.seq} older={event.seq} />}
              {isNewDay && (
                <tr className={classNames(styles.day, threadClass(dayThread(thread)))}>
                  <th colSpan={COLUMNS.length} scope="rowgroup">
                    <time dateTime={event.at.slice(0, 10)} title={formatDate(event.at)}>
                      {formatDay(event.at, now)}
                    </time>
                  </th>
                </tr>
              )}
              <tr
                className={classNames(styles.event, isOpen && styles.op, threadClass(thread))}
                data-seq={event.seq}
                onFocus={() => setFocusSeq(event.seq)}
                onClick={() => setOpenSeq(isOpen ? null : event.seq)}
                onKeyDown={(key) => onKey(key, event.seq)}
              >
                <EventCells event={event} thread={thread} isOpen={isOpen} isFocusable={event.seq === focusable} />
              </tr>
              {isOpen && (
                <tr data-details="" className={classNames(styles.x, threadClass(dayThread(thread)))}>
                  <td className={styles.sq}>
                    <span className="vh">Details</span>
                  </td>
                  <td colSpan={COLUMNS.length - 1}>
                    <EventDetails event={event} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
        {isComplete && <Gap newer={events.at(-1)?.seq ?? 1} older={0} />}
      </tbody>
    </Table>
  );
}

/** Says which events a filter hides between two others or before the oldest one. The line is broken there. */
function Gap({ newer, older }: { newer: number; older: number }) {
  const words = hiddenWords(newer, older);
  if (words === null) return null;
  return (
    <tr className={styles.gap}>
      <td className={styles.sq} aria-hidden="true">
        ⋮
      </td>
      <td colSpan={COLUMNS.length - 1}>{words}</td>
    </tr>
  );
}

/** The row of a day or of details continues the events' line, but is never invalid itself. */
const dayThread = (thread: Thread): Thread => (thread === 'bad' ? 'loose' : thread);

const threadClass = (thread: Thread) => thread && styles[thread];

function neighbor(row: HTMLTableRowElement, key: 'ArrowDown' | 'ArrowUp'): HTMLTableRowElement | null {
  let next: Element | null = row;
  do next = key === 'ArrowDown' ? next.nextElementSibling : next.previousElementSibling;
  while (next && !next.matches('[data-seq]'));
  return next instanceof HTMLTableRowElement ? next : null;
}

/** The appearance of an event's part of the line; false if the event was verified. */
type Thread = 'bad' | 'loose' | 'unverified' | false;
type EventCellsProps = { event: AuditEventView; thread: Thread; isOpen: boolean; isFocusable: boolean };

function EventCells({ event, thread, isOpen, isFocusable }: EventCellsProps) {
  const { seq, at, actor, action, data, sessionId, hash } = event;
  const what = subjectWords(event);
  return (
    <>
      <td
        className={styles.sq}
        title={thread === false ? 'Verified' : thread === 'unverified' ? 'Not verified yet' : undefined}
      >
        {seq}
        {thread === 'bad' && <span className="vh"> is the first invalid event</span>}
      </td>
      <td className={classNames('nowrap', styles.ti)}>
        {/* The tooltip also contains the raw value, as it is stored in the chain. */}
        <time dateTime={at} title={`${formatExact(at)}\n${at}`}>
          {formatClock(at)}
        </time>
      </td>
      <td className={styles.by}>
        <Who name={actor.name} address={actor.email ?? undefined} role={actor.kind === 'system'} />
        {actor.onBehalfOf && <span className="xs muted"> for {isolated(actor.onBehalfOf.name)}</span>}
      </td>
      <td className={classNames('nowrap', styles.ac)}>
        {/* The row handles clicks on this button. */}
        <Pressable aria-expanded={isOpen} tabIndex={isFocusable ? 0 : -1}>
          {actionWords(action, data)}
        </Pressable>
      </td>
      <td className={classNames('trunc', styles.ob)} title={what}>
        {what}
      </td>
      <td className={classNames('mono muted', styles.se)} title={sessionId ?? undefined}>
        {sessionId && `${sessionId.slice(-8, -4)}…${sessionId.slice(-4)}`}
      </td>
      <td className={classNames('mono muted', styles.ha)} title={hash}>
        {hash.slice(0, 6)}
      </td>
    </>
  );
}

function EventDetails({ event }: { event: AuditEventView }) {
  const workflow = workflowOf(event);
  return (
    <dl className={styles.ba}>
      {eventLines(event).map(({ label, text, mono }, index) => (
        <Fragment key={`${label} ${index}`}>
          <dt>{label}</dt>
          <dd className={mono && 'mono'}>{text}</dd>
        </Fragment>
      ))}
      {(event.run ?? workflow) !== null && (
        <>
          <dt>Record</dt>
          <dd>
            {event.run ? (
              <Link to={paths.auditOf({ run: event.run.id })}>All events of this run</Link>
            ) : (
              workflow !== null && <Link to={paths.auditOf({ workflow })}>All events of this workflow</Link>
            )}
          </dd>
        </>
      )}
    </dl>
  );
}

/** Shown while the first rows are loading. */
export function EventTableSkeleton() {
  return (
    <Table className={styles.ev} aria-label="Events">
      <TableHead columns={COLUMNS} />
      <TableSkeleton columns={COLUMNS} rows={10} />
    </Table>
  );
}
