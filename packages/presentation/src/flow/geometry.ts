/** In pixels, from the top left of the diagram. */
export type Point = { x: number; y: number };
export type Box = { id: string; width: number; height: number };
/** `label` is the size of the line's label. */
export type Line = { from: string; to: string; label?: { width: number; height: number } };
export type PlacedBox = Box & Point;
/** A line from the edge of one box to the edge of the other. `labelAt` is the middle of the label. */
export type PlacedLine<L extends Line> = { line: L; points: Point[]; labelAt: Point | null };
export type Layout<L extends Line> = { width: number; height: number; boxes: PlacedBox[]; lines: PlacedLine<L>[] };
export type Direction = 'down' | 'right';

/** Pixels between one box and the next, along the flow and across it. */
export const GAP = { along: 40, across: 32 } as const;
