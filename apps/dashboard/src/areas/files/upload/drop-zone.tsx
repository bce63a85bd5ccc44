import { type DragEvent, type ReactNode, useRef, useState } from 'react';
import { notifyError } from '../../../ui/toast.js';
import { collectDropped } from './collect-dropped.js';
import type { UploadItem } from './upload-queue.js';

interface DropZoneProps {
  /** What happens to dropped files, such as "Upload to reports". */
  label: string;
  onDrop: (items: UploadItem[]) => void;
  children: ReactNode;
}

const hasFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files');

/** Accepts files and folders that are dropped anywhere on it. */
export function DropZone({ label, onDrop, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  // Each child that the pointer enters and leaves has events of its own.
  const depth = useRef(0);
  const end = () => {
    depth.current = 0;
    setOver(false);
  };
  const drop = (event: DragEvent) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    end();
    collectDropped(event.dataTransfer)
      .then(onDrop)
      .catch((error: unknown) => notifyError('The dropped files cannot be read', error));
  };
  return (
    <div
      className="relative flex min-h-0 min-w-0 flex-1 flex-col"
      onDragEnter={(event) => {
        if (!hasFiles(event)) return;
        depth.current += 1;
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!hasFiles(event)) return;
        depth.current -= 1;
        if (depth.current <= 0) end();
      }}
      onDragOver={(event) => {
        if (hasFiles(event)) event.preventDefault();
      }}
      onDrop={drop}
    >
      {children}
      {isOver && (
        <div className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft text-accent-ink">
          {label}
        </div>
      )}
    </div>
  );
}
