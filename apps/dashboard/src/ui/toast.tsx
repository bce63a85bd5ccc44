import { lazy, Suspense } from 'react';
import { describeError } from '../api/describe-error.js';
import { createStore, useStore } from '../store/create-store.js';

export interface Notice {
  type: 'success' | 'error';
  title: string;
  description?: string;
  /** A way back, such as "Undo". */
  action?: { label: string; onSelect: () => void };
}

const ToastList = lazy(() => import('./toast-list.js').then(({ ToastList }) => ({ default: ToastList })));

/** Notices that the list has not taken yet. It loads with the first one. */
export const newNotices = createStore<readonly Notice[]>([]);
const isNeeded = createStore(false);

function show(notice: Notice): void {
  newNotices.set([...newNotices.get(), notice]);
  isNeeded.set(true);
}

/** Reports what was done, for a few seconds. */
export const notify = (notice: Omit<Notice, 'type'>): void => show({ type: 'success', ...notice });

/** Reports an error that belongs to no place on the page. */
export function notifyError(title: string, error: unknown): void {
  const { message, requestId } = describeError(error);
  const description = requestId === undefined ? message : `${message} (request ${requestId})`;
  show({ type: 'error', title, description });
}

/** Where notices appear. It is rendered once. */
export function Toasts() {
  const isShown = useStore(isNeeded);
  if (!isShown) return null;
  return (
    <Suspense>
      <ToastList />
    </Suspense>
  );
}
