import './kbd.css';

/** A key cap. Decorative: the control it belongs to names its keys for screen readers. */
export function Kbd({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}
