import { CredentialsFile, type Account } from './credentials-file.js';
import { withLock } from './with-lock.js';

/** Remembers an account, and its server as the one that commands go to. */
export async function saveAccount(path: string, url: string, account: Account): Promise<void> {
  const file = new CredentialsFile(path);
  await withLock(`${path}.lock`, async () => {
    const { servers } = await file.read();
    await file.write({ current: url, servers: { ...servers, [url]: account } });
  });
}
