import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { IconButton } from './button.js';

interface DialogProps {
  title: string;
  description?: ReactNode;
  /** Called if the user closes it by Escape, the button or a click outside. */
  onClose: () => void;
  /** Whether it can be closed without a choice; default true. */
  isDismissible?: boolean;
  /** Whether a click outside closes it as well; default true. */
  closesOutside?: boolean;
  width?: number;
  children: ReactNode;
}

/** A dialog that is open as long as it is rendered. When it closes, the focus returns to where it was. */
export function Dialog(props: DialogProps) {
  const { title, description, onClose, isDismissible = true, closesOutside = true, width = 480, children } = props;
  return (
    <Base.Root
      open
      disablePointerDismissal={!closesOutside}
      onOpenChange={(open) => !open && isDismissible && onClose()}
    >
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-(--shadow) transition-opacity duration-150 data-starting-style:opacity-0" />
        <Base.Popup
          style={{ width }}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[80vh] max-w-[calc(100vw-2rem)] -translate-x-1/2 flex-col rounded-lg bg-raised shadow-float transition-[opacity,transform] duration-150 data-starting-style:scale-98 data-starting-style:opacity-0"
        >
          <header className="flex items-start gap-2 px-5 pt-4 pb-1">
            <div className="min-w-0 flex-1">
              <Base.Title className="wrap-text text-lg font-semibold">{title}</Base.Title>
              {description && <Base.Description className="mt-1 text-sm text-muted">{description}</Base.Description>}
            </div>
            {isDismissible && <IconButton icon="x" label="Close" onClick={onClose} className="-mr-2" />}
          </header>
          <div className="min-h-0 flex-1 overflow-y-auto px-5 pt-3 pb-5">{children}</div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

/** The row of buttons at the end of a dialog or a form. */
export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="mt-5 flex justify-end gap-2">{children}</div>
);
