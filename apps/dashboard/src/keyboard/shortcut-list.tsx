import { useStore } from '../store/create-store.js';
import { Dialog } from '../ui/dialog.js';
import { Keys } from './keys.js';
import { activeShortcuts } from './shortcuts.js';

/** The shortcuts of the current page. */
export function ShortcutList({ onClose }: { onClose: () => void }) {
  const shortcuts = useStore(activeShortcuts);
  const byKeys = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]));
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="divide-y divide-line">
        {[...byKeys.values()].map(({ keys, label }) => (
          <div key={keys} className="flex items-center justify-between gap-4 py-2 text-sm">
            <dt>{label}</dt>
            <dd>
              <Keys keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
