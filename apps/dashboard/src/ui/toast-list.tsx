import { Toast as Base } from '@base-ui/react/toast';
import { useEffect } from 'react';
import { useStore } from '../store/create-store.js';
import { IconButton } from './button.js';
import { Icon, type IconName } from './icon.js';
import { newNotices, type Notice } from './toast.js';

const ERROR_TIMEOUT_MS = 10_000;
const SUCCESS_TIMEOUT_MS = 5_000;

/** Where notices appear. It is in a chunk of its own, with its library. */
export function ToastList() {
  return (
    <Base.Provider>
      <Base.Portal>
        <Base.Viewport className="fixed right-4 bottom-4 z-60 flex w-90 max-w-[calc(100vw-2rem)] flex-col gap-2">
          <List />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  );
}

const ICONS: Record<string, { name: IconName; className: string }> = {
  success: { name: 'circleCheck', className: 'text-succeeded' },
  error: { name: 'circleAlert', className: 'text-failed' },
};

function List() {
  const { toasts, add } = Base.useToastManager();
  const notices = useStore(newNotices);
  useEffect(() => {
    // An effect may run twice for the same notices.
    const taken = newNotices.get();
    if (taken.length === 0) return;
    newNotices.set([]);
    for (const notice of taken) add(toToast(notice));
  }, [notices, add]);
  return toasts.map((toast) => {
    const icon = ICONS[toast.type ?? ''];
    return (
      <Base.Root
        key={toast.id}
        toast={toast}
        className="flex items-start gap-2.5 rounded-md bg-raised px-3 py-2.5 text-sm shadow-float transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
      >
        {icon && <Icon name={icon.name} className={`mt-0.5 ${icon.className}`} />}
        <div className="min-w-0 flex-1">
          <Base.Title className="wrap-text font-medium" />
          <Base.Description className="wrap-text text-muted" />
        </div>
        {toast.actionProps && <Base.Action className="link shrink-0 font-medium" />}
        {/* The library hides the button of notices in a stack. Here all are open at once. */}
        <Base.Close aria-hidden={false} render={<IconButton icon="x" label="Dismiss" className="-my-1.5 -mr-2" />} />
      </Base.Root>
    );
  });
}

const toToast = ({ type, title, description, action }: Notice) => ({
  type,
  title,
  ...(description !== undefined && { description }),
  ...(action && { actionProps: { children: action.label, onClick: action.onSelect } }),
  timeout: type === 'error' ? ERROR_TIMEOUT_MS : SUCCESS_TIMEOUT_MS,
});
