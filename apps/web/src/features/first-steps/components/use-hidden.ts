import { useState } from 'react';

/** Whether the first steps of an organization were dismissed in this browser. */
export function useHidden(organizationId: string): { hidden: boolean; hide: () => void } {
  const key = `stet_first_steps.${organizationId}`;
  const [hidden, setHidden] = useState(() => localStorage.getItem(key) === 'off');
  const hide = () => {
    localStorage.setItem(key, 'off');
    setHidden(true);
  };
  return { hidden, hide };
}
