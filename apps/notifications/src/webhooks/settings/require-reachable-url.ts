import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { AllowList } from '@millrace/egress/addresses/allow-list';
import { refuseAddress } from '@millrace/egress/addresses/guarded-lookup';

/**
 * Rejects URLs with an IP address that no delivery may reach. Host names are checked at each delivery, because their
 * addresses may change.
 * @throws ValidationError
 */
export function requireReachableUrl(url: string, allowed: AllowList): void {
  const error = refuseAddress(new URL(url).hostname, allowed);
  if (error) throw new ValidationError({ 'body.url': error.message });
}
