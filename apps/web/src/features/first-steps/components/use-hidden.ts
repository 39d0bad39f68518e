import { useState } from 'react';

/** Whether the first steps of an organization were dismissed in this browser. */
export function useHidden(organizationId: string): { hidden: boolean; hide: () => void } {
  const key = `stet_first_steps.${organizationId}`;
  const [hidden, setHidden] = useState(() => isOff(key));
  const hide = () => {
    setHidden(true);
    try {
      localStorage.setItem(key, 'off');
    } catch {
      // The browser's storage is full or unavailable, so they are hidden only until the page is reloaded.
    }
  };
  return { hidden, hide };
}

function isOff(key: string): boolean {
  try {
    return localStorage.getItem(key) === 'off';
  } catch {
    return false;
  }
}
