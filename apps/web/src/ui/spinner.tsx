import './spinner.css';

/** Only the spinning ring; a text beside it must say what it is waiting for. */
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
