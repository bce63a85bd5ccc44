import { Toast as Base } from '@base-ui/react/toast';
import { describeError } from '../api/describe-error.js';
import { IconButton } from './button.js';
import { Icon, type IconName } from './icon.js';

const manager = Base.createToastManager();

interface Notice {
  title: string;
  description?: string;
  /** A way back, such as "Undo". */
  action?: { label: string; onSelect: () => void };
}

/** Reports what was done, for a few seconds. */
export const notify = ({ title, description, action }: Notice): void => show('success', title, description, action);

/** Reports an error that belongs to no place on the page. */
export function notifyError(title: string, error: unknown): void {
  const { message, requestId } = describeError(error);
  show('error', title, requestId === undefined ? message : `${message} (request ${requestId})`);
}

function show(type: 'success' | 'error', title: string, description?: string, action?: Notice['action']): void {
  manager.add({
    type,
    title,
    ...(description !== undefined && { description }),
    ...(action && { actionProps: { children: action.label, onClick: action.onSelect } }),
    timeout: type === 'error' ? 10_000 : 5_000,
  });
}

/** Where notices appear. It is rendered once. */
export function Toasts() {
  return (
    <Base.Provider toastManager={manager}>
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
  const { toasts } = Base.useToastManager();
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
        <Base.Close render={<IconButton icon="x" label="Dismiss" className="-my-1.5 -mr-2" />} />
      </Base.Root>
    );
  });
}
