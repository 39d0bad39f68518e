import { CircleAlert } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { classNames } from './class-names.ts';
import styles from './empty-state.module.css';

type EmptyStateProps = {
  icon: LucideIcon;
  title: string;
  /** `h1` if it replaces the whole page. */
  heading?: 'h1' | 'h2' | 'h3';
  /** True if it is already on a sheet, and so needs none of its own. */
  isPlain?: boolean;
  /** `status` if it appears while someone filters the list. */
  role?: 'status';
  className?: string | undefined;
  children?: ReactNode;
  action?: ReactNode;
};

/** Shown in place of missing content, such as an empty list. It says what is missing and can suggest an action. */
export function EmptyState({
  icon,
  title,
  heading = 'h2',
  isPlain,
  role,
  className,
  children,
  action,
}: EmptyStateProps) {
  return (
    <Frame isPlain={isPlain} role={role} className={className}>
      <Icon of={icon} size="l" />
      <Text title={title} heading={heading}>
        {children}
      </Text>
      {action}
    </Frame>
  );
}

type ErrorStateProps = Omit<EmptyStateProps, 'icon' | 'role' | 'className'> & {
  retryLabel?: string;
  onRetry?: () => void;
};

/** Shown if something couldn't be loaded. It says what failed, and can offer a retry or another action. */
export function ErrorState({
  title,
  heading = 'h2',
  isPlain,
  children,
  retryLabel = 'Try again',
  onRetry,
  action,
}: ErrorStateProps) {
  return (
    <Frame isPlain={isPlain} role="alert">
      <span className={styles.trouble}>
        <Icon of={CircleAlert} size="l" />
      </span>
      <Text title={title} heading={heading}>
        {children}
      </Text>
      {onRetry && <Button onClick={onRetry}>{retryLabel}</Button>}
      {action}
    </Frame>
  );
}

type FrameProps = {
  isPlain: boolean | undefined;
  role: 'alert' | 'status' | undefined;
  className?: string | undefined;
  children: ReactNode;
};

function Frame({ isPlain = false, role, className, children }: FrameProps) {
  return (
    <div className={classNames(!isPlain && 'sheet', styles.empty, className)} role={role}>
      {children}
    </div>
  );
}

type TextProps = { title: string; heading: 'h1' | 'h2' | 'h3'; children: ReactNode };

function Text({ title, heading: Heading, children }: TextProps) {
  return (
    <>
      <Heading className={classNames('title-sm', styles.title)}>{title}</Heading>
      {children && <p className={styles.text}>{children}</p>}
    </>
  );
}
