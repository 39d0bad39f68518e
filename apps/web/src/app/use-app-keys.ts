import { useEffect, useEffectEvent } from 'react';
import { useNavigate } from 'react-router';
import { isFreeKey, isUnderDialog } from '../lib/keys/free-key.ts';
import { hasCommandModifier } from '../lib/keys/key-names.ts';
import { areSingleKeysOn } from '../lib/keys/single-keys.ts';
import { paths } from '../lib/paths.ts';
import { useDestinations } from './navigation.ts';
import { showPanel, usePanel } from './panel.ts';

/** The second key must follow G within this time, in milliseconds. */
const PATIENCE_MS = 1500;

/**
 * The keys that work on every signed-in screen, unless a dialog is open: Ctrl or Cmd+K, which also closes the palette;
 * `/`, `?`, and G followed by a letter. All but the first work only while single-key shortcuts are on, and not in a
 * text field, menu or table.
 */
export function useAppKeys(): void {
  const panel = usePanel();
  const navigate = useNavigate();
  const destinations = useDestinations();
  const onPalette = useEffectEvent((event: KeyboardEvent) => {
    if (panel === 'palette') showPanel(null);
    else if (isUnderDialog()) return;
    else showPanel('palette');
    event.preventDefault();
  });
  const go = useEffectEvent((letter: string) => {
    const to = letter === 'S' ? paths.profile : destinations.find(({ key }) => key === letter)?.to;
    if (to !== undefined) void navigate(to);
    return to !== undefined;
  });
  useEffect(() => {
    let goUntil = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && hasCommandModifier(event) && event.key.toLowerCase() === 'k')
        return onPalette(event);
      if (event.key === 'Shift') return;
      const isGoing = event.timeStamp < goUntil;
      goUntil = 0;
      if (!areSingleKeysOn() || !isFreeKey(event)) return;
      if (isGoing && go(event.key.toUpperCase())) event.preventDefault();
      else if (event.key === 'g' || event.key === 'G') goUntil = event.timeStamp + PATIENCE_MS;
      else if (event.key === '/' || event.key === '?') {
        event.preventDefault();
        showPanel(event.key === '/' ? 'palette' : 'keys');
      }
    };
    // Registered before a screen's letter keys, which wait for its data, because a letter after G must not trigger them.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  // Close the panel when the frame is unmounted.
  useEffect(() => () => showPanel(null), []);
}
