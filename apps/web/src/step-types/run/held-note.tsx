import type { RunStep } from '@stet/contract';
import { isolated } from '@stet/domain/workflows';
import { useUser } from '../../lib/session/signed-in.ts';
import styles from './step-panel.module.css';

/** Lists the hand-overs of a step, then the person who has claimed it. */
export function HeldNote({ step: { claimed, handedOver } }: { step: Pick<RunStep, 'claimed' | 'handedOver'> }) {
  const { id: userId } = useUser();
  const nameOf = ({ id, name }: { id: string; name: string }) => (id === userId ? 'you' : isolated(name));
  if (!claimed && handedOver.length === 0) return null;
  return (
    <ul className={styles.held}>
      {handedOver.map(({ by, to, at, reason }) => (
        <li key={at}>
          {by.id === userId ? 'You' : isolated(by.name)} handed this step over to{' '}
          {to.kind === 'person' ? nameOf(to) : isolated(to.name)}: <q dir="auto">{reason}</q>
        </li>
      ))}
      {claimed && <li>Claimed by {nameOf(claimed.by)}</li>}
    </ul>
  );
}
