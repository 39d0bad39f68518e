import styles from './spinner.module.css';

/** Only the spinning ring. Text next to it must say what is loading or in progress. */
export function Spinner() {
  return <span className={styles.spin} aria-hidden="true" />;
}

/** A spinner with its text, announced politely. */
export function LoadingLine({ children }: { children: string }) {
  return (
    <p className={styles.loadingLine} role="status" data-loading="">
      <Spinner />
      {children}
    </p>
  );
}
