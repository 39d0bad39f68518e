import { CircleAlert, CircleCheck, Info, Pencil, TriangleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import './note.css';

type NoteTone = 'plain' | 'bad' | 'warn' | 'ok' | 'me';

const ICONS = { plain: Info, bad: CircleAlert, warn: TriangleAlert, ok: CircleCheck, me: Pencil } satisfies Record<
  NoteTone,
  LucideIcon
>;

/** A sentence beside what it is about. Bad ones interrupt a screen reader, the others wait their turn. */
export function Note({ tone = 'plain', icon, children }: { tone?: NoteTone; icon?: LucideIcon; children: ReactNode }) {
  return (
    <div className={classNames('note', tone !== 'plain' && tone)} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon of={icon ?? ICONS[tone]} />
      <div className="grow">{children}</div>
    </div>
  );
}
