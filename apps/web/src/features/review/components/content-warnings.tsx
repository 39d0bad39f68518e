import type { DraftImpact, WholeDraft } from '@stet/contract';
import { nameSteps } from '@stet/domain/drafts';
import { contentFindings, isolated, visibleText } from '@stet/domain/workflows';
import { Note } from '../../../ui/note.tsx';
import styles from './content-warnings.module.css';

/** The number of lines that are shown at first. The others can be expanded. */
const IN_SIGHT = 10;

/** Warnings about addresses that mix scripts or don't belong to a member. */
export function AddressWarnings({ warnings }: { warnings: DraftImpact['warnings'] }) {
  if (warnings.length === 0) return null;
  return (
    <section aria-label="Addresses to check" className={styles.warnings}>
      <Note tone="warn">
        <ul>
          {warnings.map((warning) => (
            <li key={`${warning.kind} ${warning.stepId} ${warning.field} ${warning.address}`}>{inWords(warning)}</li>
          ))}
        </ul>
      </Note>
    </section>
  );
}

/** Weaknesses of the draft's content, such as an automated step without a script. */
export function ContentFindings({ draft }: { draft: Pick<WholeDraft, 'metadata' | 'steps'> }) {
  const findings = contentFindings(draft);
  if (findings.length === 0) return null;
  const titleOf = nameSteps(draft.steps);
  // A message with the same mistake twice has two equal findings.
  const all = findings.map(({ stepId, sentence }) =>
    stepId === null ? sentence : `${isolated(titleOf(stepId))}: ${sentence}`,
  );
  const lines = [...new Set(all)];
  const rest = lines.slice(IN_SIGHT);
  return (
    <section aria-label="Content to check" className={styles.warnings}>
      <Note tone="warn">
        <Lines lines={lines.slice(0, IN_SIGHT)} />
        {rest.length > 0 && (
          <details>
            <summary>and {rest.length} more</summary>
            <Lines lines={rest} />
          </details>
        )}
      </Note>
    </section>
  );
}

function Lines({ lines }: { lines: readonly string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}

function inWords({ kind, title, address }: DraftImpact['warnings'][number]): string {
  const what = `${isolated(title)}: ${isolated(visibleText(address))}`;
  if (kind === 'mixed_scripts')
    return `${what} mixes letters from several scripts. Check that it is the address you mean.`;
  return `${what} is assigned but isn't a member of this organization.`;
}
