import './kbd.css';

/** A key cap. It is decorative, because its control names the keys for screen readers. */
export function Kbd({ children }: { children: string }) {
  return (
    <span className="kbd" aria-hidden="true">
      {children}
    </span>
  );
}
