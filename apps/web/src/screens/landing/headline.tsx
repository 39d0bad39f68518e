import styles from './headline.module.css';

/** 'Stop Drawing.' is struck out and 'Start Documenting.' has dots below it: both are proofreader's marks. */
export function Headline() {
  return (
    <h1 className={styles.headline}>
      <span className={styles.line}>
        <span className={styles.struck}>
          Stop Drawing.
          <svg viewBox="0 0 400 76" preserveAspectRatio="none" aria-hidden="true">
            <path vectorEffect="non-scaling-stroke" d="M4 44C70 36 150 47 232 40S350 34 396 39" />
          </svg>
        </span>
      </span>{' '}
      <span className={styles.line}>
        <span className={styles.stands}>Start Documenting.</span>
      </span>
    </h1>
  );
}
