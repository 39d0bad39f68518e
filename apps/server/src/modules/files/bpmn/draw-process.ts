import type { BpmnElement, BpmnProcess } from '@stet/domain/bpmn';
import { layOut } from '@stet/presentation/flow';
import type { BpmnModdle, ModdleElement } from 'bpmn-moddle';

// In pixels. Events and gateways are as large as in BPMN modelers.
const EVENT = { width: 36, height: 36 };
const GATEWAY = { width: 50, height: 50 };
const TASK = { width: 140, height: 80 };
const MARGIN = 60;

/**
 * Maximum number of flows for the better layout. With more flows, the boxes are laid out in simple rows, because the
 * better layout would block other requests for about a second.
 */
const PRETTY_FLOWS = 150;

function sizeOf({ kind }: BpmnElement): { width: number; height: number } {
  if (kind.endsWith('Event')) return EVENT;
  return kind.endsWith('Gateway') ? GATEWAY : TASK;
}

/** The diagram of a process, drawn from left to right: the position of each element and the path of each flow. */
export function drawProcess(
  moddle: BpmnModdle,
  root: ModdleElement,
  { elements, flows }: BpmnProcess,
  byId: ReadonlyMap<string, ModdleElement>,
): ModdleElement {
  const boxes = elements.map((element) => ({ id: element.id, ...sizeOf(element) }));
  const picture = layOut(boxes, flows, 'right', PRETTY_FLOWS);
  const shapes = picture.boxes.map(({ id, x, y, width, height }) =>
    moddle.create('bpmndi:BPMNShape', {
      id: `${id}_di`,
      bpmnElement: byId.get(id),
      ...(byId.get(id)?.$type === 'bpmn:ExclusiveGateway' && { isMarkerVisible: true }),
      bounds: moddle.create('dc:Bounds', { x: placed(x), y: placed(y), width, height }),
    }),
  );
  const edges = picture.lines.map(({ line, points }) =>
    moddle.create('bpmndi:BPMNEdge', {
      id: `${line.id}_di`,
      bpmnElement: byId.get(line.id),
      waypoint: points.map(({ x, y }) => moddle.create('dc:Point', { x: placed(x), y: placed(y) })),
    }),
  );
  return moddle.create('bpmndi:BPMNDiagram', {
    id: 'Diagram_1',
    plane: moddle.create('bpmndi:BPMNPlane', { id: 'Plane_1', bpmnElement: root, planeElement: [...shapes, ...edges] }),
  });
}

const placed = (n: number): number => Math.round(n) + MARGIN;
