import type { NotificationPreferences } from '@stet/contract';
import { PREFERENCE_KINDS, PREFERENCE_CHANNELS, pacesFor } from '@stet/domain/notifications';
import type { PreferenceKind, PreferenceChannel, Pace } from '@stet/domain/notifications';
import { useId } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Select } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { Table, TableHead } from '../../../ui/table.tsx';
import { usePickPace } from '../api/use-preferences.ts';
import { CHANNEL_WORDS, PREFERENCE_WORDS, PACE_WORDS } from '../model/preference-words.ts';
import { classNames } from '../../../ui/class-names.ts';
import styles from './preference-table.module.css';

const COLUMNS = [{ name: 'Notification' }, ...PREFERENCE_CHANNELS.map((channel) => ({ name: CHANNEL_WORDS[channel] }))];

/** When each kind of notification is sent over each channel. A change is saved immediately. */
export function PreferenceTable({ paces }: { paces: NotificationPreferences['paces'] }) {
  const pick = usePickPace();
  const { variables, error } = pick;
  return (
    <>
      {error && variables && (
        <Note tone="bad">
          “{PREFERENCE_WORDS[variables.news].title}, {CHANNEL_WORDS[variables.channel]}” was not saved:{' '}
          {errorSentence(error, 'please try again')}
        </Note>
      )}
      <div className="sheet">
        <Table className={styles.preferences}>
          <caption className="vh">How you are notified</caption>
          <TableHead columns={COLUMNS} />
          <tbody>
            {PREFERENCE_KINDS.map((kind) => (
              <tr key={kind}>
                <th scope="row">
                  <span className="med">{PREFERENCE_WORDS[kind].title}</span>
                  <span className="muted xs">{PREFERENCE_WORDS[kind].about}</span>
                </th>
                {PREFERENCE_CHANNELS.map((channel) => (
                  <td key={channel}>
                    <Cell
                      kind={kind}
                      channel={channel}
                      pace={paces[kind][channel]}
                      onPick={(pace) => pick.mutate({ news: kind, channel, pace })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </div>
      <p className="vh" role="status">
        {pick.isSuccess &&
          variables &&
          `Saved “${PREFERENCE_WORDS[variables.news].title}, ${CHANNEL_WORDS[variables.channel]}: ${PACE_WORDS[variables.pace]}”`}
      </p>
    </>
  );
}

type CellProps = { kind: PreferenceKind; channel: PreferenceChannel; pace: Pace; onPick: (pace: Pace) => void };

function Cell({ kind, channel, pace, onPick }: CellProps) {
  const id = useId();
  const offered = pacesFor(kind, channel);
  if (offered.length === 1) {
    return (
      <>
        <span className={classNames('xs', styles.preferenceLabel)}>{CHANNEL_WORDS[channel]}</span>
        <span className="muted">Always</span>
      </>
    );
  }
  return (
    <>
      <label className={classNames('xs', styles.preferenceLabel)} htmlFor={id}>
        <span className="vh">{PREFERENCE_WORDS[kind].title}: </span>
        {CHANNEL_WORDS[channel]}
      </label>
      <Select
        className={styles.select}
        id={id}
        value={pace}
        onChange={(event) => {
          const picked = offered.find((each) => each === event.target.value);
          if (picked) onPick(picked);
        }}
      >
        {offered.map((each) => (
          <option key={each} value={each}>
            {PACE_WORDS[each]}
          </option>
        ))}
      </Select>
    </>
  );
}
