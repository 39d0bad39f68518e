import { layOutFlow } from '@stet/presentation/flow';
import { stepsOfStructure } from '../model/flow-structure.ts';

// In a worker, because placing hundreds of boxes takes longer than a frame.
addEventListener('message', ({ data }: MessageEvent<string>) => {
  postMessage({ structure: data, layout: layOutFlow(stepsOfStructure(data)) });
});
