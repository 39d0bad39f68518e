import type { NotificationPreferences } from '@stet/contract';
import { NEWS, NEWS_CHANNELS, pacesFor } from '@stet/domain/notifications';
import type { News, NewsChannel, Pace } from '@stet/domain/notifications';
import { useId } from 'react';
import { errorSentence } from '../../../lib/api/api-error.ts';
import { Select } from '../../../ui/field.tsx';
import { Note } from '../../../ui/note.tsx';
import { TableHead } from '../../../ui/table.tsx';
import { usePickPace } from '../api/use-preferences.ts';
import { CHANNEL_WORDS, NEWS_WORDS, PACE_WORDS } from '../model/preference-words.ts';
import './preference-table.css';

const COLUMNS = [{ name: 'News' }, ...NEWS_CHANNELS.map((channel) => ({ name: CHANNEL_WORDS[channel] }))];

/** For each kind of news and each channel, how fast; what is picked is saved at once. */
export function PreferenceTable({ paces }: { paces: NotificationPreferences['paces'] }) {
  const pick = usePickPace();
  const { variables, error } = pick;
  return (
    <>
      {error && variables && (
        <Note tone="bad">
          {CHANNEL_WORDS[variables.channel]} for {NEWS_WORDS[variables.news].title.toLowerCase()} was not saved:{' '}
          {errorSentence(error, 'please try again')}
        </Note>
      )}
      <div className="sheet">
        <table className="table preferences">
          <caption className="vh">How you are told of what</caption>
          <TableHead columns={COLUMNS} />
          <tbody>
            {NEWS.map((news) => (
              <tr key={news}>
                <th scope="row">
                  <span className="med">{NEWS_WORDS[news].title}</span>
                  <span className="muted xs">{NEWS_WORDS[news].about}</span>
                </th>
                {NEWS_CHANNELS.map((channel) => (
                  <td key={channel}>
                    <Cell
                      news={news}
                      channel={channel}
                      pace={paces[news][channel]}
                      onPick={(pace) => pick.mutate({ news, channel, pace })}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="vh" role="status">
        {pick.isSuccess && variables && `${CHANNEL_WORDS[variables.channel]}: ${PACE_WORDS[variables.pace]}, saved`}
      </p>
    </>
  );
}

type CellProps = { news: News; channel: NewsChannel; pace: Pace; onPick: (pace: Pace) => void };

function Cell({ news, channel, pace, onPick }: CellProps) {
  const id = useId();
  const offered = pacesFor(news, channel);
  if (offered.length === 1) {
    return (
      <>
        <span className="preference-label xs">{CHANNEL_WORDS[channel]}</span>
        <span className="muted">Always</span>
      </>
    );
  }
  return (
    <>
      <label className="preference-label xs" htmlFor={id}>
        <span className="vh">{NEWS_WORDS[news].title}: </span>
        {CHANNEL_WORDS[channel]}
      </label>
      <Select
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
