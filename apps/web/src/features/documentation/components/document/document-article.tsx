import type { WorkflowDocument } from '@stet/contract';
import { describeSteps } from '@stet/presentation/documentation';
import { displayTitle } from '@stet/domain/workflows';
import { startTransition, useEffect, useMemo, useState } from 'react';
import { DocumentFacts } from './document-facts.tsx';
import { DocumentStep } from './document-step.tsx';
import { TaskText } from './task-text.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './document.module.css';

/** Documents with more steps than this have a table of contents. */
const LONG = 8;
const AT_ONCE = 40;

/** A version laid out for reading and printing. */
export function DocumentArticle({ document: version, hash }: { document: WorkflowDocument; hash: string }) {
  const { key, metadata } = version;
  const steps = useMemo(() => describeSteps(version.steps), [version.steps]);
  // The first steps render immediately, and the others without blocking the page. A link to a step needs all of them at
  // once.
  const [shown, setShown] = useState(hash === '' ? AT_ONCE : steps.length);
  useEffect(() => {
    if (shown < steps.length) startTransition(() => setShown(steps.length));
  }, [shown, steps.length]);
  useEffect(() => {
    if (hash !== '') globalThis.document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);

  return (
    <article className={styles.doc} aria-labelledby="doc-title">
      <header>
        <h1 className="title-lg" id="doc-title">
          {displayTitle(key, metadata.title)}
        </h1>
        <p className="mono muted">{key}</p>
        <DocumentFacts document={version} />
        {metadata.description.trim() !== '' && <TaskText text={metadata.description} place="description" below={1} />}
      </header>
      {steps.length > LONG && (
        <nav className={styles.docContents} aria-label="Contents">
          <h2 className="h3">Contents</h2>
          <ol>
            {steps.map(({ id, number, title }) => (
              <li key={id}>
                <span className="muted">{number}</span>
                <a href={`#step-${number}`} dir="auto">
                  {title}
                </a>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <ol>
        {steps.slice(0, shown).map((described) => (
          <DocumentStep key={described.id} described={described} />
        ))}
      </ol>
      <footer className={classNames('mono muted', styles.docFoot)}>
        {version.label} · {version.contentHash}
      </footer>
    </article>
  );
}
