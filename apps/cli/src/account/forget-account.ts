import { CredentialsFile } from './credentials-file.js';
import { withLock } from './with-lock.js';

/** Removes what is kept of an account; its server is no longer the one that commands go to. */
export async function forgetAccount(path: string, url: string): Promise<void> {
  const file = new CredentialsFile(path);
  await withLock(`${path}.lock`, async () => {
    const { current, servers } = await file.read();
    const { [url]: _, ...others } = servers;
    await file.write({ ...(current !== undefined && current !== url && { current }), servers: others });
  });
}
