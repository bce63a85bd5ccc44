import { BaseEdge, type EdgeProps } from '@xyflow/react';
import { memo } from 'react';
import { curvePath } from '../model/curve.js';
import type { GraphTone } from '../model/graph.js';
import type { FlowEdge } from './flow-nodes.js';

const STROKES: Record<GraphTone, string> = {
  neutral: 'var(--grey-8)',
  accent: 'var(--color-accent)',
  queued: 'var(--color-queued-solid)',
  running: 'var(--color-running-solid)',
  succeeded: 'var(--color-succeeded-solid)',
  failed: 'var(--color-failed-solid)',
  stopped: 'var(--color-stopped-solid)',
};

export const FlowEdgeLine = memo(({ id, sourceX, sourceY, targetX, targetY, data, selected }: EdgeProps<FlowEdge>) => {
  const { tone, isDashed } = data?.edge ?? {};
  return (
    <BaseEdge
      id={id}
      path={curvePath(sourceX, sourceY, targetX, targetY)}
      interactionWidth={14}
      style={{
        ...(tone && !selected && { stroke: STROKES[tone] }),
        ...(isDashed && { strokeDasharray: '6 5' }),
      }}
    />
  );
});
