import { visibleText } from '@stet/domain/workflows';
import { useUser } from '../../../lib/session/signed-in.ts';
import { partsOf } from '../model/naming.ts';

type SaidTextProps = { body: string; mentions: readonly { userId: string; from: number; to: number }[] };

/** What someone wrote, with those who are named in it set apart; oneself most. */
export function SaidText({ body, mentions }: SaidTextProps) {
  const { id } = useUser();
  return partsOf(body, mentions).map(({ text, userId }, at) =>
    userId === null ? (
      visibleText(text)
    ) : (
      // oxlint-disable-next-line react/no-array-index-key -- a text that was written doesn't change.
      <span key={at} className={userId === id ? 'mention me' : 'mention'}>
        {visibleText(text)}
      </span>
    ),
  );
}
