import { connection } from '../api/connection.js';
import { useStore } from '../store/create-store.js';
import { Icon } from '../ui/icon.js';

/** Says that the server does not respond, until it does again. */
export function ConnectionBanner() {
  const isLost = useStore(connection) === 'lost';
  return (
    <div role="status">
      {isLost && (
        <p className="flex items-center gap-2 border-b border-line bg-stopped-soft px-6 py-2 text-sm text-stopped">
          <Icon name="cloudOff" />
          The server does not respond. What you see may be out of date; what you have entered stays. Trying again…
        </p>
      )}
    </div>
  );
}
