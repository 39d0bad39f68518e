import './spinner.css';

/** Only the spinning ring. A text beside it must say what is loading. */
export function Spinner() {
  return <span className="spin" aria-hidden="true" />;
}

/** A spinner with its text, announced politely. */
export function LoadingLine({ children }: { children: string }) {
  return (
    <p className="loading-line" role="status">
      <Spinner />
      {children}
    </p>
  );
}
