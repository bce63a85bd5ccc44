import { listAdmins } from '@millrace/contracts/auth/admin/admins';
import { eventually } from '@millrace/testkit/eventually';
import { databaseUrl } from './own-system.js';
import { queryDatabase } from './query-database.js';
import { signUp, type Account } from './sign-up.js';

/** Makes a user an administrator of the test system, as `npm run admin -- grant` does. */
export async function grantAdmin({ user }: Pick<Account, 'user'>): Promise<void> {
  await queryDatabase(
    databaseUrl(process.env.TEST_DATA_DIR ?? ''),
    'INSERT INTO auth.instance_admin (user_id) VALUES ($1) ON CONFLICT DO NOTHING',
    [user],
  );
}

let shared: Promise<Account> | undefined;

/** An administrator of the test system, the same one for all tests of a suite. */
export const makeAdmin = (): Promise<Account> => (shared ??= signUpAdmin());

async function signUpAdmin(): Promise<Account> {
  const account = await signUp();
  await grantAdmin(account);
  // The gateway learns of it some milliseconds later.
  await eventually(() => account.client.call(listAdmins));
  return account;
}
