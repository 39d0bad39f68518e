import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import styles from './proof-sheet.module.css';

/** An illustration of a workflow as a page with an editor's marks in its margin. It is hidden from screen readers. */
export function ProofSheet() {
  return (
    <div className={styles.proofSheet} aria-hidden="true">
      <p className={styles.name}>Vendor onboarding</p>
      <p className={classNames('mono', styles.key)}>vendor-onboarding</p>
      <ol>
        <li>
          <b>1</b>Register the vendor request<small>Priya Nair, 4 hours</small>
        </li>
        <li>
          <i className={styles.markIn}>and&nbsp;bank</i>Collect tax<i className={styles.caret}>‸</i> documents
          <small>editor, 2 days</small>
        </li>
        <li>
          <i className={styles.markIn}>60</i>Tier 1 at <s>75</s> points<small>Jonas Weber, 1 day 4 hours</small>
        </li>
        <li>
          <i className={classNames(styles.markIn, styles.ring)}>stet</i>
          <span className={styles.dotted}>Second signer is not the requester</span>
          <small>Mara Lindqvist, 3 days</small>
        </li>
        <li>
          <b>5</b>Create the vendor in the ERP<small>Sam Okafor, 4 hours</small>
        </li>
      </ol>
      <p className={styles.signed}>
        <Badge tone="live">Live, v8</Badge>
        <span>Approved by Ellen Park, 18 Nov 2026</span>
      </p>
    </div>
  );
}
