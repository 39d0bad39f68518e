import type { ReactNode } from 'react';
import { useId } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import styles from './insights.module.css';

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className={classNames('sheet', styles.section)} aria-labelledby={id}>
      <h2 id={id} className="title-sm">
        {title}
      </h2>
      {children}
    </section>
  );
}
