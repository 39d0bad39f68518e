import type { RunStep } from '@stet/contract';
import { decisionMarkWords } from '@stet/domain/runs';
import { Badge } from '../../ui/badge.tsx';

/** The marks of a decision, which alone doesn't prove two people. Renders nothing without marks. */
export function Marks({ marks }: Pick<RunStep, 'marks'>) {
  return marks.length > 0 ? <Badge tone="warn">{decisionMarkWords(marks)}</Badge> : null;
}
