import type { AuditEventView } from '@stet/contract';
import { Fragment, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { formatClock, formatDate, formatDay, formatExact } from '../../../lib/format/time.ts';
import { classNames } from '../../../ui/class-names.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { TableHead, TableSkeleton } from '../../../ui/table.tsx';
import type { Column } from '../../../ui/table.tsx';
import { actionWords } from '../model/action-words.ts';
import { eventLines, subjectWords } from '../model/event-words.ts';
import './event-table.css';

const COLUMNS: readonly Column[] = [
  { name: 'No.', className: 'sq' },
  { name: 'Time', className: 'ti' },
  { name: 'Who', className: 'by' },
  { name: 'What', className: 'ac' },
  { name: 'On what', className: 'ob' },
  { name: 'Session', className: 'se' },
  { name: 'Hash', className: 'ha' },
];

type EventTableProps = {
  events: readonly AuditEventView[];
  /** The number of the first event that is wrong; the thread ends before it. Null where nothing is. */
  brokenFrom: number | null;
  /** The number up to which all was verified; later ones carry no mark of it. */
  verifiedTo: number;
  now: number;
};

/** The trail as rows on the thread of the hash chain; a row opens to what it says besides. Arrows walk, Enter opens. */
export function EventTable({ events, brokenFrom, verifiedTo, now }: EventTableProps) {
  const [openSeq, setOpenSeq] = useState<number | null>(null);
  const [focusSeq, setFocusSeq] = useState<number | null>(null);
  const focusable = events.some(({ seq }) => seq === focusSeq) ? focusSeq : events[0]?.seq;

  const onKey = (event: KeyboardEvent<HTMLTableRowElement>, seq: number) => {
    if (event.key === 'Escape' && openSeq === seq) setOpenSeq(null);
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
      neighbour(event.currentTarget, event.key)?.querySelector('button')?.focus();
    else return;
    event.preventDefault();
  };

  return (
    <table className="table ev" aria-label="Events">
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
              {isNewDay && (
                <tr className={classNames('day', dayThread(thread))}>
                  <th colSpan={COLUMNS.length} scope="rowgroup">
                    <time dateTime={event.at.slice(0, 10)} title={formatDate(event.at)}>
                      {formatDay(event.at, now)}
                    </time>
                  </th>
                </tr>
              )}
              <tr
                className={classNames('event', isOpen && 'op', thread)}
                onFocus={() => setFocusSeq(event.seq)}
                onClick={() => setOpenSeq(isOpen ? null : event.seq)}
                onKeyDown={(key) => onKey(key, event.seq)}
              >
                <EventCells event={event} thread={thread} isOpen={isOpen} isFocusable={event.seq === focusable} />
              </tr>
              {isOpen && (
                <tr className={classNames('x', dayThread(thread))}>
                  <td className="sq">
                    <span className="vh">What it says</span>
                  </td>
                  <td colSpan={COLUMNS.length - 1}>
                    <EventDetails event={event} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** What stands between events has their thread, and is never bad itself. */
const dayThread = (thread: Thread): Thread => (thread === 'bad' ? 'loose' : thread);

function neighbour(row: HTMLTableRowElement, key: 'ArrowDown' | 'ArrowUp'): HTMLTableRowElement | null {
  let next: Element | null = row;
  do next = key === 'ArrowDown' ? next.nextElementSibling : next.previousElementSibling;
  while (next && !next.classList.contains('event'));
  return next instanceof HTMLTableRowElement ? next : null;
}

/** How an event hangs on the chain; false where it was verified. */
type Thread = 'bad' | 'loose' | 'unverified' | false;
type EventCellsProps = { event: AuditEventView; thread: Thread; isOpen: boolean; isFocusable: boolean };

function EventCells({ event, thread, isOpen, isFocusable }: EventCellsProps) {
  const { seq, at, actor, action, data, sessionId, hash } = event;
  const what = subjectWords(event);
  return (
    <>
      <td
        className="sq"
        title={thread === false ? 'Verified' : thread === 'unverified' ? 'Not verified yet' : undefined}
      >
        {seq}
        {thread === 'bad' && <span className="vh"> is not as it was recorded</span>}
      </td>
      <td className="ti nowrap">
        {/* As it is in the chain, beneath. */}
        <time dateTime={at} title={`${formatExact(at)}\n${at}`}>
          {formatClock(at)}
        </time>
      </td>
      <td className="by">
        <span className="who">
          <Avatar name={actor.name} role={actor.kind === 'system'} />
          <span className="trunc" title={actor.email ?? actor.name}>
            {actor.name}
          </span>
        </span>
      </td>
      <td className="ac nowrap">
        {/* A click on it is a click on the row. */}
        <button type="button" aria-expanded={isOpen} tabIndex={isFocusable ? 0 : -1}>
          {actionWords(action, data)}
        </button>
      </td>
      <td className="ob trunc" title={what}>
        {what}
      </td>
      <td className="se mono muted" title={sessionId ?? undefined}>
        {sessionId && `${sessionId.slice(-8, -4)}…${sessionId.slice(-4)}`}
      </td>
      <td className="ha mono muted" title={hash}>
        {hash.slice(0, 6)}
      </td>
    </>
  );
}

function EventDetails({ event }: { event: AuditEventView }) {
  return (
    <dl className="ba">
      {eventLines(event).map(({ label, text, mono }, index) => (
        <Fragment key={`${label} ${index}`}>
          <dt>{label}</dt>
          <dd className={mono && 'mono'}>{text}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

/** The table before its first rows came. */
export function EventTableSkeleton() {
  return (
    <table className="table ev" aria-label="Events">
      <TableHead columns={COLUMNS} />
      <TableSkeleton columns={COLUMNS} rows={10} />
    </table>
  );
}
