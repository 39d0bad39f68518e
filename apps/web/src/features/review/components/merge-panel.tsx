import type { WholeDraft } from '@stet/contract';
import { CircleCheck, CircleX, Ellipsis, GitMerge, Siren } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Menu } from '../../../ui/menu.tsx';
import styles from './review-side.module.css';

type MergePanelProps = {
  draft: WholeDraft;
  /** Whether the page shows outdated content. */
  isStale: boolean;
  /** Whether this person has permission to merge. */
  canMerge: boolean;
  /** A link to rebase an outdated draft. False if the person can't edit the draft. */
  rebase: ReactNode;
  /** Null if the button is elsewhere on the page. */
  onMerge: (() => void) | null;
  /** Merges without a review. Null if the person can't do that. */
  onEmergency: (() => void) | null;
  /** Other actions on the draft, for example submit and withdraw. */
  children: ReactNode;
};

/** The blockers that remain, and the button to merge. */
export function MergePanel({ draft, isStale, canMerge, rebase, onMerge, onEmergency, children }: MergePanelProps) {
  const { blockers, merged, abilities, liveVersion, nextVersion } = draft;
  const isBehind = blockers.some(({ code }) => code === 'out_of_date');
  const isReady = merged === null && blockers.length === 0;
  const base = liveVersion === null ? 'Nothing is live yet' : 'Based on the live version';
  return (
    <section>
      <h2 className="h3">{merged ? 'Merge' : isReady ? 'Ready to merge' : 'What still blocks the merge'}</h2>
      {merged ? (
        <p className="two">This draft was merged. It can no longer change.</p>
      ) : isReady ? (
        <p className="two">{canMerge ? 'Nothing blocks the merge.' : 'A reviewer, admin or owner can merge it.'}</p>
      ) : (
        <ul className={styles.gate}>
          {blockers.map(({ code, sentence, hint }) => (
            <li key={code} className={styles.no}>
              <Icon of={CircleX} />
              <span>
                <b>{sentence}</b>
                {hint}
                {code === 'out_of_date' && rebase}
              </span>
            </li>
          ))}
          {!isBehind && (
            <li className={styles.ok}>
              <Icon of={CircleCheck} />
              <span>
                <b>{base}</b>
                {liveVersion === null
                  ? 'This would be the first version.'
                  : `v${liveVersion}, so the draft is up to date.`}
              </span>
            </li>
          )}
        </ul>
      )}
      <div className={styles.gateActs}>
        {canMerge && !merged && onMerge && (
          <div className={styles.mergeWays}>
            <Button
              tone={isReady ? 'primary' : 'plain'}
              icon={GitMerge}
              aria-keyshortcuts={isReady ? 'Control+Enter Meta+Enter' : undefined}
              disabledReason={
                !abilities.merge
                  ? blockersInWords(blockers.length)
                  : isStale
                    ? 'Review the latest changes first'
                    : undefined
              }
              onClick={onMerge}
            >
              Merge as v{nextVersion}
            </Button>
            {onEmergency && (
              <Menu
                target={<IconButton label="Other ways to merge" icon={Ellipsis} />}
                groups={[
                  { entries: [{ label: 'Merge in an emergency…', icon: Siren, danger: true, onPick: onEmergency }] },
                ]}
              />
            )}
          </div>
        )}
        {children}
      </div>
    </section>
  );
}

export function blockersInWords(count: number): string {
  if (count === 0) return 'Ready to merge';
  return count === 1 ? '1 thing blocks the merge' : `${count} things block the merge`;
}
