import { useReactFlow } from '@xyflow/react';
import { IconButton } from '../../ui/button.js';

/** Buttons for what the wheel and the keys do. */
export function ZoomButtons({ onFit }: { onFit: () => void }) {
  const { zoomIn, zoomOut } = useReactFlow();
  return (
    <div className="flex flex-col rounded-md border border-line bg-raised">
      <IconButton icon="plus" label="Zoom in" onClick={() => void zoomIn()} />
      <IconButton icon="minus" label="Zoom out" onClick={() => void zoomOut()} />
      <IconButton icon="maximize" label="Show everything" onClick={onFit} />
    </div>
  );
}
