import { CircleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import './empty-state.css';

type EmptyStateProps = {
  icon: LucideIcon;
  title: string;
  /** `h1` if it replaces the whole page. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
};

/** Shown instead of an empty list. It says what is missing and suggests an action. */
export function EmptyState({ icon, title, heading: Heading = 'h2', children, action }: EmptyStateProps) {
  return (
    <div className="sheet empty">
      <Icon of={icon} size="l" />
      <Heading className="title-sm">{title}</Heading>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

type ErrorStateProps = {
  title: string;
  /** `h1` if it replaces the whole page. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  retryLabel?: string;
  onRetry?: () => void;
  action?: ReactNode;
};

/** Shown if something couldn't be loaded. It says what failed and suggests an action. */
export function ErrorState({
  title,
  heading: Heading = 'h2',
  children,
  retryLabel = 'Try again',
  onRetry,
  action,
}: ErrorStateProps) {
  return (
    <div className="sheet empty" role="alert">
      <span className="trouble">
        <Icon of={CircleAlert} size="l" />
      </span>
      <Heading className="title-sm">{title}</Heading>
      {children && <p>{children}</p>}
      {onRetry && <Button onClick={onRetry}>{retryLabel}</Button>}
      {action}
    </div>
  );
}
