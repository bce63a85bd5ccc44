import { ValidationError } from '@millrace/contracts/kit/api-error';
import type { AllowList } from '@millrace/egress/allow-list';
import { refuseAddress } from '@millrace/egress/guarded-lookup';

/**
 * Refuses at once what no delivery could reach. Names are judged at each delivery, for what they stand for may change.
 * @throws ValidationError
 */
export function refuseUrl(url: string, allowed: AllowList): void {
  const refused = refuseAddress(new URL(url).hostname, allowed);
  if (refused) throw new ValidationError({ 'body.url': refused.message });
}
