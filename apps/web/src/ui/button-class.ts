import type { LucideIcon } from 'lucide-react';
import { classNames } from './class-names.ts';
import styles from './button.module.css';

export type ButtonTone = 'plain' | 'primary' | 'quiet' | 'danger' | 'quiet-danger' | 'danger-solid';
export type ButtonSize = 'sm' | 'md' | 'lg';

/** A button's appearance, also for links styled as buttons. */
export type ButtonLooks = { tone?: ButtonTone; size?: ButtonSize; icon?: LucideIcon | undefined };

export const buttonClass = ({ tone = 'plain', size = 'md' }: ButtonLooks, ...more: (string | undefined | false)[]) =>
  classNames(styles.button, tone !== 'plain' && styles[tone], size !== 'md' && styles[size], ...more);
