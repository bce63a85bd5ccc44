import type { Caller } from '@millrace/contracts/kit/envelope';
import type { Database } from '@millrace/persistence/database';
import { inVault } from '@millrace/persistence/tenancy';

export const countUnseen = ({ notification }: Database['client'], caller: Caller): Promise<number> =>
  notification.count({ where: { ...inVault(caller), userId: caller.user, seen: false } });
