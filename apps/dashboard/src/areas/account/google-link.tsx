import { apiUrl } from '../../api/client.js';
import { buttonClass } from '../../ui/button.js';

/** Leads to Google, and back to `returnTo`, a path of this app, with a ticket. */
export const GoogleLink = ({ returnTo, label }: { returnTo: string; label: string }) => (
  <a
    href={apiUrl(`/auth/google?${new URLSearchParams({ return_to: returnTo })}`)}
    className={`${buttonClass()} mt-3 w-full`}
  >
    {label}
  </a>
);
