import type { RunStep } from '@stet/contract';
import { usePeople } from '../../lib/session/use-members.ts';
import { Who } from '../../ui/avatar.tsx';
import { FileLinks } from './file-links.tsx';
import { outputLines } from './output-lines.ts';
import styles from './step-panel.module.css';

const isLink = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** The input to a step, or the value that it returned. */
export function OutputLines({ step, quoted = false }: { step: Pick<RunStep, 'output' | 'fields'>; quoted?: boolean }) {
  const lines = outputLines(step);
  if (lines.length === 0) return null;
  const list = (
    <dl className={styles.output}>
      {lines.map(({ label, value, isPerson, files }, at) => (
        <div key={at}>
          <dt className={label ? undefined : 'vh'}>{label || 'Result'}</dt>
          <dd>
            {files ? (
              <FileLinks files={files} />
            ) : isPerson ? (
              <Member address={value} />
            ) : isLink(value) ? (
              <a href={value} target="_blank" rel="noreferrer">
                {value}
              </a>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
  return quoted ? <blockquote>{list}</blockquote> : list;
}

function Member({ address }: { address: string }) {
  const { personOf } = usePeople();
  return <Who {...personOf(address)} />;
}

type ScriptLogProps = {
  lines: readonly string[];
  /** Unique on the screen, because it names a region. */
  label: string;
  open?: boolean;
};

/** The lines that a script logged. */
export function ScriptLog({ lines, label, open = false }: ScriptLogProps) {
  if (lines.length === 0) return null;
  return (
    <details className={styles.scriptLog} open={open}>
      <summary>
        {lines.length} {lines.length === 1 ? 'line' : 'lines'} from the script
      </summary>
      <pre tabIndex={0} role="region" aria-label={label}>
        {lines.join('\n')}
      </pre>
    </details>
  );
}
