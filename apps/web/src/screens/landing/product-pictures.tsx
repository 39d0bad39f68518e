import { Badge } from '../../ui/badge.tsx';
import { Segments } from '../../ui/segments.tsx';
import { buttonClass } from '../../ui/button-class.ts';
import styles from './product-pictures.module.css';

// Drawings of the product, hidden from screen readers. The text below each says what it is about.

/** A workflow as a table of steps. */
export function TablePicture() {
  return (
    <div className={styles.picture} aria-hidden="true">
      <div className={styles.head}>
        Vendor onboarding <Badge tone="live">Live</Badge>
      </div>
      <ol className={styles.steps}>
        {[
          ['Register the vendor request', 'Priya Nair', '4 hours'],
          ['Collect tax documents', 'Sam Okafor', '2 days'],
          ['Assess risk tier', 'Jonas Weber', '1 day'],
        ].map(([title, person, sla], at) => (
          <li key={title}>
            <span>{at + 1}</span>
            <b>{title}</b>
            <span>{person}</span>
            <span>{sla}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** A change in review. */
export function ReviewPicture() {
  return (
    <div className={styles.picture} aria-hidden="true">
      <div className={styles.head}>
        Collect tax documents <span className={styles.changed}>modified</span>
      </div>
      <div className={styles.before}>Ask for the tax certificate.</div>
      <div className={styles.after}>
        Ask for the tax certificate<mark> and the signed code of conduct</mark>.
      </div>
      <div className={styles.foot}>
        <span>Ellen Park approved</span>
        <span className={buttonClass({ size: 'sm', tone: 'primary' }, styles.act)}>Merge as v8</span>
      </div>
    </div>
  );
}

/** A run with its progress and history. */
export function RunPicture() {
  return (
    <div className={styles.picture} aria-hidden="true">
      <div className={styles.head}>
        Nordlicht GmbH <Badge tone="run">Running</Badge>
      </div>
      <Segments of={['done', 'done', 'done', 'at_risk', 'active', 'todo', 'todo']} completed={3} label="" />
      <ul className={styles.history}>
        <li>
          <span>07:51</span> <b>Compliance review</b> approved by Ellen Park
        </li>
        <li>
          <span>10:22</span> <b>Assess risk tier</b> is due in 3 h
        </li>
      </ul>
    </div>
  );
}
