import type { RunStep } from '@stet/contract';
import { decisionMarkWords } from '@stet/domain/runs';
import { Badge } from '../../../ui/badge.tsx';

/** The caveats of a decision that alone doesn't prove two people; nothing if there are none. */
export function Marks({ marks }: Pick<RunStep, 'marks'>) {
  return marks.length > 0 ? <Badge tone="warn">{decisionMarkWords(marks)}</Badge> : null;
}
