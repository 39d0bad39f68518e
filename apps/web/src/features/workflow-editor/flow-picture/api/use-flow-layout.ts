import type { FlowLayout } from '@stet/presentation/flow';
import type { Step } from '@stet/domain/steps';
import { startTransition, useEffect, useMemo, useRef, useState } from 'react';
import { flowStructure, stepsOfStructure } from '../model/flow-structure.ts';

/**
 * A later layout waits until the steps haven't changed for this long, in milliseconds. Drawing hundreds of boxes that
 * all moved would delay the next edit.
 */
const PAUSE_MS = 200;

type Placed = { structure: string; layout: FlowLayout };

/**
 * The steps' positions. Null until they are first computed; later, the previous positions stay until the new ones are
 * ready. They are computed in a worker if the browser supports it.
 */
export function useFlowLayout(steps: readonly Step[]): FlowLayout | null {
  const structure = useMemo(() => flowStructure(steps), [steps]);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const worker = useRef<Worker | null>(null);
  const wanted = useRef(structure);
  const isFirst = useRef(true);

  useEffect(
    () => () => {
      worker.current?.terminate();
      worker.current = null;
    },
    [],
  );

  useEffect(() => {
    wanted.current = structure;
    const take = (made: Placed): void => {
      if (made.structure !== wanted.current) return;
      isFirst.current = false;
      startTransition(() => setPlaced(made));
    };
    const place = (): void => {
      if (typeof Worker === 'undefined') {
        void import('@stet/presentation/flow').then(({ layOutFlow }) =>
          take({ structure, layout: layOutFlow(stepsOfStructure(structure)) }),
        );
        return;
      }
      worker.current ??= new Worker(new URL('flow-layout.worker.ts', import.meta.url), { type: 'module' });
      worker.current.onmessage = ({ data }: MessageEvent<Placed>) => take(data);
      worker.current.postMessage(structure);
    };
    if (isFirst.current) return place();
    const pause = setTimeout(place, PAUSE_MS);
    return () => clearTimeout(pause);
  }, [structure]);

  return placed?.layout ?? null;
}
