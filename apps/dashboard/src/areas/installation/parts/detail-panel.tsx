import type { ReactNode } from 'react';
import { SidePanel } from '../../../ui/side-panel.js';

interface DetailPanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** Details beside a list, which scroll. */
export const DetailPanel = ({ title, onClose, children }: DetailPanelProps) => (
  <SidePanel title={title} onClose={onClose}>
    <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-4 py-4">{children}</div>
  </SidePanel>
);
