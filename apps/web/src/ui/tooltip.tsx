import { Tooltip as MantineTooltip } from '@mantine/core';
import type { ReactElement } from 'react';
import './popover.css';

/** The full text or the reason behind its one child; also on keyboard focus. Never the only place of a message. */
export function Tooltip({ label, children }: { label: string; children: ReactElement }) {
  return (
    <MantineTooltip
      label={label}
      className="tip"
      multiline
      openDelay={300}
      offset={6}
      events={{ hover: true, focus: true, touch: false }}
      transitionProps={{ transition: 'fade', duration: 120 }}
    >
      {children}
    </MantineTooltip>
  );
}
