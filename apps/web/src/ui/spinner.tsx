import './spinner.css';

/** The turning ring alone; something beside it must say what it waits for. */
export function Spinner() {
  return <span className="spin" aria-hidden="true" />;
}

/** A spinner with its sentence, announced politely. */
export function LoadingLine({ children }: { children: string }) {
  return (
    <p className="loading-line" role="status">
      <Spinner />
      {children}
    </p>
  );
}
