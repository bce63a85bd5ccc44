import { useUnseenCount } from '../api/notifications.js';

/** The number of notifications that the user has not seen. */
export function UnseenCount() {
  const count = useUnseenCount();
  if (count === 0) return null;
  return (
    <span className="nums rounded-full bg-accent px-1.5 text-xs text-white group-data-collapsed/sidebar:md:absolute group-data-collapsed/sidebar:md:top-0 group-data-collapsed/sidebar:md:right-0">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> unseen</span>
    </span>
  );
}
