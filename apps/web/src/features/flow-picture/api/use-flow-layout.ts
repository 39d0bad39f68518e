import type { FlowLayout } from '@stet/domain/flow';
import type { Step } from '@stet/domain/workflows';
import { useEffect, useMemo, useRef, useState } from 'react';
import { flowStructure, stepsOfStructure } from '../model/flow-structure.ts';

type Placed = { structure: string; layout: FlowLayout };

/**
 * Where the steps stand: null until it is known for the first time, and the one before while a new one is made. Made in a
 * worker, where the browser has one.
 */
export function useFlowLayout(steps: readonly Step[]): FlowLayout | null {
  const structure = useMemo(() => flowStructure(steps), [steps]);
  const [placed, setPlaced] = useState<Placed | null>(null);
  const worker = useRef<Worker | null>(null);
  const wanted = useRef(structure);

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
      if (made.structure === wanted.current) setPlaced(made);
    };
    if (typeof Worker === 'undefined') {
      void import('@stet/domain/flow').then(({ layOutFlow }) =>
        take({ structure, layout: layOutFlow(stepsOfStructure(structure)) }),
      );
      return;
    }
    worker.current ??= new Worker(new URL('flow-layout.worker.ts', import.meta.url), { type: 'module' });
    worker.current.onmessage = ({ data }: MessageEvent<Placed>) => take(data);
    worker.current.postMessage(structure);
  }, [structure]);

  return placed?.layout ?? null;
}
